"""Looks at a line before it is spoken: a patient that gives itself away spoils the call. Pure functions."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from voicesim.caller.lexicon import conditions, medicines
from voicesim.caller.mind import Memory
from voicesim.caller.moves import plain
from voicesim.caller.out_of_role import claims_something, denies, is_markup, is_role_flip
from voicesim.caller.phrases import unreminded, voiced, ways
from voicesim.caller.words import content, exact, shown, unknown_values
from voicesim.catalog.model import Case, Fact, Patient
from voicesim.language.fold import fold
from voicesim.language.sentences import is_question, split
from voicesim.language.values import Reading

Reason = Literal[
    "caller_silent",
    "caller_markup",
    "caller_too_long",
    "caller_role_flip",
    "caller_repeats",
    "caller_leaked_fact",
    "caller_invented_fact",
]

MOST_WORDS = 60
SHORT_OPENING = 12
"""An opening of up to so many words may come again inside a longer line ("As I said, ...")."""
LIKENESS = 0.8
"""Share of common words in the same order (of both texts together) from which a line repeats a question."""
LEAKED_SHARE = 0.5
"""Share of a fact's own words that gives it away in a line."""

_OWN = frozenset(("i", "im", "ive", "my", "me", "mine", "we", "our"))
_EMERGENCY_NUMBERS = ("911", "112", "118", "119", "999")


@dataclass(frozen=True)
class LineProblem:
    """Why a line may not be spoken: the validity reason of the call, and what it was, in words."""

    reason: Reason
    detail: str


def problem(text: str, case: Case, memory: Memory, heard: str, facts: Iterable[str]) -> LineProblem | None:
    """What is wrong with a line that answers `heard`, or None; `facts` are the ids released with it.

    Sentences that the case itself puts into the patient's mouth are not held against it, unless they belong
    to a fact that was not released.
    """
    patient, now, language = case.patient, frozenset(facts), voiced(case.language)
    given = [fact for fact in patient.reveal_only_if_asked if fact.id in now | memory.released]
    withheld = [fact for fact in patient.reveal_only_if_asked if fact not in given]
    own = _own_sentences(text, patient, given, language)
    limit = MOST_WORDS + sum(len(fact.says.split()) for fact in given if fact.id in now)
    if not fold(text):
        return LineProblem("caller_silent", "a line without words")
    return (
        unspeakable(own, patient, language)
        or _too_long(text, limit)
        or _repeats(text, patient, heard, language)
        or _leaks(own, withheld, _known(patient, given, memory, heard), language)
        or _invents(own, patient, memory, heard)
    )


def unspeakable(sentences: list[str], patient: Patient, language: str = "en") -> LineProblem | None:
    """Markup, stage directions and what only the other side would say."""
    for sentence in sentences:
        if is_markup(sentence, patient.name, language):
            return LineProblem("caller_markup", f"not speakable: {sentence!r}")
        if is_role_flip(sentence, language):
            return LineProblem("caller_role_flip", f"not what a patient says: {sentence!r}")
    return None


def _own_sentences(text: str, patient: Patient, given: list[Fact], language: str) -> list[str]:
    """The sentences of a line that are not the case's own, of those that may be said by now."""
    insists = patient.insists.says if patient.insists else ()
    allowed = {_bare(part, language) for words in (*(fact.says for fact in given), *insists) for part in split(words)}
    return [part for part in split(text) if _bare(part, language) not in allowed]


def _bare(sentence: str, language: str) -> str:
    """A sentence without a reminder or a yes or no before it."""
    words = plain(unreminded(sentence, language))
    for opening in ways("yes_or_no", language):
        words = words.removeprefix(opening.lower())
    return words


def _known(patient: Patient, given: list[Fact], memory: Memory, heard: str) -> list[str]:
    """Every text whose words give nothing away any more, those that most lines go back to first."""
    insists = patient.insists.says if patient.insists else ()
    who = f"{patient.name}, {patient.age}, {patient.occupation}"
    said = (turn.text for turn in reversed(memory.turns))
    return [patient.says_first, heard, who, *(fact.says for fact in given), *insists, *said]


def _unheard(words: frozenset[str], known: list[str], language: str = "en") -> frozenset[str]:
    """The words that none of the known texts holds. Stops as soon as there are none left to look for."""
    for text in known:
        if not words:
            break
        words -= content(text, language) | medicines(text)
    return words


def _too_long(text: str, limit: int) -> LineProblem | None:
    words = len(text.split())
    return LineProblem("caller_too_long", f"{words} words, at most {limit}") if words > limit else None


def _repeats(text: str, patient: Patient, heard: str, language: str) -> LineProblem | None:
    """The opening line or all of the agent's turn, word for word, or nearly so a question of that turn."""
    words, opening = fold(text), fold(patient.says_first)
    if words == opening or (len(opening) > SHORT_OPENING and _holds(words, opening)):
        return LineProblem("caller_repeats", "the patient's own opening line, word for word")
    for question in split(heard):
        asked = fold(question)
        if len(asked) < 3 or not is_question(question, language):
            continue
        if any(_echoes(part, asked, language) for part in (*split(text), text)):
            return LineProblem("caller_repeats", f"the agent's own question: {question!r}")
    if len(words) >= 5 and words == fold(heard):
        return LineProblem("caller_repeats", "the agent's own words")
    return None


def _echoes(part: str, asked: tuple[str, ...], language: str) -> bool:
    """Whether a part of a line is the question again, word for word or with a word or two changed.

    A statement is an answer in the question's words, and so is a question whose `you` has become `I`.
    """
    words = fold(part)
    if words == asked:
        return True
    matcher = SequenceMatcher(None, words, asked, autojunk=False)
    if not is_question(part, language) or matcher.ratio() < LIKENESS:
        return False
    changed = [words[a:b] for kind, a, b, _, _ in matcher.get_opcodes() if kind == "replace"]
    return not any(_OWN.intersection(own) for own in changed)


def _holds(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(words[i : i + len(part)] == part for i in range(len(words) - len(part) + 1))


def _leaks(sentences: list[str], withheld: list[Fact], known: list[str], language: str) -> LineProblem | None:
    """Whether a line holds what makes up an unreleased fact: its medicines and values, or half its words."""
    text = " ".join(sentences)
    said = content(" ".join(part for part in sentences if not is_question(part, language)), language)
    named, values = medicines(text), exact(text)
    if not said and not named and not values:
        return None
    for fact in withheld:
        whole = content(fact.says, language)
        leaked = _unheard(named & medicines(fact.says), known)
        elsewhere = unknown_values(values, [fact.says])
        numbers = unknown_values((value for value in values if value not in elsewhere), known)
        shared = _unheard(said & whole, known, language)
        # One word alone gives a fact away only where it is all there is to it ("No allergies.").
        if len(shared) >= 2 or (shared and len(whole) <= 2):
            own = _unheard(whole, known, language)
            if len(shared) >= LEAKED_SHARE * len(own) and (len(shared) >= 2 or shared == own):
                leaked |= shared
        if leaked or numbers:
            return LineProblem("caller_leaked_fact", f"{fact.id!r} was not asked for ({_told(text, leaked, numbers)})")
    return None


def _invents(sentences: list[str], patient: Patient, memory: Memory, heard: str) -> LineProblem | None:
    """Medicines and exact values from nowhere, and conditions that the patient claims and does not have."""
    facts = list(patient.reveal_only_if_asked)
    for sentence in sentences:
        claims = claims_something(sentence) and not is_question(sentence)
        claimed = conditions(sentence) if claims else frozenset()
        known = _known(patient, facts, memory, heard)
        named = _unheard(medicines(sentence), known)
        values = unknown_values(exact(sentence), [*known, *_EMERGENCY_NUMBERS])
        if claimed:
            # What a fact affirms, the patient may call by the fact's cues: "a pack a day" is smoking.
            cues = (cue for fact in facts if not denies(fact.says) for cue in fact.cues)
            claimed -= conditions("\n".join([*_known(patient, facts, Memory(), ""), *cues]))
        if named or claimed or values:
            made_up = _told(sentence, named | claimed, values)
            return LineProblem("caller_invented_fact", f"the case has no {made_up}: {sentence!r}")
    return None


def _told(text: str, words: frozenset[str], values: Iterable[Reading]) -> str:
    """The words and values of a text that a message is about, as they stand there."""
    written = (text[value.start : value.end] for value in values)
    return ", ".join(dict.fromkeys(part for part in (*shown(text, words).split(", "), *written) if part))
