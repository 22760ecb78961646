"""A finished call as the pages about many calls see it: a row, whatever it was read from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from voicesim.catalog.model import Group, Kind
from voicesim.catalog.tags import Tag
from voicesim.judge.model import Outcome
from voicesim.metrics.summary import summarize
from voicesim.results.read import CallState

Place = Literal["whole line", "part of a line", "patient"]


@dataclass(frozen=True)
class Quoted:
    """A quote of a judge: how much of which side's line it is."""

    utterance: str
    text: str
    place: Place


@dataclass(frozen=True)
class Checked:
    """One check of one call. `votes` are the outcomes by judge, where several judged the call."""

    id: str
    group: Group
    kind: Kind
    weight: float
    outcome: Outcome
    reason: str = ""
    tag: Tag | None = None
    by_code: bool = False
    quotes: tuple[Quoted, ...] = ()
    votes: Mapping[str, Outcome] = field(default_factory=dict)

    @property
    def hit(self) -> bool | None:
        """Hit, or missed; None where nobody decided."""
        return {"hit": True, "miss": False}.get(self.outcome)


@dataclass(frozen=True)
class Timing:
    """Seconds and counts of one call, as metrics.json has them; `latencies` are of answered turns."""

    latencies: tuple[float, ...] = ()
    yields: tuple[float, ...] = ()
    interruptions: int = 0
    cut_ins: int = 0
    false_yields: int = 0
    turns: int = 0


@dataclass(frozen=True)
class Money:
    """What the agent's answers, and the judge's, cost; None where that is not known."""

    currency: str = "USD"
    agent: float | None = None
    judge: float | None = None


@dataclass(frozen=True)
class Setting:
    """What a call was made with: names, and the sha256 of what stands behind them."""

    case: str
    persona: str
    profile: str
    agent: str
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Of case, rubric, persona, profile and agent."""
    accent: str = ""
    mind: str = ""
    judge: str = ""
    judge_version: str = ""
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A call of a suite. `score` is that of the verdicts, 0 to 1; an invalid call has it, too, and it counts nowhere.

    `scorecard` is the address of its page as seen from the page that shows the row; "" where there is none.
    """

    id: str
    setting: Setting
    state: CallState
    reason: str = ""
    title: str = ""
    draft: bool = False
    score: float | None = None
    coverage: float | None = None
    failed_critical: tuple[str, ...] = ()
    failures: tuple[tuple[Tag, str], ...] = ()
    checks: tuple[Checked, ...] = ()
    timing: Timing | None = None
    money: Money = Money()
    duration: float | None = None
    ended: str = ""
    started_at: str = ""
    scorecard: str = ""

    @property
    def passed(self) -> bool | None:
        """Passed, or failed; None for a call that is invalid, missing or has no score."""
        return {"passed": True, "failed": False}.get(self.state)

    @property
    def counted(self) -> float | None:
        """The score, where it may enter a mean."""
        return None if self.state == "invalid" else self.score

    @property
    def median_latency(self) -> float | None:
        """Median response latency (seconds); None where no answer was timed."""
        return summarize(self.timing.latencies).median if self.timing else None

    @property
    def patient(self) -> tuple[str, str, str]:
        """Who called: case, persona and audio profile."""
        return self.setting.case, self.setting.persona, self.setting.profile

    @property
    def pair(self) -> tuple[str, str, str, str]:
        """The patient and the agent that was called; repeats of a pair are the same call again."""
        return *self.patient, self.setting.agent

    @property
    def judged(self) -> tuple[Checked, ...]:
        """The checks that may enter a rate: none of an invalid call."""
        return () if self.state == "invalid" else self.checks
