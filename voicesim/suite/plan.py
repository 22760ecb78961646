"""A suite as asked for: which calls there will be, in which order and in which folders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from voicesim.call.assembly import Order
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.judge.judges import Panel
from voicesim.recording.files import check_name
from voicesim.recording.flac import LONGEST
from voicesim.suite.reference import fitted

_LONGEST_NAME = 80
"""Bytes of an agent's part of a folder name; file systems allow 255 for the whole."""


@dataclass(frozen=True)
class Batch:
    """Calls of one case to one agent."""

    agent: ChosenAgent
    orders: tuple[Order, ...]

    @property
    def case(self) -> Case:
        """The case of all its calls."""
        return self.orders[0].case


@dataclass(frozen=True)
class Plan:
    """Every order to every agent, `repeats` times over.

    Agent, seed and folder of an order are set for each call. `brain` and `fault` are for reference agents. With a
    `sink_port` (0: any free one), agents can report their tools by POST. An invalid call is made again, up to
    `rerun_invalid` times.
    """

    orders: tuple[Order, ...]
    agents: tuple[ChosenAgent, ...]
    out: Path
    repeats: int = 1
    panel: Panel = field(default_factory=Panel)
    brain: str | None = None
    fault: Tag | None = None
    sink_port: int | None = None
    rerun_invalid: int = 0

    @property
    def total(self) -> int:
        """How many calls there will be."""
        return len(self.orders) * len(self.agents) * self.repeats

    @property
    def folder(self) -> Path:
        """Where the recordings go."""
        return self.out / self.orders[0].suite

    def log(self, batch: Batch) -> Path:
        """Where a reference agent's own log goes."""
        return self.folder / f"{_slug(batch.agent.label)}.log"

    def check(self) -> None:
        """Raises UsageError, before anything is started, for what can be seen to be wrong."""
        self.batches()
        suite = self.orders[0].suite
        if suite in ("", ".", "..") or set(suite) & set("/\\\0"):
            raise UsageError(f"a suite is the name of a folder under {self.out}, not a path: {suite!r}")
        check_name(self.folder)
        longest = max(order.max_duration for order in self.orders)
        if longest > LONGEST:
            raise UsageError(f"a call of {longest:g} s cannot be recorded; the longest is {LONGEST} s")

    def batches(self) -> list[Batch]:
        """The calls by agent and case, so that a reference agent is started once for them.

        Raises UsageError for a brain or fault that an agent cannot have.
        """
        cases = {order.case.id: order.case for order in self.orders}
        return [
            Batch(
                fitted(agent, case, self.brain, self.fault),
                tuple(order for order in self.orders if order.case.id == name),
            )
            for agent in self.agents
            for name, case in cases.items()
        ]

    def calls(self, batch: Batch) -> Iterator[Order]:
        """The orders of a batch with agent, seed and folder, each repeat after the other."""
        several_personas = len({order.persona.id for order in batch.orders}) > 1
        for order in batch.orders:
            for repeat in range(self.repeats):
                parts = [order.case.id, _slug(batch.agent.label), order.profile.id]
                parts += [order.persona.id] if several_personas else []
                name = "_".join([*parts, f"{repeat + 1:02d}"])
                agent, seed, folder = batch.agent, order.seed + repeat, self.folder / name
                yield replace(order, agent=agent.label, settings=agent.settings, seed=seed, folder=folder)


def suite_name(cases: Sequence[str], now: datetime) -> str:
    """The default name of a suite: when it was started, and with which case, or with how many."""
    what = cases[0] if len(cases) == 1 else f"{len(cases)}-cases"
    return f"{now:%Y%m%d-%H%M%S}-{what}"


def _slug(text: str) -> str:
    """An agent string as part of a file name, in a length that every file system takes.

    >>> _slug("pcm:ws://localhost:8080/call")
    'pcm-ws---localhost-8080-call'
    """
    name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in text).strip("-.")
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    short = name.encode()[: _LONGEST_NAME - 9].decode("utf-8", "ignore")
    return f"{short}-{sha256(text.encode()).hexdigest()[:8]}"
