"""Where the recorded patient's lines no longer went with what the agent said."""

from voicesim.frozen import Frozen, Seconds
from voicesim.metrics.base import MeasuredCall
from voicesim.recording.events import Divergence


class Diverged(Frozen):
    """One place: when the line was due, of which kind, and what the replay did."""

    t: Seconds
    kind: str
    detail: str
    action: str


def divergences(call: MeasuredCall) -> tuple[Diverged, ...] | None:
    """The places of a replay at which it diverged; None for a call without any, replay or not."""
    diverged = tuple(
        Diverged(t=event.t, kind=event.kind, detail=event.detail, action=event.action)
        for event in call.events
        if isinstance(event, Divergence)
    )
    return diverged or None
