"""What an agent's words do apart from asking for facts: greet, close, say goodbye, send to emergency care."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from voicesim.language.farewells import farewell_at, wish_at
from voicesim.language.farewells import says_goodbye as says_goodbye
from voicesim.language.patterns import Pattern, patterns
from voicesim.language.patterns import plain as plain
from voicesim.language.sentences import is_question, split

Move = Literal[
    "farewell",
    "wish",
    "emergency",
    "anything_else",
    "understood",
    "present",
    "again",
    "correct",
    "permission",
    "offer",
    "request",
    "help",
    "greeting",
]
MOVES: tuple[Move, ...] = get_args(Move)


@dataclass(frozen=True)
class Sentence:
    """One sentence of an agent's turn: its words, whether they ask or request, and what else they do."""

    text: str
    asks: bool
    moves: frozenset[Move]


def read(heard: str, language: str = "en") -> tuple[Sentence, ...]:
    """The sentences of an agent's turn, in order; none when nothing was understood."""
    known = {pattern.name: pattern for pattern in patterns("moves", language)}
    sentences = [text for text in split(heard) if re.search(r"\w", text)]
    closings: dict[Move, int | None] = {
        "farewell": farewell_at(sentences, language),
        "wish": wish_at(sentences, language),
    }
    return tuple(
        Sentence(
            text,
            is_question(text, language),
            _moves(sentences, place, known) | {move for move, at in closings.items() if at == place},
        )
        for place, text in enumerate(sentences)
    )


def _moves(sentences: Sequence[str], place: int, known: dict[str, Pattern]) -> frozenset[Move]:
    words = plain(sentences[place])
    moves: set[Move] = {name for name in MOVES if name in known and known[name].expression.search(words)}
    if "emergency" in moves:
        # "If it gets worse, don't wait. Call an ambulance." is one safety net in two sentences.
        hypothetical = place > 0 and known["condition"].expression.match(plain(sentences[place - 1])) is not None
        if hypothetical or not _meant_now(words, known):
            moves.discard("emergency")
    return frozenset(moves)


def _meant_now(words: str, known: dict[str, Pattern]) -> bool:
    """Whether emergency care is told for now; "if it gets worse" makes it a safety net."""
    condition, denial = known["condition"].expression, known["denial"].expression
    care = known["emergency"].expression.search(words)
    if care is None:
        return False
    before, after = words[: care.start()], words[care.end() :]
    if condition.search(before) or condition.search(care.group()) or denial.search(before):
        return False
    later = condition.search(after)
    # "Call them now, and if you can't, ..." is meant; "call them at once if ..." is not.
    return later is None or re.search(r"[,;:–—]", after[: later.start()]) is not None
