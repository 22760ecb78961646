"""Numbers as they are spoken, turned into digits."""

import re

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TIES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = {word: value for value, word in enumerate(_ONES + _TEENS)}
_TENS = {word: 10 * value for value, word in enumerate(_TIES, 2)}


def digits(text: str) -> str:
    """Number words to digits: "thirty eight point six" is 38.6, "a hundred and eighty" is 180.

    >>> digits("two tablets, five hundred milligrams, thirty-eight point zero")
    '2 tablets, 500 milligrams, 38.0'
    """
    tokens = re.findall(r"[a-z']+|\d+(?:\.\d+)?|[^a-z\d]+", text.replace("-", " "))
    out: list[str] = []
    at = 0
    while at < len(tokens):
        value, after = _number(tokens, at)
        out.append(tokens[at] if after == at else value)
        at = max(after, at + 1)
    return "".join(out)


def _number(tokens: list[str], start: int) -> tuple[str, int]:
    """The number that starts at a token, as digits, and the index after it; the same index when none does."""
    thousands = group = 0
    after = at = start
    if tokens[at] == "a" and tokens[at + 1 : at + 3] == [" ", "hundred"]:
        group, after, at = 100, start + 3, start + 4
    while at < len(tokens):
        word = tokens[at]
        joined = word == "and" and group >= 100 and group % 100 == 0
        if word == "thousand" and 0 < group < 1000 and not thousands:
            thousands, group = 1000 * group, 0
        elif (grown := _grown(group, word, fresh=after == start or group == 0)) is not None:
            group = grown
        elif not joined:
            break
        after = after if joined else at + 1
        if tokens[at + 1 : at + 2] != [" "]:
            break
        at += 2
    if after == start:
        return "", start
    return _decimals(tokens, str(thousands + group), after)


def _grown(group: int, word: str, *, fresh: bool) -> int | None:
    """A number below a thousand with one more word; None when the word does not go on with it."""
    if word in _TENS and group % 100 == 0:
        return group + _TENS[word]
    if word in _UNITS and (fresh or (group and group % 100 == 0)):
        return group + _UNITS[word]
    if word in _UNITS and 0 < _UNITS[word] < 10 and group % 100 >= 20 and group % 10 == 0:
        return group + _UNITS[word]
    if word == "hundred" and 0 < group < 10:
        return 100 * group
    return None


def _decimals(tokens: list[str], whole: str, at: int) -> tuple[str, int]:
    """Digits after a spoken "point": each word is one digit."""
    if tokens[at : at + 3] != [" ", "point", " "]:
        return whole, at
    fraction, after, index = "", at, at + 3
    while index < len(tokens) and _UNITS.get(tokens[index], 10) < 10:
        fraction += str(_UNITS[tokens[index]])
        after, index = index + 1, index + 2
    return (f"{whole}.{fraction}", after) if fraction else (whole, at)
