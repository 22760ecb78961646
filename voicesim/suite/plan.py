"""A run as asked for: its calls, its folder, who judges, and how many calls are made side by side."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.errors import UsageError
from voicesim.judge.judges import Panel
from voicesim.recording.files import check_name
from voicesim.recording.flac import LONGEST
from voicesim.recording.manifest import BY_TYPING, BY_VOICE
from voicesim.suite.matrix import PlannedCall, slug
from voicesim.transports.spec import transport_spec

CORES_WITH_AN_AGENT = 2
"""Cores that a live call takes whose agent runs on this machine too, with speech recognition and voice of its own."""


@dataclass(frozen=True)
class Batch:
    """Calls of one case to one agent, for which a reference agent is started once."""

    agent: ChosenAgent
    case: Case
    calls: tuple[PlannedCall, ...]


@dataclass(frozen=True)
class Plan:
    """Calls to make, `at_once` side by side at most; None is as many as this machine has room for.

    With a `tool_report_port` (0: any free one), agents can report their tools by POST, and calls are made one after
    the other. An invalid call is made again, up to `rerun_invalid` times. `adds`: what was planned in the folder
    before stays planned. `held`: so many calls at once, late or not. `settings` is the suite file, as suite.json
    keeps it.
    """

    calls: tuple[PlannedCall, ...]
    folder: Path
    panel: Panel = field(default_factory=Panel)
    at_once: int | None = None
    tool_report_port: int | None = None
    rerun_invalid: int = 0
    adds: bool = False
    held: bool = False
    title: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def virtual(self) -> bool:
        """Whether the calls are made on virtual time."""
        return self.calls[0].order.clock == "virtual"

    def log(self, agent: ChosenAgent) -> Path:
        """Where a reference agent's own log goes."""
        return self.folder / f"{slug(agent.label)}.log"

    def check(self) -> None:
        """Raises UsageError, before anything is started, for what can be seen to be wrong."""
        if not self.calls:
            raise UsageError("there is no call to make: everything is left out")
        suite, longest = self.folder.name, max(call.order.max_duration for call in self.calls)
        check_name(self.folder)
        if longest > LONGEST:
            raise UsageError(f"a call of {longest:g} s cannot be recorded; the longest is {LONGEST} s")
        bound = [call.agent.label for call in self.calls if not transport_spec(call.agent.name.transport).in_process]
        if self.virtual and bound:
            raise UsageError(
                f"{bound[0]} runs in real time; the virtual clock is for agents of the form python:module:factory"
            )
        if suite != self.calls[0].order.suite:
            raise UsageError(f"the calls belong to the suite {self.calls[0].order.suite!r}, not to {suite!r}")

    def width(self) -> int:
        """How many calls are made side by side to begin with."""
        if self.tool_report_port is not None or self.calls[0].order.mind in (BY_TYPING, BY_VOICE):
            return 1
        return min(self.at_once or self._fitting(), len(self.calls))

    def cores_of_a_call(self) -> int:
        """How many cores a call takes, its agent's with it where that is started for it."""
        with_agent = any(transport_spec(call.agent.name.transport).started for call in self.calls)
        return CORES_WITH_AN_AGENT if with_agent else 1

    def _fitting(self) -> int:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, cores // self.cores_of_a_call())


def batches(calls: Sequence[PlannedCall]) -> Iterator[Batch]:
    """Calls by agent and case, in their order."""
    for _, group in groupby(calls, key=lambda call: (call.order.agent, call.order.case.id)):
        together = tuple(group)
        yield Batch(together[0].agent, together[0].order.case, together)


def suite_folder(out: Path, name: str) -> Path:
    """The folder of a suite. Raises UsageError for a name that would lead elsewhere."""
    if name in ("", ".", "..") or set(name) & set("/\\\0"):
        raise UsageError(f"a suite is the name of a folder under {out}, not a path: {name!r}")
    return out / name


def suite_name(cases: Sequence[str], now: datetime) -> str:
    """The default name of a suite: when it was started, and with which case, or with how many."""
    what = cases[0] if len(cases) == 1 else f"{len(cases)}-cases"
    return f"{now:%Y%m%d-%H%M%S}-{what}"
