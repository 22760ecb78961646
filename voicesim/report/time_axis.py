"""The call on one time axis: what is drawn where. Places are percent of the call's length.

Percent lets the drawing stretch with the page; only whether labels would touch is decided here, at the
narrowest size it is ever shown in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from voicesim.audio.samples import Pcm
from voicesim.metrics.model import DeadAir, Interruption, Metrics, Turn
from voicesim.report.checks import CheckView
from voicesim.report.peaks import loudest, outline, peaks
from voicesim.report.wording import clock, span, whole_seconds
from voicesim.transcript.model import Utterance

PX_PER_SECOND = 7.0
MIN_WIDTH = 300
_LETTER, _PAD = 6.2, 8.0  # px: one figure of a label, and the air around a label
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600)
_TICK_GAP = 55  # px between the axis' figures at least

MarkKind = Literal["latency", "cut_in", "unanswered", "aborted", "yield", "no_yield"]


@dataclass(frozen=True)
class Label:
    """A text at a place, in the first or second row; anchored so that it stays inside the drawing."""

    text: str
    x: float
    row: int
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True)
class Mark:
    """A span of time that says something: how long the agent took, an interruption, ..."""

    kind: MarkKind
    x: float
    width: float
    text: str
    title: str
    label: Label | None = None


@dataclass(frozen=True)
class Block:
    """A stretch of time with a name: an utterance, dead air, a tick of the axis, a verdict's sign."""

    id: str
    x: float
    width: float
    title: str
    kind: str = ""
    row: int = 0
    named: bool = True


@dataclass(frozen=True)
class TimeAxis:
    """All of the drawing; `width` is the least width in px that keeps labels apart."""

    width: int
    slices: int
    caller_path: str
    agent_path: str
    ticks: tuple[Block, ...]
    caller: tuple[Block, ...]
    agent: tuple[Block, ...]
    marks: tuple[Mark, ...]
    dead_air: tuple[Block, ...]
    signs: tuple[Block, ...]


@dataclass(frozen=True)
class _Axis:
    duration: float

    @property
    def width(self) -> float:
        return max(MIN_WIDTH, self.duration * PX_PER_SECOND)

    def at(self, t: float) -> float:
        return round(100 * min(max(t / self.duration, 0.0), 1.0), 3) if self.duration > 0 else 0.0

    def px(self, percent: float) -> float:
        return percent / 100 * self.width


def timeline(
    caller: Pcm,
    agent: Pcm,
    duration: float,
    utterances: Sequence[Utterance],
    metrics: Metrics,
    checks: Sequence[CheckView],
) -> TimeAxis:
    """Lay out a call of `duration` seconds; sound is int16 (n,) at 24,000 Hz."""
    axis = _Axis(duration)
    slices = min(3000, max(600, round(duration * 20)))
    lanes = peaks(caller, slices), peaks(agent, slices)
    scale = loudest(*lanes)
    marks = [_turn(turn, axis) for turn in metrics.turns]
    ends = {utterance.id: utterance.end for utterance in utterances}
    timed = [interruption for interruption in metrics.interruptions if interruption.harness_late is None]
    marks += [
        _interruption(interruption, axis, ends.get(interruption.agent, interruption.start)) for interruption in timed
    ]
    return TimeAxis(
        width=round(axis.width),
        slices=slices,
        caller_path=outline(lanes[0], scale),
        agent_path=outline(lanes[1], scale),
        ticks=_ticks(axis),
        caller=_blocks((utterance for utterance in utterances if utterance.side == "caller"), axis),
        agent=_blocks((utterance for utterance in utterances if utterance.side == "agent"), axis),
        marks=_labelled([mark for mark in marks if mark], axis),
        dead_air=tuple(_dead_air(silence, axis) for silence in metrics.dead_air),
        signs=_signs(checks, axis),
    )


def _ticks(axis: _Axis) -> tuple[Block, ...]:
    per_second = axis.width / axis.duration if axis.duration > 0 else axis.width
    step = next((step for step in _STEPS if step * per_second >= _TICK_GAP), _STEPS[-1])
    times = range(0, int(axis.duration) + 1, step)
    last = axis.width - 4 * _LETTER - _PAD  # a figure behind this would be cut off at the edge
    return tuple(
        Block(f"{t // 60}:{t % 60:02d}", axis.at(t), 0.0, "", named=axis.px(axis.at(t)) <= last) for t in times
    )


def _blocks(utterances: Iterable[Utterance], axis: _Axis) -> tuple[Block, ...]:
    blocks, free = [], -1.0
    for utterance in utterances:
        x = axis.at(utterance.start)
        named = axis.px(x) >= free
        if named:
            free = axis.px(x) + len(utterance.id) * _LETTER + _PAD
        title = f"{utterance.id} {clock(utterance.start)}–{clock(utterance.end)}: {utterance.text}"
        blocks.append(Block(utterance.id, x, round(axis.at(utterance.end) - x, 3), title, named=named))
    return tuple(blocks)


def _turn(turn: Turn, axis: _Axis) -> Mark | None:
    start, end = turn.caller_end, turn.agent_start
    if turn.outcome == "answered":
        if end is None or turn.latency is None:
            return None
        title = f"{turn.agent} answers {turn.caller} after {span(turn.latency)}"
        return _mark("latency", start, end, span(turn.latency), title, axis)
    if turn.outcome == "cut_in":
        title = f"{turn.agent} cuts in before {turn.caller} has ended: no latency"
        return _mark("cut_in", end if end is not None else start, start, "cut-in", title, axis)
    if turn.outcome == "aborted":
        title = f"{turn.caller}: the answer was broken off, no latency"
        return _mark("aborted", start, end if end is not None else start, "aborted", title, axis)
    if turn.outcome == "farewell":
        return None
    return _mark("unanswered", start, start, "no answer", f"{turn.caller} is not answered", axis)


def _interruption(interruption: Interruption, axis: _Axis, agent_end: float) -> Mark:
    if interruption.yielded and interruption.yield_time is not None:
        text = f"yields {span(interruption.yield_time)}"
        title = (
            f"{interruption.caller} interrupts {interruption.agent}, which stops after {span(interruption.yield_time)}"
        )
        return _mark("yield", interruption.start, interruption.start + interruption.yield_time, text, title, axis)
    title = f"{interruption.caller} interrupts {interruption.agent}, which talks on to its end"
    return _mark("no_yield", interruption.start, agent_end, "no yield", title, axis)


def _mark(kind: MarkKind, start: float, end: float, text: str, title: str, axis: _Axis) -> Mark:
    x = axis.at(min(start, end))
    return Mark(kind, x, round(axis.at(max(start, end)) - x, 3), text, title)


def _labelled(marks: list[Mark], axis: _Axis) -> tuple[Mark, ...]:
    """Give each mark a label under its middle where one of two rows has room; the rest keep their title."""
    free = [-1.0, -1.0]
    placed = []
    for mark in sorted(marks, key=lambda mark: mark.x + mark.width / 2):
        half = (len(mark.text) * _LETTER + _PAD) / 2
        x = mark.x + mark.width / 2
        anchor: Literal["start", "middle", "end"] = "middle"
        left = axis.px(x) - half
        if left < 0:
            x, anchor, left = mark.x, "start", axis.px(mark.x)
        elif left + 2 * half > axis.width:
            x, anchor, left = mark.x + mark.width, "end", axis.px(mark.x + mark.width) - 2 * half
        row = next((index for index, end in enumerate(free) if end <= left), None)
        if row is None:
            placed.append(mark)
            continue
        free[row] = left + 2 * half
        placed.append(replace(mark, label=Label(mark.text, round(x, 3), row, anchor)))
    return tuple(placed)


def _dead_air(silence: DeadAir, axis: _Axis) -> Block:
    x = axis.at(silence.start)
    length = whole_seconds(silence.end - silence.start)
    who = "the agent" if silence.waiting_for == "agent" else "the patient"
    title = f"dead air of {length}, waiting for {who}"
    width = round(axis.at(silence.end) - x, 3)
    room = axis.px(width) - _PAD
    name = next((text for text in (f"dead air {length}", length) if len(text) * _LETTER <= room), "")
    return Block(name, x, width, title, named=bool(name))


def _signs(checks: Sequence[CheckView], axis: _Axis) -> tuple[Block, ...]:
    """A sign for each piece of evidence at its time, in one of two rows."""
    by_start = sorted(
        ((quote.start, check) for check in checks for quote in check.quotes if quote.in_transcript),
        key=lambda placed: placed[0],
    )
    free = [-1.0, -1.0]
    signs = []
    for start, check in by_start:
        x = axis.at(start)
        row = 0 if free[0] <= axis.px(x) else 1
        free[row] = axis.px(x) + 14
        signs.append(Block(check.id, x, 0.0, f"{check.title}: {check.label}", check.kind, row))
    return tuple(signs)
