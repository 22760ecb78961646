"""The offline judge's rules for checks of kind `tell`: a statement or advice with a cue, under its condition."""

import re

from voicesim.catalog.model import Check, Listening
from voicesim.judge.base import Call
from voicesim.judge.moments import Moment
from voicesim.judge.offline.accounting import speaks_against
from voicesim.judge.offline.caution import is_partial, told_in_doubt
from voicesim.judge.offline.hearing import (
    Heard,
    Reading,
    Turn,
    for_whom,
    heard,
    holds,
    is_open,
    is_strong,
    turns,
    unknown,
)
from voicesim.language.acts import Said, understand
from voicesim.language.entries import pattern, word_list
from voicesim.language.polarity import negations
from voicesim.language.topics import is_plain, is_symptom, products, topics
from voicesim.language.words import read


def readings(step: Listening, cues: tuple[str, ...], call: Call, *, main: bool = True) -> list[tuple[Heard, Reading]]:
    """Every place of a cue, in time order, and whether the agent plainly tells it there.

    What comes beside the main thing (`also`) may stand under a condition of its own.
    """
    critical = isinstance(step, Check) and step.group == "critical"
    all_readings = [(mention, _told(step, mention, call, critical, main)) for mention in heard(cues, call)]
    if main:
        all_readings += [(mention, _turned_down(step, mention, critical)) for mention in heard(step.against, call)]
    return sorted(all_readings, key=lambda pair: (pair[0].moment.utterance.start, pair[0].moment.place, pair[0].place))


def _told(step: Listening, mention: Heard, call: Call, critical: bool, main: bool) -> Reading:
    said = mention.said
    if not mention.moment.patient or said.act in ("asks", "aside"):
        return "no"  # a greeting says nothing about a patient who has not spoken yet
    if said.act in ("offers", "condition") or mention.polarity == "doubtful":
        return "unclear"
    if mention.polarity == "denied" or (step.hedged and said.has("flat") and not _ever_hedged(call)):
        return "no"
    doubts = (
        said.has("past"),
        bool(said.people) and for_whom(step, said) == "no",
        step.whom == "child" and any(other.names("parent_addressed") for other in understand(mention.moment.text)),
        main and not _same_condition(step, mention, call),
        step.hedged and not _left_open(mention, call),
        step.advice and not _is_advice(mention, critical),
        step.advice and "generic" in said.people and "you" not in said.people,
        not step.advice and said.act != "tells" and not negations(mention.cue) and not _is_need(said),
        not step.advice and _echo(mention),
        critical and (_weak(step, mention, call) or told_in_doubt(step, mention)),
        mention.behind[:2] == ("would", "be"),  # "a warning sign would be ..."
        (critical or is_open(mention.cue)) and bool(unknown(mention.beside, call.case)),
        step.advice and _about_something_else(step, mention, call),
    )
    return "unclear" if any(doubts) else "yes"


def _about_something_else(step: Listening, mention: Heard, call: Call) -> bool:
    """Whether the patient is sent for another reason: `see a doctor about the patches`."""
    words = mention.behind
    if "about" not in words:
        return False
    reason = words[words.index("about") + 1 :]
    pointed = word_list("clauses", "pointing").intersection(reason) or any(map(is_symptom, reason))
    return not pointed and not holds((*step.cues, *step.condition, "medicine", "tablet"), " ".join(reason))


def _ever_hedged(call: Call) -> bool:
    return any(said.has("hedged") for turn in turns(call) for said in turn.said)


def _is_need(said: Said) -> bool:
    """`That needs to be treated as an emergency`: advice in form, a statement about the illness."""
    return said.act == "advises" and said.clause.words[0] in ("this", "that", "it", "what")


def _turned_down(step: Listening, mention: Heard, critical: bool) -> Reading:
    """Whether the agent advises against it."""
    if mention.said.act in ("asks", "aside", "condition", "offers") or not mention.moment.patient:
        return "no"
    if mention.said.act != "forbids" or pattern("acts", "restricted").search(" ".join(mention.behind)):
        return "unclear" if mention.polarity == "denied" or mention.said.act == "forbids" else "no"
    behind = " ".join(mention.behind)
    if critical and (
        told_in_doubt(step, mention)
        or is_partial(behind)
        or is_partial(re.sub(r"^(?:\w+ )?(?:not|no|never) ", "", behind))
    ):
        return "unclear"  # "antibiotics do not agree with everyone"
    elsewhere = bool(mention.said.condition) or mention.said.has("past") or for_whom(step, mention.said) == "no"
    return "unclear" if elsewhere or mention.polarity == "doubtful" else "yes"


def _is_advice(mention: Heard, critical: bool) -> bool:
    """Whether the patient is told to do it. What is only allowed or softened is no instruction of a critical check."""
    said = mention.said
    if said.has("softened") or (critical and said.has("delayed")):
        return False
    if said.act == "advises":
        return True
    if said.act == "permits":
        return not critical
    # "Fluids, lots of naps", right behind "So what do I do?"
    return said.act == "tells" and said.clause.bare and not critical and "?" in mention.moment.follows


def _same_condition(step: Listening, mention: Heard, call: Call) -> bool:
    """Whether a sentence stands under the condition that it has to have, and under none where it has to have none."""
    condition = mention.said.condition
    if not step.condition:
        # "When a fever comes back like that, it worries me" says so of this fever
        return not condition or (not step.advice and condition.startswith("when "))
    if not condition:
        return False
    if holds(step.condition, condition):
        return not unknown(condition.split(), call.case)
    # "Grunting for air, nothing to drink: with any of those ..." names its condition before
    before = " ".join(
        (*mention.moment.sentences[max(0, mention.moment.place - 2) : mention.moment.place], mention.moment.text)
    )
    return bool(word_list("clauses", "pointing").intersection(condition.split())) and holds(step.condition, before)


def _left_open(mention: Heard, call: Call) -> bool:
    sentence = [turn for turn in turns(call) if turn.moment == mention.moment]
    clauses = [said for turn in sentence for said in turn.said]
    sure = any(said.has("certain") and not said.has("hedged") for said in clauses)
    return any(said.has("hedged") for said in clauses) and not sure


def _echo(mention: Heard) -> bool:
    """Whether a clause only says again what the patient has said."""
    known = {word for line in mention.moment.patient for word in read(line).texts}
    words = mention.said.clause.words
    cue = words[mention.place[0] - mention.said.clause.start : mention.place[1] - mention.said.clause.start]
    return all(word in known for word in (*cue, *(word for word in words if not is_plain(word))))


def _weak(step: Listening, mention: Heard, call: Call) -> bool:
    """What makes a statement too weak to decide a critical check on its words alone."""
    closed = word_list("clauses", "closed") | word_list("clauses", "fillers") | word_list("clauses", "openers")
    part = bool(mention.behind) and mention.behind[0] not in closed and read(mention.cue).texts[-1] not in closed
    if part or mention.said.has("downplayed"):
        return True  # "the emergency desk", "the hospital pharmacy"
    return (
        not step.advice
        and not is_strong(mention.cue)
        and not (is_predicated(mention) and not unknown(mention.beside, call.case))
    )


def is_predicated(mention: Heard) -> bool:
    """Whether a word is said of the matter at hand: `this is an emergency`, not `the flu can be serious`."""
    before = mention.said.clause.words[: mention.place[0] - mention.said.clause.start]
    while before and before[-1] in word_list("clauses", "between"):
        before = before[:-1]
    if not before:
        return len(mention.beside) <= 1
    pointed = any(word in word_list("clauses", "subjects") or word == "what" for word in before)
    return pointed and before[-1] in word_list("clauses", "links")


def opposed(step: Listening, call: Call, after: Heard) -> Moment | None:
    """Something that says the contrary: later in the call, or before and not taken back until then."""
    for mention in heard(step.opposite, call):
        if (
            speaks_against(mention)
            and mention.said is not after.said
            and (_later(mention, after) or not withdrawn(call, mention, after))
        ):
            return mention.moment
    for turn in turns(call) if step.against else ():
        if (turn.moment.utterance.start, turn.moment.place, 0) > after.position and _gives_in(turn):
            return turn.moment
    return None


def _gives_in(turn: Turn) -> bool:
    """Whether a sentence allows or hands out what it does not name: `Then take one twice a day.`"""
    for said in turn.said:
        opaque = not topics(said.text) and bool(word_list("clauses", "pointing").intersection(said.clause.words))
        dosed = said.has("dosed") and not products(turn.moment.text)
        if said.act in ("advises", "permits") and not said.condition and (opaque or dosed):
            return True
    return False


def withdrawn(call: Call, after: Heard, until: Heard | None = None) -> bool:
    """Whether the agent later takes something back (`no, forget that`), or does before another moment."""
    for turn in turns(call):
        for number, said in enumerate(turn.said):
            here = (turn.moment.utterance.start, turn.moment.place, number)
            between = here > after.position and (until is None or here <= until.position)
            if between and said.has("taken_back") and said.act != "asks":
                return True
    return False


def contrasted(call: Call, after: Heard, own: frozenset[str] | None = None) -> bool:
    """Whether what follows in the utterance begins with a `but`, and is neither a question nor a condition.

    With `own` only one that speaks of these topics counts.
    """
    for turn in turns(call):
        if turn.moment.utterance != after.moment.utterance or turn.moment.place < after.moment.place:
            continue
        for number, said in enumerate(turn.said):
            behind = turn.moment.place > after.moment.place or number > after.number
            if own is not None and not own & {name for name, _ in topics(said.text)}:
                continue
            if behind and said.has("contrast") and said.act not in ("asks", "condition") and not said.condition:
                return True
    return False


def _later(mention: Heard, other: Heard) -> bool:
    return mention.position > other.position
