"""Transcripts written by hand, one utterance a call; all times in seconds."""

from voicesim.recording.events import Intent, LineKind
from voicesim.transcript.model import Transcript, Utterance

Span = tuple[float, float]


def agent(*voiced: Span, cut: bool = False, text: str = "x") -> Utterance:
    """An agent utterance that sounds in these spans."""
    return Utterance(
        id="", side="agent", start=voiced[0][0], end=voiced[-1][1], text=text, voiced=voiced, cut=cut, source="whisper"
    )


def caller(*voiced: Span, intent: Intent = "respond", kind: LineKind | None = None, text: str = "x") -> Utterance:
    """A patient utterance that sounds in these spans."""
    return Utterance(
        id="",
        side="caller",
        start=voiced[0][0],
        end=voiced[-1][1],
        text=text,
        voiced=voiced,
        intent=intent,
        kind=kind,
        source="line",
    )


def call(*utterances: Utterance, duration: float = 60.0) -> Transcript:
    """A transcript of these utterances, numbered by start."""
    ordered = sorted(utterances, key=lambda one: one.start)
    counts = {"agent": 0, "caller": 0}
    named = []
    for one in ordered:
        counts[one.side] += 1
        named.append(one.model_copy(update={"id": f"{'A' if one.side == 'agent' else 'P'}{counts[one.side]}"}))
    return Transcript(call_id="c", duration=duration, language="en", model="none", utterances=tuple(named))
