"""Accents as phoneme rules: what a speaker's first language does to English sounds.

The rules rewrite the phonemes of an American voice before they are spoken, in the order in which they
stand. The alphabet is the voice's own (misaki's: IPA, with A I O W Y for the diphthongs of day, my, go,
now, boy, T for the flap of butter, and ᵊ for a barely spoken schwa). Only English phonemes may be
written: the voice was never taught others, such as a trilled r, and would mumble them. So an accent here
is a choice among English sounds; rhythm, aspiration and the quality of r stay American.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_END = r"(?=[^\wˈˌᵊᵻ]|$)"
_VOICELESS = r"(?<=[ptkfsʃʧ])"


@dataclass(frozen=True)
class Rule:
    """A regular expression over phonemes, what stands in its place, and the phonology behind it."""

    pattern: str
    to: str
    why: str


_STOPPED_TH = (
    Rule("θ", "t", "no dental fricatives: three is said with t"),
    Rule("ð", "d", "no dental fricatives: the is said with d"),
)
_NO_FLAP = Rule("T", "t", "no flap: the t of better is a plain t")
_TENSE = (
    Rule("[ɪᵻ]", "i", "one high front vowel: sit and seat fall together"),
    Rule("ʊ", "u", "one high back vowel: full and fool fall together"),
)
_DEVOICED_END = (
    Rule(f"b{_END}", "p", "voiced stops lose their voice at the end of a word"),
    Rule(f"d{_END}", "t", "voiced stops lose their voice at the end of a word"),
    Rule(f"ɡ{_END}", "k", "voiced stops lose their voice at the end of a word"),
)
_SIMPLE_CLUSTERS = (
    Rule(f"{_VOICELESS}t{_END}", "", "past is said pas: no final cluster ending in t"),
    Rule(f"(?<=[nlm])d{_END}", "", "cold is said col: no final cluster ending in d"),
)

_INDONESIAN = (
    *_STOPPED_TH,
    Rule("v", "f", "the letter v is read f"),
    Rule("z", "s", "z is not native: nose is said with s"),
    Rule("æ", "ɛ", "no open front vowel: bad sounds like bed"),
    *_TENSE,
    _NO_FLAP,
    *_SIMPLE_CLUSTERS,
)
# Someone who speaks English every day: the th of function words and the final z are what stays.
_INDONESIAN_LIGHT = (
    Rule("(?<=[ˈˌ])θ", "t", "no dental fricatives: think is said with t"),
    Rule("ð(?=[ˈˌ]?[əɛɪæOiA])", "d", "no dental fricatives: the is said with d"),
    Rule(f"z{_END}", "s", "no voiced z at the end of a word"),
    _NO_FLAP,
)
_INDIAN = (
    *_STOPPED_TH,
    Rule("w", "v", "one labiodental sound for both v and w"),
    Rule("ʒ", "ʤ", "no plain ʒ: measure is said with the j of major"),
    Rule("ɔ(?!ɹ)", "ɑ", "caught and cot fall together in an open vowel"),
    Rule("ʌ", "ə", "cup and the schwa are one vowel"),
    _NO_FLAP,
)
_SPANISH = (
    *_STOPPED_TH,
    Rule("v", "b", "b and v are one sound"),
    Rule("[zʒ]", "s", "no voiced sibilants: nose is said with s"),
    *_TENSE,
    Rule("æ", "ɑ", "one open vowel for cat, cot and cut"),
    Rule("ʌ", "ɑ", "one open vowel for cat, cot and cut"),
    Rule(r"(?<!\w)([ˈˌ]?)(?=s[ptkmnlfw])", r"ɛ\1", "no word begins with s and a consonant: a vowel goes before it"),
    _NO_FLAP,
)
_GERMAN = (
    Rule("θ", "s", "no dental fricatives: think is said with s"),
    Rule("ð", "z", "no dental fricatives: this is said with z"),
    Rule("w", "v", "the letter w is read v"),
    Rule("æ", "ɛ", "no open front vowel: bad sounds like bed"),
    *_DEVOICED_END,
    Rule(f"z{_END}", "s", "voiced sounds lose their voice at the end of a word"),
    _NO_FLAP,
)

ACCENTS: Mapping[str, tuple[Rule, ...]] = MappingProxyType(
    {
        "american": (),
        "indonesian": _INDONESIAN,
        "indonesian-light": _INDONESIAN_LIGHT,
        "indian": _INDIAN,
        "spanish": _SPANISH,
        "german": _GERMAN,
    }
)


def apply(phonemes: str, accent: str) -> str:
    """The phonemes as a speaker with this accent says them. Raises KeyError for a name not in ACCENTS."""
    for rule in ACCENTS[accent]:
        phonemes = re.sub(rule.pattern, rule.to, phonemes)
    return phonemes
