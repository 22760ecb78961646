"""Suites on disk with calls of your choice: recordings of one tick, with the scores, checks and latencies you name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from voicesim.judge.kept import verdicts_file
from voicesim.judge.model import Outcome, Score, Verdict, Verdicts
from voicesim.metrics.model import Metrics, Turn
from voicesim.metrics.summary import summarize
from voicesim.recording import files
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import EndReason, Validity, bare_manifest
from voicesim.results.model import SUITE, Planned, SuiteRun
from voicesim.results.read import SuiteResult, open_suite
from voicesim.transcript.model import Transcript, Utterance

VALID = Validity(valid=True)
LATE = Validity(valid=False, reason="late_harness")


@dataclass(frozen=True)
class Made:
    """A call. Without a score it is unscored; `critical` names missed critical checks; `lost` leaves no recording.

    `last_words` are all that the agent says; without, there is no transcript.
    """

    case: str = "cold"
    agent: str = "x"
    seed: int = 0
    score: float | None = 1.0
    critical: tuple[str, ...] = ()
    checks: Mapping[str, Outcome] = field(default_factory=dict)
    latencies: Sequence[float] = ()
    cut_ins: int = 0
    validity: Validity = VALID
    lost: str = ""
    end_detail: str = ""
    end_reason: EndReason = "completed"
    last_words: str = ""

    @property
    def plan(self) -> Planned:
        """The call as it is planned."""
        name = f"{self.case}-{self.agent}-{self.seed}".replace("/", "-")
        return Planned(
            key=name,
            name=name,
            case=self.case,
            persona="p",
            profile="clean",
            agent=self.agent,
            seed=self.seed,
            repeat=self.seed + 1,
        )


def make_suite(folder: Path, *calls: Made, **more: object) -> SuiteResult:
    """A suite's folder, read back."""
    folder.mkdir(parents=True)
    for call in calls:
        if not call.lost:
            _record(folder / call.plan.name, call)
    lost = {call.plan.key: call.lost for call in calls if call.lost}
    planned = [call.plan for call in calls]
    run = SuiteRun.model_validate({"suite": folder.name, "voicesim": "0", "planned": planned, "lost": lost} | more)
    files.save(folder, SUITE, run)
    return open_suite(folder)


def _record(folder: Path, call: Made) -> None:
    manifest = bare_manifest(folder.name, "x").model_copy(update={"key": call.plan.key})
    with LiveRecording(folder, manifest) as live:
        live.write("agent", 0, np.zeros(480, np.int16))
        ended = {"validity": call.validity, "end_reason": call.end_reason, "end_detail": call.end_detail}
        live.finish(lambda old, duration: old.model_copy(update={"duration": duration, **ended}))
    turns = tuple(Turn(caller="P1", caller_end=1.0, latency=seconds, outcome="answered") for seconds in call.latencies)
    turns += (Turn(caller="P1", caller_end=1.0, outcome="cut_in"),) * call.cut_ins
    metrics = Metrics(
        call_id=folder.name,
        duration=0.02,
        response_latency=summarize(call.latencies),
        turns=turns,
        cut_ins=call.cut_ins,
        interruptions=(),
        false_yields=0,
        overlap=0.0,
        dead_air=(),
        agent_talk=0.0,
        caller_talk=0.0,
        talk_ratio=None,
        first_word=None,
    )
    files.save(folder, files.METRICS, metrics)
    if call.last_words:
        said = Utterance(id="A1", side="agent", start=0.0, end=0.02, text=call.last_words, voiced=(), source="whisper")
        heard = Transcript(call_id=folder.name, duration=0.02, language="en", model="none", utterances=(said,))
        files.save(folder, files.TRANSCRIPT, heard)
    checks = tuple(Verdict(check=name, group="close", weight=0.1, outcome=what) for name, what in call.checks.items())
    score = Score(value=call.score, failed_critical=call.critical, coverage=1.0)
    verdicts = Verdicts(call_id=folder.name, judge="cues", judge_version="1", verdicts=checks, score=score)
    files.save(folder, verdicts_file("cues"), verdicts)
