"""Reads number words: `two hundred and fifty`, `thirty eight point six`, `twenty first`, `nine one one`."""

from collections.abc import Sequence

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen"""
_TENS_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = dict(zip(_TENS_NAMES.split(), range(20, 100, 10), strict=True))
_CARDINALS = {**{name: value for value, name in enumerate(_SMALL.split())}, **_TENS}
_IRREGULAR = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
}  # fmt: skip
_ORDINALS = {
    **{name + "th": value for name, value in _CARDINALS.items() if value >= 4 and value not in (5, 8, 9, 12)},
    **{name[:-1] + "ieth": value for name, value in _TENS.items()},
    **_IRREGULAR,
}
_SCALES = {"thousand": 1_000, "million": 1_000_000}


def read_number(words: Sequence[str], place: int) -> tuple[str, int]:
    """The number that begins at `words[place]`, in digits, and the place after it.

    Words are lower case and without punctuation. Three or more single digits in a row are one string of
    digits; ordinals come out as `21st`. When no number begins there, the place itself is returned.
    """
    run = place
    while run < len(words) and _digit(words[run]) is not None:
        run += 1
    if run - place >= 3:
        return "".join(str(_digit(word)) for word in words[place:run]), run
    value, after, ordinal = _cardinal(words, place)
    if after == place:
        return "", place
    if ordinal:
        return _with_suffix(value), after
    # As written when it is one piece: leading zeros and decimals stay.
    as_written = after == place + 1 and words[place][0].isdigit()
    text = words[place] if as_written else str(value)
    return _with_decimals(text, words, after)


def _digit(word: str) -> int | None:
    if len(word) == 1 and word.isdecimal():
        return int(word)
    value = _CARDINALS.get(word)
    return value if value is not None and value <= 9 else None


def _with_decimals(text: str, words: Sequence[str], after: int) -> tuple[str, int]:
    if "." in text or after + 1 >= len(words) or words[after] != "point":
        return text, after
    end = after + 1
    if words[end].isdecimal():
        return f"{text}.{words[end]}", end + 1
    while end < len(words) and _digit(words[end]) is not None:
        end += 1
    decimals = "".join(str(_digit(word)) for word in words[after + 1 : end])
    return (f"{text}.{decimals}", end) if decimals else (text, after)


def _cardinal(words: Sequence[str], place: int) -> tuple[int, int, bool]:
    """Value, place after it, and whether it is an ordinal. A group is what is below the next scale word."""
    total, group, end = 0, -1, place
    written = False
    while end < len(words):
        word = words[end]
        if word in _SCALES and group > 0 and total % (_SCALES[word] * 1000) == 0:
            total, group, written = total + group * _SCALES[word], -1, False
        elif word == "hundred" and 1 <= group <= 99:
            group, written = group * 100, False
        elif word == "and" and end > place and words[end - 1] in ("hundred", *_SCALES):
            if end + 1 == len(words) or (words[end + 1] not in _CARDINALS and words[end + 1] not in _ORDINALS):
                break
        elif word == "a" and end == place and end + 1 < len(words) and words[end + 1] in ("hundred", *_SCALES):
            group = 1
        elif _is_ordinal(word) and word[0].isdigit():
            return (int(word[:-2]), end + 1, True) if end == place else (total + max(group, 0), end, False)
        elif word in _ORDINALS and not written and _fits(group, _ORDINALS[word]):
            return total + max(group, 0) + _ORDINALS[word], end + 1, True
        elif word in _CARDINALS and not written and _fits(group, _CARDINALS[word]):
            group = max(group, 0) + _CARDINALS[word]
        elif end == place and word[0].isdigit():
            if not word.isdecimal():
                return 0, end + 1, False
            group, written = int(word), True
        else:
            break
        end += 1
    return total + max(group, 0), end, False


def _fits(group: int, value: int) -> bool:
    """Whether a value below 100 can follow what is already in the group: after nothing, hundreds or tens."""
    if group < 0:
        return True
    if value == 0 or group == 0:
        return False
    return group % 100 == 0 or (group % 10 == 0 and group % 100 >= 20 and value <= 9)


def _is_ordinal(word: str) -> bool:
    return len(word) > 2 and word[:-2].isdecimal() and word[-2:] in ("st", "nd", "rd", "th")


def _with_suffix(value: int) -> str:
    if 10 <= value % 100 <= 20:
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"
