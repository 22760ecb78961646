"""What the agent recommends or says that a check of kind `avoid` does not list: it may be what must be avoided."""

from voicesim.catalog.model import Check
from voicesim.judge.base import Call
from voicesim.judge.moments import Moment
from voicesim.judge.offline.accounting import is_small_talk
from voicesim.judge.offline.asking import readings as asked
from voicesim.judge.offline.caution import excepted, nods
from voicesim.judge.offline.hearing import Heard, Turn, heard_in, holds, turns, unknown
from voicesim.language.acts import Said
from voicesim.language.entries import pattern, word_list
from voicesim.language.topics import products, topics, topics_of
from voicesim.language.words import read

RECOMMENDS = ("advises", "permits")


def unlisted(check: Check, call: Call) -> list[Moment]:
    """The sentences that may recommend or say, in words the check does not list, what must be avoided."""
    return [turn.moment for turn in turns(call) if turn.moment.patient and _is_unlisted(check, turn, call)]


def _is_unlisted(check: Check, turn: Turn, call: Call) -> bool:
    if turn.void or turn.unheard or _lets_pass(check, turn, call) or _agrees(check, turn, call):
        return True
    if check.group == "critical" and (nods(check, turn, call) or excepted(turn)):
        return True
    return not all(_listed(check, turn, said, call) for said in turn.said)


def excused(check: Check, mention: Heard, call: Call) -> bool:
    """Whether it stands under a condition that excuses it, or was asked about before."""
    if excused_by(check, mention.said):
        return True
    asked_before = (place.moment for place, reading in asked(check, check.asked_first, call) if reading == "yes")
    return any(moment.utterance.start < mention.moment.utterance.start for moment in asked_before)


def excused_by(check: Check, said: Said) -> bool:
    return bool(said.condition) and holds(check.condition, said.condition)


def _agrees(check: Check, turn: Turn, call: Call) -> bool:
    """A mere yes or dose, behind somebody's mention of a cue: `Yes, that's fine.`, `Half a dose.`"""
    moment = turn.moment
    if moment.text.endswith("?"):
        return False
    if "?" not in moment.follows and not any(
        said.has("dosed") or said.act == "permits" or _hands_out(said) for said in turn.said
    ):
        return False  # "Okay, metformin": nobody asked for leave
    if not any(
        _hands_out(said)
        or ((said.act == "permits" or said.has("likes") or said.has("dosed")) and not topics(said.text))
        for said in turn.said
    ):
        return False
    before = (moment.follows, *moment.sentences[: moment.place])
    return any(holds(check.cues, text) for text in before) or _asked_leave(check, moment.follows, call)


def _asks_about(check: Check, turn: Turn) -> bool:
    """Whether the patient has just asked about a cue."""
    return "?" in turn.moment.follows and holds(check.cues, turn.moment.follows)


def _hands_out(said: Said) -> bool:
    """`One of hers at bedtime`: a few words that stand for what was named before."""
    stands_for = said.clause.words[0] in word_list("clauses", "pointing") and not products(said.text)
    return said.act == "tells" and said.clause.bare and stands_for


def _lets_pass(check: Check, turn: Turn, call: Call) -> bool:
    """Whether the patient asks leave for a cue, or for something unknown, and nothing in the answer turns it down."""
    moment = turn.moment
    says = any(said.act in ("tells", "permits") and not is_small_talk(said, call) for said in turn.said)
    about = _asks_about(check, turn)
    if not says or holds(check.allowed, moment.text) or not (about or _asked_leave(check, moment.follows, call)):
        return False
    answer = [said for other in turns(call) if other.moment.utterance == moment.utterance for said in other.said]
    return not any(
        said.act == "forbids" or said.has("declines") or said.has("defers") or said.clause.words[0] == "no"
        for said in answer
    )


def _asked_leave(check: Check, text: str, call: Call) -> bool:
    """Whether the patient asks if something may be taken that is not known to be allowed."""
    words = read(text).texts
    known = holds(check.allowed, text) and not unknown(words, call.case) and not holds(check.cues, text)
    named = holds(check.cues, text) or bool(unknown(words, call.case)) or bool(products(text))
    return "?" in text and named and not known and bool(pattern("acts", "asks_leave").search(" ".join(words)))


def _listed(check: Check, turn: Turn, said: Said, call: Call) -> bool:
    """Whether a clause surely recommends and says nothing that must be avoided."""
    if _is_harmless(check, said, call):
        return True
    if check.either_way and said.has("changes") and holds(check.cues, turn.moment.follows) and not said.has("consults"):
        return said.has("defers")
    if said.act == "forbids":
        points = holds(check.cues, said.text) or word_list("clauses", "pointing") & {*said.clause.words}
        return not check.either_way or not (points or unknown(said.clause.words, call.case))
    if said.act == "aside":
        return not said.has("thinks_aloud") and not products(said.text)
    if any(not holds((*check.allowed, *check.cues), word) for word, _ in products(said.text)):
        return False
    excepted = any(mention.polarity == "denied" for mention in heard_in(turn, check.cues))
    if excepted and not check.claims and not said.has("dosed"):
        return True  # "anything but that", "all of them are fine, bar that"
    if unknown(said.clause.words, call.case) or (said.has("dosed") and not holds(check.allowed, turn.moment.text)):
        return False
    if _turned_down(check, turn, said, call) or holds(check.allowed, said.text):
        return True
    if said.act in (*RECOMMENDS, "offers") or (check.either_way and _asks_about(check, turn)):
        return False
    return not check.claims or (_is_another_matter(check, said.text) and not _diagnoses(check, said))


def _is_harmless(check: Check, said: Said, call: Call) -> bool:
    """Whether the form of a clause is enough: a question, a time or a reason, an errand, what is left to others."""
    if is_small_talk(said, call) or is_errand(said) or said.has("other_take") or said.has("declines"):
        return True
    if said.has("defers") or (said.has("soothes") and not check.claims):
        return not said.has("dosed")
    if said.act in ("asks", "condition") or said.clause.opener in ("until", "till", "while"):
        return True
    names = said.clause.bare and said.has("mentions")
    reason = said.has("reasons") and said.act not in RECOMMENDS
    return (names or reason or excused_by(check, said)) and not said.has("dosed")


def is_errand(said: Said) -> bool:
    """Whether a clause is about the visit: `bring your tablets`; a product that is to be fetched is none."""
    return said.has("errand") and (not products(said.text) or said.clause.words[0] in ("bring", "please"))


def _turned_down(check: Check, turn: Turn, said: Said, call: Call) -> bool:
    """Whether a clause names what the check is about, and only to turn it down, or excused."""
    named = [mention for mention in heard_in(turn, (*check.cues, *check.claims)) if mention.said == said]
    return bool(named) and all(mention.warned == "denied" or excused(check, mention, call) for mention in named)


def _diagnoses(check: Check, said: Said) -> bool:
    """Whether a clause may name a cause, where a critical check forbids that."""
    return check.group == "critical" and said.has("diagnoses")


def _is_another_matter(check: Check, text: str) -> bool:
    named = {name for name, _ in topics(text)}
    return bool(named) and not any(named & topics_of(cue) for cue in (*check.claims, *check.cues))
