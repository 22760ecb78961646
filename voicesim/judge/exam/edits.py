"""Changes to a conversation of lines (`A: ...`, `P: ...`), by whole sentences of the agent."""

from collections.abc import Sequence

from voicesim.judge.scripted import line_of, utterance_ids
from voicesim.text.sentences import split

Said = tuple[str, ...]

NOTHING = "I see."
"""What the agent says where all it had said was taken away."""


def agent_sentences(said: Sequence[str]) -> list[str]:
    """Every sentence of the agent, in order."""
    return [sentence for who, text in map(line_of, said) if who == "A" for sentence in split(text)]


def replace(said: Said, sentences: Sequence[str], put: str = "") -> Said:
    """`put` in the place of the first of these sentences, and the others gone."""
    first = next(one for one in agent_sentences(said) if one in sentences)
    return _each_line(said, {one: put if one == first else "" for one in sentences})


def exchange(said: Said, one: str, other: str) -> Said:
    """Two sentences of the agent change places."""
    return _each_line(said, {one: other, other: one})


def to_patient(said: Said, sentences: Sequence[str], lead: str) -> Said:
    """The first of these sentences in the patient's mouth, right before the agent's turn that held it."""
    place = line_with(said, sentences)
    first = next(one for one in split(line_of(said[place])[1]) if one in sentences)
    before = [*said[:place]]
    if before and before[-1].startswith("P: "):
        before[-1] = f"{before[-1]} {lead} {first}"
    else:
        before.append(f"P: {lead} {first}")
    return replace((*before, *said[place:]), sentences)


def until(said: Said, sentences: Sequence[str], *, included: bool) -> Said:
    """The conversation up to the line with the first of these sentences, with or without that line."""
    return said[: line_with(said, sentences) + included]


def slip_in(said: Said, line: int, text: str) -> Said:
    """A text at the end of a line."""
    return (*said[:line], f"{said[line]} {text}", *said[line + 1 :])


def line_with(said: Said, sentences: Sequence[str]) -> int:
    """The first line of the agent that holds one of these sentences."""
    return next(
        place
        for place, (who, text) in enumerate(map(line_of, said))
        if who == "A" and any(one in sentences for one in split(text))
    )


def pointed(said: Said, sentences: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Utterance and words of those of these sentences (or texts) that the agent says, in order."""
    return tuple(
        (name, sentence)
        for name, (who, text) in zip(utterance_ids(said), map(line_of, said), strict=True)
        if who == "A"
        for sentence in sentences
        if sentence and sentence in text
    )


def _each_line(said: Said, swaps: dict[str, str]) -> Said:
    lines = []
    for raw in said:
        who, text = line_of(raw)
        if who == "A":
            kept = [swaps.get(sentence, sentence) for sentence in split(text)]
            text = " ".join(filter(None, kept)) or NOTHING
        lines.append(f"{who}: {text}")
    return tuple(lines)
