"""How soon the patient answered, beyond the silence its persona leaves, and whom it cut off.

This measures voicesim, not the agent: an agent that is kept waiting asks again, or takes the caller for gone.
"""

from collections.abc import Iterable, Sequence

from voicesim.metrics.model import PatientReply, ReplyTime, Share
from voicesim.metrics.summary import summarize
from voicesim.recording.events import CallerLine, Event
from voicesim.transcript.model import Transcript, Utterance

SLOW = 2.0
"""Seconds of excess above which a reply is told in a warning; far above it, the call itself is invalid."""
REACTION = 0.25
"""Seconds within which nobody answers a voice: an agent that begins so soon after the patient was still in its turn."""


def reply_time(transcript: Transcript, events: Iterable[Event]) -> ReplyTime | None:
    """Every reply of the patient to the agent; None for a recording that does not tell what was drawn.

    got = the patient's first voiced sample - the agent's last one before it; excess = got - drawn. A reply into
    the agent's turn has neither: the agent was sounding, or went on within 0.25 s.
    """
    lines = [event for event in events if isinstance(event, CallerLine) and event.drawn is not None]
    if not lines:
        return None
    replies = [_reply(line, transcript) for line in lines]
    known = [reply for reply in replies if reply is not None]
    cut_off = sum(reply.cut_off for reply in known)
    return ReplyTime(
        replies=tuple(known),
        drawn=summarize(reply.drawn for reply in known if reply.got is not None),
        got=summarize(reply.got for reply in known if reply.got is not None),
        excess=summarize(reply.excess for reply in known if reply.excess is not None),
        cut_off=Share(n=len(known), count=cut_off, share=round(cut_off / len(known), 4) if known else None),
    )


def told(measured: ReplyTime | None) -> tuple[str, ...]:
    """A warning for each reply that was too slow."""
    return tuple(
        f"{reply.caller}: the patient answered {reply.excess:.1f} s later than its persona does"
        for reply in (measured.replies if measured else ())
        if reply.excess is not None and reply.excess > SLOW
    )


def _reply(line: CallerLine, transcript: Transcript) -> PatientReply | None:
    """What came of a line; None when it cannot be heard, or the agent was not heard before it."""
    said = next((utterance for utterance in transcript.of("caller") if line.start <= utterance.start < line.end), None)
    if said is None or line.drawn is None:
        return None
    before = [utterance for utterance in transcript.of("agent") if utterance.start < said.start]
    if not before:
        return None
    agent = before[-1]
    drawn = round(line.drawn, 4)
    if _speaks(transcript.of("agent"), said.start):
        return PatientReply(caller=said.id, agent=agent.id, drawn=drawn, cut_off=True)
    got = round(said.start - max(end for _, end in agent.voiced if end <= said.start), 4)
    return PatientReply(caller=said.id, agent=agent.id, drawn=drawn, got=got, excess=round(got - drawn, 4))


def _speaks(agent: Sequence[Utterance], moment: float) -> bool:
    """Whether the agent sounds at a moment, or goes on so soon after it that it had not stopped."""
    return any(start <= moment + REACTION and moment < end for utterance in agent for start, end in utterance.voiced)
