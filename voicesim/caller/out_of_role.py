"""Signs that a sentence is not a patient's: markup, the other side's phrases, claims."""

import re

from voicesim.caller.cleaning import directions, labels
from voicesim.language.data import has
from voicesim.language.patterns import patterns, plain

_MARKUP = re.compile(
    r"[*`#<>{}\[\]|~\\]|(?<!\w)_|_(?!\w)|https?:|www\.|^\s*(?:[-•]|\d+[.)])\s|:\s*$|[\U0001F000-\U0001FAFF☀-➿]",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\b(?:i|she|he|we|my|her|his)(?:'ve|'m|'s)?\b(?!.*\b(?:if|might|may|could|worried|afraid|wonder|should"
    r"|don't know|not sure|in case|risk|call)\b)"
)
_DENIAL = re.compile(r"\b(?:no|not|never|none|without|nothing|cannot|nor)\b|n't\b", re.IGNORECASE)


def is_markup(sentence: str, name: str, language: str = "en") -> bool:
    """Whether a sentence holds what cannot be spoken: formatting, a stage direction, a speaker's label."""
    speakers = "|".join(map(re.escape, (*labels(language), name)))
    labelled = re.match(rf"(?:{speakers})\s*:", sentence, re.IGNORECASE)
    return _MARKUP.search(sentence) is not None or labelled is not None or bool(directions(sentence, language))


def is_role_flip(sentence: str, language: str = "en") -> bool:
    """Whether a sentence is one that the nurse, or a model out of its role, would say."""
    words, known = plain(sentence), language if has("role_flip", language) else "en"
    return any(pattern.expression.search(words) for pattern in patterns("role_flip", known))


def claims_something(sentence: str) -> bool:
    """Whether a sentence says that something is so with the patient: neither denied nor only thought of."""
    words = plain(sentence)
    return _CLAIM.search(words) is not None and not denies(words)


def denies(text: str) -> bool:
    """Whether a text says no to something."""
    return _DENIAL.search(text.replace("’", "'")) is not None
