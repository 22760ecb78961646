"""What must be understood in a call about health: medicines, doses, durations, dates, negations, conditions, names.

>>> [str(entity) for entity in entities("No, I took two tablets of Panadol on Monday.")]
['negation: no', 'dose: 2 tablet', 'medicine: panadol', 'date: monday']
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Literal, get_args

from voicesim.language.data import load
from voicesim.language.fold import Token, tokens
from voicesim.language.kinds import Date, Digits, Ordinal, Quantity, Range, Sum, Time, Value, Year, same, units
from voicesim.language.misheard import sound
from voicesim.language.values import read

Kind = Literal["medicine", "dose", "number", "duration", "negation", "condition", "name", "date"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_LEAST_SOUND = 4
"""Consonants from which a word that only sounds like a medicine or name counts as that word, written otherwise."""
_LEAST_LIKE = 0.84
_VOWELS = "aeiouy"
_TIMES = ("time", "months", "night")
_NEGATION = "not"
_ONE = Quantity(Decimal(1))
"""A word of its own more often than a number: `one of those`."""
_CAPITAL = re.compile(r"(?<![.!?…:] )(?<!^)(?<![\"'“])\b[A-Z][a-z]+\b")


@dataclass(frozen=True)
class Entity:
    """One of them: its kind, the form that all ways to write it share, and the characters [start, end) of the text."""

    kind: Kind
    key: str
    text: str
    start: int
    end: int
    value: Value | None = None
    behind: str = ""
    """The word behind it, which tells apart two that are written alike."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.value if self.value is not None else self.text.lower()}"


def entities(text: str, names: Collection[str] = (), language: str = "en") -> list[Entity]:
    """The entities of a text in order; they do not overlap. `names` are those of people and places to look for.

    A word that is spelled otherwise but sounds the same (`Losarten`) counts as what it sounds like.
    """
    values = {reading.start: reading for reading in read(text, language) if reading.value != _ONE}
    spans = [(reading.start, reading.end) for reading in values.values()]
    wanted = frozenset(name.lower() for name in names)
    words, held, place = tokens(text), [], 0
    while place < len(words):
        reading = next((values[start] for start, end in spans if start <= words[place].start < end), None)
        if reading:
            kind, key, start, end = _kind(reading.value, language), str(reading.value), reading.start, reading.end
            entity: Entity | None = Entity(kind, key, text[start:end], start, end, reading.value)
        else:
            entity = _at(words, place, text, wanted, language)
        last = place + 1
        while entity and last < len(words) and words[last].start < entity.end:
            last += 1
        if entity:
            held.append(replace(entity, behind=words[last].text if last < len(words) else ""))
        place = last
    return held


def capitalised(text: str) -> frozenset[str]:
    """Words that a text writes as names: with a capital inside a sentence.

    >>> sorted(capitalised("My name is Andi. I live in Jakarta."))
    ['Andi', 'Jakarta']
    """
    return frozenset(_CAPITAL.findall(text))


def alike(entity: Entity, other: Entity, language: str = "en") -> bool:
    """Whether two entities are the same: the same word in any of its forms, or the same value however it is written."""
    if entity.value is None or other.value is None:
        written = entity.key == other.key or (entity.kind == "medicine" and _sounds_like(entity.key, other.key))
        return entity.value is other.value and entity.kind == other.kind and written
    return same(entity.value, other.value, language) or (_figures(entity) == _figures(other) and _loose(entity, other))


def missed(said: Sequence[Entity], heard: Sequence[Entity], language: str = "en") -> tuple[list[Entity], list[Entity]]:
    """What of `said` is not in `heard`, and what of `heard` was not said, both taken in order.

    The longest run of entities that both have in the same order is what was understood (the longest common
    subsequence; of several, the one with the most that are written alike and stand before the same word). Two that
    changed places are told by one of them.
    """
    rows, columns = len(said), len(heard)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    gain = [[_gain(a, b) if alike(a, b, language) else 0 for b in heard] for a in said]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            both = gain[i][j] + best[i + 1][j + 1] if gain[i][j] else 0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    lost, made_up = [], []
    i = j = 0
    while i < rows or j < columns:
        if i < rows and j < columns and gain[i][j] and best[i][j] == gain[i][j] + best[i + 1][j + 1]:
            i, j = i + 1, j + 1
        elif j < columns and (i == rows or best[i][j] == best[i][j + 1]):
            made_up.append(heard[j])
            j += 1
        else:
            lost.append(said[i])
            i += 1
    return lost, made_up


def _gain(entity: Entity, other: Entity) -> int:
    """What a pair that is alike counts: far more than how it is written, which only tells pairs apart."""
    return 1000 + (entity.text.lower() == other.text.lower()) + (entity.behind == other.behind)


def _kind(value: Value, language: str) -> Kind:
    """What a value is in a call about health, by its unit."""
    if isinstance(value, Date | Year | Time):
        return "date"
    unit = value.unit if isinstance(value, Quantity | Range) else value.parts[0].unit if isinstance(value, Sum) else ""
    unit = unit.partition("/")[0]
    if unit in load("entities", language)["dose_units"].split():
        return "dose"
    known = units(language).get(unit)
    return "duration" if known and set(_TIMES) & set(known.measures) else "number"


def _at(words: Sequence[Token], place: int, text: str, names: frozenset[str], language: str) -> Entity | None:
    """The longest entity that begins at a word; None where none does."""
    table = _forms(language)
    for size in range(min(_longest(language), len(words) - place), 0, -1):
        run = words[place : place + size]
        key = " ".join(word.text for word in run)
        known = table.get(key) or (_single(key, names, language) if size == 1 else table.get(key.removesuffix("s")))
        if known and not (known[0] == "condition" and text[run[0].start : run[-1].end].count(".")):
            return Entity(known[0], known[1], text[run[0].start : run[-1].end], run[0].start, run[-1].end)
    return None


@lru_cache(maxsize=8192)
def _single(word: str, names: frozenset[str], language: str) -> tuple[Kind, str] | None:
    """What a single word is that stands in no table: a form of one that does, a name, or a medicine by its ending."""
    table = _forms(language)
    for suffix in load("entities", language)["suffixes"].split():
        stem = word.removesuffix(suffix)
        if stem != word and len(stem) > 3 and table.get(stem, ("",))[0] == "condition":
            return table[stem]
    if word.endswith(tuple(load("entities", language)["endings"].split())) and len(word) > 6:
        return "medicine", word
    form = next((form for form in _by_sound(language).get(sound(word), ()) if _sounds_like(word, form)), None)
    if form:
        return table[form]
    if _letters(word) in _spelled(language):
        return table[_spelled(language)[_letters(word)]]
    name = next((name for name in sorted(names) if _letters(name) == _letters(word)), None)
    return ("name", name) if name else None


@cache
def _letters(name: str) -> str:
    """A word without what different spellings of it differ in.

    >>> _letters("andy") == _letters("andi"), _letters("siti") == _letters("sita")
    (True, False)
    """
    for written, plain in (("ph", "f"), ("ae", "e"), ("oe", "e"), ("ie", "i"), ("ey", "i"), ("y", "i")):
        name = name.replace(written, plain)
    return re.sub(r"(.)\1+", r"\1", re.sub("(?<![cst])h", "", name))


def _sounds_like(word: str, form: str) -> bool:
    """Whether a word is another, spelled otherwise: the same consonants, much the same letters, the same beginning."""
    heard, word, form = sound(form), word.rstrip("e"), form.rstrip("e")
    return (
        len(heard) >= _LEAST_SOUND
        and sound(word) == heard
        and abs(len(word) - len(form)) <= 1
        and all((word[end] in _VOWELS) == (form[end] in _VOWELS) for end in (0, -1))
        and SequenceMatcher(None, word, form).ratio() >= _LEAST_LIKE
    )


@cache
def _forms(language: str) -> dict[str, tuple[Kind, str]]:
    """Every listed way to say something, folded, with its kind and its one form."""
    data = load("entities", language)
    rows: list[tuple[Kind, str, str]] = [("medicine", name, name) for name in _medicines(language)]
    rows += [("condition", name, form) for name, forms in data["conditions"].items() for form in (name, *forms)]
    rows += [("date", name, name) for name in data["dates"]]
    rows += [("negation", _NEGATION, word) for word in data["negations"].split()]
    return {" ".join(word.text for word in tokens(form)): (kind, name) for kind, name, form in rows}


@cache
def _medicines(language: str) -> tuple[str, ...]:
    """The names of medicines, no class of them and no words for any."""
    listed = [str(name) for names in load("medicines", language)["ingredients"].values() for name in names]
    return tuple(dict.fromkeys([*listed, *load("entities", language)["medicines"].split()]))


@cache
def _spelled(language: str) -> dict[str, str]:
    """The single words for conditions by their letters."""
    return {
        _letters(form): form
        for form, (kind, _) in _forms(language).items()
        if kind == "condition" and " " not in form and len(form) > _LEAST_SOUND
    }


@cache
def _by_sound(language: str) -> dict[str, list[str]]:
    """The single names of medicines of at least four consonants by their sound."""
    heard: dict[str, list[str]] = {}
    for form, (kind, _) in _forms(language).items():
        if " " not in form and kind == "medicine" and len(sound(form)) >= _LEAST_SOUND:
            heard.setdefault(sound(form), []).append(form)
    return heard


@cache
def _longest(language: str) -> int:
    return max(len(form.split()) for form in _forms(language))


def _figures(entity: Entity) -> str:
    return "".join(letter for letter in str(entity.value) if letter.isdigit()).lstrip("0")


def _loose(entity: Entity, other: Entity) -> bool:
    """Whether two values may be one that was read in two ways: a time, a code or a plain number, without a unit."""
    plain = (Time, Ordinal, Digits, Year)
    return all(
        isinstance(value, plain) or (isinstance(value, Quantity) and not value.unit)
        for value in (entity.value, other.value)
    )
