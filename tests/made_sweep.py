"""Sweeps whose calls are made up: what they came to is known."""

from itertools import product
from pathlib import Path
from typing import Literal

from voicesim.judge.model import Score, Verdicts
from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import AgentHearing, Metrics, Share, Summary
from voicesim.recording.manifest import Resolved, Validity, bare_manifest
from voicesim.results.model import Planned, SuiteRun
from voicesim.results.read import SuiteCall, SuiteResult
from voicesim.results.sweep import Sweep, SweepAxis, SweepPoint, SweepResult, result
from voicesim.transcript.model import Transcript

BARE = measure_transcript(Transcript(call_id="c", duration=60.0, language="en", model="none", utterances=()))


def call(
    key: str, understood: int = 0, n: int = 0, *, score: float | None = None, latencies: tuple[float, ...] = (),
    valid: bool = True, critical: tuple[str, ...] = (), source: Literal["told", "shown"] = "told",
) -> SuiteCall:  # fmt: skip
    """A call whose agent understood so many of n entities."""
    planned = Planned(key=key, name=key, case="c", persona="p", profile="l", agent="a", seed=0, repeat=1)
    hearing = AgentHearing(source=source, wer=0.1, entities=Share(n=n, count=understood), by_kind={}) if n else None
    metrics: Metrics = BARE.model_copy(
        update={"agent_hearing": hearing, "response_latency": Summary(n=len(latencies), values=latencies)}
    )
    entry = Resolved(id="c", sha256="", content={})
    manifest = bare_manifest(key, "cues").model_copy(update={"validity": Validity(valid=valid), "case": entry})
    verdicts = Verdicts(
        call_id=key,
        judge="cues",
        judge_version="1",
        verdicts=(),
        score=Score(value=score, coverage=1.0, failed_critical=critical),
    )
    return SuiteCall(planned, Path(key), manifest, metrics, verdicts)


def sweep(*points: tuple[SuiteCall, ...], control: tuple[SuiteCall, ...] = (), numbers: bool = True) -> SweepResult:
    """A sweep over SNR (30, 20, 10 ... dB) with these calls at each point."""
    values = tuple(str(30 - 10 * number) for number in range(len(points)))
    return over((SweepAxis(name="snr", values=values, numbers=numbers),), points, control)


def over(
    axes: tuple[SweepAxis, ...], points: tuple[tuple[SuiteCall, ...], ...], control: tuple[SuiteCall, ...] = ()
) -> SweepResult:
    """A sweep over these axes with these calls at each combination of their values, the last axis moving fastest."""
    places = tuple(
        SweepPoint(values=values, keys=tuple(made.planned.key for made in calls))
        for values, calls in zip(product(*(axis.values for axis in axes)), points, strict=True)
    )
    keys = tuple(made.planned.key for made in control)
    every = tuple(made for calls in (*points, control) for made in calls)
    run = SuiteRun(suite="s", voicesim="", planned=tuple(made.planned for made in every))
    return result(
        Sweep(case="c", agent="a", axes=axes, points=places, control=keys), SuiteResult(Path("s"), run, every)
    )
