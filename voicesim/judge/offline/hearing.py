"""What the offline judge hears: every clause of the agent with the words that a check listens for in it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voicesim.catalog.model import Case, Check, Listening, Patient
from voicesim.judge.base import Call
from voicesim.judge.evidence import guessed
from voicesim.judge.moments import Moment
from voicesim.language.acts import Said, to_the_judge, understand
from voicesim.language.cues import Finder, Place
from voicesim.language.polarity import Polarity, polarity
from voicesim.language.topics import is_known, is_plain, meant, topics_of, umbrellas
from voicesim.language.words import read

Reading = Literal["yes", "unclear", "no"]
"""Whether a clause does what a check listens for."""


@dataclass(frozen=True)
class Heard:
    """A cue in a clause of the agent; `number` is the clause's place in its sentence."""

    moment: Moment
    number: int
    said: Said
    cue: str
    place: Place

    @property
    def position(self) -> tuple[float, int, int]:
        """When it was said: utterance, sentence, clause."""
        return self.moment.utterance.start, self.moment.place, self.number

    @property
    def polarity(self) -> Polarity:
        return polarity(self.said.clause, *self.place)

    @property
    def warned(self) -> Polarity:
        """The polarity where a danger (`X can harm you`) turns down as well."""
        return polarity(self.said.clause, *self.place, warnings=True)

    @property
    def behind(self) -> tuple[str, ...]:
        """The words of the clause behind the cue."""
        return self.said.clause.words[self.place[1] - self.said.clause.start :]

    @property
    def guessed(self) -> bool:
        """Whether the transcriber made the cue, or a word that matters in it, out of next to nothing."""
        start = self.said.clause.start
        cue = self.said.clause.words[self.place[0] - start : self.place[1] - start]
        telling = (word for word in cue if not is_plain(word))
        return any(guessed(text, self.moment.utterance) for text in (" ".join(cue), *telling))

    @property
    def beside(self) -> tuple[str, ...]:
        """The other words of the clause."""
        clause = self.said.clause
        return tuple(
            word
            for number, word in enumerate(clause.words, start=clause.start)
            if not self.place[0] <= number < self.place[1]
        )


@dataclass(frozen=True)
class Turn:
    """A sentence of the agent, clause by clause.

    Neither proves anything: `void` are those in an utterance that speaks to the judge before, `unheard` those whose
    words are guesses of the transcriber.
    """

    moment: Moment
    said: tuple[Said, ...]
    void: bool
    unheard: bool


def turns(call: Call) -> tuple[Turn, ...]:
    """Everything the agent said, in order."""
    return _turns(call.moments)


@lru_cache(maxsize=64)
def _turns(said: tuple[Moment, ...]) -> tuple[Turn, ...]:
    turns_said: list[Turn] = []
    for moment in said:
        unheard = guessed(moment.text, moment.utterance)
        void = moment.place >= _spoken_to_judge(moment.sentences)
        turns_said.append(Turn(moment, understand(moment.text), void, unheard))
    return tuple(turns_said)


@lru_cache(maxsize=64)
def _spoken_to_judge(sentences: tuple[str, ...]) -> int:
    """The place of the first sentence of an utterance that speaks to the judge; behind all where none does."""
    return next((place for place, sentence in enumerate(sentences) if to_the_judge(sentence)), len(sentences))


def heard(cues: Sequence[str], call: Call) -> list[Heard]:
    """Every place of one of the cues in the agent's words, in time order; not where the words have another sense."""
    return [mention for turn in turns(call) for mention in heard_in(turn, cues)]


@lru_cache(maxsize=512)
def _finder(cues: tuple[str, ...]) -> Finder:
    return Finder(cues)


def heard_in(turn: Turn, cues: Sequence[str]) -> Iterator[Heard]:
    """The same in one sentence."""
    text = turn.moment.text
    for cue, place in _finder(tuple(cues)).find(text):
        if place in meant(cue, text):
            for number, said in enumerate(turn.said):
                if said.clause.start <= place[0] < said.clause.end:
                    yield Heard(turn.moment, number, said, cue, place)


def holds(cues: Iterable[str], text: str) -> bool:
    """Whether one of the cues stands in a text."""
    return _holds(tuple(cues), text)


@lru_cache(maxsize=65536)
def _holds(cues: tuple[str, ...], text: str) -> bool:
    return bool(_finder(cues).find(text))


def is_strong(cue: str) -> bool:
    """Whether a cue says by itself what it is about: several words, and not all of them of every conversation."""
    words = read(cue).texts
    return len(words) > 1 and not all(map(is_plain, words))


def is_open(cue: str) -> bool:
    """Whether a cue leaves open what it is about: `how long`, `getting better`; a number does not."""
    words = read(cue.replace("...", " ")).texts
    return all(map(is_plain, words)) and not all(word[0].isdigit() for word in words)


def unknown(words: Iterable[str], case: Case) -> tuple[str, ...]:
    """The words that belong to no topic, and that the case uses neither in its cues nor for its patient or backend."""
    return tuple(word for word in words if not is_known(word) and not _in_case(word, case))


def _in_case(word: str, case: Case) -> bool:
    if word in _spoken_of(case.patient) or (case.backend and word in _text(json.dumps(case.backend.state))):
        return True
    return any(word in _text(cue) for check in case.rubric for cues in _lists(check) for cue in cues)


def _lists(check: Check) -> tuple[tuple[str, ...], ...]:
    return (check.cues, check.claims, check.allowed, check.condition, check.against, check.opposite, *check.also)


@lru_cache(maxsize=16384)
def _text(words: str) -> frozenset[str]:
    return frozenset(read(words.replace("...", " ")).texts)


@lru_cache(maxsize=64)
def names(patient: Patient) -> frozenset[str]:
    """What the patient is called."""
    return _text(patient.name)


@lru_cache(maxsize=64)
def _spoken_of(patient: Patient) -> frozenset[str]:
    return names(patient) | _text(patient.says_first)


@lru_cache(maxsize=1024)
def own_topics(step: Listening) -> frozenset[str]:
    """The topics that a check's cues belong to: those that list them, else those whose words they hold."""
    listened = (*step.cues, *step.against, *(cue for group in step.also for cue in group))
    of_cues = [topics_of(cue) for cue in listened]
    alone = {name for topics in of_cues for name in topics if topics <= umbrellas()}
    return frozenset(name for topics in of_cues for name in topics if name not in umbrellas() or name in alone)


def for_whom(step: Listening, said: Said) -> Reading:
    """Whether a clause is about the one that a check is about."""
    people = said.people
    if step.whom == "child":
        if "other" in people and not people & {"child", "third"}:
            return "no"
        if "you" in people and not people & {"child", "third"} and not said.names("carer"):
            return "unclear"
        return "unclear" if said.names("parent_addressed") else "yes"
    if not people & {"other", "child", "third"}:
        return "yes"
    return "unclear" if "you" in people else "no"
