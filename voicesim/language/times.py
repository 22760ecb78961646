"""Times of day as English names them, and as speech recognition writes them."""

import re
from dataclasses import dataclass

from voicesim.language.fold import fold
from voicesim.language.grammar import word_set

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# What a time of two numbers, or of a bare hour, stands behind.
_BEFORE_A_TIME = word_set("at for around about by from to and or the past until till") | frozenset(WEEKDAYS)
_AFTER_AN_HOUR = word_set("in on with for or and today tomorrow is works sharp") | frozenset(WEEKDAYS)
# Speech recognition runs a time together: `at 815`. Emergency numbers look the same.
_JOINED = re.compile(r"(\d{1,2})([0-5]\d)")
_BEFORE_A_JOINED_ONE = word_set("at around until till") | frozenset(WEEKDAYS)
_TO_CALL = word_set("911 112 110 111 118 119 108")


@dataclass(frozen=True)
class Time:
    """A time of day as it is said; `half` is am, pm or nothing."""

    hour: int
    minute: int
    half: str = ""

    def fits(self, hour: int, minute: int) -> bool:
        """Whether a time of the 24-hour clock can be called so."""
        if self.minute != minute or self.hour % 12 != hour % 12:
            return False
        if self.half:
            return (hour >= 12) == (self.half == "pm")
        return self.hour in (hour, hour % 12) or (self.hour == 12 and hour % 12 == 0)


def times_in(sentence: str) -> list[Time]:
    """The times of day in a sentence: `9:30`, `nine thirty`, `9.30 am`, `at 930`, `half past nine`, `2 pm`."""
    words = fold(sentence)
    written = re.search(r"\d:\d\d", sentence) is not None
    found: list[Time] = []
    place = 0
    while place < len(words):
        time, place = _time_at(words, place, written)
        if time is not None:
            found.append(time)
    return found


def _time_at(words: tuple[str, ...], place: int, written: bool) -> tuple[Time | None, int]:
    """The time that begins at a word, and where to go on."""
    before, word = words[place - 1] if place else "", words[place]
    ahead = (*words[place + 1 : place + 4], "", "", "")
    if word in ("half", "quarter") and ahead[0] in ("past", "to") and _hour(ahead[1]) is not None:
        hour, minute = int(ahead[1]), 30 if word == "half" else 15
        if ahead[0] == "to":
            hour, minute = (hour - 1) % 24 or 12, 60 - minute
        return Time(hour, minute, _half(ahead[2])), place + 3
    dotted = re.fullmatch(r"(\d{1,2})\.(\d\d)", word)
    if dotted and int(dotted[1]) < 24 and int(dotted[2]) < 60 and (_half(ahead[0]) or before in _BEFORE_A_TIME):
        return Time(int(dotted[1]), int(dotted[2]), _half(ahead[0])), place + 1
    joined = _JOINED.fullmatch(word)
    placed = before in _BEFORE_A_JOINED_ONE and (not ahead[0] or ahead[0] in _AFTER_AN_HOUR)
    if joined and int(joined[1]) < 24 and word not in _TO_CALL and (placed or _half(ahead[0])):
        return Time(int(joined[1]), int(joined[2]), _half(ahead[0])), place + 1
    hour_ = _hour(word)
    if hour_ is None:
        return None, place + 1
    if _half(ahead[0]) or ahead[0] == "oclock":
        return Time(hour_, 0, _half(ahead[0]) or _half(ahead[1])), place + 2
    if ahead[0] == "oh" and re.fullmatch(r"\d", ahead[1]):
        return Time(hour_, int(ahead[1]), _half(ahead[2])), place + 3
    sure = written or before in _BEFORE_A_TIME or bool(_half(ahead[1]))
    if re.fullmatch(r"[0-5]\d", ahead[0]) and sure:
        return Time(hour_, int(ahead[0]), _half(ahead[1])), place + 2
    if before == "at" and 1 <= hour_ <= 12 and (not ahead[0] or ahead[0] in _AFTER_AN_HOUR):
        return Time(hour_, 0), place + 1
    return None, place + 1


def _hour(word: str) -> int | None:
    return int(word) if re.fullmatch(r"\d{1,2}", word) and int(word) < 24 else None


def _half(word: str) -> str:
    return word if word in ("am", "pm") else ""
