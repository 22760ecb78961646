"""Times of day and blood pressures: the builders of their patterns."""

import re
from dataclasses import replace
from decimal import Decimal

from voicesim.language.kinds import Digits, Pressure, Quantity, Time
from voicesim.language.place import Builder, Found, Place, figure

_FIVES = (5, 10, 20, 25)
"""Minutes that are said before an hour without the word `minutes`."""


def clock(at: Place) -> list[Found] | None:
    """`9:30`, `7 pm`, `9 30 am`: hour, minute and half as they stand."""
    time = Time(int(at["hour"]) % 24, int(at["minute"] or 0), _half(at, int(at["hour"])), int(at["second"] or 0))
    return at.value(time, *clock_words(time, at["half"]), group="hour")


def clock_words(time: Time, half: str) -> list[str]:
    """What a time is folded to: the words of the twelve-hour clock; `half` is what was said of it."""
    hour, named = time.hour % 12 or 12, half.lower().replace(" ", "")
    if time.hour > 12 or time.hour == 0:
        named = "pm" if time.hour else "am"
    if time.minute >= 10:
        words = [str(hour), str(time.minute)]
    elif time.minute:
        words = [f"{hour}0{time.minute}"]
    else:
        words = [str(hour)] if named else [str(hour), "oclock"]
    return [*words, *([str(time.second)] if time.second else []), *([named] if named else [])]


def _half(at: Place, hour: int, group: str = "half") -> str:
    """am or pm, as written or by the part of the day behind the time."""
    if at[group]:
        return at[group].lower().replace(" ", "")
    if at["day"]:
        return "am" if at["day"].lower() == "morning" else "pm"
    if at.match.groupdict().get("night") is not None:
        return "pm" if 5 <= hour < 12 else "am" if hour == 12 or hour < 5 else ""
    return ""


def dotted(at: Place) -> list[Found] | None:
    """`7.30 pm`, `at 10.15`: without either it is a decimal."""
    said = at["half"] or at["tail"] or (at.behind("at_behind") and not at.behind("no_time_behind"))
    return clock(at) if said else None


def noon(at: Place) -> list[Found] | None:
    midnight = at["at"].lower() == "midnight"
    return at.value(Time(0, 0, "am") if midnight else Time(12, 0, "pm"))


def span(at: Place) -> list[Found] | None:
    """`3-4pm`, `9 am to 5 pm`: what is said of the second holds for the first, unless it says its own."""
    second = Time(int(at["hour2"]) % 24, int(at["minute2"] or 0), _half(at, 0, "half2"))
    first = Time(int(at["hour"]) % 24, int(at["minute"] or 0), _half(at, 0))
    if not first.half and first.hour <= 12:
        later = first.hour % 12 <= second.hour % 12
        first = replace(first, half=second.half if later else "am")
    end = max(at.match.end("hour"), at.match.end("minute"), at.match.end("half"))
    return [
        Found(first, at.match.start("hour"), end, tuple(_without_oclock(clock_words(first, at["half"])))),
        Found(second, at.match.start("hour2"), at.match.end(), tuple(clock_words(second, at["half2"]))),
    ]


def _without_oclock(words: list[str]) -> list[str]:
    return [word for word in words if word != "oclock"]


def past(at: Place) -> list[Found] | None:
    """`twenty past nine`, `ten to five`; `5 to 10` is a range unless something says that it is a time."""
    way, hour = (
        at["way"].lower(),
        {"midnight": 0}.get(at["hour"].lower(), 12) if at["hour"].isalpha() else int(at["hour"]),
    )
    if at["quarter"]:
        minutes = 15
    elif at["minutes"].lower() in ("half", "1/2"):
        minutes = 30
    else:
        minutes = int(at["minutes"])
    before = way in ("to", "till", "of")
    if minutes > 30 or (before and minutes == 30) or (way == "of" and not at["quarter"]):
        return None
    spelled = "minute" in at.match.group().lower() or at["quarter"]
    if not spelled and minutes not in (*_FIVES, 30):
        return None
    if before and not spelled and minutes <= hour and not at.behind("at_behind"):
        return None
    half = _half(at, hour) or ("pm" if at["hour"].lower() in ("noon", "midday") else "")
    if before:
        half = {"pm": "am", "am": "pm"}.get(half, "") if hour == 12 and half else half
        hour = hour - 1 or 12 if hour else 23
    return at.value(Time(hour, 60 - minutes if before else minutes, half), whole=True)


def oclock(at: Place) -> list[Found] | None:
    """`8, 9 or 10 o'clock`: each of them."""
    half = _half(at, int(at["hour"]))
    times = [
        Found(Time(int(hour.group()), 0, half), at.match.start() + hour.start(), at.match.start() + hour.end())
        for hour in re.finditer(r"\d+", at["more"])
    ]
    time = Time(int(at["hour"]) % 24, 0, half)
    return [*times, *at.value(time, *clock_words(time, at["half"]), group="hour")]


def oh(at: Place) -> list[Found] | None:
    """`nine oh five`, unless it is dialled."""
    if at.behind("calling"):
        digits = f"{at['hour']}0{at['minute']}"
        return at.value(Digits(digits), digits)
    return clock(at)


def between(at: Place) -> list[Found] | None:
    if at.behind("no_time_behind"):
        return None
    half = _half(at, int(at["hour"]))
    first, second = Time(int(at["hour"]), 0, half), Time(int(at["hour2"]), 0)
    return [
        Found(first, at.match.start("hour"), at.match.end("hour")),
        Found(second, at.match.start("hour2"), at.match.end("hour2")),
    ]


def pair(at: Place) -> list[Found] | None:
    """`two thirty`; a reading (`sugar is two forty`: 240) or a price (12.50) behind what says so; no room or floor."""
    hundreds = Decimal(f"{int(at['hour'])}{at['minute']}")
    if at.behind("measured_behind"):
        return at.value(Quantity(hundreds), figure(hundreds))
    if at.behind("priced_behind"):
        return at.value(Quantity(hundreds / 100), figure(hundreds / 100))
    dialled = at.behind("calling") and not at.behind("clock_behind")
    return None if dialled or at.behind("no_time_behind") else clock(at)


def late(at: Place) -> list[Found] | None:
    """`at eighteen thirty`; elsewhere it is a year."""
    return clock(at) if at.behind("clock_behind") else None


def military(at: Place) -> list[Found] | None:
    """`0900 hours`, `at nine hundred hours`; elsewhere it is a span."""
    return clock(at) if at["hour"].startswith("0") or at.behind("clock_behind") else None


def half_hour(at: Place) -> list[Found] | None:
    """`at half eight`: half past it."""
    time = Time(int(at["hour"]), 30, _half(at, int(at["hour"])))
    return at.value(time, whole=True) if at.behind("at_behind") else None


def suits(at: Place) -> list[Found] | None:
    """`Is 11 okay?`; `one is free` may be a slot."""
    return hour(at) if at["hour"] != "1" else None


def hour(at: Place) -> list[Found] | None:
    """A bare hour, where its surroundings say that it is one."""
    if at.behind("no_time_behind"):
        return None
    time = Time(int(at["hour"]), 0, _half(at, int(at["hour"])))
    return [Found(time, at.match.start("hour"), at.match.end("hour"))]


def joined(at: Place) -> list[Found] | None:
    """`at 815`, as speech recognition runs a time together; not a number to call."""
    if (at["hour"] + at["minute"]) in at.grammar.emergency or at.behind("no_time_behind"):
        return None
    if not (at["lead"] or at["half"]) or (not at["half"] and int(at["minute"]) % 5):
        return None
    return clock(at)


def in_the(at: Place) -> list[Found] | None:
    """`seven in the evening`; behind `take` or `tablets` it counts what is taken."""
    return None if at.behind("dosing") and not at.behind("at_behind") else hour(at)


def next_time(at: Place) -> list[Found] | None:
    """`9:30 or 11`: an hour right behind a time."""
    timed = at.follows_a_value and isinstance(at.before[-1].value, Time)
    return hour(at) if timed else None


def pressure(at: Place) -> list[Found] | None:
    high, low = (int(at[part].replace(" ", "")) for part in ("high", "low"))
    spoken = "over" in at.match.group().lower() or "h" in at.match.group().lower()
    if not (60 <= high <= 300 and 10 <= low <= 300 and high != low) and not (spoken and high >= 40):
        return None
    words = [str(high), "over", str(low), *(["mmhg"] if "m" in at.match.group().lower() else [])]
    return at.value(Pressure(high, low), *words)


BUILDERS: dict[str, Builder] = {
    "noon": noon,
    "clock": clock,
    "span": span,
    "past": past,
    "dotted": dotted,
    "oclock": oclock,
    "oh": oh,
    "between": between,
    "pair": pair,
    "late": late,
    "military": military,
    "half_hour": half_hour,
    "suits": suits,
    "at": hour,
    "joined": joined,
    "in_the": in_the,
    "next_time": next_time,
    "pressure": pressure,
}
