"""The rule about times of day that the agent names: only those of the calendar behind it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from voicesim.catalog.rules import SaidTimes
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.before import NO_STATE, state_before
from voicesim.judge.code.tools import items
from voicesim.judge.model import Seen
from voicesim.judge.moments import Moment, evidence, moments
from voicesim.text.fold import fold
from voicesim.text.grammar import NEGATORS, word_set
from voicesim.text.sentences import split

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# What a time of two numbers, or of a bare hour, stands behind.
_BEFORE_A_TIME = word_set("at for around about by from to and or the past until till") | frozenset(WEEKDAYS)
_AFTER_AN_HOUR = word_set("in on with for or and today tomorrow is works sharp") | frozenset(WEEKDAYS)
# Speech recognition runs a time together: `at 815`. Emergency numbers look the same.
_JOINED = re.compile(r"(\d{1,2})([0-5]\d)")
_BEFORE_A_JOINED_ONE = word_set("at around until till") | frozenset(WEEKDAYS)
_TO_CALL = word_set("911 112 110 111 118 119 108")
_GONE = NEGATORS | word_set("taken full fully unavailable gone")


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


def known(rule: SaidTimes, call: Call) -> Finding:
    """Missed by a time that is not there; undecided when the sentence may only say that it is taken."""
    state = state_before(call)
    if state is None or not isinstance(state.get(rule.of), list):
        return Finding("cannot_assess", reason=NO_STATE if state is None else f"the state has no list {rule.of!r}")
    offered = items(state, rule.of, rule.where)
    named: list[Moment] = []
    doubtful: list[Moment] = []
    wrong: list[Moment] = []
    for moment in moments(call.transcript):
        mine = {time for text in moment.patient for sentence in split(text) for time in times_in(sentence)}
        spoken = times_in(moment.text)
        named += [moment] * len(spoken)
        # With several times in a sentence it is not plain which of them a weekday belongs to.
        days = set(fold(moment.text)).intersection(WEEKDAYS) if len(spoken) == 1 else set()
        for time in spoken:
            if time in mine or any(time.fits(*_clock(one)) for one in rule.also) or _there(rule, offered, days, time):
                continue
            (doubtful if _GONE.intersection(fold(moment.text)) else wrong).append(moment)
    if wrong:
        told = f"a time that is not in {rule.of}"
        return Finding("miss", evidence(wrong), told, happened=True, tag="invented_fact")
    if doubtful:
        return Finding("cannot_assess", evidence(doubtful), f"a time that is not in {rule.of}, perhaps turned down")
    if not named:
        return Finding("not_applicable", reason="the agent named no time of day")
    seen = [Seen(what=f"“{one.text}”", start=quote.start, end=quote.end) for one in named for quote in evidence([one])]
    return Finding("hit", reason=f"all {len(named)} times it named are in {rule.of}", seen=tuple(dict.fromkeys(seen)))


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
        past = ahead[0] == "past"
        return Time(
            hour if past else (hour - 1) % 24 or 12, minute if past else 60 - minute, _half(ahead[2])
        ), place + 3
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


def _there(rule: SaidTimes, offered: Iterable[Mapping[str, Any]], days: set[str], time: Time) -> bool:
    return any(
        time.fits(*_clock(str(one.get(rule.time)))) and (not days or _weekday(one.get(rule.day)) in days)
        for one in offered
    )


def _clock(text: str) -> tuple[int, int]:
    """`09:30` as (9, 30); (-1, -1), which nothing fits, when it is no such time."""
    found = re.fullmatch(r"(\d{1,2}):(\d\d)", text.strip())
    return (int(found[1]), int(found[2])) if found else (-1, -1)


def _weekday(day: Any) -> str:
    """A day of the state as a weekday; dates are written 2025-01-31."""
    try:
        return WEEKDAYS[date.fromisoformat(str(day)).weekday()]
    except ValueError:
        return str(day).lower()
