"""Changes to a conversation of lines (`A: ...`, `P: ...`, `T: ...`), by whole sentences of the agent and its tools."""

from collections.abc import Sequence

from voicesim.bench.scripted import TOOL, line_of, utterance_ids
from voicesim.language.sentences import split

Said = tuple[str, ...]

NOTHING = "I see."
"""What the agent says where all it had said was taken away."""


def agent_pieces(said: Sequence[str]) -> list[str]:
    """Every sentence of the agent and every use of a tool, in order."""
    return [piece for raw in said for piece in _pieces(raw)]


def replace(said: Said, pieces: Sequence[str], put: str = "") -> Said:
    """`put` in the place of the first of these pieces, and the others gone; several tools stand in lines of `put`."""
    first = next(piece for piece in agent_pieces(said) if piece in pieces)
    return _each_line(said, {piece: put if piece == first else "" for piece in pieces})


def exchange(said: Said, first: str, other: str) -> Said:
    """Two pieces change places."""
    return _each_line(said, {first: other, other: first})


def to_patient(said: Said, pieces: Sequence[str], lead: str) -> Said:
    """The first of these sentences in the patient's mouth, right before the agent's turn that held it."""
    place = line_with(said, pieces)
    first = next(piece for piece in _pieces(said[place]) if piece in pieces)
    before = [*said[:place]]
    if before and before[-1].startswith("P: "):
        before[-1] = f"{before[-1]} {lead} {first}"
    else:
        before.append(f"P: {lead} {first}")
    return replace((*before, *said[place:]), pieces)


def until(said: Said, pieces: Sequence[str], *, included: bool) -> Said:
    """The conversation up to the line with the first of these pieces, with or without that line."""
    return said[: line_with(said, pieces) + included]


def slip_in(said: Said, line: int, text: str) -> Said:
    """A text at the end of a line."""
    return (*said[:line], f"{said[line]} {text}", *said[line + 1 :])


def line_with(said: Said, pieces: Sequence[str]) -> int:
    """The first line of the agent, or of a tool, that holds one of these pieces."""
    return next(place for place, raw in enumerate(said) if any(piece in pieces for piece in _pieces(raw)))


def pointed(said: Said, sentences: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Utterance and words of those of these sentences (or texts) that the agent says, in order."""
    return tuple(
        (name, sentence)
        for name, (who, text) in zip(utterance_ids(said), map(line_of, said), strict=True)
        if who == "A"
        for sentence in sentences
        if sentence and sentence in text
    )


def _pieces(raw: str) -> list[str]:
    who, text = line_of(raw)
    if who == TOOL:
        return [text]
    return list(split(text)) if who == "A" else []


def _each_line(said: Said, swaps: dict[str, str]) -> Said:
    lines: list[str] = []
    for raw in said:
        who, _ = line_of(raw)
        pieces = [swaps.get(piece, piece) for piece in _pieces(raw)]
        if who == TOOL:
            lines += [f"{TOOL}: {use}" for text in pieces for use in text.splitlines()]
        elif who == "A":
            lines.append(f"A: {' '.join(filter(None, pieces)) or NOTHING}")
        else:
            lines.append(raw)
    return tuple(lines)
