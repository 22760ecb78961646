"""Values in words, as a voice says them; numbers by num2words, in the American way: without `and` and hyphens."""

from decimal import Decimal

from num2words import num2words

from voicesim.language.data import load
from voicesim.language.kinds import Date, Digits, Ordinal, Pressure, Quantity, Range, Sum, Time, Value, Year, units


def say(value: Value, language: str = "en") -> str:
    """A value in words.

    >>> from decimal import Decimal
    >>> say(Quantity(Decimal("2.5"), "mg")), say(Time(9, 5, "am")), say(Date(7, 12, 1998))
    ('two point five milligrams', 'nine oh five AM', 'July twelfth, nineteen ninety eight')
    """
    match value:
        case Quantity():
            return with_unit(cardinal(value.number), value.unit, _is_one(value.number), language)
        case Sum():
            joint = " and " if any("cent" in part.unit or "penny" in part.unit for part in value.parts) else " "
            return joint.join(say(part, language) for part in value.parts)
        case Range():
            return with_unit(f"{cardinal(value.low)} to {cardinal(value.high)}", value.unit, False, language)
        case Ordinal():
            return ordinal(value.number)
        case Year():
            return decade(value.number) if value.decade else year(value.number)
        case Digits():
            return digits(value.text)
        case Pressure():
            return f"{cardinal(value.high)} over {cardinal(value.low)}"
        case Time():
            return _time(value)
        case Date():
            return _date(value, language)


def with_unit(said: str, unit: str, singular: bool, language: str = "en") -> str:
    """A number in words with the words of its unit, one of it or many."""
    if not unit:
        return said
    known = units(language)
    top, _, per = (unit, "", "") if unit in known else unit.partition("/")
    named = known[top].one if singular else known[top].many
    return f"{said} {named} per {known[per].one}" if per else f"{said} {named}"


def _is_one(number: Decimal) -> bool:
    """Whether a unit behind a number stands in the singular; `1.0 grams` does not."""
    return number == 1 and number.as_tuple().exponent == 0


def cardinal(number: Decimal | int) -> str:
    """A number: `two hundred fifty`, `thirty eight point five zero`, `minus five`, `one point five million`."""
    amount = Decimal(number)
    sign, amount = ("minus " if amount.is_signed() and amount else ""), abs(amount)
    exponent = amount.as_tuple().exponent
    if isinstance(exponent, int) and exponent > 0:
        names = {3: "thousand", 6: "million", 9: "billion"}
        power = max((power for power in names if power <= amount.adjusted()), default=0)
        if power:
            return f"{sign}{cardinal(Decimal(f'{amount.scaleb(-power).normalize():f}'))} {names[power]}"
    whole, _, part = f"{amount:f}".partition(".")
    said = _plain(num2words(int(whole))) if len(whole) < 16 else digits(whole)
    return f"{sign}{said} point {digits(part)}" if part else f"{sign}{said}"


def fraction(whole: int, above: int, below: int, language: str = "en", *, alone: bool = True) -> str:
    """`2 1/2` is `two and a half`, `3/4` is `three quarters`, `1/2` is `one half`, or `half` when it is not alone."""
    names = load("spoken", language)["halves"][below]
    name = names[0] if above == 1 else names[1]
    if whole:
        return f"{cardinal(whole)} and {'a' if above == 1 else cardinal(above)} {name}"
    if above == 1 and not alone:
        return str(name) if below == 2 else f"a {name}"
    return f"{cardinal(above)} {name}"


def ordinal(number: int) -> str:
    """21 -> `twenty first`."""
    return _plain(num2words(number, to="ordinal"))


def year(number: int) -> str:
    """1998 -> `nineteen ninety eight`."""
    return _plain(num2words(number, to="year"))


def decade(number: int) -> str:
    """1990 -> `nineteen nineties`, 90 -> `nineties`."""
    said = year(number) if number > 99 else cardinal(number)
    return said[:-1] + "ies" if said.endswith("y") else f"{said}s"


def digits(text: str) -> str:
    """Digit by digit: `0199` -> `zero one nine nine`."""
    return " ".join(num2words(int(sign)) for sign in text if sign.isdigit())


def _time(time: Time) -> str:
    half = time.half or ("pm" if time.hour > 12 else "am" if time.hour == 0 else "")
    words = [cardinal(time.hour % 12 or 12)]
    if time.minute:
        words.append(f"oh {cardinal(time.minute)}" if time.minute < 10 else cardinal(time.minute))
    elif time.second or not half:
        words.append("o'clock")
    if time.second:
        words.append(f"and {cardinal(time.second)} second{'s' if time.second > 1 else ''}")
    return " ".join([*words, half.upper()] if half else words)


def _date(date: Date, language: str) -> str:
    month = load("values", language)["months"][date.month - 1].capitalize()
    said = f"{month} {ordinal(date.day)}" if date.day else month
    return (
        f"{said}, {year(date.year)}" if date.year and date.day else f"{said} {year(date.year)}" if date.year else said
    )


def _plain(words: str) -> str:
    return words.replace("-", " ").replace(",", "").replace(" and ", " ")
