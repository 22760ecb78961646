"""A rough pronunciation of English words that no dictionary has: names of medicines, misheard words.

Good enough to find where a word begins in sound, where every consonant that is right helps. The signs are
those of the CMU dictionary, without stress.
"""

from collections.abc import Iterator

# Longest first where spellings share a beginning; the first that fits at a place is taken.
_SOUNDS = {
    "tion": "SH AH N", "sion": "ZH AH N", "ough": "AO", "augh": "AO", "eigh": "EY", "igh": "AY", "tch": "CH",
    "dge": "JH", "sch": "S K", "ch": "CH", "sh": "SH", "th": "TH", "ph": "F", "wh": "W", "gh": "G", "kn": "N",
    "wr": "R", "ps": "P S", "ck": "K", "ng": "NG", "qu": "K W", "ai": "EY", "ay": "EY", "au": "AO", "aw": "AO",
    "ea": "IY", "ee": "IY", "ei": "IY", "ey": "IY", "eu": "Y UW", "ew": "Y UW", "ie": "IY", "oa": "OW", "oi": "OY",
    "oo": "UW", "ou": "AW", "ow": "OW", "oy": "OY", "ue": "UW", "ui": "UW", "ar": "AA R", "er": "ER", "ir": "ER",
    "or": "AO R", "ur": "ER", "ce": "S", "ci": "S IH", "cy": "S IY", "ge": "JH", "gi": "JH IH", "a": "AE", "b": "B",
    "c": "K", "d": "D", "e": "EH", "f": "F", "g": "G", "h": "HH", "i": "IH", "j": "JH", "k": "K", "l": "L", "m": "M",
    "n": "N", "o": "AA", "p": "P", "q": "K", "r": "R", "s": "S", "t": "T", "u": "AH", "v": "V", "w": "W",
    "x": "K S", "y": "IY", "z": "Z",
}  # fmt: skip
_LONGEST = max(map(len, _SOUNDS))


def sounds(word: str) -> str:
    """The sounds of a word of plain letters, separated by spaces; "" when it has none.

    >>> sounds("losartan")
    'L AA S AA R T AE N'
    """
    return " ".join(_sounds("".join(sign for sign in word.casefold() if "a" <= sign <= "z")))


def _sounds(letters: str) -> Iterator[str]:
    at = 0
    while at < len(letters):
        size = next(n for n in range(min(_LONGEST, len(letters) - at), 0, -1) if letters[at : at + n] in _SOUNDS)
        last = at + size == len(letters)
        silent = last and size == 1 and letters[at] == "e" and at > 1
        doubled = size == 1 and at > 0 and letters[at] == letters[at - 1]
        if not silent and not doubled:
            yield _SOUNDS[letters[at : at + size]]
        at += size
