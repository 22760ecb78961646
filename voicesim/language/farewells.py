"""Whether a turn ends the call: a farewell that is meant, is not spoken of, and is not taken back.

A wish alone ("get well soon") is none: people go on behind it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from voicesim.language.data import load
from voicesim.language.patterns import plain
from voicesim.language.sentences import is_question, split

Closing = Literal["goodbye", "until_then", "wish", "other"]
"""What a sentence does at the end of a turn: an appointment ("see you tomorrow") ends the call when nothing follows."""

_NAME = re.compile(r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)?")
_CLAUSES = re.compile(r"[,;:–—]\s*|\.{2,}\s*|(?<=\w)[.!]\s+")


@dataclass(frozen=True)
class _Formulas:
    """The expressions of a language's farewells, compiled."""

    goodbye: re.Pattern[str]
    """A clause of formulas alone with a goodbye or a parting among them."""
    until_then: re.Pattern[str]
    """A clause of formulas alone with an appointment or a parting among them."""
    wish: re.Pattern[str]
    """A clause of formulas alone, whichever they are, courtesies before them."""
    beside: re.Pattern[str]
    """A clause of courtesies alone."""
    at_the_end: re.Pattern[str]
    """A goodbye at the end of a clause that begins with other words; group 1 is the word before it."""
    before_a_mention: frozenset[str]
    mentions: frozenset[str]
    takes_back: re.Pattern[str]
    safety_net: re.Pattern[str]
    joint: re.Pattern[str]
    """`and`, where it joins two clauses."""


def farewell_at(sentences: Sequence[str], language: str = "en") -> int | None:
    """The index of the sentence in which a turn says its goodbye; None when the turn goes on.

    A clause says goodbye when it consists of farewell formulas. A question behind it, or words such as "one more
    thing", take it back. An appointment ("see you tomorrow") is a farewell only when nothing follows but courtesies,
    wishes or when to call again. A wish alone ("take care") is none.

    >>> farewell_at(["Thanks for calling.", "Take care, bye."])
    1
    >>> farewell_at(["Say goodbye to high prices!", "How can I help?"]) is None
    True
    >>> farewell_at(["Take care."]) is None
    True
    """
    return _closing_at(sentences, "until_then", language, always="goodbye")


def wish_at(sentences: Sequence[str], language: str = "en") -> int | None:
    """The index of the wish ("get well soon") with which a turn closes; None for a turn that goes on or says goodbye.

    >>> wish_at(["All right.", "Take care.", "Call us if it gets worse."])
    1
    >>> wish_at(["Take care.", "Which day suits you?"]) is None
    True
    """
    return _closing_at(sentences, "wish", language) if farewell_at(sentences, language) is None else None


def says_goodbye(text: str, language: str = "en") -> bool:
    """Whether a text ends with a farewell that is meant."""
    return farewell_at(split(text), language) is not None


def wishes_well(text: str, language: str = "en") -> bool:
    """Whether a text closes with a wish, and says no goodbye."""
    return wish_at(split(text), language) is not None


def _closing_at(sentences: Sequence[str], last: Closing, language: str, always: Closing | None = None) -> int | None:
    """The index of a sentence of a kind: of `last` with nothing but courtesies behind it, of `always` in any case."""
    formulas = _formulas(language)
    for place in range(len(sentences) - 1, -1, -1):
        clauses = _clauses(sentences[place], language)
        if is_question(sentences[place], language) or any(formulas.takes_back.search(clause) for clause in clauses):
            return None
        kind = _kind(clauses, formulas)
        behind = sentences[place + 1 :]
        if kind == always or (kind == last and all(_courtesy(sentence, formulas, language) for sentence in behind)):
            return place
    return None


def _kind(clauses: Sequence[str], formulas: _Formulas) -> Closing:
    """What a sentence that asks nothing is."""
    if any(_goodbye(clause, formulas) for clause in clauses):
        return "goodbye"
    if _closes(clauses, formulas.until_then, formulas):
        return "until_then"
    return "wish" if _closes(clauses, formulas.wish, formulas) else "other"


def _closes(clauses: Sequence[str], formula: re.Pattern[str], formulas: _Formulas) -> bool:
    """Whether one of a sentence's clauses is a formula, and nothing but courtesies comes behind it."""
    first = next((place for place, clause in enumerate(clauses) if formula.fullmatch(clause)), None)
    return first is not None and all(_harmless(clause, formulas) for clause in clauses[first:])


def _goodbye(clause: str, formulas: _Formulas) -> bool:
    if formulas.goodbye.fullmatch(clause):
        return True
    ending = formulas.at_the_end.search(clause)
    if ending is None or ending.group(1) in formulas.before_a_mention:
        return False
    return formulas.mentions.isdisjoint(clause.split())


def _courtesy(sentence: str, formulas: _Formulas, language: str) -> bool:
    return formulas.safety_net.search(plain(sentence)) is not None or all(
        _harmless(clause, formulas) for clause in _clauses(sentence, language)
    )


def _harmless(clause: str, formulas: _Formulas) -> bool:
    formula = formulas.wish.fullmatch(clause) or formulas.beside.fullmatch(clause)
    return formula is not None or formulas.safety_net.search(clause) is not None


def _clauses(sentence: str, language: str) -> list[str]:
    """The clauses of a sentence in plain form, parted at marks and at `and`; a name that is called is left out."""
    joint = _formulas(language).joint
    first, *others = _CLAUSES.split(sentence)
    parts = [plain(part) for part in (first, *(part for part in others if not _NAME.fullmatch(part.strip(" .!"))))]
    return [piece for part in parts for piece in joint.split(part) if piece]


@cache
def _formulas(language: str) -> _Formulas:
    data = load("farewells", language)

    def expression(*names: str) -> str:
        """Any of the formulas of some lists; definitions hold no others."""
        text = "|".join(f"(?:{formula})" for name in names for formula in data[name])
        for name, definition in data["define"].items():
            text = text.replace(f"<{name}>", f"(?:{definition})")
        return f"(?:{text})"

    goodbyes, beside = expression("goodbyes"), expression("beside")
    closing = ("goodbyes", "partings", "until_then", "wishes")
    every, partings = expression(*closing, "beside"), expression("goodbyes", "partings")
    return _Formulas(
        goodbye=re.compile(rf"(?:{every} )*{partings}(?: {every})*"),
        until_then=re.compile(rf"(?:{every} )*{expression('goodbyes', 'partings', 'until_then')}(?: {every})*"),
        wish=re.compile(rf"(?:{beside} )*{expression(*closing)}(?: {every})*"),
        beside=re.compile(rf"{beside}(?: {beside})*"),
        at_the_end=re.compile(rf"(\S+) {goodbyes}(?: {beside})*$"),
        before_a_mention=frozenset(data["before_a_mention"]),
        mentions=frozenset(data["mentions"]),
        takes_back=re.compile(expression("takes_back")),
        safety_net=re.compile(expression("safety_net")),
        joint=re.compile(rf"\s+{data['joint']}\s+|^{data['joint']}\s+"),
    )
