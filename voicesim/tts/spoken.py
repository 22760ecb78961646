"""From written text to the words that reach a voice: markup goes, figures and signs become words."""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from voicesim.tts.figures import cardinal, digits, ordinal, year

_NUM = r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_UNITS = {
    "mg": ("milligram", "milligrams"), "mcg": ("microgram", "micrograms"), "µg": ("microgram", "micrograms"),
    "ug": ("microgram", "micrograms"), "g": ("gram", "grams"), "kg": ("kilogram", "kilograms"),
    "ml": ("milliliter", "milliliters"), "dl": ("deciliter", "deciliters"), "l": ("liter", "liters"),
    "cc": ("c c", "c cs"), "mm": ("millimeter", "millimeters"), "cm": ("centimeter", "centimeters"),
    "m": ("meter", "meters"), "km": ("kilometer", "kilometers"), "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"), "oz": ("ounce", "ounces"), "iu": ("international unit", "international units"),
    "mmhg": ("millimeter of mercury", "millimeters of mercury"), "bpm": ("beat per minute", "beats per minute"),
    "mmol": ("millimole", "millimoles"), "kcal": ("kilocalorie", "kilocalories"), "h": ("hour", "hours"),
    "hr": ("hour", "hours"), "hrs": ("hour", "hours"), "min": ("minute", "minutes"), "mins": ("minute", "minutes"),
    "sec": ("second", "seconds"), "secs": ("second", "seconds"), "%": ("percent", "percent"),
    "°c": ("degree Celsius", "degrees Celsius"), "°f": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°": ("degree", "degrees"),
}  # fmt: skip
_CURRENCIES = {
    "$": ("dollar", "dollars", "cent", "cents"),
    "€": ("euro", "euros", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"),
}
_SHORT = {
    "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miz", "Prof.": "Professor", "e.g.": "for example",
    "i.e.": "that is", "etc.": "et cetera", "vs.": "versus", "approx.": "approximately", "No.": "Number",
}  # fmt: skip
_SIGNS = {"&": "and", "@": "at", "=": "equals", "%": "percent", "~": "about", "≈": "about", "×": "times"}
_FRACTIONS = {
    "1/2": "one half", "1/3": "one third", "2/3": "two thirds", "1/4": "one quarter", "3/4": "three quarters",
    "24/7": "twenty four seven",
}  # fmt: skip
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))


class _Step(NamedTuple):
    pattern: re.Pattern[str]
    to: str | Callable[[re.Match[str]], str]


def spoken(text: str) -> str:
    """The words of a text as a voice should get them; empty when nothing in it can be spoken.

    >>> spoken("[stressed] **Take** 250 mg at 8:00, see https://x.y/z")
    "Take two hundred fifty milligrams at eight o'clock, see"
    """
    plain = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    for step in (*_MARKUP, *_WRITTEN_SHORT, *_FIGURES, *_LEFT_OVER):
        plain = step.pattern.sub(step.to, plain)
    plain = "".join(sign for sign in plain if _speakable(sign))
    plain = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(plain.split()))
    return plain if any(sign.isalnum() for sign in plain) else ""


_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "−": "-", "\u00a0": " ", "\u202f": " "})


def _speakable(sign: str) -> bool:
    """Letters, marks, digits, spaces and the punctuation that shapes a sentence."""
    return unicodedata.category(sign)[0] in "LMN" or sign in " '\"-,.;:!?()…—"


def _money(match: re.Match[str]) -> str:
    one, many, cent, cents = _CURRENCIES[match["sign"]]
    whole, _, fraction = match["amount"].replace(",", "").partition(".")
    if match["scale"]:
        return f"{cardinal(match['amount'])} {match['scale']} {many}"
    pieces = [] if not int(whole) and int(fraction or 0) else [f"{cardinal(whole)} {one if int(whole) == 1 else many}"]
    if len(fraction) > 2:
        return f"{cardinal(match['amount'])} {many}"
    if part := int(fraction.ljust(2, "0")):
        pieces.append(f"{cardinal(str(part))} {cent if part == 1 else cents}")
    return " and ".join(pieces)


def _clock(match: re.Match[str]) -> str:
    hour, minute, half = int(match["hour"]), int(match["minute"] or 0), (match["half"] or "").upper()
    if hour > 24 or minute > 59:
        return match[0]
    if not half and not 1 <= hour <= 12:
        half = "AM" if hour in (0, 24) else "PM"
    named = [cardinal(str(hour % 12 or 12))]
    if minute:
        named.append(f"oh {cardinal(str(minute))}" if minute < 10 else cardinal(str(minute)))
    elif not half:
        named.append("o'clock")
    return " ".join([*named, f"{half[0]}M"] if half else named)


def _measure(match: re.Match[str]) -> str:
    one, many = _UNITS[match["unit"].lower()]
    said = f"{cardinal(match['amount'])} {one if match['amount'] == '1' else many}"
    return f"{said} per {_UNITS[match['per'].lower()][0]}" if match["per"] else said


def _stroke(match: re.Match[str]) -> str:
    """A common fraction in words, or what stands between two figures: `over` in a blood pressure."""
    if match[0] in _FRACTIONS:
        return _FRACTIONS[match[0]]
    word = "over" if int(match["high"]) >= 60 and int(match["low"]) >= 30 else "slash"
    return f"{match['high']} {word} {match['low']}"


def _bare(match: re.Match[str]) -> str:
    figure = match["amount"]
    sign = "minus " if match["minus"] else ""
    if figure.isdigit() and (len(figure) > 9 or (figure[0] == "0" and len(figure) > 1)):
        return sign + digits(figure)
    if not sign and re.fullmatch(r"1[1-9]\d\d|20\d\d", figure) and match["prep"]:
        return f"{match['prep']}{year(figure)}"
    return f"{match['prep'] or ''}{sign}{cardinal(figure)}"


_MARKUP = (
    _Step(re.compile(r"```.*?```", re.DOTALL), " "),
    _Step(re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    _Step(re.compile(r"(?:https?://|www\.)\S*[^\s.,;:!?)\"']"), ""),
    _Step(re.compile(r"<[^<>\n]{1,200}>"), " "),
    _Step(re.compile(r"\[[^\]]*\]"), " "),
    _Step(re.compile(r"(?<=[^\s.,;:!?])[ \t]*\n\s*(?:#{1,6}|[-*+•>])\s+"), ". "),
    _Step(re.compile(r"^[ \t]*(?:#{1,6}|[-*+•>])\s+", re.MULTILINE), ""),
    _Step(re.compile(r"[*`]+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)"), ""),
    _Step(re.compile(r"_"), " "),
)
_WRITTEN_SHORT = (
    _Step(re.compile(r"\bSt\.? (?=[A-Z])"), "Saint "),
    _Step(re.compile(r"(?<=[a-z] )St\b\.?"), "Street"),
    *(_Step(re.compile(rf"(?<!\w){re.escape(short)}" + (r"(?=\s*\d)" if short == "No." else "")), said)
      for short, said in _SHORT.items()),
)  # fmt: skip
# The dot of "a.m." is left standing where it may end the sentence too.
_HALF = r"\s?(?P<half>[AaPp])(?:\.[Mm]\.(?=\s+[a-z]|[,;])|\.?[Mm]\b)"
_FIGURES = (
    _Step(
        re.compile(rf"(?P<sign>[$€£])\s?(?P<amount>{_NUM})(?:\s?(?P<scale>hundred|thousand|million|billion)\b)?"),
        _money,
    ),
    _Step(re.compile(rf"\b(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?!\d)(?:{_HALF})?"), _clock),
    _Step(re.compile(rf"\b(?P<hour>1[0-2]|[1-9])(?P<minute>){_HALF}"), _clock),
    _Step(re.compile(r"(?<![\w/])(?P<high>\d{1,3})/(?P<low>\d{1,3})(?![\w/])"), _stroke),
    _Step(re.compile(r"\b(?P<n>\d+)(?:st|nd|rd|th)\b"), lambda match: ordinal(match["n"])),
    _Step(
        re.compile(r"\b\d{3}(?:[- ]\d{3,4}){1,2}\b|(?<=\b(?:call|dial|ring) )\d{3}\b"), lambda match: digits(match[0])
    ),
    _Step(re.compile(r"(?<![\d-])\b(\d{1,4}(?:\.\d+)?)\s?-\s?(?=\d{1,4}(?![\d-]))"), r"\1 to "),
    _Step(re.compile(r"(?<=\d)\s?[xX](?=\s?\d)|(?<=\d)[xX](?!\w)"), " times "),
    _Step(re.compile(r"\b(\d)'(\d{1,2})(?:\"|'')?(?!\w)"), r"\1 foot \2"),
    _Step(
        re.compile(
            rf"(?<![\w.])(?P<amount>{_NUM})[\s-]?(?P<unit>{_UNIT})(?:/(?P<per>{_UNIT}))?(?![\w°])", re.IGNORECASE
        ),
        _measure,
    ),
    _Step(re.compile(r"(?<=[A-Za-z])-?(?=\d)"), " "),
    _Step(re.compile(r"#(?=\d)"), "number "),
    _Step(re.compile(r"\+(?=\s?\d)"), " plus "),
    _Step(
        re.compile(rf"(?P<prep>\b(?:[Ii]n|[Ss]ince|[Yy]ear|[Oo]f) )?(?P<minus>(?<![\w-])-)?(?P<amount>{_NUM})"),
        _bare,
    ),
)
_LEFT_OVER = (
    *(_Step(re.compile(re.escape(sign)), f" {word} ") for sign, word in _SIGNS.items()),
    _Step(re.compile(r"(?<=\w)/(?=\w)"), " or "),
    _Step(re.compile(r"\.{4,}"), "..."),
)
