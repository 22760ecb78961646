"""What an expectation asks of the sentence that is to fulfil it, beyond a cue word: condition, hedge, care, time."""

import re

from voicesim.catalog.model import Check
from voicesim.judge.offline.acts import CONDITIONS, HEDGES
from voicesim.language.cues import read
from voicesim.language.fold import fold
from voicesim.language.grammar import NEGATORS, word_set

_EXPECTS_A_HEDGE = word_set("probably likely certain possibly")
# An expectation with one of these wants somebody to be seen or helped; a sentence has to say so too.
_CARE = word_set("help care seen doctor examined examines")
_SENT_TO_CARE = re.compile(
    r"\b(?:help|care|doctors?|emergency|urgent\w*|ambulance|hospital|clinic|call|dial|seen|examin\w*|appointment|visit"
    r"|checked|gp|911|112|118|119)\b"
)
_SURE = word_set("certain sure")
_NO_HEDGE = re.compile(r"\b(?:definitely|certainly|surely|clearly|obviously|no doubt|without doubt)\b")
_TIME = r"(hour|day|week|month|year)s?\b"
_SPAN = re.compile(rf"\b(?:\d+|couple of|few|several) {_TIME}")
_COMMON = word_set(
    "about above after again agent asks because being before could doctor every first gives going other patient "
    "person place recommends rather same says should something still tells their there these thing those today "
    "under until without would"
)
_VAGUE = frozenset(word[:5] for word in ("lasts", "comes", "appears", "becomes", "develops", "trouble", "within"))


def misses_the_point(check: Check, sentence: str) -> bool:
    """Whether a sentence leaves out something that the expectation wants beside the cue, or has it otherwise."""
    return any(
        (
            "if" in fold(check.expect) and not check.premise and not _same_condition(check, sentence),
            bool(_EXPECTS_A_HEDGE.intersection(_words_of(check))) and not _hedged(sentence),
            bool(_CARE.intersection(fold(check.expect))) and not _SENT_TO_CARE.search(" ".join(fold(sentence))),
            _other_time(check, sentence),
        )
    )


def stems(text: str) -> set[str]:
    """The first five letters of the longer words that carry meaning."""
    return {word[:5] for word in fold(text) if len(word) >= 5 and word.isalpha() and word not in _COMMON}


def _words_of(check: Check) -> set[str]:
    return set(fold(check.expect)) | set(re.split(r"[-_]", check.id))


def _same_condition(check: Check, sentence: str) -> bool:
    """`Get help if ...` wants its condition told too, and not another one."""
    wanted = stems(check.expect.split(" if ", 1)[-1]) - _VAGUE
    return bool(CONDITIONS.intersection(read(sentence).texts)) and (not wanted or bool(wanted & stems(sentence)))


def _hedged(sentence: str) -> bool:
    """Whether a sentence leaves it open; `I can be certain` is no hedge, `I can't be certain` is one."""
    words = set(read(sentence).texts)
    hedges = HEDGES & words
    if not NEGATORS & words:
        hedges -= _SURE
    return bool(hedges) and not _NO_HEDGE.search(sentence.lower())


def _other_time(check: Check, sentence: str) -> bool:
    """Whether a sentence counts in another unit of time than the expectation (years for weeks)."""
    wanted = set(_SPAN.findall(" ".join(fold(check.expect))))
    told = set(re.findall(rf"\b{_TIME}", sentence.lower()))
    return bool(wanted and told) and not wanted & told
