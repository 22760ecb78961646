"""From written text to the words that reach a voice: markup goes; figures, signs and short forms become words."""

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from voicesim.language.data import load
from voicesim.language.kinds import Date, Pressure, Quantity, Range, Time, Value, units
from voicesim.language.line import Line, plain_signs
from voicesim.language.place import Found, number
from voicesim.language.say import cardinal, digits, fraction, ordinal, say, year
from voicesim.language.value_patterns import grammar
from voicesim.language.values import read_line

_MARKUP = (
    (r"(?s)```.*?```", " "),
    (r"!?\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"(?:https?://|www\.)\S*[^\s.,;:!?)\"']", ""),
    # What begins like a tag is markup; "<90" and "< 70" are comparisons.
    (r"</?[A-Za-z][^<>\n]{0,200}>", " "),
    (r"\[[^\]]*\]", " "),
    (r"(?<=[^\s.,;:!?])[ \t]*\n\s*(?:#{1,6}|[-*+•>])\s+", ". "),
    (r"(?m)^[ \t]*(?:#{1,6}|[-*+•]|>(?!\s*\d))\s+", ""),
    (r"[-=]+>(?!\s*\d)", " "),
    (r"[*`]+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)", ""),
    (r"_", " "),
)
_MIXED = re.compile(r"(?<![^\W_])([^\W\d_]+)-?(\d+)([^\W_]*)")
_YEARS = re.compile(r"(?:1[5-9]|20)\d\d\W+(?:to )?(?:1[5-9]|20)\d\d")
_LETTERS = "LM"
_MARKS = " '-.,;:!?"
_PAUSES = str.maketrans({"—": ", ", "…": "...", "(": " ", ")": " "})


def spoken(text: str, language: str = "en") -> str:
    """The words of a text as a voice should get them; empty when nothing in it can be spoken. Raises nothing.

    English alone has the files for it; for a voice of another language take `as_written`.

    What is left holds letters, spaces, apostrophes, hyphens and `. , ; : ? !`: no digit, no sign, no unit written
    short.

    >>> spoken("[stressed] **Take** 250 mg at 8:00, see https://x.y/z")
    "Take two hundred fifty milligrams at eight o'clock, see"
    """
    plain = _unmarked(text)
    for rule, to in _rules(language):
        plain = rule.sub(to, plain)
    plain = "".join(_with_values(plain, language)).translate(_PAUSES)
    plain = "".join(_speakable(sign) for sign in plain)
    plain = re.sub(r"(?<![^\W\d_])'(?![^\W\d_])", "", plain)
    plain = re.sub(r"\s+([,.;:!?]|-(?=\w))", r"\1", " ".join(plain.split()))
    plain = re.sub(r"\.{4,}", "...", re.sub(r",(?:\s*,)+", ",", plain)).strip(" ,;:-")
    return plain if any(sign.isalpha() for sign in plain) else ""


def as_written(text: str) -> str:
    """A text without its markup, for a voice that reads figures and signs by itself; empty where it has no word.

    >>> as_written("**Nein**, seit 3 Tagen 38,5 °C.")
    'Nein, seit 3 Tagen 38,5 °C.'
    """
    plain = " ".join(_unmarked(text).translate(_PAUSES).split()).strip(" ,;:-")
    return plain if any(sign.isalnum() for sign in plain) else ""


def _unmarked(text: str) -> str:
    """A text without what only a reader needs: markup, links, tags."""
    plain = html.unescape(unicodedata.normalize("NFC", text)).replace("\u200b", "")
    plain = plain_signs(re.sub(r"(?<!\d)\s*—|—(?!\s*\d)", ", ", plain))
    for pattern, to in _MARKUP:
        plain = re.sub(pattern, to, plain)
    return plain


@cache
def _rules(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(row["match"]), row["say"]) for row in load("spoken", language)["rules"])


def _with_values(text: str, language: str) -> Iterator[str]:
    """The pieces of a text in order, with what is written in figures, signs and short units in words."""
    line, values = read_line(text, language)
    end, before = 0, None
    for value in values:
        start, after = line.span(value.start, value.end)
        yield _between(text[end:start], before, value, language)
        source = text[start:after]
        said = _said(line, value, source, language)
        yield f" {said} " if said != source and (text[start - 1 : start] + text[after : after + 1]).strip() else said
        # The dot of "a.m." may end the sentence too.
        if source.endswith(".") and re.match(r"\s+[^\Wa-z]|\s*$", text[after:]):
            yield ". "
        end, before = after, value
    yield _between(text[end:], before, None, language)


def _between(gap: str, before: Found | None, behind: Found | None, language: str) -> str:
    """What stands between two values, or at an end, with its signs in words and what else has figures."""
    signs = load("signs", language)
    if before and behind and gap.strip() == "/":
        return f" {_stroke(before.value)} "
    if before and behind and (word := signs["between"].get(gap.strip())):
        return f" {word} "
    if before:
        gap = _rates(gap, language)
        for sign, word in signs["after_figures"].items():
            gap = f" {word} {gap.removeprefix(sign)}" if gap.startswith(sign) else gap
    for sign, word in signs["before_figures"].items():
        if behind and gap.rstrip().endswith(sign):
            gap = f"{gap.rstrip().removesuffix(sign)} {word} "
    for sign, word in signs["said"].items():
        gap = gap.replace(sign, f" {word} ")
    gap = _bare(language).sub(lambda match: _in_full(match, language), gap)
    gap = re.sub(r"(?<=\w)/(?=\w)", " or ", gap)
    if behind and re.search(r"\w-$", gap):
        gap = f"{gap[:-1]} "
    return re.sub(r"\d+", _figures, _MIXED.sub(_letters_and_figures, gap))


def _stroke(before: Value) -> str:
    """What a stroke between two values says: `per` behind a measure, `over` behind a number, else `or`."""
    match before:
        case Quantity(_, unit) | Range(_, _, unit):
            return "per" if unit else "over"
    return "or"


def _rates(gap: str, language: str) -> str:
    """What stands behind a value, with the units that it is per in words: `/kg/day`."""
    known, said = grammar(language), ""
    while (stroke := re.match(r"\s?/\s?", gap)) and (unit := known.inside.match(gap, stroke.end())) and unit["unit"]:
        said += f" per {units(language)[known.unit_id(unit.group())].one}"
        gap = gap[unit.end() :]
    return said + gap


@cache
def _bare(language: str) -> re.Pattern[str]:
    """A unit written short that no number stands before, and what it is per: `in mg/kg`."""
    bare = (unit for unit in units(language).values() if unit.bare)
    forms = "|".join(re.escape(form) for unit in bare for form in sorted(unit.short, key=len, reverse=True))
    per = "|".join(re.escape(form) for unit in units(language).values() for form in unit.short)
    return re.compile(rf"(?i)(?<![\w'])(?P<unit>{forms})(?:/(?P<per>{per}))?(?![\w'])")


def _in_full(match: re.Match[str], language: str) -> str:
    known, table = grammar(language), units(language)
    named = table[known.unit_id(match["unit"])].many
    return f"{named} per {table[known.unit_id(match['per'])].one}" if match["per"] else named


def _letters_and_figures(match: re.Match[str]) -> str:
    """`B12` is `B twelve`, `HbA1c` is `H b A one c`."""
    parts = re.findall(r"[^\W\d_]+|\d+", match.group())
    return " ".join(" ".join(part) if re.fullmatch(r"[A-Z][a-z]+[A-Z]", part) else part for part in parts)


def _figures(match: re.Match[str]) -> str:
    return f" {cardinal(int(match.group())) if len(match.group()) < 10 else digits(match.group())} "


def _said(line: Line, value: Found, source: str, language: str) -> str:
    """What is said for a value: its own words where it is written in words."""
    written = any(sign.isdigit() or unicodedata.category(sign)[0] in "SN" for sign in source)
    inside = grammar(language).inside
    measured = not isinstance(value.value, Time | Date)
    if not written and not (measured and any(match["unit"] in _short(language) for match in inside.finditer(source))):
        return source
    if isinstance(value.value, Range) and _YEARS.fullmatch(source):
        return f"{year(int(value.value.low))} to {year(int(value.value.high))}"
    if value.words is None:
        return _word_by_word(line, value, language)
    match value.value:
        case Time(hour, minute, _, second) if 0 < hour <= 12 and not re.search(r"(?i)[ap]\.? ?m\b", source):
            return say(Time(hour, minute, second=second), language)
        case Date(month, int(day), named) if re.match(r"(?i)(?:the )?\d+\w* +(?:of )?[a-z]", source):
            return f"the {ordinal(day)} of {say(Date(month), language)}" + (f", {year(named)}" if named else "")
        case Quantity() if re.fullmatch(r"\d+(?:/| out of )\d+", source):
            above, between, below = re.split(r"(\D+)", source)
            return f"{cardinal(int(above))} {'over' if between == '/' else between.strip()} {cardinal(int(below))}"
        case Pressure() if "mmhg" in value.words:
            return f"{say(value.value, language)} {units(language)['mmhg'].many}"
    return ("plus " if source.startswith("+") else "") + say(value.value, language)


@cache
def _short(language: str) -> frozenset[str]:
    """Units written short, which a voice would read letter by letter."""
    return frozenset(form for unit in units(language).values() for form in unit.short)


def _word_by_word(line: Line, value: Found, language: str) -> str:
    """A value in the order it is written: each number and short unit in words, the other words as they are."""
    known, table = grammar(language), units(language)
    said, singular, counted = "", False, False
    for match in known.inside.finditer(line.text, value.start, value.end):
        text = match.group()
        if match["n"]:
            behind = line.text[match.end() :]
            said += f" {_number(text, alone=not re.match(' (?:of|an?|the) ', behind), language=language)}"
            singular, counted = re.fullmatch(r"-?1(?:/\d+)?", text) is not None, True
        elif match["unit"]:
            unit = table[known.unit_id(text)]
            named = unit.one if singular or not counted else unit.many
            said += f" {named if {text, text.lower()}.intersection(unit.short) else text}"
            counted = False
        elif match["word"]:
            said += f" {text}"
        else:
            said += {"-": " to", "/": " per", ",": ","}.get(text, "")
    return said.strip()


def _number(text: str, *, alone: bool, language: str) -> str:
    mixed = re.fullmatch(r"(-?)(?:(\d+) )?(\d+)/(\d+)", text)
    if mixed is None:
        return cardinal(number(text, grammar(language)))
    sign = "minus " if mixed[1] else ""
    return sign + fraction(int(mixed[2] or 0), int(mixed[3]), int(mixed[4]), language, alone=alone)


def _speakable(sign: str) -> str:
    """A sign as a voice may get it: letters and the marks that shape a sentence; a figure in words; else a space."""
    if unicodedata.category(sign)[0] in _LETTERS or sign in _MARKS:
        return sign
    value = unicodedata.numeric(sign, 0.5)
    if value == int(value):
        return f" {cardinal(int(value))} "
    return "" if sign in '"“”„' else " "
