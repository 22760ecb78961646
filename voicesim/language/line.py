"""A text as one line that patterns can be matched on: number words as digits, one space, plain signs.

Each piece of the line keeps the characters of the text that it came from, so what is matched can be shown.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("’‘ʼ", "'"),
        **dict.fromkeys("“”„″", '"'),
        **dict.fromkeys("⁄∕", "/"),
        **dict.fromkeys("\u00a0\u202f\u2009\u200b\ufeff", " "),
        "μ": "µ",
    }
)
_PIECE = re.compile(
    r"""(?P<grouped>(?<![\d.,])
        (?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d\d)+,\d{3}|(?<!\d[ ])[1-9]\d{0,2}(?:[ ]000)+(?![ ]\d))(?:\.\d+)?(?![\d,]))
    |(?P<dotted>(?<![\d.,])\d{1,3}(?:(?:\.\d{3}){2,}(?![\d.])|(?:\.\d{3})+,\d\d(?!\d)))
    |(?P<comma>(?<![\d.,])(?:\d+,\d{1,2}|0,\d+)(?![\d.]|,\d))
    |(?P<decimal>(?<![\d.,])\d+\.\d+(?!\d|\.\d))
    |(?P<leading>(?<![\w.,)])\.\d+)
    |(?P<fraction>(?:\d+[ ]?)?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
    |(?P<number>\d+)
    |(?P<letters>\b(?:[^\W\d_]\.){2,}|\b[^\W\d_]\.[^\W\d_]\b)
    |(?P<mixed>\b[^\W\d_]+\d+(?:[^\W\d_]+\d*)*\b)
    |(?P<word>[^\W\d_](?:[^\W\d_]|[\u0300-\u036f]|'(?=[^\W\d_]))*)
    |(?P<sign>[<>]=|=[<>]|\S)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Piece:
    """Something written as one; start and end are characters of the text, `gap` is what stands before it."""

    text: str
    start: int
    end: int
    gap: str = ""
    run: bool = False
    """Said digit by digit."""

    @property
    def word(self) -> str:
        """The text in lower case: what number words are looked up by."""
        return self.text.lower()


@dataclass(frozen=True)
class Line:
    """The line, its pieces, and where each piece begins in the line."""

    text: str
    pieces: tuple[Piece, ...]
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Characters of the original text for characters [start, end) of the line."""
        first, last = self.at(start), self.at(end - 1)
        return self.pieces[first].start, self.pieces[last].end

    def at(self, character: int) -> int:
        """The index of the piece that holds a character of the line."""
        return max(0, bisect_right(self.places, character) - 1)


def plain_signs(text: str) -> str:
    """A text with dashes, quotation marks, strokes and spaces each in one form; as long as it was."""
    return text.translate(_PLAIN)


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text in order; hyphens between words become the gap `-` of the word behind them."""
    plain = plain_signs(text)
    pieces: list[Piece] = []
    end, hyphen = 0, False
    for match in _PIECE.finditer(plain):
        if match.group() == "-" and _joins_words(plain, match.start()):
            hyphen = True
            continue
        gap = "-" if hyphen else " " if plain[end : match.start()].strip() != plain[end : match.start()] else ""
        pieces.append(Piece(_written(match), match.start(), match.end(), gap))
        end, hyphen = match.end(), False
    return pieces


def _joins_words(text: str, place: int) -> bool:
    """Whether the sign at a place stands between two words, or a word and a figure, without a space."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return before.isalnum() and after.isalnum() and not (before.isdigit() and after.isdigit())


def _written(match: re.Match[str]) -> str:
    raw = match.group()
    match match.lastgroup:
        case "grouped":
            return raw.replace(",", "").replace(" ", "")
        case "dotted":
            return raw.replace(".", "").replace(",", ".")
        case "comma":
            return raw.replace(",", ".")
        case "leading":
            return f"0{raw}"
        case "fraction":
            parts = unicodedata.normalize("NFKC", raw[-1]).replace("⁄", "/")
            return f"{raw[:-1].strip()} {parts}".strip()
        case "number":
            return str(unicodedata.normalize("NFKC", raw))
        case "letters":
            return raw.replace(".", "")
        case "word":
            return unicodedata.normalize("NFC", raw.replace("'", ""))
        case _:
            return raw


def join(pieces: Sequence[Piece]) -> Line:
    """Pieces as a line; a hyphen stays only between two figures, and a minus sign joins its figure."""
    text, places, joined = "", [], []
    for place, piece in enumerate(pieces):
        gap = piece.gap
        if gap == "-" and not (piece.text[0].isdigit() and text[-1:].isdigit()):
            gap = " "
        text += gap if text else ""
        places.append(len(text))
        text += piece.text
        joined.append(piece if place and gap == piece.gap else replace(piece, gap=gap if place else ""))
    return Line(text, tuple(joined), tuple(places))
