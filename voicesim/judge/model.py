"""verdicts/<judge>.json: one verdict a check, each with the sound that proves it, and the score."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from voicesim.catalog.model import Group

Outcome = Literal["hit", "miss", "not_applicable", "cannot_assess", "error", "disputed"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Evidence(_Part):
    """A contiguous quote from one utterance; start and end (seconds) are of the quoted words."""

    utterance: str
    quote: str
    start: float
    end: float


class Verdict(_Part):
    check: str
    group: Group
    weight: float
    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""


class Score(_Part):
    """Arithmetic over verdicts. `value` is None when the call is unscored, and `unscored` says why.

    `coverage` is the share of the rubric's weight that was decided (hit or miss).
    """

    value: float | None
    unscored: str = ""
    failed_critical: tuple[str, ...] = ()
    coverage: float

    @property
    def passed(self) -> bool:
        """Scored, and no critical check missed."""
        return self.value is not None and not self.failed_critical


class Verdicts(_Part):
    schema_version: Literal[1] = 1
    call_id: str
    judge: str
    judge_version: str
    verdicts: tuple[Verdict, ...]
    score: Score
