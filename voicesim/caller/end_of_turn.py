"""When the agent's turn is over: silence, the tune of its voice, and its words together.

A person answers a finished question at once, waits longer after a statement, which may have more to follow, and waits
out somebody who broke off in mid-sentence. So does the patient:

- the agent asked, said goodbye or wants something repeated: after ASKED seconds of silence;
- it asked, and went on to say something, or its words are whole and its tune is not: after ASKED_BEFORE;
- it asked nothing, or it broke off by its words, or by its tune (Smart Turn) and without a sign at its end: after the
  persona's `end_of_turn`, which is the longest silence in any case.
"""

from dataclasses import dataclass
from functools import lru_cache

from voicesim.caller.moves import Move, Sentence, plain, read
from voicesim.language.data import load
from voicesim.language.grammar import word_set

ASKED = 0.6
"""Seconds; shorter silences lie between the sentences of most voices."""
ASKED_BEFORE = 1.2
FINISHED = 0.5
"""Probability of a finished turn by its tune under which it counts as broken off."""
_CALLS_FOR_A_REPLY: frozenset[Move] = frozenset({"farewell", "again", "present"})
_NEVER_LAST = word_set("a an the and or but if because my your our their than whose every")
"""Words after which a sentence goes on."""


@dataclass(frozen=True)
class TurnEnd:
    """How long the patient waits: seconds of silence from which the turn is over.

    `called_for` says whether the words call for a reply. If they do not, the silence is the persona's own choice;
    if they do, every second of it is the patient's slowness.
    """

    silence: float
    called_for: bool


@lru_cache(maxsize=16)
def turn_end(text: str, finished: float, end_of_turn: float, language: str = "en") -> TurnEnd:
    """The end of a turn by its words so far and the probability that its voice has finished.

    `end_of_turn` is the persona's silence in seconds, the most that is waited.
    """
    sentences = read(text, language)
    called_for = any(map(_calls, sentences))
    if not called_for or _broken_off(text, language):
        return TurnEnd(end_of_turn, called_for)
    calls, sounds_finished = _calls(sentences[-1]), finished >= FINISHED
    if not sounds_finished and not (calls and _ends(text, sentences[-1])):
        return TurnEnd(end_of_turn, called_for)
    # Smart Turn takes one finished question in twenty for a broken one; words that are whole outweigh it in part.
    return TurnEnd(min(ASKED if calls and sounds_finished else ASKED_BEFORE, end_of_turn), called_for)


def _broken_off(text: str, language: str) -> bool:
    """Whether the words stop in mid-sentence: at a word that never ends one, or at a sign that says so."""
    never_last = _NEVER_LAST if language == "en" else word_set(load("turns", language)["never_last"])
    return text.rstrip().endswith(("...", "…", "-", ",")) or plain(text).rpartition(" ")[2] in never_last


def _ends(text: str, last: Sentence) -> bool:
    """Whether the words are whole: the recogniser closed the sentence, or it is a goodbye."""
    return text.rstrip().endswith((".", "?", "!")) or "farewell" in last.moves


def _calls(sentence: Sentence) -> bool:
    return sentence.asks or not _CALLS_FOR_A_REPLY.isdisjoint(sentence.moves)
