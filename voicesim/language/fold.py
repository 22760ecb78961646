"""One form for words that mean the same when read aloud: case, punctuation and the ways to write a number.

`36` is `thirty six`, `21st` is `twenty first`, `10:00 AM` is `ten a m`, `250 mg` is `two hundred fifty
milligrams`; `$1` is not `1`, and spelling variants stay different words.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from voicesim.language.numbers import read_number


@dataclass(frozen=True)
class Token:
    """One folded word; start and end are character positions in the text it came from."""

    text: str
    start: int
    end: int


_PIECE = re.compile(
    r"""(?P<money>[$€£]\s?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[$€£]\s?\d+(?:\.\d+)?)
    |(?P<clock>\b\d{1,2}:\d{2}\b)
    |(?P<ordinal>\b\d+(?:st|nd|rd|th)\b)
    |(?P<digits>\b\d(?:-\d){2,}\b)
    |(?P<range>(?<=\d)[-–](?=\d))
    |(?P<minus>(?<!\S)[-−](?=\d))
    |(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)
    |(?P<dotted>\b(?:[a-z]\.)+[a-z]\b\.?)
    |(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)
    |(?P<slash>(?<=\d)[/⁄](?=\d))
    |(?P<symbol>[^\w\s])""",
    re.VERBOSE | re.IGNORECASE,
)
_CONTINUES = re.compile(r"^(?:\d [-–,.:/]\d|[^\W\d] [-–/'’][^\W\d])")
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound"}
_SYMBOLS = {"%": "percent", "&": "and", "°": "degree"}
_UNITS = {
    "milligram": "mg", "milligrams": "mg", "mgs": "mg", "microgram": "mcg", "micrograms": "mcg", "μg": "mcg",
    "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kilos": "kg", "kgs": "kg",
    "milliliter": "ml", "milliliters": "ml", "millilitre": "ml", "millilitres": "ml", "mls": "ml",
    "centimeter": "cm", "centimeters": "cm", "centimetre": "cm", "centimetres": "cm",
    "dollars": "dollar", "euros": "euro", "cents": "cent", "degrees": "degree", "percentage": "percentage",
}  # fmt: skip
# Letters that are a unit only behind a number.
_AFTER_NUMBER = {
    "g": "gram", "grams": "gram", "gram": "gram", "l": "liter", "liters": "liter", "liter": "liter",
    "litre": "liter", "litres": "liter", "hr": "hour", "hrs": "hour", "hours": "hour", "hour": "hour",
    "min": "minute", "mins": "minute", "minutes": "minute", "minute": "minute",
    "pounds": "pound", "pound": "pound",
}  # fmt: skip
_SCALES = {"c": "celsius", "f": "fahrenheit"}


def tokens(text: str) -> list[Token]:
    """The folded words of a text, with the characters each one covers, in order."""
    pieces = [piece for found in _PIECE.finditer(text) for piece in _pieces(found)]
    folded: list[Token] = []
    place = 0
    while place < len(pieces):
        number, after = read_number(_in_one_breath(text, pieces, place), 0)
        after += place
        if after > place:
            folded.append(Token(number, pieces[place].start, pieces[after - 1].end))
            place = after
        else:
            folded.append(pieces[place])
            place += 1
    return _units(_clock_words(folded))


def _in_one_breath(text: str, pieces: list[Token], place: int) -> list[str]:
    """The pieces from a place on that no punctuation separates: `two hundred. Fifty` is two numbers."""
    end = place + 1
    while end < len(pieces) and not re.search(r"[.,;:!?]", text[pieces[end - 1].end : pieces[end].start]):
        end += 1
    return [piece.text for piece in pieces[place:end]]


def fold(text: str) -> tuple[str, ...]:
    """The folded words of a text.

    >>> fold("Take two hundred fifty milligrams at 10:00 AM!")
    ('take', '250', 'mg', 'at', '10', 'am')
    """
    return tuple(token.text for token in tokens(text))


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, word for word and without a gap after folding: [start, end) characters.

    A match never begins or ends inside something written as one (`1` is not found in `$1`, `6 weeks` not in
    `4-6 weeks`), so a number cannot be cut short. None when it is not there or the quote has no words.
    """
    wanted = fold(quote)
    there = tokens(text)
    size = len(wanted)
    for first in range(len(there) - size + 1 if size else 0):
        last = first + size - 1
        if tuple(token.text for token in there[first : last + 1]) != wanted:
            continue
        open_before = first == 0 or there[first - 1].end < there[first].start
        open_after = last + 1 == len(there) or there[last].end < there[last + 1].start
        if open_before and open_after:
            return there[first].start, there[last].end
    return None


def find_quote(quote: str, words: Sequence[str]) -> tuple[int, int] | None:
    """The words that a quote covers, as a half-open range: `words[start:end]`; None when it is not there.

    Words are those of one utterance in order, as a transcriber gave them; a piece that continues the word
    before it (`-1` of `9-1-1`, `,000` of `4,000`) is read together with it. See `find` for what matches.
    """
    text, starts = "", []
    for word in words:
        bare = word.strip()
        # A dash before a digit is a minus sign unless a digit stands before it.
        if text and not _CONTINUES.search(f"{text[-1]} {bare}"):
            text += " "
        starts.append(len(text))
        text += bare
    span = find(quote, text)
    if span is None:
        return None
    covered = [i for i, start in enumerate(starts) if start < span[1] and start + len(words[i].strip()) > span[0]]
    return covered[0], covered[-1] + 1


def _pieces(found: re.Match[str]) -> list[Token]:
    """What one written piece is in words; all of them cover the same characters."""
    kind, raw = str(found.lastgroup), unicodedata.normalize("NFKC", found.group()).lower()
    if kind == "symbol":
        spoken = _SYMBOLS.get(raw, raw if unicodedata.category(raw[0]).startswith("S") else "")
        words = [spoken] if spoken else []
    elif kind == "money":
        words = _money(raw)
    elif kind == "clock":
        words = _clock(raw)
    else:
        words = [_plain(kind, raw)]
    return [Token(word, found.start(), found.end()) for word in words]


def _plain(kind: str, raw: str) -> str:
    match kind:
        case "range":
            return "to"
        case "minus":
            return "minus"
        case "digits":
            return raw.replace("-", "")
        case "number":
            return raw.replace(",", "")
        case "dotted":
            return raw.replace(".", "")
        case "word":
            return re.sub(r"['’]", "", raw)
        case _:
            return raw


def _money(raw: str) -> list[str]:
    unit, amount = _CURRENCY[raw[0]], raw[1:].strip().replace(",", "")
    whole, _, part = amount.partition(".")
    if not part or len(part) != 2:
        return [amount, unit]
    return [whole, unit, *([part.lstrip("0"), "cent"] if part.strip("0") else [])]


def _clock(raw: str) -> list[str]:
    hour, minute = raw.split(":")
    hour = hour.lstrip("0") or "0"
    if minute == "00":
        return [hour, "oclock"]
    return [hour, minute] if minute[0] != "0" else [hour, "oh", minute[1]]


def _clock_words(folded: list[Token]) -> list[Token]:
    """`ten a m` and `10:00 a.m.` to `10 am`; drops the `and` of `49 dollars and 95 cents`."""
    out: list[Token] = []
    place = 0
    while place < len(folded):
        token, rest = folded[place], [one.text for one in folded[place + 1 : place + 3]]
        behind = out[-1] if out else None
        timed = behind is not None and (behind.text[0].isdigit() or behind.text == "oclock")
        if behind is not None and timed and token.text in ("a", "p") and rest[:1] == ["m"]:
            token = Token(token.text + "m", token.start, folded[place + 1].end)
            place += 1
        if behind is not None and behind.text == "oclock" and token.text in ("am", "pm") and len(out) > 1:
            out.pop()
            out[-1] = replace(out[-1], end=behind.end)
        money = behind is not None and behind.text in ("dollar", "dollars", "euros", "pounds") and token.text == "and"
        if behind is not None and money and len(rest) == 2 and rest[1] in ("cent", "cents"):
            out[-1] = replace(behind, end=token.end)
        else:
            out.append(token)
        place += 1
    return out


def _units(folded: list[Token]) -> list[Token]:
    out: list[Token] = []
    for token in folded:
        before = out[-1].text if out else ""
        text = _UNITS.get(token.text, token.text)
        if before[:1].isdigit() and not before[-1].isalpha():
            text = _AFTER_NUMBER.get(text, text)
        if before == "degree":
            text = _SCALES.get(text, text)
        out.append(replace(token, text=text))
    return out
