"""Numbers, doses, money and other quantities: the builders of their patterns.

A builder that refuses gives None, and the next pattern is tried.
"""

import re
from decimal import Decimal

from voicesim.language.data import load
from voicesim.language.kinds import Ordinal, Quantity, Range, Sum, Value
from voicesim.language.numbers import with_suffix
from voicesim.language.place import Builder, Found, Place, figure, unit_word


def money(at: Place) -> list[Found] | None:
    unit, amount = at.grammar.signs[at["sign"].lower()], at.number()
    if unit == "idr" and re.fullmatch(r"\d{1,3}\.\d{3}", at["n"]):
        amount = Decimal(at["n"].replace(".", ""))
    cents = _smaller(unit, at.language)
    if amount.as_tuple().exponent == -2 and cents and amount >= 0:
        whole, part = Quantity(Decimal(int(amount)), unit), Quantity(Decimal(int(amount * 100) % 100), cents)
        parts = tuple(amount for amount in (whole, part) if amount.number)
        value: Value = Sum(parts) if len(parts) == 2 else parts[0] if parts else whole
        return at.value(value, *_words(value, at.language))
    value = Quantity(amount, unit)
    return at.value(value, *_words(value, at.language))


def feet(at: Place) -> list[Found] | None:
    """`5'4"`, `6'`; a quotation mark before it closes one behind it."""
    if at.match.string[: at.match.start()].endswith("'"):
        return None
    whole = Quantity(at.number(), "ft")
    value = Sum((whole, Quantity(at.number("n2"), "in"))) if at["n2"] else whole
    return at.value(value, *_words(value, at.language))


def sum_of(at: Place) -> list[Found] | None:
    unit = at.unit()
    row = next((row for row in _pairs(at.language) if row["of"] == unit), None)
    smaller = "in" if at["unit2"].lower() == "in" else at.unit("unit2")
    allowed = [row["and"] for row in _pairs(at.language) if row["of"] == unit]
    if not at["unit2"]:
        smaller = str(row["and"]) if row and row.get("bare") else ""
    elif smaller == "pound":
        smaller = "lb"
    if smaller not in allowed:
        return None
    whole = Decimal(1) if at["n"].lower() in ("a", "an") else at.number()
    value = Sum((Quantity(whole, unit), Quantity(at.number("n2"), smaller)))
    return at.value(value, *_words(value, at.language))


def _pairs(language: str) -> list[dict[str, object]]:
    pairs: list[dict[str, object]] = load("units", language)["parts"]
    return pairs


def _smaller(unit: str, language: str) -> str:
    return next((str(row["and"]) for row in _pairs(language) if row["of"] == unit), "")


def _words(value: Value, language: str) -> list[str]:
    """What a quantity or sum is folded to: figure, unit, figure, unit."""
    parts = value.parts if isinstance(value, Sum) else (value,) if isinstance(value, Quantity) else ()
    return [word for part in parts for word in (figure(part.number), unit_word(part.unit, language=language)) if word]


def and_a_half(at: Place) -> list[Found] | None:
    whole = Decimal(1) if at["n"].lower() in ("a", "an") else at.number()
    return at.value(Quantity(whole + _part(at), at.unit()), whole=True)


def half_a(at: Place) -> list[Found] | None:
    return at.value(Quantity(_part(at), at.unit()), whole=True)


def _part(at: Place) -> Decimal:
    names = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
    return names.get(at["part"].lower()) or at.number("part")


def half(at: Place) -> list[Found] | None:
    return at.value(Quantity(Decimal(6) if at.match.group().endswith("dozen") else Decimal("0.5")))


def range_of(at: Place) -> list[Found] | None:
    between = at.match.group().lower().startswith("between")
    if between != (" and " in at.match.group().lower()):
        return None
    low, high, unit = at.number(), at.number("n2"), at.unit("unit2")
    if at["sign"]:
        unit = at.grammar.signs[at["sign"].lower()]
        return at.value(Range(low, high, unit), figure(low), "to", figure(high), unit_word(unit))
    if "/" in at["n2"] and high < low:
        return None  # 5-6/10
    if (at["unit"] and at["unit"] and unit and at.unit() != unit) or (at["unit"] and not unit):
        return None
    if "E" in str(high) and "E" not in str(low):
        low = low.scaleb(Decimal(str(high)).adjusted())
    return at.value(Range(low, high, unit))


def spoken_hundreds(at: Place) -> list[Found] | None:
    amount = at.number() * 100 + at.number("n2")
    return at.value(Quantity(amount, at.unit()), figure(amount), unit_word(at.unit(), language=at.language))


def quantity(at: Place) -> list[Found] | None:
    unit, per = at.unit(), at.unit("per")
    return at.value(Quantity(at.number(), f"{unit}/{per}" if per else unit))


def one_of(at: Place) -> list[Found] | None:
    before = at.match.string[: at.match.start()].rstrip().rpartition(" ")[2].lower()
    if at.follows_a_value or before in ("once", "twice", "thrice", "times", "per", "every", "of", "such", "half"):
        return None
    return at.value(Quantity(Decimal(1), at.unit()))


def often(at: Place) -> list[Found] | None:
    return at.value(Quantity(Decimal({"once": 1, "twice": 2}.get(at["n"].lower(), 3)), "time"))


def reading(at: Place) -> list[Found] | None:
    amount = at.number() + at.number("n2") / 10
    return at.value(Quantity(amount), figure(amount))


def fraction(at: Place) -> list[Found] | None:
    """`24/7`, `7 out of 10`; a common fraction (`1/2`) is a number like others."""
    common = int(at["n2"]) in (2, 3, 4, 5, 6, 8, 10, 16) and 0 < int(at["n"]) < 10
    if not int(at["n2"]) or ("/" in at.match.group() and common):
        return None
    ratio = at.number() / at.number("n2")
    return at.value(Quantity(ratio), figure(ratio))


def ordinal(at: Place) -> list[Found] | None:
    value = int(at["n"])
    written = with_suffix(value)
    return at.value(Ordinal(value), written) if at.match.group().lower() == written else None


def plain(at: Place) -> list[Found] | None:
    return at.value(Quantity(at.number()))


BUILDERS: dict[str, Builder] = {
    "money": money,
    "feet": feet,
    "sum": sum_of,
    "and_a_half": and_a_half,
    "half_a": half_a,
    "half": half,
    "range": range_of,
    "pounds": spoken_hundreds,
    "quantity": quantity,
    "often": often,
    "one_of": one_of,
    "reading": reading,
    "fraction": fraction,
    "ordinal": ordinal,
    "number": plain,
}
