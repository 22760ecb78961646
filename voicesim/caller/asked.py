"""Which facts an agent's words ask for, by the facts' cues; and whether they decline what is pressed for."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from voicesim.caller.moves import Move, Sentence, plain
from voicesim.caller.own_words import asks_onset
from voicesim.caller.words import content, stem
from voicesim.catalog.model import Fact, Insists
from voicesim.language.cues import cue_in, places
from voicesim.language.data import load
from voicesim.language.grammar import word_set
from voicesim.language.polarity import negated
from voicesim.language.words import read

# Questions that are put for their own sake: the words in them ask for no fact.
_NO_FACT: frozenset[Move] = frozenset(
    ("anything_else", "understood", "present", "again", "offer", "request", "farewell", "emergency")
)
# A cue that is nothing but one of these asks for its fact only where no other fact is asked for.
_BARE = word_set("which what when where who why how exactly already") | {"how many", "how much"}
# A cue is not meant where it is only one half of these.
_COMPOUNDS = (("blood", "pressure"), ("blood", "sugar"), ("blood", "glucose"), ("blood", "test"), ("chest", "cold"))
_DECLINING = re.compile(
    r"\b(?:declin|refus|unable|useless|unnecessary|pointless|instead of|rather than|too early for|hold off"
    r"|only (?:help|work|treat|useful|effective|needed|meant|if|when|for|against)"
    r"|(?:don't|do not|doesn't|does not|won't|will not|wouldn't|would not)"
    r" (?:\w+ )?(?:help|work|need|give|prescrib|recommend|treat))"
)
_CLAUSES = re.compile(r"[,;:]\s+|\b(?:but|so|because|and)\s", re.IGNORECASE)
_OBJECT = re.compile(
    r"\b(?:declin\w*|refus\w*|won't|will not|does not|doesn't|do not|don't|cannot|can't|says no)\b"
    r"(?: to)?(?: (?:give|prescribe|offer|recommend|hand|provide|grant|write|send|order|agree|want))*(.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Cue:
    """A cue of a fact."""

    fact: int
    text: str

    @property
    def bare(self) -> bool:
        return " ".join(read(self.text).texts) in _BARE


@dataclass(frozen=True)
class _Span:
    """A cue in a sentence: its words are those from `first` up to `last`."""

    cue: _Cue
    first: int
    last: int

    @property
    def size(self) -> tuple[int, int]:
        return self.last - self.first, len(self.cue.text)

    def overlaps(self, other: "_Span") -> bool:
        return self.first < other.last and other.first < self.last


def questions(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences of a turn that can ask for a fact."""
    return [sentence for sentence in sentences if sentence.asks and not sentence.moves & _NO_FACT]


def asked_for(
    sentences: Iterable[Sentence], facts: Sequence[Fact], released: Iterable[str] = (), language: str = "en"
) -> list[str]:
    """Ids of the facts that the questions of a turn ask for, in the order of asking.

    Where one word of the agent is a cue of several facts, it asks for the one with the longest cue there,
    then for one that no other word asks for, then for the one with the larger share of its cues heard,
    then for one not yet released.
    """
    known, order = frozenset(released), dict[str, None]()
    cues = [_Cue(i, cue) for i, fact in enumerate(facts) for cue in cues_of(fact, language)]
    for sentence in questions(sentences):
        for index in _in_sentence(sentence, facts, cues, known, language):
            order.setdefault(facts[index].id)
    return list(order)


def cues_of(fact: Fact, language: str = "en") -> tuple[str, ...]:
    """The cues of a fact; where it has none, the content words of what it says."""
    return fact.cues or tuple(sorted(content(fact.says, language)))


def declines(sentences: Iterable[Sentence], insists: Insists, language: str = "en") -> bool:
    """Whether a turn turns down what the patient presses for: its object under a negation or a refusal."""
    objects = object_of(insists, language)
    for said in (sentence.text for sentence in sentences if not sentence.text.rstrip().endswith("?")):
        clauses = [said, *_CLAUSES.split(said)]
        named = [(cue, clause) for clause in clauses for cue in objects if cue_in(cue, clause, language)]
        if any(_turned_down(cue, clause, language) for cue, clause in named):
            return True
    return False


def object_of(insists: Insists, language: str = "en") -> tuple[str, ...]:
    """What is pressed for, as cues: `the agent declines to give antibiotics` gives `antibiotic`."""
    match = _OBJECT.search(insists.when)
    words = content(match.group(1), language) if match else frozenset()
    words = words or content(insists.when, language) - {stem("agent")}
    return tuple(sorted(words))


def _turned_down(cue: str, clause: str, language: str) -> bool:
    if language != "en":
        return says_no(clause, language)
    return negated(clause, cue) or _DECLINING.search(plain(clause)) is not None


def says_no(text: str, language: str) -> bool:
    """Whether words of another language than English turn something down, by its data file `turns`."""
    no = word_set(load("turns", language)["negators"])
    return not no.isdisjoint(read(text, language).texts)


def _in_sentence(
    sentence: Sentence, facts: Sequence[Fact], cues: Sequence[_Cue], released: frozenset[str], language: str
) -> list[int]:
    """The facts asked for, as indices, in the order of their first cue."""
    words = read(sentence.text, language).texts
    spans = [
        _Span(cue, first, last)
        for cue in cues
        for first, last in places(cue.text, sentence.text, language)
        if last - first > 1 or words[first : first + 2] not in _COMPOUNDS
    ]
    # "When did it start?" asks about the illness, whatever else `when` is a cue of.
    if asks_onset(sentence) or any(not span.cue.bare for span in spans):
        spans = [span for span in spans if not span.cue.bare]
    heard = [
        len({span.cue for span in spans if span.cue.fact == i}) / len(cues_of(f, language)) for i, f in enumerate(facts)
    ]
    shared = {place for place in spans if any(place.overlaps(two) for two in spans if two.cue.fact != place.cue.fact)}
    alone = {span.cue.fact for span in spans if span not in shared}

    def claim(span: _Span) -> tuple[tuple[int, int], bool, float, bool, int]:
        fact = span.cue.fact
        return span.size, fact not in alone, heard[fact], facts[fact].id not in released, -fact

    owned: dict[int, int] = {}
    for span in spans:
        best = max((other for other in spans if other.overlaps(span)), key=claim)
        owned[best.cue.fact] = min(owned.get(best.cue.fact, best.first), best.first)
    return sorted(owned, key=lambda index: (owned[index], index))
