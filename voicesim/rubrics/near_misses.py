"""Pairs of answers that differ in one clinical fact, built by code: which one is right is true by construction."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from voicesim.language.entities import entities
from voicesim.language.kinds import Quantity
from voicesim.rubrics.facts import does
from voicesim.rubrics.model import EvidenceFact

Change = Literal["figure", "warning_dropped", "red_flag_dropped", "negation_turned"]
CHANGES: tuple[Change, ...] = get_args(Change)
_AROUND = 4
"""Facts that stand beside the changed one in an answer."""

# What an answer says in the place of a guideline's words: (the guideline's, the answer's).
_SPOKEN = (
    (r"\bparacetamol \(acetaminophen\)", "acetaminophen"),
    (r"\bA person with\b", "Anyone with"),
    (r"\bA person who\b", "Anyone who"),
    (r"\bmust not be\b", "shouldn't be"),
    (r"\bshould not be\b", "must not be"),
    (r"\bmust not take\b", "shouldn't take"),
    (r"\bDo not\b", "Please don't"),
    (r"\bat once\b", "right away"),
    (r"\bshould see a\b", "needs to see a"),
    (r"\bshould be examined\b", "needs to be examined"),
    (r"\bis recommended\b|\bare recommended\b", "should help"),
    (r"\bmay be used\b", "can be used"),
    (r"\bbecause of\b", "due to"),
)
# How a prohibition becomes leave, and an alarm none.
_TURNED = (
    (r"\b(?:must|should) not be (given|taken|stopped|used|closed)\b", r"may be \1"),
    (r"\b(?:must|should) not\b", "may"),
    (r"\bmust never be\b", "may be"),
    (r"\b(?:should|must) be avoided\b", "may be taken"),
    (r"\b(?:is|are) (?:generally )?not recommended\b", "is fine"),
    (r"^Do not (\w)", r"You may \1"),
    (r"^Never (\w)", r"You may \1"),
    (r"\bis an emergency\b", "is not an emergency"),
    (r"\bare an emergency\b", "are not an emergency"),
    (r"\b(?:must|should) be (seen|examined|evaluated|reported|paused)\b", r"need not be \1"),
    (r"\bdo not help\b", "do help"),
)


@dataclass(frozen=True)
class Pair:
    """Two answers; `right` has the fact as the evidence has it. `source` is the document it comes from."""

    source: str
    fact: str
    change: Change
    right: str
    wrong: str


def pairs(facts: Sequence[EvidenceFact]) -> tuple[Pair, ...]:
    """Every change that fits each fact, with four other facts of the same document around it, in another wording."""
    return tuple(pair for fact in facts for pair in _of_fact(fact, facts))


def _of_fact(fact: EvidenceFact, facts: Sequence[EvidenceFact]) -> Iterator[Pair]:
    if does("history", fact.says):
        return
    others = [other for other in facts if other.source == fact.source and other.id != fact.id]
    others = [other for other in others if not does("history", other.says)]
    place = sum(ord(letter) for letter in fact.id) % max(1, len(others))
    around = [spoken(other.says) for other in (others[place:] + others[:place])[:_AROUND]]
    for change, wrong in _changes(fact):
        right = [*around[:2], spoken(fact.says), *around[2:]]
        other = [*around[:2], *([spoken(wrong)] if wrong else []), *around[2:]]
        yield Pair(fact.source, fact.id, change, " ".join(right), " ".join(other))


def _changes(fact: EvidenceFact) -> Iterator[tuple[Change, str]]:
    """The kinds of change that fit a fact, each with what is said then; "" for nothing."""
    for factor in (Decimal(2), Decimal("0.5")):
        if changed := other_figure(fact.says, factor):
            yield "figure", changed
    if fact.kind == "prohibition":
        yield "warning_dropped", ""
    if fact.kind == "red_flag":
        yield "red_flag_dropped", ""
    turned = next((re.sub(old, new, fact.says, count=1) for old, new in _TURNED if re.search(old, fact.says)), "")
    if turned:
        yield "negation_turned", turned[0].upper() + turned[1:]


def other_figure(sentence: str, factor: Decimal = Decimal(2)) -> str:
    """A sentence with its first quantity that has a unit made larger or smaller; "" when there is none.

    >>> other_figure("Wait at least 4 hours between two doses of paracetamol.")
    'Wait at least 8 hours between two doses of paracetamol.'
    """
    for entity in entities(sentence):
        value = entity.value
        if isinstance(value, Quantity) and value.unit and value.number == int(value.number):
            written = sentence[entity.start : entity.end]
            other = (value.number * factor).normalize()
            changed = written.replace(str(int(value.number)), f"{other:f}", 1)
            if changed != written:
                return sentence[: entity.start] + changed + sentence[entity.end :]
    return ""


def spoken(sentence: str) -> str:
    """A guideline's sentence as an answer might put it: other words, small numbers spelled out, the same facts."""
    from num2words import num2words

    for old, new in _SPOKEN:
        sentence = re.sub(old, new, sentence)
    return re.sub(
        r"\b([2-9]|1[0-2])(?= (?:hours?|days?|weeks?|months?|years?)\b)", lambda n: num2words(int(n[1])), sentence
    )
