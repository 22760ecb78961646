"""Whoever follows many calls: the terminal, or nobody."""

from typing import Protocol

from voicesim.recording.events import Event
from voicesim.suite.after import Result
from voicesim.suite.matrix import PlannedCall


class Watcher(Protocol):
    """What is told while calls are made. `event` and `step` come only where calls are made one after the other."""

    def made_before(self, count: int) -> None:
        """So many calls of the plan are there already."""
        ...

    def agent_starts(self, agent: str) -> None:
        """A reference agent is being started, or an agent about to be reached."""
        ...

    def tool_reports_at(self, url: str) -> None:
        """Agents can POST tool reports to this URL until the suite ends."""
        ...

    def call_starts(self, call: PlannedCall, number: int, total: int) -> None:
        """A call begins, the `number`-th to be made of the plan's `total`."""
        ...

    def event(self, event: Event) -> None:
        """Something happened in the call."""
        ...

    def step(self, name: str) -> None:
        """A step after the call begins."""
        ...

    def call_ended(self, call: PlannedCall) -> None:
        """A call is over; what follows it is still to come."""
        ...

    def at_once(self, number: int) -> None:
        """So many calls are made side by side from now on, because there was no time for more."""
        ...

    def finished(self, call: PlannedCall, result: Result) -> None:
        """A call is done: its scorecard is written, or the result says why there is none."""
        ...


class Quiet:
    """Nobody: says nothing, and keeps the results by the calls' keys."""

    def __init__(self) -> None:
        self.results: dict[str, Result] = {}

    def made_before(self, count: int) -> None:
        """See Watcher."""

    def agent_starts(self, agent: str) -> None:
        """See Watcher."""

    def tool_reports_at(self, url: str) -> None:
        """See Watcher."""

    def call_starts(self, call: PlannedCall, number: int, total: int) -> None:
        """See Watcher."""

    def event(self, event: Event) -> None:
        """See Watcher."""

    def step(self, name: str) -> None:
        """See Watcher."""

    def call_ended(self, call: PlannedCall) -> None:
        """See Watcher."""

    def at_once(self, number: int) -> None:
        """See Watcher."""

    def finished(self, call: PlannedCall, result: Result) -> None:
        """See Watcher."""
        self.results[call.key] = result
