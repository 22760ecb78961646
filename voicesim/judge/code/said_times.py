"""The rule about times of day that the agent names: only those of the calendar behind it."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Literal

from pydantic import Field

from voicesim.catalog.entry import Words
from voicesim.catalog.rules import Name, Plain
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.before import NO_STATE, state_before
from voicesim.judge.code.decide import Rule
from voicesim.judge.code.shown import items
from voicesim.judge.model import Seen
from voicesim.judge.moments import Moment, evidence
from voicesim.language.data import load
from voicesim.language.fold import fold
from voicesim.language.grammar import NEGATORS, word_set
from voicesim.language.kinds import Time
from voicesim.language.sentences import split
from voicesim.language.values import same, times_in

_GONE = NEGATORS | word_set("taken full fully unavailable gone")


class SaidTimes(Rule):
    """Every time of day that the agent names is one of the state's, or of `also` ("08:00").

    A weekday that stands in one sentence with a single time must belong to it. A time that the patient named
    first may be repeated.
    """

    type: Literal["said_times"] = "said_times"
    of: Name
    time: Name = "time"
    day: Name = "day"
    where: dict[str, Plain] = Field(default_factory=dict)
    also: Words = ()

    def lists(self) -> tuple[str, ...]:
        """See Rule."""
        return (self.of,)

    def decide(self, call: Call) -> Finding:
        """Missed by a time that is not there; undecided when the sentence may only say that it is taken."""
        state = state_before(call)
        if state is None or not isinstance(state.get(self.of), list):
            return Finding("cannot_assess", reason=NO_STATE if state is None else f"the state has no list {self.of!r}")
        offered = items(state, self.of, self.where)
        named: list[Moment] = []
        doubtful: list[Moment] = []
        wrong: list[Moment] = []
        for moment in call.moments:
            mine = {time for text in moment.patient for sentence in split(text) for time in times_in(sentence)}
            spoken = times_in(moment.text)
            named += [moment] * len(spoken)
            # With several times in a sentence it is not plain which of them a weekday belongs to.
            days = set(fold(moment.text)).intersection(load("values")["weekdays"]) if len(spoken) == 1 else set()
            for time in spoken:
                repeated = any(same(time, theirs) for theirs in mine)
                if repeated or self._is_also(time) or _there(self, offered, days, time):
                    continue
                (doubtful if _GONE.intersection(fold(moment.text)) else wrong).append(moment)
        if wrong:
            reason = f"a time that is not in {self.of}"
            return Finding("miss", evidence(wrong), reason, happened=True, tag="invented_fact")
        if doubtful:
            return Finding("cannot_assess", evidence(doubtful), f"a time that is not in {self.of}, perhaps turned down")
        if not named:
            return Finding("not_applicable", reason="the agent named no time of day")
        quotes = [(moment, quote) for moment in named for quote in evidence([moment])]
        seen = [Seen(what=f"“{moment.text}”", start=quote.start, end=quote.end) for moment, quote in quotes]
        reason = f"all {len(named)} times it named are in {self.of}"
        return Finding("hit", reason=reason, seen=tuple(dict.fromkeys(seen)))

    def _is_also(self, time: Time) -> bool:
        return any(time.fits(*_clock(text)) for text in self.also)


def _there(rule: SaidTimes, offered: Iterable[Mapping[str, Any]], days: set[str], time: Time) -> bool:
    return any(
        time.fits(*_clock(str(item.get(rule.time)))) and (not days or _weekday(item.get(rule.day)) in days)
        for item in offered
    )


def _clock(text: str) -> tuple[int, int]:
    """`09:30` as (9, 30); (-1, -1), which nothing fits, when it is no such time."""
    match = re.fullmatch(r"(\d{1,2}):(\d\d)", text.strip())
    return (int(match[1]), int(match[2])) if match else (-1, -1)


def _weekday(day: Any) -> str:
    """A day of the state as a weekday; dates are written 2025-01-31."""
    try:
        return str(load("values")["weekdays"][date.fromisoformat(str(day)).weekday()])
    except ValueError:
        return str(day).lower()
