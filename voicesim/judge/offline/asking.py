"""The offline judge's rules for checks of kind `ask`: a question with a cue, and about what the check is about."""

import re
from collections.abc import Iterable
from itertools import takewhile

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.moments import Moment, moments
from voicesim.judge.offline.acts import Reading, asks, directs
from voicesim.judge.offline.settling import settle
from voicesim.language.cues import cue_in, places, read
from voicesim.language.fold import fold
from voicesim.language.grammar import FILLERS, FINITE, word_set

# Cues of these words alone (`how many`, `getting better`) leave open what is asked about.
_OPEN = word_set(
    "how many much long high old when did do what which exactly since days weeks months start started measure measured "
    "reading change changed get getting better worse or improve improving"
)
# What may stand beside such a cue without naming another matter.
_NO_MATTER = (
    FILLERS
    | FINITE
    | word_set(
        "you your he his she her it its this that these they them their there been being be is are was were and or in "
        "all ago now so far of the a an for to with at then than any some same me tell about please exactly "
        "feel feeling felt like go going begin began begun start started first come came since notice noticed did do "
        "ill sick unwell symptom symptoms problem problems trouble now today yet really right who what which when how"
    )
)
# Another matter than its word alone: `blood` is not asked about in "How is your blood pressure?"
_UNITS = word_set("hour hours day days week weeks month months year years")
_ANOTHER = re.compile(
    r"\bblood(?= (?:pressure|sugar|tests?|thinners?|counts?|group|type)\b)"
    r"|\bbreathe?(?=(?: in| out)? through (?:your|the|her|his|their) nose\b)"
    r"|\bhot(?= (?:drinks?|tea|water|showers?|baths?|soup|meals?)\b)"
    r"|\ballergic to (?:(?:any|some|other|certain) )*\w+",
    re.IGNORECASE,
)


def find(check: Check, call: Call) -> Finding:
    """Hit by a question about it; undecided with a doubtful one; else missed."""
    found = readings_of(check, call)
    if "before" in fold(check.expect):
        # "... before any talk of medicine": whether earlier advice was about that is beyond words
        found = [
            (moment, "unclear" if reading == "yes" and _advised_before(moment, call) else reading)
            for moment, reading in found
        ]
    return settle(found, "asked about it", "a cue word was said, but not clearly as a question about it")


def readings_of(check: Check, call: Call) -> list[tuple[Moment, Reading]]:
    """Every moment with a cue, in time order, and whether the agent plainly asks for it there."""
    return [
        (moment, _reading(check, call, moment.text, cue))
        for moment in moments(call.transcript)
        for cue in check.cues
        if cue_in(cue, moment.text)
    ]


def _reading(check: Check, call: Call, sentence: str, cue: str) -> Reading:
    reading = asks(sentence, cue)
    if reading != "yes":
        return reading
    texts = read(cue).texts
    if len(texts) == 1 and not cue_in(cue, _ANOTHER.sub(" ", sentence)):
        return "no"
    if _OPEN.issuperset(texts) and not _to_the_matter(check, call, _matters(sentence, texts)):
        return "unclear"
    return "yes"


def _to_the_matter(check: Check, call: Call, matters: set[str]) -> bool:
    """Whether one of them is the check's own, or they are nothing but what the patient complained of at first."""
    own = _stems(fold(" ".join([check.expect, *check.cues])))
    complaint = _stems(word for word in fold(call.case.patient.says_first) if word not in _UNITS)
    return bool(matters & own) or matters <= complaint


def _matters(sentence: str, cue: tuple[str, ...]) -> set[str]:
    """What the clauses with a cue speak of beside the cue itself."""
    words = read(sentence)
    found: set[str] = set()
    for place in places(cue, words.texts):
        first = max((i for i in range(place + 1) if words.breaks[i]), default=0)
        last = next((i for i in range(place + len(cue), len(words.texts)) if words.breaks[i]), len(words.texts))
        beside = (*words.texts[first:place], *words.texts[place + len(cue) : last])
        found |= _stems(word for word in beside if word not in _NO_MATTER)
    return found


def _stems(words: Iterable[str]) -> set[str]:
    return {word[:5] for word in words if len(word) >= 3 and word not in _NO_MATTER}


def _advised_before(moment: Moment, call: Call) -> bool:
    return any(directs(one.text) for one in takewhile(lambda one: one != moment, moments(call.transcript)))
