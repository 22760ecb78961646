"""Number words to figures: `two hundred and fifty`, `thirty eight point six`, `twenty first`, `nine one one`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise

from voicesim.language.data import load
from voicesim.language.line import Line, Piece, join, pieces_of


@dataclass(frozen=True)
class Words:
    """The number words of a language, by what they do."""

    small: dict[str, int]
    """Ones, teens and tens."""
    ordinals: dict[str, int]
    scales: dict[str, int]
    fractions: dict[str, int]
    zeros: frozenset[str]
    points: frozenset[str]
    no_point_behind: frozenset[str]
    repeats: dict[str, int]
    minus: frozenset[str]
    dozens: dict[str, int]
    vague: frozenset[str]
    second: str
    """The ordinal that is a unit of time, too."""

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The words that a number can begin with."""
        decades = {f"{name.removesuffix('y')}ies" for name, value in self.small.items() if value >= 20}
        sets = (self.small, self.ordinals, self.scales, self.zeros, self.points, self.repeats, self.dozens, decades)
        return frozenset(("a",)).union(*sets)

    def digit(self, word: str) -> str:
        """The one digit that a word or figure is, or nothing."""
        if word in self.zeros:
            return "0"
        if len(word) == 1 and word.isdecimal():
            return word
        value = self.small.get(word, 10)
        return str(value) if value < 10 else ""


@cache
def words(language: str = "en") -> Words:
    """The number words of a language, from its data file."""
    data = load("numbers", language)
    small = {name: value for value, name in enumerate(data["ones"])}
    small |= {name: value for value, name in zip(range(20, 100, 10), data["tens"], strict=True)}
    small |= {other: small[name] for other, name in data["other_spellings"].items()}
    regular = {name: value for name, value in small.items() if value > 3 and value not in data["ordinals"].values()}
    ordinals = {(name[:-1] + "ieth" if name.endswith("y") else name + "th"): value for name, value in regular.items()}
    sets = {name: frozenset(data[name]) for name in ("zeros", "points", "minus", "vague")}
    return Words(
        small,
        {**ordinals, **data["ordinals"]},
        data["scales"],
        data["fractions"],
        repeats=data["repeats"],
        dozens=data["dozens"],
        second=data["ordinals_and_units"],
        no_point_behind=frozenset(data["not_before_a_point"]),
        **sets,
    )


def line_of(text: str, language: str = "en") -> Line:
    """A text as a line with its number words as figures.

    >>> line_of("Take two hundred and fifty, at TEN a.m.").text
    'Take 250, at 10 am'
    """
    known = words(language)
    pieces, out = pieces_of(text), list[Piece]()
    place = 0
    while place < len(pieces):
        first = pieces[place]
        if not first.text[0].isdigit() and first.word not in known.beginnings:
            out.append(first)
            place += 1
            continue
        figure, after = _digits(pieces, place, known)
        run = after > place and figure.isdecimal()
        if after == place:
            figure, after = _number(pieces, place, known)
        if after == place:
            figure, after = first.text, place + 1
        if first.gap == "-" and out and _hour_and_minute(out[-1].text, figure):
            first = replace(first, gap=" ")
        out.append(replace(first, text=figure, end=pieces[after - 1].end, run=run))
        place = after
    return join(_signed(out, known))


def in_figures(text: str, language: str = "en") -> str:
    """A text with its cardinal number words as figures, and otherwise as it is.

    >>> in_figures("for a second, thirty-eight point six, don't")
    "for a second, 38.6, don't"
    """
    out, end = "", 0
    for piece in line_of(text, language).pieces:
        if re.fullmatch(r"-?\d+(?:\.\d+)?", piece.text):
            out, end = f"{out}{text[end : piece.start]}{piece.text}", piece.end
    return out + text[end:]


def _hour_and_minute(before: str, after: str) -> bool:
    """Whether `nine-thirty` joins two words that are no range."""
    return before.isdecimal() and int(before) <= 12 and after.isdecimal() and 10 <= int(after) <= 59


def _signed(pieces: list[Piece], known: Words) -> list[Piece]:
    """Minus signs and words joined to the figure behind them; a dash behind a figure or a word is none."""
    out: list[Piece] = []
    for place, piece in enumerate(pieces):
        sign, earlier = out[-1] if out else None, pieces[place - 2].text[-1] if place > 1 else " "
        dash = sign is not None and sign.text == "-" and not piece.gap and (sign.gap == " " or not earlier.isalnum())
        word = sign is not None and sign.word in known.minus and (len(out) < 2 or out[-2].word != "or")
        if sign and (dash or word) and piece.text[0].isdigit() and not earlier.isdigit():
            out[-1] = replace(sign, text=f"-{piece.text}", end=piece.end)
        else:
            out.append(piece)
    return out


def _digits(pieces: Sequence[Piece], start: int, known: Words) -> tuple[str, int]:
    """Three or more single digits in a row, as one string of digits.

    Commas and full stops may part them (`9, 1, 1`) unless the digits only rise or fall, as a list does.
    """
    digits, parted, place, after = "", False, start, start
    while place < len(pieces):
        count = known.repeats.get(pieces[place].word, 1)
        place += count > 1
        digit = known.digit(pieces[place].word) if place < len(pieces) else ""
        if not digit or (place > start and pieces[place].gap == ""):
            break
        if _next(pieces, place + 1) in known.scales and (len(digits) < 3 or place != after):
            break
        exclaimed = place == start and pieces[place].word in known.zeros
        if exclaimed and "".join(piece.text for piece in pieces[place + 1 : place + 2]) in (",", "."):
            break
        digits += digit * count
        after = place = place + 1
        if _next(pieces, place) == "hundred":
            digits, after, place = f"{digits}00", place + 1, place + 1
        if place < len(pieces) - 1 and pieces[place].text in (",", ".") and known.digit(pieces[place + 1].word):
            parted, place = True, place + 1
    figure, end = _with_decimals(digits, pieces, after, known)
    if len(digits) < 3 or (parted and _is_list(digits)) or (end == after and _clock(pieces[start:after], known)):
        return "", start
    return figure, end


def _is_list(digits: str) -> bool:
    steps = {(after > before) - (after < before) for before, after in pairwise(digits)}
    return len(steps) == 1 and 0 not in steps


def _clock(run: Sequence[Piece], known: Words) -> bool:
    """Whether a run of digits is `nine oh five`: it may be a time, so it is left as it is."""
    said = [piece.word for piece in run]
    return len(said) == 3 and said[1] in known.zeros and known.digit(said[0]) != "0" and known.digit(said[2]) != "0"


def _number(pieces: Sequence[Piece], start: int, known: Words) -> tuple[str, int]:
    """The number that begins at a piece, in figures, and the piece after it; `start` when none does."""
    part, after = _part(pieces, start, known)
    if after > start:
        return part, after
    word = pieces[start].word
    if word.endswith("ties") and (decade := known.small.get(word.removesuffix("ies") + "y")):
        return f"{decade}s", start + 1
    before = pieces[start - 1].word if start and pieces[start].gap else ""
    if word == known.second and (known.digit(before) or before in known.small or before[-1:].isdigit()):
        return "", start
    if word in known.zeros | known.points:
        return _leading_point(pieces, start, known)
    value, after, ordinal = _cardinal(pieces, start, known)
    if after == start:
        return "", start
    if ordinal:
        return with_suffix(value), after
    figure = pieces[start].text if after == start + 1 and word[0].isdigit() else str(value)
    figure, after = _with_decimals(figure, pieces, after, known)
    if _next(pieces, after) == "and" and "." not in figure and "/" not in figure:
        part, end = _part(pieces, after + 1, known, behind_a_number=True)
        if end > after + 1:
            return f"{figure} {part}", end
    return figure, after


def _next(pieces: Sequence[Piece], place: int) -> str:
    return pieces[place].word if place < len(pieces) and pieces[place].gap else ""


def _part(pieces: Sequence[Piece], start: int, known: Words, *, behind_a_number: bool = False) -> tuple[str, int]:
    """A fraction in words as `n/d`: `one third`, `three quarters`, `a half`; `a third` only before `of`."""
    count, name = pieces[start].word if start < len(pieces) else "", _next(pieces, start + 1)
    if name not in known.fractions:
        return "", start
    below, plural = known.fractions[name], name.endswith("s")
    value = 1 if count == "a" else int(count) if re.fullmatch("[1-9]", count) else known.small.get(count, 0)
    ordinal = name in known.ordinals or name in ("fourth", "sixth", "tenth")
    if not value > 0 or plural == (value == 1):
        return "", start
    if ordinal and count == "a" and not behind_a_number and _next(pieces, start + 2) != "of":
        return "", start
    return f"{value}/{below}", start + 2


def _leading_point(pieces: Sequence[Piece], start: int, known: Words) -> tuple[str, int]:
    """`point five` or `nought point five`: a decimal below one, not behind `this`, `some` and the like."""
    point = start + (pieces[start].word in known.zeros)
    before = pieces[start - 1].word if start else ""
    if point >= len(pieces) or pieces[point].word not in known.points or before in known.no_point_behind:
        return "", start
    decimals, after = _decimals(pieces, point + 1, known)
    return (f"0.{decimals}", after) if decimals else ("", start)


def _with_decimals(figure: str, pieces: Sequence[Piece], after: int, known: Words) -> tuple[str, int]:
    if "." in figure or _next(pieces, after) not in known.points:
        return figure, after
    decimals, end = _decimals(pieces, after + 1, known)
    return (f"{figure}.{decimals}", end) if decimals else (figure, after)


def _decimals(pieces: Sequence[Piece], start: int, known: Words) -> tuple[str, int]:
    """The digits behind a point: one word a digit (`zero five`), or what is written as figures."""
    if _next(pieces, start).isdecimal():
        return pieces[start].text, start + 1
    decimals, place = "", start
    while digit := known.digit(_next(pieces, place)):
        decimals, place = decimals + digit, place + 1
    return decimals, place


def _cardinal(pieces: Sequence[Piece], start: int, known: Words) -> tuple[int, int, bool]:
    """Value, place after it, and whether it is an ordinal. `room` is what may still follow in a group."""
    total, group, room, scale, place = 0, 0, 1000, 10**12, start
    if pieces[start].word == "a" and _next(pieces, start + 1) in (*known.scales, *known.dozens):
        group, place = 1, start + 1
    elif pieces[start].word in ("hundred", "thousand") and not _vague_before(pieces, start, known):
        group = 1
    while place < len(pieces) and (place == start or pieces[place].gap):
        word, behind = pieces[place].word, _next(pieces, place + 1)
        value = known.ordinals.get(word, known.small.get(word, -1))
        begins = place == start
        if word in known.dozens:
            return max(1, group) * known.dozens[word], place + 1, False
        if begins and word.isdecimal() and len(word) < 16:
            group, room = int(word), 1
        elif value >= 0 and not begins and group and behind == "hundred":
            break
        elif value >= 0 and (begins or (0 < value < room and (value < 10 or room >= 100))):
            if word in known.ordinals:
                return total + group + value, place + 1, True
            group, room = group + value, 10 if value >= 20 else 1
        elif word == "hundred" and 0 < group < 100:
            group, room = group * 100, 100
        elif word in known.scales and known.scales[word] < scale and group and word != "hundred":
            scale = known.scales[word]
            total, group, room = total + group * scale, 0, min(scale, 1000)
        elif word == "and" and pieces[place - 1].word in known.scales:
            if not 0 < known.ordinals.get(behind, known.small.get(behind, 0)) < room:
                break
        else:
            break
        place += 1
    return total + group, place, False


def _vague_before(pieces: Sequence[Piece], place: int, known: Words) -> bool:
    """Whether `hundred` stands behind `a few` and the like, or behind nothing that makes it a number."""
    before, behind = pieces[place - 1].word if place else "", _next(pieces, place + 1)
    return before in known.vague or not (behind == "and" or behind in known.small)


def with_suffix(value: int) -> str:
    """An ordinal in figures: `21st`."""
    if 10 <= value % 100 <= 20:
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"
