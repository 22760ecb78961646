"""One form for words that mean the same when read aloud: case, punctuation and the ways to write a value.

`36` is `thirty six`, `21st` is `twenty first`, `10:00 AM` is `ten a m`, `250 mg` is `two hundred fifty
milligrams`; `$1` is not `1`, and spelling variants stay different words.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from voicesim.language.data import load
from voicesim.language.kinds import Quantity, Range, Time, units
from voicesim.language.line import Line
from voicesim.language.place import Found, figure, number, unit_word
from voicesim.language.value_patterns import grammar
from voicesim.language.values import read_line

_CONTINUES = re.compile(r"^(?:\d [-–,.:/]\d|[^\W\d] [-–/'’][^\W\d])")


@dataclass(frozen=True)
class Token:
    """One folded word; start and end are character positions in the text it came from."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """The folded words of a text in order. The words of a value that must not be cut cover the same characters."""
    line, values = read_line(text)
    folded: list[tuple[str, int, int]] = []
    spelled: list[bool] = []
    starts = {value.start: value for value in values}
    end = 0
    for piece, start in zip(line.pieces, line.places, strict=True):
        if start < end:
            continue
        if value := starts.get(start):
            end = value.end
            words = list(_of_value(line, value))
            counts = isinstance(value.value, Quantity) and not value.value.unit and words[0][0].isdecimal()
            spelled += [counts] * len(words)
        else:
            end = start + len(piece.text)
            words = [(word, start, end) for word in _of_piece(line, start, end)]
            spelled += [len(word) == 1 and word.isalpha() for word, _, _ in words]
        folded += words
    joined = _spelled_out(line, folded, spelled)
    return tuple(Token(word, *line.span(start, end)) for word, start, end in joined)


def fold(text: str) -> tuple[str, ...]:
    """The folded words of a text.

    >>> fold("Take two hundred fifty milligrams at 10:00 AM!")
    ('take', '250', 'mg', 'at', '10', 'am')
    """
    return tuple(token.text for token in tokens(text))


def _of_value(line: Line, value: Found) -> Iterator[tuple[str, int, int]]:
    """The words of a value, each with the characters of the line that it covers."""
    if value.words is not None:
        yield from ((word, value.start, value.end) for word in value.words)
        return
    known = grammar()
    matches = list(known.inside.finditer(line.text, value.start, value.end))
    uncut = value.end if value.whole else 0
    if isinstance(value.value, Range):
        uncut = max(match.end() for match in matches if match["n"])
    for match in matches:
        start, end = (value.start, uncut) if match.end() <= uncut else match.span()
        if match["n"]:
            yield figure(number(match.group(), known)), start, end
        elif match["unit"]:
            form = match.group()
            yield unit_word(known.unit_id(form), form), start, end
        elif match["word"]:
            half = match.group().lower() == "half" and not isinstance(value.value, Time)
            yield "0.5" if half else match.group().lower(), start, end
        else:
            word = {"-": "to", "/": "per"}.get(match.group(), "")
            yield from ((part, start, end) for part in word.split())


def _of_piece(line: Line, start: int, end: int) -> list[str]:
    """What a piece that is no value is folded to: punctuation to nothing, a sign to its words."""
    raw, before, after = line.text[start:end], _last(line.text, start), _first(line.text, end)
    said = load("signs")
    if raw[0].isalnum():
        word = raw.lower()
        return [said["short"].get(word) or _bare_units().get(word, word)]
    if before.isdigit() and after.isdigit() and raw in said["between"]:
        return str(said["between"][raw]).split()
    if after.isdigit() and raw in said["before_figures"]:
        return str(said["before_figures"][raw]).split()
    return str(said["said"].get(raw, raw if unicodedata.category(raw[0]).startswith("S") else "")).split()


def _last(text: str, end: int) -> str:
    """The last character before a place that is no space; "" for none. (A slice of all before it would be copied.)"""
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return text[end - 1] if end > 0 else ""


def _first(text: str, start: int) -> str:
    """The first character from a place on that is no space; "" for none."""
    while start < len(text) and text[start].isspace():
        start += 1
    return text[start : start + 1]


@cache
def _bare_units() -> dict[str, str]:
    return {form: unit.id for unit in units().values() if unit.bare for form in unit.forms}


def _spelled_out(line: Line, folded: list[tuple[str, int, int]], spelled: list[bool]) -> list[tuple[str, int, int]]:
    """Letters that were spelled, and figures between them, as one word: `h b a 1 c` is `hba1c`, `b 12` is `b12`."""
    out: list[tuple[str, int, int]] = []
    place = 0
    while place < len(folded):
        after = place
        while after < len(folded) and spelled[after]:
            if after > place and not line.text[folded[after - 1][2] : folded[after][1]].isspace():
                break
            after += 1
        run = [word for word, _, _ in folded[place:after]]
        while run and run[-1] in ("a", "i") and not (len(run) > 1 and run[-2].isdecimal() is False):
            run.pop()
        if len(run) > 1 and run[0].isalpha() and not (run[0] in ("a", "i") and (len(run) == 2 or run[1].isdecimal())):
            out.append(("".join(run), folded[place][1], folded[place + len(run) - 1][2]))
            place += len(run)
        else:
            out.append(folded[place])
            place += 1
    return out


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, word for word and without a gap after folding: [start, end) characters.

    A match never begins or ends inside something written or said as one value (`1` is not found in `$1`, `6
    weeks` not in `4 - 6 weeks`), so a number cannot be cut short. None when it is not there or has no words.
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
    if not fold(quote):
        return None
    text, starts = _written(tuple(words))
    span = find(quote, text)
    if span is None:
        return None
    covered = [i for i, start in enumerate(starts) if start < span[1] and start + len(words[i].strip()) > span[0]]
    return covered[0], covered[-1] + 1


@lru_cache(maxsize=64)
def _written(words: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
    """Words as a text, and where in it each begins."""
    text: list[str] = []
    starts: list[int] = []
    length, last = 0, ""
    for word in words:
        bare = word.strip()
        # A dash before a digit is a minus sign unless a digit stands before it.
        if last and not _CONTINUES.search(f"{last} {bare}"):
            text.append(" ")
            length += 1
        starts.append(length)
        text.append(bare)
        length += len(bare)
        last = bare[-1:] or (last and " ")
    return "".join(text), tuple(starts)
