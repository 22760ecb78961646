"""The rule about times of day that the agent names: only those of the calendar behind it."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from voicesim.catalog.rules import SaidTimes
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.before import NO_STATE, state_before
from voicesim.judge.code.tools import items
from voicesim.judge.model import Seen
from voicesim.judge.moments import Moment, evidence, moments
from voicesim.language.data import load
from voicesim.language.fold import fold
from voicesim.language.grammar import NEGATORS, word_set
from voicesim.language.kinds import Time
from voicesim.language.sentences import split
from voicesim.language.values import same, times_in

_GONE = NEGATORS | word_set("taken full fully unavailable gone")


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
        days = set(fold(moment.text)).intersection(load("values")["weekdays"]) if len(spoken) == 1 else set()
        for time in spoken:
            repeated = any(same(time, theirs) for theirs in mine)
            if repeated or any(time.fits(*_clock(one)) for one in rule.also) or _there(rule, offered, days, time):
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
        return str(load("values")["weekdays"][date.fromisoformat(str(day)).weekday()])
    except ValueError:
        return str(day).lower()
