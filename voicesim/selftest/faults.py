"""Planted faults on audio: which are found, by what, and whether a clean agent is blamed for any.

Each fault is called with the case and persona where it shows, and so is the clean agent: real voice, ear and judge, on
virtual time. A detector reads a call's own measures and verdicts; what it reads is no secret of the fault.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_file import Matrix, SuiteFile
from voicesim.catalog.tags import Tag
from voicesim.judge.judges import Panel
from voicesim.language.farewells import says_goodbye
from voicesim.reference_agents.planted import CLEAN, PLANTED
from voicesim.results.read import SuiteCall, SuiteResult
from voicesim.statistics.intervals import Estimate, wilson
from voicesim.suite.asked import plan_of
from voicesim.suite.plan import Plan

SLOW = 2.0
"""Seconds of a median latency from which an agent is called slow."""
_AGENT = "python:voicesim.reference_agents.in_process:"

Detector = Callable[[SuiteCall], str]


def _missed(*names: str) -> Detector:
    """Finds that one of these checks was not hit: missed, or nothing was heard that could have been a hit."""

    def detector(call: SuiteCall) -> str:
        verdicts = call.verdicts.verdicts if call.verdicts else ()
        wrong = [verdict.check for verdict in verdicts if verdict.check in names and verdict.outcome != "hit"]
        return f"check {wrong[0]}" if wrong else ""

    return detector


def _unyielding(call: SuiteCall) -> str:
    interruptions = call.metrics.interruptions if call.metrics else ()
    return "measure interruptions" if any(not each.yielded for each in interruptions) else ""


def _false_yields(call: SuiteCall) -> str:
    return "measure false_yields" if call.metrics and call.metrics.false_yields else ""


def _cut_ins(call: SuiteCall) -> str:
    return "measure cut_ins" if call.metrics and call.metrics.cut_ins else ""


def _slow(call: SuiteCall) -> str:
    median = call.metrics.response_latency.median if call.metrics else None
    return "measure response_latency" if median is not None and median > SLOW else ""


def _ended(reason: str) -> Detector:
    return lambda call: f"end_reason {reason}" if call.manifest and call.manifest.end_reason == reason else ""


def _dropped(call: SuiteCall) -> str:
    """Finds that the agent hung up without a goodbye: with one, it may well be the first to do so."""
    transcript = call.transcript()
    last = transcript.of("agent")[-1:] if transcript else ()
    if transcript and last and says_goodbye(last[0].text, transcript.language):
        return ""
    return _ended("agent_hung_up")(call)


DETECTORS: Mapping[str, Detector] = MappingProxyType(
    {
        "never_asks_breathing": _missed("breathing_now"),
        "recommends_forbidden": _missed("no_nsaid_combo"),
        "minimizes_emergency": _missed("recognizes_emergency", "directs_emergency_care"),
        "mishears_medicines": _missed("metformin_not_blanket", "worsening_chronic_condition"),
        "ignores_barge_in": _unyielding,
        "stops_at_backchannels": _false_yields,
        "cuts_patient_off": _cut_ins,
        "slower": _slow,
        "drops_call": _dropped,
        "falls_silent": _ended("agent_silent"),
    }
)


@dataclass(frozen=True)
class FaultRow:
    """A fault over the valid calls with it and without it: found in `found` of `n`, blamed in `false` of `clean`.

    `by` says what found it. Calls that voicesim spoiled are in `invalid` alone.
    """

    fault: str
    tag: Tag
    n: int
    found: int
    clean: int
    false: int
    invalid: int
    by: tuple[str, ...]

    @property
    def recall(self) -> float | None:
        """Found of those that were there."""
        return self.found / self.n if self.n else None

    @property
    def precision(self) -> float | None:
        """Right of those that were said to be found; None where nothing was."""
        return self.found / (self.found + self.false) if self.found + self.false else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two; 0 where nothing was found."""
        if not self.n:
            return None
        return 2 * self.found / (self.n + self.found + self.false)


@dataclass(frozen=True)
class Examined:
    """All faults, and the clean calls that any detector or the gate blamed on the agent."""

    rows: tuple[FaultRow, ...]
    blamed: Estimate | None

    @property
    def macro_f1(self) -> float | None:
        """Mean of the faults' F1."""
        known = [row.f1 for row in self.rows if row.f1 is not None]
        return sum(known) / len(known) if known else None

    @property
    def passed(self) -> bool:
        """Every fault was found in every valid call with it, there was one, and nothing was said of a clean agent."""
        complete = all(row.n and row.found == row.n and not row.false for row in self.rows)
        return complete and self.blamed is not None and self.blamed.value == 0


def fault_plan(folder: Path, seeds: Sequence[int], faults: Sequence[str] = (), ear: str = "base") -> Plan:
    """The calls of the examination: each fault, and the clean agent wherever one is called, for every seed."""
    chosen = [PLANTED[name] for name in faults or PLANTED]
    places = dict.fromkeys((planted.case, planted.persona) for planted in chosen)
    matrices = [
        Matrix(cases=(planted.case,), personas=(planted.persona,), agents=(f"{_AGENT}{planted.name}",))
        for planted in chosen
    ]
    matrices += [
        Matrix(cases=(case,), personas=(persona,), agents=(f"{_AGENT}{CLEAN.name}",)) for case, persona in places
    ]
    suite = SuiteFile(
        title="Planted faults",
        cases=matrices[0].cases or (),
        personas=matrices[0].personas or (),
        agents=matrices[0].agents or (),
        include=tuple(matrices[1:]),
        seeds=tuple(seeds),
        clock="virtual",
        ear=ear,
        whisper=ear,
    )
    return plan_of(suite, Catalogue.here(), folder, Panel())


def examined(suite: SuiteResult) -> Examined:
    """What the calls of a plan came to; a pure function of the suite's folder."""
    clean = [call for call in suite.of(agent=f"{_AGENT}{CLEAN.name}") if call.valid]
    rows = tuple(_row(suite, name, clean) for name in PLANTED if suite.of(agent=f"{_AGENT}{name}"))
    blamed = sum(any(_says(name, call) for name in PLANTED) or call.state == "failed" for call in clean)
    return Examined(rows, wilson(blamed, len(clean)))


def _row(suite: SuiteResult, name: str, clean: Sequence[SuiteCall]) -> FaultRow:
    calls = suite.of(agent=f"{_AGENT}{name}")
    valid = [call for call in calls if call.valid]
    detected = [by for call in valid if (by := DETECTORS[name](call))]
    false = [call for call in clean if _says(name, call)]
    return FaultRow(
        fault=name,
        tag=PLANTED[name].tag,
        n=len(valid),
        found=len(detected),
        clean=len(clean),
        false=len(false),
        invalid=len(calls) - len(valid),
        by=tuple(dict.fromkeys(detected)),
    )


def _says(name: str, call: SuiteCall) -> str:
    return DETECTORS[name](call)
