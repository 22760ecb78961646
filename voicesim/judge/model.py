"""verdicts/<judge>.json: one verdict a check, each with the sound that proves it, and the score."""

from typing import Literal

from voicesim.catalog.model import Group
from voicesim.catalog.tags import Tag
from voicesim.frozen import Frozen
from voicesim.metrics.model import Cost
from voicesim.recording.manifest import ModelAt

Outcome = Literal["hit", "miss", "not_applicable", "not_heard", "cannot_assess", "error", "disputed"]
By = Literal["judge", "code"]
REASON_LENGTH = 500
"""Characters of a reason that are kept."""


class Evidence(Frozen):
    """A contiguous quote from one utterance; start and end (seconds) are of the quoted words."""

    utterance: str
    quote: str
    start: float
    end: float


class Seen(Frozen):
    """A stretch of the call (seconds) that decided a check without words: a tool in use, a wait, two voices at once."""

    what: str
    start: float
    end: float


class Vote(Frozen):
    """What one judge found, in one of its repeats (counted from 1) or, with repeat 0, in all of them."""

    judge: str
    repeat: int = 0
    outcome: Outcome
    reason: str = ""


class Verdict(Frozen):
    """`by` tells who decided: a judge, or code (the tool log, the clock, the sound), which also tells what it saw.

    `votes` are there when it was decided by majority; code does not vote.
    """

    check: str
    group: Group
    weight: float
    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()
    seen: tuple[Seen, ...] = ()
    reason: str = ""
    by: By = "judge"
    votes: tuple[Vote, ...] = ()


class Failure(Frozen):
    """A kind of failure, and who named it: that of a missed check or, without a check, of the whole call.

    `note` says what `other` stands for, or where in the call it was. `evidence` are the agent's words that show it.
    """

    tag: Tag
    by: By
    check: str = ""
    note: str = ""
    evidence: tuple[Evidence, ...] = ()


class Score(Frozen):
    """Arithmetic over verdicts. `value` is None when the call is unscored, and `unscored` says why.

    `coverage` is the share of the rubric's weight that was decided (hit or miss); below `least_coverage` of what
    applies a
    call stays unscored.
    """

    value: float | None
    unscored: str = ""
    failed_critical: tuple[str, ...] = ()
    coverage: float
    least_coverage: float = 0.0

    @property
    def passed(self) -> bool:
        """Scored, and no critical check missed."""
        return self.value is not None and not self.failed_critical


class Verdicts(Frozen):
    """`model` is the judge's language model as it was asked for; `models` are those that answered, as their servers
    name them. `cost` is that of its answers in this run, where the model's file has prices; kept answers cost nothing.
    """

    schema_version: Literal[1] = 1
    call_id: str
    judge: str
    judge_version: str
    verdicts: tuple[Verdict, ...]
    score: Score
    tags: tuple[Failure, ...] = ()
    model: ModelAt | None = None
    models: tuple[str, ...] = ()
    cost: Cost | None = None
    warnings: tuple[str, ...] = ()
