"""The offline judge's rules for checks of kind `ask`: a question with a cue, put about whom the check is about."""

from voicesim.catalog.model import Case, Check, Listening
from voicesim.judge.base import Call
from voicesim.judge.offline.caution import asked_beside
from voicesim.judge.offline.hearing import Heard, Reading, for_whom, heard, holds, is_open, is_strong, names, unknown
from voicesim.language.acts import Said, understand
from voicesim.language.entries import word_list
from voicesim.language.topics import (
    about_illness,
    is_plain,
    is_setting,
    is_symptom,
    matters,
    telling_topics,
    topics_of,
    umbrellas,
)
from voicesim.language.words import read


def readings(step: Listening, cues: tuple[str, ...], call: Call) -> list[tuple[Heard, Reading]]:
    """Every place of a cue, in time order, and whether the agent plainly asks about it there."""
    return [(mention, _reading(step, cues, mention, call)) for mention in heard(cues, call)]


def _reading(step: Listening, cues: tuple[str, ...], mention: Heard, call: Call) -> Reading:
    said = mention.said
    if said.act in ("condition", "offers"):
        return "unclear"
    if said.act != "asks":
        return "unclear" if said.act != "aside" and _may_ask(mention) else "no"
    about = for_whom(step, said)
    if about != "yes":
        return about
    sentence = understand(mention.moment.text)
    before = sentence[mention.number - 1] if mention.number and said.clause.bare else said
    if "generic" in said.people | before.people:
        return "unclear"
    if isinstance(step, Check) and step.group == "critical" and asked_beside(mention):
        return "unclear"
    if _of_others(sentence[mention.number + 1 :]):
        return "unclear"
    narrowed = any(after.has("narrows") for after in sentence[mention.number + 1 :])
    quizzed = any(other.has("quizzes") for other in sentence[: mention.number + 1])
    if said.has("past") or quizzed or narrowed or not _is_about_it(mention, cues, call.case):
        return "unclear"
    return "yes"


def _of_others(behind: tuple[Said, ...]) -> bool:
    """Whether an afterthought says that others are meant: `..., for the others as well?`"""
    return any(
        after.clause.bare and after.people & {"other", "generic"} and "you" not in after.people for after in behind
    )


def _may_ask(mention: Heard) -> bool:
    """A few words without a verb (`And your breathing.`), or `you have ...` said as a question."""
    words = mention.said.clause.words
    return (mention.said.clause.bare and len(words) <= 5) or words[:1] == ("you",) or mention.said.has("requests")


def _is_about_it(mention: Heard, cues: tuple[str, ...], case: Case) -> bool:
    """Whether nothing else in the clause can be what is asked about.

    A cue of several words (`short of breath`) says what it is about. Of one word (`breath`) it does where all others
    are known; question words alone (`how long`) only where the others are plain, or the check's own, or the illness.
    """
    if is_strong(mention.cue):
        return True
    if unknown(mention.beside, case) or any(map(is_setting, mention.beside)):
        return False
    if not is_open(mention.cue):
        return bool({"or", "and"}.intersection(mention.beside)) or not _names_other_things(mention, cues)
    if mention.said.has("episode") or _goes_on_with_another(mention, cues):
        return False
    own = {text for cue in cues for text in read(cue).texts}
    illness = mention.cue in about_illness()
    meant = (
        own | names(case.patient) | (word_list("people", "child") if mention.said.people == {"child"} else frozenset())
    )
    return all(is_plain(word) or word in meant or (illness and is_symptom(word)) for word in mention.beside)


def _names_other_things(mention: Heard, cues: tuple[str, ...]) -> bool:
    """Whether the other words are about something else than an illness and the check: `birth` beside `weight`."""
    own = frozenset(name for cue in cues for name in topics_of(cue))
    named = [telling_topics(word) & matters() for word in mention.beside if not is_symptom(word)]
    return any(names and not names & own for names in named)


def _goes_on_with_another(mention: Heard, cues: tuple[str, ...]) -> bool:
    """`How long exactly?`, when the patient spoke last of its smoking, and of no illness."""
    if topics_named(mention.beside) or mention.cue not in about_illness() or mention.moment.place > 0:
        return False
    follows = mention.moment.follows
    named = telling_topics(follows) - umbrellas()
    symptom = any(map(is_symptom, read(follows).texts))
    return bool(named) and not symptom and not holds(cues, follows) and not any(map(is_setting, read(follows).texts))


def topics_named(words: tuple[str, ...]) -> bool:
    return bool(telling_topics(" ".join(words)))
