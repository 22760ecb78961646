"""Dates, years, phone numbers and codes: the builders of their patterns."""

import re
from datetime import date

from voicesim.language.kinds import Date, Digits, Year
from voicesim.language.numbers import with_suffix
from voicesim.language.place import Builder, Found, Place


def iso_date(at: Place) -> list[Found] | None:
    return _date(at, int(at["m"]), int(at["dom"]), int(at["year"]))


def number_date(at: Place) -> list[Found] | None:
    """In figures: the month first, as in the United States, but with dots the day, as wherever dots are used."""
    month, day, year = int(at["first"]), int(at["second"]), int(at["year"])
    if len(at["year"]) == 2:
        if at["s"] != "/":
            return None
        year += 1900 if year > 50 else 2000
    if month > 12 or (at["s"] == "." and day <= 12):
        month, day = day, month
    return _date(at, month, day, year)


def short_date(at: Place) -> list[Found] | None:
    """`on 7/12`, `Monday, 7/12`: without a word that a date stands behind, it is a fraction."""
    month, day = int(at["first"]), int(at["second"])
    if not at.behind("dated_behind"):
        return None
    return _date(at, *((day, month) if month > 12 else (month, day)), None)


def date_in_words(at: Place) -> list[Found] | None:
    year = int(re.sub(r"\D", "", at["year"].replace("oh", "0"))) if at["year"] else None
    day = int(at["dom"]) if at["dom"] else None
    names = [name[:3] for name in at.grammar.months]
    return _date(at, names.index(at["month"][:3].lower()) + 1, day, year)


def _date(at: Place, month: int, day: int | None, year: int | None) -> list[Found] | None:
    try:
        date(year or 2000, month, day or 1)
    except ValueError:
        return None
    words = [at.grammar.months[month - 1], *([with_suffix(day)] if day else []), *([str(year)] if year else [])]
    return at.value(Date(month, day, year), *words)


def phone(at: Place) -> list[Found] | None:
    digits = re.sub(r"\D", "", at.match.group())
    return at.value(Digits(digits), digits)


def called(at: Place) -> list[Found] | None:
    """Groups of digits behind `call`, `my number is` and the like; two short numbers with a comma stay two."""
    text = at.match.group()
    two = "," in text and (len(text) < 9 or at.grammar.emergency.intersection(re.split(r"\D+", text)))
    time = re.fullmatch(r"(?:1[0-2]|[1-9]) [0-5]\d", text)
    return phone(at) if at.behind("calling") and not two and not time else None


def code(at: Place) -> list[Found] | None:
    """Digits that count nothing: said one by one, with a zero before them, very many, or behind `call`."""
    digits = at.match.group()
    written = at.source.isdecimal() and (digits[0] == "0" or len(digits) > 9)
    called = len(digits) > 2 and (digits in at.grammar.emergency or not _round(digits)) and at.behind("calling")
    return at.value(Digits(digits), digits) if at.piece.run or written or called else None


def _round(digits: str) -> bool:
    return digits.endswith("00")


def year(at: Place) -> list[Found] | None:
    digits = at["year"].replace("oh", "0").replace(" ", "")
    alone = at.match.group() == at.match.string
    if at["year"] == digits and not alone and not at.behind("dating"):
        return None
    return at.value(Year(int(digits)), digits)


def decade(at: Place) -> list[Found] | None:
    digits = at["year"].replace(" ", "")
    return at.value(Year(int(digits), decade=True), f"{digits}s")


BUILDERS: dict[str, Builder] = {
    "iso_date": iso_date,
    "number_date": number_date,
    "short_date": short_date,
    "date": date_in_words,
    "year": year,
    "decade": decade,
    "phone": phone,
    "called": called,
    "code": code,
}
