"""Dates and days as callers say them."""

import re

# fmt: off
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)
# fmt: on
_MONTH = "|".join(_MONTHS)
_YEAR = r"((?:19|20)\s?\d\d)"
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})[\s,]+(?:of\s+)?{_YEAR}\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?[\s,]+(?:of\s+)?{_YEAR}\b")


def birthday(folded: str) -> str | None:
    """A whole date in a folded text as YYYY-MM-DD, or None.

    >>> birthday("the twelfth of april, 19 68")
    '1968-04-12'
    >>> birthday("april 12th, 1968.")
    '1968-04-12'
    """
    text = _plain_ordinals(folded)
    if found := _DAY_FIRST.search(text):
        day, month, year = found.groups()
    elif found := _MONTH_FIRST.search(text):
        month, day, year = found.groups()
    else:
        return None
    if not 1 <= int(day) <= 31:
        return None
    return f"{year.replace(' ', '')}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}"


def weekday(folded: str) -> str | None:
    """The first day of the week that a folded text names, or None."""
    found = re.search(rf"\b({'|'.join(_DAYS)})s?\b", folded)
    return found[1] if found else None


def _plain_ordinals(folded: str) -> str:
    """Ordinal words as digits: "twenty first", which may have been folded to "20 first", is 21."""
    for number, word in enumerate(_ORDINALS, 1):
        if number < 10:
            folded = re.sub(rf"\b([23])0[ -]{word}\b", rf"\g<1>{number}", folded)
        folded = re.sub(rf"\b{word}\b", str(number), folded)
    return re.sub(r"\bthirtieth\b", "30", folded)
