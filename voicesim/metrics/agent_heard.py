"""What the agent says it understood, by the patient's utterance that it is about."""

from collections.abc import Sequence

from voicesim.recording.events import AgentHeard, Event
from voicesim.transcript.model import Utterance


def by_utterance(
    events: Sequence[Event], lines: Sequence[Utterance]
) -> tuple[dict[str, list[AgentHeard]], list[AgentHeard]]:
    """The agent's own transcripts of each of the patient's lines by its id, and those that are about none.

    Matched by time, as the words may be in another language: the line that overlaps most with the turn the agent tells
    of; without a turn, the latest that began before the agent told. Empty when it told nothing.
    """
    taken: dict[str, list[AgentHeard]] = {line.id: [] for line in lines}
    others: list[AgentHeard] = []
    for event in events:
        if isinstance(event, AgentHeard):
            best = _meant(event, lines)
            if best is not None:
                taken[best.id].append(event)
            elif event.text.strip():
                others.append(event)
    return taken, others


def _meant(event: AgentHeard, lines: Sequence[Utterance]) -> Utterance | None:
    if event.start is not None:
        start, end = event.start, event.end if event.end is not None else event.t
        best = max(lines, key=lambda line: min(end, line.end) - max(start, line.start), default=None)
        return best if best is not None and min(end, best.end) > max(start, best.start) else None
    before = [line for line in lines if line.start < event.t]
    return max(before, key=lambda line: line.start, default=None)
