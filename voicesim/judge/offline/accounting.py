"""Which sentences of the agent are accounted for: the rest may be what a check listens for, in unknown words."""

from collections.abc import Sequence

from voicesim.catalog.model import Check, Step
from voicesim.judge.base import Call
from voicesim.judge.moments import Moment
from voicesim.judge.offline.hearing import Heard, Turn, for_whom, heard_in, holds, names, own_topics, turns, unknown
from voicesim.language.acts import Said
from voicesim.language.entries import pattern, word_list
from voicesim.language.polarity import is_urging, negations
from voicesim.language.topics import products, settings, telling_topics, topics, umbrellas
from voicesim.language.words import read

_STANDS_FOR = frozenset(("it", "that", "this", "one", "them", "those"))
"""What a question may be about is named before, where it holds one of these."""


def left_over(check: Check | Step, call: Call) -> list[Moment]:
    """The agent's sentences that neither small talk, nor the form of a clause, nor another matter accounts for.

    What comes before the patient has spoken is a greeting, and about nothing; unless the patient never spoke, as in
    an excerpt.
    """
    excerpt = not any(turn.moment.patient for turn in turns(call))
    return [
        turn.moment
        for turn in turns(call)
        if (turn.moment.patient or excerpt)
        and (turn.unheard or not all(_accounted(check, turn, said, call) for said in turn.said))
    ]


def _accounted(check: Check | Step, turn: Turn, said: Said, call: Call) -> bool:
    """Whether a clause is surely not what a check listens for."""
    if is_small_talk(said, call) or said.has("declines"):
        return True
    asks = said.act == "asks"
    if check.kind == "tell" and (
        _plainly_asks(check, turn, said) or contrary(check, turn, said) or _lets_it_be(check, turn, said)
    ):
        return True
    if not asks and is_echo(turn, said):
        return True
    if unknown(said.clause.words, call.case):
        return False
    own, others = _topics(check, said.text)
    if check.kind == "tell":
        return not own and (others or _advises_nothing(check, said))
    if asks:
        if not own and not others:  # "if you measured it, what was it?" asks about what stands before
            own, others = _topics(check, turn.moment.text)
        words = turn.moment.text if said.clause.bare else said.text
        points = bool(_STANDS_FOR.intersection(said.clause.words)) and not _names_another(check, words)
        return for_whom(check, said) == "no" or (others and not own and not points)
    if said.act == "aside" and not said.has("requests"):
        return True
    if said.has("requests") or said.has("solicits"):
        return False
    if said.clause.bare and own:
        return False
    return _asks_nothing(said) or (others and not own)


def _advises_nothing(check: Check | Step, said: Said) -> bool:
    """Whether a clause in known words is a mere statement, where the check wants advice; or only a number."""
    if all(word[0].isdigit() for word in said.clause.words):
        return True
    speaks_of_us = {"i", "we", "us", "me", "our", "here", "when"}.intersection(said.clause.words)
    return check.advice and said.act == "tells" and not (said.clause.bare or said.condition or speaks_of_us)


def _asks_nothing(said: Said) -> bool:
    """Whether the form of a clause rules a question out: advice with a verb of its own, a statement about nobody."""
    if said.clause.bare:
        return not said.people and said.act == "tells"
    return said.act in ("advises", "permits", "forbids") or (said.act == "tells" and not said.people)


def contrary(check: Check | Step, turn: Turn, said: Said) -> bool:
    """Whether a clause denies what has to be told, or says what is declared to be its opposite."""
    if check.hedged and said.has("flat") and holds(check.cues, said.text):
        return True
    denied = [heard.polarity for heard in heard_in(turn, check.cues) if heard.said is said]
    if denied and said.act in ("tells", "forbids") and set(denied) == {"denied"}:
        return True
    return any(heard.said is said and speaks_against(heard) for heard in heard_in(turn, check.opposite))


def _plainly_asks(check: Check | Step, turn: Turn, said: Said) -> bool:
    """Whether a clause is a question by its form, or at least not about what has to be told."""
    formed = turn.moment.text.endswith("?") and any(said.has(name) for name in ("asks", "asks_unmarked", "requests"))
    return said.act == "asks" and (formed or not _topics(check, said.text)[0])


def _lets_it_be(check: Check | Step, turn: Turn, said: Said) -> bool:
    """Whether a clause only soothes, names a condition, or lets the patient have what it should be warned of."""
    own, _ = _topics(check, said.text)
    if said.act == "condition" or said.has("soothes") or said.has("left_to_others"):
        return not own
    grants = said.act == "permits" or (said.has("likes") and not said.clause.bare) or said.has("takes_it")
    return grants and not own and not negations(said.text) and asked_leave(check.against, turn.moment.follows)


def asked_leave(cues: Sequence[str], text: str) -> bool:
    """Whether the patient asks if it may have one of the cues."""
    asks = bool(pattern("acts", "asks_leave").search(" ".join(read(text).texts)))
    return "?" in text and asks and holds(cues, text)


def speaks_against(heard: Heard) -> bool:
    """Whether the opposite of what has to be told is plainly said; a product has to be recommended for that."""
    said = heard.said
    if said.act in ("asks", "aside", "condition") or (heard.polarity == "denied" and not negations(heard.cue)):
        return False
    product = any(place == heard.place for _, place in products(heard.moment.text))
    return said.act in ("advises", "permits", "offers") if product else True


def is_small_talk(said: Said, call: Call) -> bool:
    """Whether a clause greets, thanks, comforts, urges (`don't wait`), or is only a sound or a name."""
    if all(word in word_list("clauses", "fillers") or word in names(call.case.patient) for word in said.clause.words):
        return True
    return (
        said.has("small_talk")
        or is_urging(said.text)
        or (said.act == "aside" and said.clause.bare and len(said.clause.words) <= 3)
    )


def is_echo(turn: Turn, said: Said) -> bool:
    """Whether a clause only says again what the patient has said."""
    known = {word for line in turn.moment.patient for word in read(line).texts}
    small = word_list("clauses", "fillers") | word_list("clauses", "persons") | word_list("clauses", "auxiliaries")
    content = [word for word in said.clause.words if word not in small]
    return bool(content) and all(word in known for word in content) and not negations(said.text)


def _names_another(check: Check | Step, text: str) -> bool:
    """Whether words name another matter, not only a place or something that has to do with every one."""
    return bool(telling_topics(text) - own_topics(check) - umbrellas() - settings())


def _topics(check: Check | Step, text: str) -> tuple[bool, bool]:
    """Whether words speak of the check's own matter, and of another."""
    own = own_topics(check)
    listened = (*check.cues, *check.against, *check.opposite, *(cue for group in check.also for cue in group))
    named = {name for name, _ in topics(text)}
    return bool(named & own) or holds(listened, text), bool(telling_topics(text) - own)
