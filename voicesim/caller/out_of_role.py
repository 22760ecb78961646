"""Signs that a sentence is not a patient's: markup, the other side's phrases, claims."""

import re

from voicesim.caller.moves import plain

_MARKUP = re.compile(
    r"[*_`#<>{}\[\]|~\\]|https?:|www\.|^\s*(?:[-•]|\d+[.)])\s"
    r"|\([a-z][a-z ,'-]*\)|:\s*$|[\U0001F000-\U0001FAFF☀-➿]",
    re.IGNORECASE,
)
_LABELS = ("patient", "caller", "user", "human", "agent", "nurse", "doctor", "assistant", "system", "me", "note")
_ROLE_FLIP = re.compile(
    r"\bhow (?:can|may|could) (?:i|we) (?:help|assist|be of)|\bwhat (?:can|may) i (?:do for|help) you"
    r"|\b(?:i am|i'm|as) an? (?:\w+ )?(?:ai|a\.i|assistant|bot|chatbot|nurse|doctor|physician|model)\b"
    r"|\b(?:language model|openai|chatgpt|simulated|role ?play(?:ing)?|in character|my instructions"
    r"|the prompt)\b"
    r"|\bi (?:can't|cannot|am not able to|'m not able to) (?:provide|offer) (?:medical|you)\b"
    r"|\bi(?:'d| would)? (?:strongly )?(?:recommend|advise|suggest)(?: that)?"
    r" (?:you|taking|seeing|drinking)\b"
    r"|\byou should (?:see|take|drink|rest|avoid|stop|go|call|contact|consult|speak|seek|get some)\b"
    r"|\bthank(?:s| you) for calling\b|\bis there anything else (?:i|we) can\b"
    r"|\b(?:do|did) you (?:currently )?have (?:any |an? )?(?:other )?(?:fever|symptoms?|allerg\w+|chest pain"
    r"|medical|conditions?|temperature|trouble breathing|shortness)"
    r"|\bare you (?:currently )?(?:taking|experiencing|feeling|having|allergic)\b"
    r"|\bhave you (?:noticed|taken|experienced|measured|been taking|had (?:any|a))\b"
    r"|\byour (?:symptoms|fever|cough|breathing|temperature|medical history|medications)\b"
)
_CLAIM = re.compile(
    r"\b(?:i|she|he|we|my|her|his)(?:'ve|'m|'s)?\b(?!.*\b(?:if|might|may|could|worried|afraid|wonder|should"
    r"|don't know|not sure|in case|risk|call)\b)"
)
_DENIAL = re.compile(r"\b(?:no|not|never|none|without|nothing|cannot|nor)\b|n't\b", re.IGNORECASE)


def is_markup(sentence: str, name: str) -> bool:
    """Whether a sentence holds what cannot be spoken: formatting, a stage direction, a speaker's label."""
    labels = "|".join(map(re.escape, (*_LABELS, name)))
    return _MARKUP.search(sentence) is not None or re.match(rf"(?:{labels})\s*:", sentence, re.I) is not None


def is_role_flip(sentence: str) -> bool:
    """Whether a sentence is one that the nurse, or a model out of its role, would say."""
    return _ROLE_FLIP.search(plain(sentence)) is not None


def claims_something(sentence: str) -> bool:
    """Whether a sentence says that something is so with the patient: neither denied nor only thought of."""
    words = plain(sentence)
    return _CLAIM.search(words) is not None and not denies(words)


def denies(text: str) -> bool:
    """Whether a text says no to something."""
    return _DENIAL.search(text.replace("’", "'")) is not None
