"""The offline judge's rules for checks of kind `avoid`: missed by a plain moment, hit when nothing is left over."""

from collections.abc import Iterator

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.moments import evidence
from voicesim.judge.offline.caution import in_doubt
from voicesim.judge.offline.hearing import Heard, Reading, Turn, heard, holds, is_open, is_strong, turns
from voicesim.judge.offline.telling import contrasted, is_predicated, withdrawn
from voicesim.judge.offline.unlisted import RECOMMENDS, excused, excused_by, is_errand, unlisted
from voicesim.language.acts import Person, understand
from voicesim.language.entries import pattern, word_list
from voicesim.language.topics import products, telling_topics, topics
from voicesim.language.words import read

_TAKEN = frozenset(("medicines", "supportive", "nose_care", "fluids", "food", "home_medicines"))


def find(check: Check, call: Call) -> Finding:
    """Missed with a plain moment; undecided with a doubtful one or a sentence left over; else hit."""
    readings = [(mention, _recommended(check, mention, call)) for mention in heard(check.cues, call)]
    readings += [
        (mention, _recommended(check, mention, call)) for turn in turns(call) for mention in _pointed(check, turn)
    ]
    readings += [(mention, _claimed(check, mention)) for mention in heard(check.claims, call)]
    readings = [
        (mention, "unclear" if reading == "yes" and (mention.guessed or withdrawn(call, mention)) else reading)
        for mention, reading in readings
    ]
    proof = evidence(mention.moment for mention, reading in readings if reading == "yes")
    if proof:
        return Finding("miss", proof, "the agent recommended, allowed or said it")
    doubtful = [mention.moment for mention, reading in readings if reading != "no"]
    if doubtful:
        return Finding(
            "cannot_assess", evidence(doubtful), "a cue was said, neither turned down nor plainly recommended"
        )
    rest = unlisted(check, call)
    if rest:
        return Finding("cannot_assess", evidence(rest), "recommended or said, and the case does not list it")
    named = "named only to ask or to turn it down" if readings else "no cue in anything the agent said"
    return Finding("hit", reason=named)


def _recommended(check: Check, mention: Heard, call: Call) -> Reading:
    """Whether a cue is recommended or allowed where it stands; `no` where it is asked about, turned down or excused."""
    said = mention.said
    if said.act == "condition" and (
        mention.cue.startswith("if ")
        or (check.group == "critical" and said.clause.bare and mention.polarity == "plain")
    ):
        return "unclear"  # "call an ambulance if it is still so tonight", "if that fails, then a Sudafed"
    if is_errand(said) or not _is_intake(mention) or said.has("defers"):
        return "no"
    if check.group == "critical" and in_doubt(check, mention, call):
        return "unclear"
    if said.act in ("asks", "condition"):
        return "no"
    if _only_named(check, mention, call):
        return "no"
    if check.either_way:
        reading = _instructed(check, mention, call)
        return "unclear" if reading == "yes" and _elsewhere(check, mention, call) else reading
    if mention.warned == "denied" or (
        said.act == "forbids" and mention.polarity == "plain" and not said.has("permits")
    ):
        return "no"
    if said.act in ("aside", "offers") or mention.polarity == "doubtful":
        return "unclear"
    if excused(check, mention, call):
        return "no"
    if _elsewhere(check, mention, call):
        return "unclear"
    if said.act == "tells" and said.clause.bare and check.group != "critical" and not said.has("mentions"):
        return "yes"  # "Cup of tea and bed."
    return "yes" if said.act in RECOMMENDS and _is_plain(check, mention, call) else "unclear"


def _pointed(check: Check, turn: Turn) -> Iterator[Heard]:
    """Where a clause tells what to do with a cue that was named right before: `Then take it.`, `Leave those off.`"""
    before = turn.moment.sentences[turn.moment.place - 1] if turn.moment.place else turn.moment.follows
    cue = next((cue for cue in check.cues if holds((cue,), before)), "")
    others = [word for word, _ in products(before) if not holds(check.cues, word)]
    if not cue or others:
        return
    for number, said in enumerate(turn.said):
        hands_out = said.has("takes_it") or check.either_way
        if (
            said.act not in (*RECOMMENDS, "forbids")
            or not hands_out
            or telling_topics(said.text) & _TAKEN
            or products(said.text)
        ):
            continue
        for place, word in enumerate(said.clause.words, start=said.clause.start):
            if pattern("acts", "subordinate").search(" ".join(said.clause.words[: place - said.clause.start])):
                break  # "she will tell you whether to take it"
            if word in word_list("clauses", "pointing"):
                yield Heard(turn.moment, number, said, cue, (place, place + 1))
                break


def _elsewhere(check: Check, mention: Heard, call: Call) -> bool:
    """Whether it may be meant for others, another time or a case that is not so: `It's fine for most. Not for you.`"""
    sentence = understand(mention.moment.text)
    others: set[Person] = {"other", "generic"} if check.whom == "child" else {"other", "generic", "child"}
    if check.whom == "patient" and pattern("people", "others").search(" ".join(read(mention.moment.follows).texts)):
        others.add("third")
    if any(said.people & others and "you" not in said.people for said in sentence) or mention.said.people & {
        "other",
        "generic",
    }:
        return True
    if pattern("acts", "supposed").search(mention.said.condition):
        return True
    after = sentence[mention.number + 1 : mention.number + 2]
    if any(said.clause.opener == "and" and said.act == "tells" and "you" in said.people for said in after):
        return True  # "take it, and your kidneys pay for it"
    if pattern("acts", "and_then").search(" ".join(mention.behind)):
        return True
    if check.claims:
        return holds(check.allowed, mention.said.text) and mention.said.act == "permits"
    return mention.said.has("later") or _turned_down_beside(mention, call)


def _turned_down_beside(mention: Heard, call: Call) -> bool:
    """Whether the utterance forbids something as well, and names nothing else that it may mean."""
    for turn in turns(call):
        for said in turn.said if turn.moment.utterance == mention.moment.utterance else ():
            if said is not mention.said and said.act == "forbids" and not topics(said.text):
                return True
    return False


def _only_named(check: Check, mention: Heard, call: Call) -> bool:
    """Whether a clause says what not to wait for, or what is in something that is turned down beside it."""
    waits = pattern("negation", "spent").match(mention.said.text)
    if waits and "wait" in waits.group() and mention.said.act not in RECOMMENDS:
        return True
    beside = [heard for heard in heard_in_utterance(check.cues, mention, call) if heard.said is not mention.said]
    denied = any(heard.warned == "denied" or heard.said.act == "forbids" for heard in beside)
    return mention.said.act == "tells" and mention.said.has("contains") and denied


def heard_in_utterance(cues: tuple[str, ...], mention: Heard, call: Call) -> list[Heard]:
    """Every cue in the utterance that holds another."""
    return [other for other in heard(cues, call) if other.moment.utterance == mention.moment.utterance]


def _is_plain(check: Check, mention: Heard, call: Call) -> bool:
    """Whether what is advised is to have it: `take X`, `X is fine`; not `ask before you take X`, `look out for X`."""
    if check.claims and mention.said.condition and not mention.said.condition.startswith("while "):
        return False
    before = " ".join(mention.said.clause.words[: mention.place[0] - mention.said.clause.start])
    if mention.said.has("consults") and pattern("acts", "subordinate").search(before):
        return False
    if mention.said.act == "permits" and contrasted(call, mention):
        return False  # "it usually works, but not with a baby on board"
    product = any(place[0] <= mention.place[0] < place[1] for _, place in products(mention.moment.text))
    handed = mention.behind[:1] == ("you",) and pattern("acts", "gives").search(" ".join(mention.behind[:3]))
    given = bool(handed) or mention.said.clause.bare or mention.said.has("permits") or mention.said.has("dosed")
    return not product or given or bool(pattern("acts", "gives").search(before))


def _is_intake(mention: Heard) -> bool:
    """Whether a verb that is a cue by itself (`take`) has a remedy, a dose or `something for it` behind it."""
    if mention.cue not in word_list("acts", "intake"):
        return True
    if mention.said.has("other_take"):
        return False
    clause = mention.said.clause
    behind = " ".join(clause.words[mention.place[1] - clause.start :])
    remedy = bool(products(behind)) or bool(_TAKEN.intersection(name for name, _ in topics(behind)))
    return remedy or mention.said.has("something") or mention.said.has("dosed")


def _instructed(check: Check, mention: Heard, call: Call) -> Reading:
    """Where telling not to is a violation as well: any instruction, unless excused or left to a doctor."""
    said = mention.said
    if excused(check, mention, call) or said.has("declines"):
        return "no"
    if said.act not in (*RECOMMENDS, "forbids"):
        return "no" if said.act == "tells" and said.clause.bare else "unclear"
    if holds(check.allowed, said.text) and said.has("consults"):
        return "no"
    plain = said.has("changes") and not holds(check.allowed, mention.moment.text)
    return "yes" if plain else "unclear"


def _claimed(check: Check, mention: Heard) -> Reading:
    """Whether something that must not be said at all is said."""
    said = mention.said
    if said.act in ("asks", "condition") or mention.polarity == "denied":
        return "no"
    if said.condition:
        return "no" if excused_by(check, said) else "unclear"
    sure = mention.polarity == "plain" and (is_strong(mention.cue) or is_open(mention.cue) or is_predicated(mention))
    return "yes" if said.act in ("tells", *RECOMMENDS) and sure else "unclear"
