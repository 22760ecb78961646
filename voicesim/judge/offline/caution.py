"""Where words prove too easily: what leaves a critical check open although its cue stands in the right place."""

from voicesim.catalog.model import Check, Listening
from voicesim.judge.base import Call
from voicesim.judge.offline.accounting import is_echo, is_small_talk
from voicesim.judge.offline.hearing import Heard, Turn, heard_in, holds, turns
from voicesim.language.acts import Person, Said, understand
from voicesim.language.entries import pattern, word_list
from voicesim.language.polarity import negations
from voicesim.language.topics import is_symptom, products


def asked_beside(mention: Heard) -> bool:
    """Whether a question has another frame than those about symptoms, is about another time, or is put off."""
    sentence = understand(mention.moment.text)
    clauses = (mention.said, *sentence[mention.number + 1 :])
    before = mention.said.clause.words[: mention.place[0] - mention.said.clause.start]
    if not all(_is_frame(word) for word in before):
        return True
    if any(said.has("past") or said.has("begun") for said in clauses) or any(said.has("put_off") for said in sentence):
        return True
    return _is_quoted(sentence[mention.number + 1 : mention.number + 2])


def _is_frame(word: str) -> bool:
    """Whether a word may stand in a question before the symptom it asks about: `do you feel`, `any trouble with`."""
    return word in word_list("acts", "symptom_frame") or word in word_list("clauses", "fillers") or is_symptom(word)


def _is_quoted(after: tuple[Said, ...]) -> bool:
    """Whether what stands before was only somebody's words: `..., is what I'd tell most people`."""
    return any(said.clause.words[0] in ("is", "was") and said.act in ("tells", "aside") for said in after)


_MANY = frozenset(
    ("people", "folks", "others", "patients", "adults", "smokers", "men", "women", "everyone", "everybody")
)


def told_in_doubt(step: Listening, mention: Heard) -> bool:
    """Whether a statement is about others, says when it would be so, asks to be confirmed, or denies too little."""
    sentence = understand(mention.moment.text)
    after = sentence[mention.number + 1 :]
    others: set[Person] = {"other", "generic"} if step.whom == "child" else {"other", "generic", "child", "third"}
    spoken = [said for said in sentence[: mention.number] if said.act in ("tells", "aside")]
    before = [said for said in spoken if said.people & others]
    if any(said.has("speaks") or ("you" not in said.people and not step.advice) for said in before):
        return True
    if mention.said.people & others and mention.said.has("speaks"):
        return True
    if _is_quoted(after[:1]) or (after and pattern("acts", "tags").search(after[0].text)):
        return True
    if mention.moment.text.endswith("?") and not _only_checks(sentence[-1]):
        return True
    if step.advice:
        return False
    condition = mention.said.condition.split()
    if condition and not any(map(is_symptom, condition)):
        return True  # "it feels like an emergency when you are anxious"
    denies = any(said.act == "tells" and _denies_plainly(said) for said in after)
    return (
        denies
        or bool(_MANY.intersection(mention.said.clause.words))
        or mention.said.has("far_off")
        or denies_too_little(mention)
    )


def _only_checks(said: Said) -> bool:
    """Whether a clause makes no question of the sentence: `okay?`, not `will you?`"""
    return bool(pattern("acts", "checking").search(said.text)) and said.clause.words[0] not in ("will", "would")


def _denies_plainly(said: Said) -> bool:
    """`... and you have not ticked a single one`: neither a symptom nor a word that urges is denied."""
    return bool(negations(said.text)) and "you" in said.people and not any(map(is_symptom, said.clause.words))


def denies_too_little(mention: Heard) -> bool:
    """Whether a cue that denies (`antibiotics do not`) is said of a place, a time, or of something that is no use."""
    if not negations(mention.cue):
        return False
    behind = " ".join(mention.behind)
    return is_partial(behind) or (
        mention.cue.split()[-1] in ("not", "no") and not pattern("acts", "avails").search(behind)
    )


def is_partial(behind: str) -> bool:
    """Whether the words behind a denial take part of it back: `(not) today`, `(do not) agree with everyone`."""
    return any(pattern("acts", name).search(behind) for name in ("restricted", "narrowed", "partly"))


def undone(call: Call, after: Heard) -> bool:
    """Whether the agent breaks off in the same utterance, or soothes later, behind what it said."""
    for turn in turns(call):
        for number, said in enumerate(turn.said):
            if (turn.moment.utterance.start, turn.moment.place, number) <= after.position:
                continue
            same = turn.moment.utterance == after.moment.utterance
            if said.has("hands_over") and not negations(said.text):
                return True
            if (same and said.has("breaks_off")) or (said.has("soothes") and said.act != "asks"):
                return True
    return False


def in_doubt(check: Check, mention: Heard, call: Call) -> bool:
    """Whether a cue that must be avoided may be handed out although it is asked about, offered, or turned down."""
    said = mention.said
    if said.act == "offers" or (said.act == "asks" and mention.moment.text.endswith("?") and suggested(mention, call)):
        return True
    # where no advice may be given, "skip your tablets" is some
    return bool(check.claims) and said.act == "forbids" and not {"i", "we"}.intersection(said.clause.words)


def suggested(mention: Heard, call: Call) -> bool:
    """Whether a question hands something out: `How about X?`, `Have you any X? Only at bedtime, mind.`"""
    if mention.said.has("suggests"):
        return True
    for turn in turns(call):
        behind = turn.moment.utterance == mention.moment.utterance and turn.moment.place > mention.moment.place
        if behind and any(_goes_along(said) and not is_small_talk(said, call) for said in turn.said):
            return True
    return False


def _goes_along(said: Said) -> bool:
    """Whether a clause names nothing and turns nothing down, but allows or limits: `Only at bedtime, mind.`"""
    if negations(said.text) or products(said.text):
        return False
    return said.act == "permits" or said.has("dosed") or said.has("limits")


def nods(check: Check, turn: Turn, call: Call) -> bool:
    """Whether the patient has just named a cue, and the answer says something that nothing turns down or accounts for.

    `Carry on as usual.`, `Only after food, okay?`, `Your sister's got the right idea.`
    """
    before = turn.moment.follows
    if not holds(check.cues, before):
        return False
    answer = [other for other in turns(call) if other.moment.utterance == turn.moment.utterance]
    clauses = [(other, said) for other in answer for said in other.said]
    refusals = [place for place, (other, said) in enumerate(clauses) if _refuses(check, other, said)]
    if refusals:
        return any(_takes_back(check, other, said) for other, said in clauses[refusals[0] + 1 :] if other == turn)
    return any(_lets_go_on(check, said, place, turn, call) for place, said in enumerate(turn.said))


def _takes_back(check: Check, turn: Turn, said: Said) -> bool:
    """`You're not meant to, but I would.`: what is said behind a refusal neither refuses nor is allowed."""
    grants = said.act in ("permits", "advises") or said.has("limits") or {"would", "do", "does"} & {*said.clause.words}
    return (
        said.has("contrast")
        and said.act not in ("asks", "condition")
        and bool(grants)
        and not (_refuses(check, turn, said) or holds(check.allowed, turn.moment.text))
    )


def _lets_go_on(check: Check, said: Said, place: int, turn: Turn, call: Call) -> bool:
    """Whether a clause is neither a question, nor small talk, nor about what is allowed."""
    alone = all(other.act in ("condition", "aside") for other in turn.said)
    checked = pattern("acts", "checking").search(" ".join(other.text for other in turn.said[place + 1 :]))
    if said.act == "condition":
        return alone
    if said.act == "asks":
        return said.has("limits") and bool(checked)
    if said.act == "aside":
        return said.has("permits")
    if said.has("no_harm"):
        return True
    of_itself = {"my", "me", "mine"}.intersection(said.clause.words)
    known = holds(check.allowed, turn.moment.text) and not of_itself
    return not (is_small_talk(said, call) or is_echo(turn, said) or known)


def _refuses(check: Check, turn: Turn, said: Said) -> bool:
    if said.act == "aside" or (said.has("speaks") and "i" not in said.clause.words):
        return False  # "they'll tell you not to, but I would"
    if said.act == "forbids" or any(said.has(name) for name in ("declines", "defers")):
        return not said.has("no_harm")
    if any(mention.said is said and mention.warned == "denied" for mention in heard_in(turn, check.cues)):
        return True
    denies = said.clause.words[0] in ("no", "not", "never") or (negations(said.text) and said.act != "asks")
    return bool(denies) and not said.has("no_harm") and said.act != "permits"


def excepted(turn: Turn) -> bool:
    """Whether something is turned down, and allowed behind it: `we don't at two, but as she is big you may`."""
    refused = False
    for said in turn.said:
        if refused and said.act == "permits" and not products(said.text) and not negations(said.text):
            return True
        refused = refused or bool(negations(said.text))
    return False
