"""What every judge gives: a finding for one check of one call."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from voicesim.catalog.model import Case, Check
from voicesim.catalog.tags import Tag
from voicesim.judge.model import Evidence, Failure, Outcome, Seen
from voicesim.judge.moments import Moment, moments
from voicesim.llm.server import ModelServer
from voicesim.metrics.model import Metrics
from voicesim.recording.events import Event
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class Call:
    """What a judge may look at: the case as it was resolved, the transcript, the events and the measures.

    `repeat` counts how often the same judge was asked about this call before; it changes no question.
    """

    case: Case
    transcript: Transcript
    events: tuple[Event, ...] = ()
    metrics: Metrics | None = None
    repeat: int = 0

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Every sentence of the agent, in order; the transcript is read once, however many checks ask."""
        return moments(self.transcript)


@dataclass(frozen=True)
class Finding:
    """One check's outcome. A hit or miss without evidence rests on something not having happened.

    `happened` is for what was seen to happen without a word that could be quoted: a tool call, a long wait.
    `seen` shows what code decided by. `tag` and `note` name the failure of a miss, where that can be told.
    """

    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    happened: bool = False
    tag: Tag | None = None
    note: str = ""
    seen: tuple[Seen, ...] = ()


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


@runtime_checkable
class Together(Protocol):
    """A judge that is asked about all checks of a call at once."""

    def find_all(self, checks: Sequence[Check], call: Call) -> list[Finding]:
        """One finding a check, in their order. Raises as `Judge.find` does."""
        ...


@runtime_checkable
class NamesFailures(Protocol):
    """A judge that can be asked once about the whole call."""

    def failures(self, call: Call, named: Collection[Tag]) -> tuple[Failure, ...]:
        """Failures that no check names; `named` are those that a check or code has named. Raises as `find` does."""
        ...


@runtime_checkable
class Model(Protocol):
    """A judge with a language model behind it."""

    @property
    def server(self) -> ModelServer:
        """Where the model is, and its name as it was asked for."""
        ...

    @property
    def usages(self) -> Sequence[Mapping[str, Any] | None]:
        """What its server told of the tokens of each answer so far; None for an answer of which it told nothing."""
        ...

    @property
    def models(self) -> tuple[str, ...]:
        """Which models answered so far, as their servers name them; sorted."""
        ...
