"""Figures that voicesim itself may have spoiled: while they came about, it was late.

When the machine holds a call up, the agent hears the patient late, and its own sound is heard when it is noticed.
Neither can be told from a slow agent. So no such figure is given; what was in doubt is said.
"""

from collections.abc import Iterable, Sequence

from voicesim.audio.samples import TICK_SECONDS
from voicesim.metrics.intervals import Interval
from voicesim.metrics.model import Interruption, Turn
from voicesim.recording.events import Event, Late
from voicesim.transcript.model import Transcript


def harness_late(events: Iterable[Event]) -> list[Interval]:
    """When voicesim was late: from each late tick's deadline, less the tick before, to the moment it left.

    The length of each, less one tick, is by how much. A call tells of ticks that were more than 10 ms late.
    """
    late = [event for event in events if isinstance(event, Late) and event.what == "tick"]
    return [(event.t - event.seconds - TICK_SECONDS, event.t) for event in late]


def timed_turns(turns: Sequence[Turn], transcript: Transcript, moments: Sequence[Interval]) -> tuple[Turn, ...]:
    """The turns, without the latency of those that were held up.

    What counts is the time from the patient's end to the agent's start; for a cut-in, from the patient's start.
    """
    starts = {utterance.id: utterance.start for utterance in transcript.of("caller")}
    return tuple(_turn(turn, starts[turn.caller], moments) for turn in turns)


def timed_interruptions(measured: Sequence[Interruption], moments: Sequence[Interval]) -> tuple[Interruption, ...]:
    """The interruptions, without the yield time of those that were held up before the agent had stopped."""
    return tuple(_interruption(interruption, moments) for interruption in measured)


def timed(moment: float | None, moments: Sequence[Interval]) -> float | None:
    """Seconds since connection; None when they were held up."""
    return None if moment is None or _late_in(0.0, moment, moments) else moment


def told(turns: Sequence[Turn], interruptions: Sequence[Interruption]) -> tuple[str, ...]:
    """A warning for each figure that is missing because of it."""
    every: list[Turn | Interruption] = [*turns, *interruptions]
    return tuple(
        f"{turn.caller} and {turn.agent}: not timed, voicesim itself was {turn.harness_late * 1000:.0f} ms late"
        for turn in every
        if turn.harness_late is not None
    )


def _turn(turn: Turn, start: float, moments: Sequence[Interval]) -> Turn:
    if turn.agent_start is None or turn.outcome == "aborted":
        return turn
    late = _late_in(start if turn.outcome == "cut_in" else turn.caller_end, turn.agent_start, moments)
    return turn if late is None else turn.model_copy(update={"latency": None, "harness_late": late})


def _interruption(interruption: Interruption, moments: Sequence[Interval]) -> Interruption:
    if interruption.yield_time is None:
        return interruption
    late = _late_in(interruption.start, interruption.start + interruption.yield_time, moments)
    return interruption if late is None else interruption.model_copy(update={"yield_time": None, "harness_late": late})


def _late_in(start: float, end: float, moments: Sequence[Interval]) -> float | None:
    """By how many seconds voicesim was late at most between two instants; None when it was not."""
    touching = [round(last - first - TICK_SECONDS, 4) for first, last in moments if first <= end and start <= last]
    return max(touching, default=None)
