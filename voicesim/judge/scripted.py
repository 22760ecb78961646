"""A conversation written down as lines (`A: Any fever?`, `P: No.`) and the transcript it stands for."""

from collections.abc import Sequence

from voicesim.errors import UsageError
from voicesim.transcript.model import Side, Transcript, Utterance, Word

_SIDES: dict[str, Side] = {"A": "agent", "P": "caller"}
_PER_WORD = 0.4
_GAP = 0.8


def line_of(text: str) -> tuple[str, str]:
    """Who (`A` the agent, `P` the patient) and what. Raises UsageError for a line of another form."""
    who, mark, said = text.partition(": ")
    if who not in _SIDES or not mark or not said.strip():
        raise UsageError(f"{text!r} is no line of a conversation: it begins with `A: ` (agent) or `P: ` (patient)")
    return who, said.strip()


def utterance_ids(said: Sequence[str]) -> tuple[str, ...]:
    """The id of each line: A1, P1, A2, ... by side, in order."""
    seen: list[str] = []
    for text in said:
        who, _ = line_of(text)
        seen.append(f"{who}{1 + sum(one[0] == who for one in seen)}")
    return tuple(seen)


def transcript_of(said: Sequence[str], call_id: str) -> Transcript:
    """The transcript of a call in which exactly this was said.

    Times are made up: 0.4 s a word and 0.8 s between lines. Raises UsageError for a line of another form.
    """
    utterances: list[Utterance] = []
    now = 0.0
    for name, raw in zip(utterance_ids(said), said, strict=True):
        who, text = line_of(raw)
        words = tuple(
            Word(text=word, start=now + i * _PER_WORD, end=now + (i + 1) * _PER_WORD, probability=1.0)
            for i, word in enumerate(text.split())
        )
        end = words[-1].end
        utterances.append(
            Utterance(
                id=name,
                side=_SIDES[who],
                start=now,
                end=end,
                text=text,
                voiced=((now, end),),
                words=words,
                source="line",
            )
        )
        now = end + _GAP
    return Transcript(call_id=call_id, duration=now, language="en", model="written", utterances=tuple(utterances))
