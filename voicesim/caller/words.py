"""What a text is about: its content words, in a form that can be compared."""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from voicesim.language.data import has, load
from voicesim.language.fold import fold
from voicesim.language.grammar import word_set
from voicesim.language.kinds import Ordinal, Quantity, Value
from voicesim.language.values import Reading, part_of, read
from voicesim.language.words import read as words_of

_LOOSE_UNITS = ("time", "min", "hour", "day", "night", "week", "month", "year", "s")

_STOP = word_set(
    """a about after again ago ahead all almost alright also always am an and any anything are arent around as
    at back be because been before being bit both but by call can cant come could couldnt course did didnt do
    does doesnt doing done dont during each else even ever every everything exactly feel feeling felt few for
    from further get gets getting give given go goes going gone good got had hadnt has hasnt have havent
    having he hello help her here hers hi him his how i id if ill im in into is isnt it its ive just keep kind know
    let like little long lot make many may maybe me mean might mine more most mostly much must my need never
    next no none nor not nothing now of off often ok okay on once 1 1st 2nd only or other our out over own
    please put quite rather really right said same saw say says see seem shall she shes should since so some
    something soon sorry still such sure take taken takes taking tell than thank thanks that thats the their
    them then there theres these they thing things think this those though through to today too took try until
    up us use used usual usually very want was wasnt way we well were what whats when where whether which
    while who whole why will wish with without wont would yes yet you youd your youre yours youve hmm um oh"""
)


def content(text: str, language: str = "en") -> frozenset[str]:
    """The stems of the words of a text that carry its meaning; numbers as digits, in English also those in words.

    >>> sorted(content("I'm drinking water, and two tablets."))
    ['2', 'drink', 'tablet', 'water']
    """
    if language != "en":
        small = _small_words(language)
        return frozenset(stem(word) for word in words_of(text, language).texts if word not in small)
    return frozenset(stem(word) for word in fold(text) if word not in _STOP)


@cache
def _small_words(language: str) -> frozenset[str]:
    """Words that carry no meaning by themselves."""
    return word_set(load("turns", language)["small_words"]) if has("turns", language) else frozenset()


def shown(text: str, stems: frozenset[str]) -> str:
    """The words of a text that belong to some stems, for a message."""
    return ", ".join(dict.fromkeys(word for word in fold(text) if word in stems or stem(word) in stems))


def stem(word: str) -> str:
    """A word without its common endings: `breathing`, `breathe` and `breath` are one, as are plurals."""
    if word[0].isdigit() or len(word) < 4:
        return word
    for ending in ("ing", "ed", "es", "e", "s", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= (3 if ending == "s" else 4) and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "sl" else word


def exact(text: str) -> tuple[Reading, ...]:
    """The values of a text that say something exact: all but one, half, first, an hour and the like.

    >>> [str(reading.value) for reading in exact("One of them, thirty eight point six, on the 21st, for a week.")]
    ['38.6', '#21']
    """
    return tuple(reading for reading in read(text) if not _loose(reading.value))


def _loose(value: Value) -> bool:
    match value:
        case Quantity(number, unit):
            return number in (1, Decimal("0.5")) and (not unit or unit in _LOOSE_UNITS)
        case Ordinal(number):
            return number <= 2
    return False


def unknown_values(readings: Iterable[Reading], known: Iterable[str]) -> tuple[Reading, ...]:
    """The readings whose value no known text holds, or holds as part of another value."""
    left = tuple(readings)
    for text in known:
        if not left:
            break
        there = read(text)
        left = tuple(said for said in left if not any(part_of(said.value, whole.value) for whole in there))
    return left
