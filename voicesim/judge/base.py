"""What every judge gives: a finding for one check of one call."""

from dataclasses import dataclass
from typing import Protocol

from voicesim.catalog.model import Case, Check
from voicesim.judge.model import Evidence, Outcome
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class Call:
    """What a judge may look at: the case as it was resolved, and the transcript."""

    case: Case
    transcript: Transcript


@dataclass(frozen=True)
class Finding:
    """One check's outcome. A hit or miss without evidence rests on something not having happened."""

    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""


class Judge(Protocol):
    """Decides one check at a time, whatever was found for the others."""

    @property
    def name(self) -> str:
        """What `--judge` calls it."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same call could be judged differently."""
        ...

    def find(self, check: Check, call: Call) -> Finding:
        """Blocking. Raises UsageError when the judge cannot work at all (no key, no server)."""
        ...
