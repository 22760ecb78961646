"""What an English sentence of a case gives away: its kind, its opposite, the words that name its topic."""

import re
import unicodedata
from collections.abc import Set

from voicesim.catalog.model import Kind

_PROHIBITION = re.compile(
    r"(?:do|does|must|should|will|can|is) not|(?:don|doesn|mustn|shouldn|won|can|isn)['’]t|cannot"
    r"|never|avoids?|refrains? from|no"
    r"|(?:gives|makes|offers|uses|prescribes|recommends|suggests|says) (?:nothing|no)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:asks|enquires|inquires|finds out|checks)\b(?! (?:him|her|them|the \w+) to\b)", re.IGNORECASE)
_MEASURES = re.compile(r"\bhow (?:long|many|much|old|often|far|high|bad)\b")
_AGAIN = re.compile(r"\b(?:does not|doesn['’]t)\b", re.IGNORECASE)

# Words that are in every consultation and name no topic, in sentences by patients and about agents.
_PLAIN_WORDS = """
    a about above actually after again against agent all allow allows almost also always am an and
    another any anyone anything are as ask asks at avoid avoids away be because been before being below
    between bit both but by call calls came can cannot checks clearly come could day days did do does
    doing don done down during each earlier eight eighty either eleven else enough even ever every
    everything few fifty find finds fine first five for forty four from further gave get gets getting
    give given gives go goes going gone good got had half has have having he help her here hers herself
    him himself his how hundred i if in instead into is it its itself just keep keeps kind know knows
    last late lately later least less let like little long look made make makes many may maybe me mean
    mention mentions might mine more morning most mostly much must my myself near never night nine ninety
    no none nor normal not nothing now of off offer offers often ok okay on once one only or other others
    our out over own patient patients per perhaps please point put quite rather really reason recommend
    recommends right said same say says see seem seems seven seventy several she should side since six
    sixty so some someone something sometimes soon still such suggest suggests sure take taken takes
    taking tell tells ten than that the their them themselves then there these they thing things think
    thirty this those though three through time times to today together told too took twelve twenty two
    under unless unsure until up upon us use used uses using usual usually very want wants was we week
    weeks well went were what when where whether which while who whole whom whose why will with within
    without would yes yesterday yet you your yours yourself zero
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())
_ENDINGS = ("ations", "ation", "iness", "ness", "ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_SHORTEST_BEGINNING = 4


def kind_of(expect: str, group: str) -> Kind:
    """The kind of a check, from how its expectation starts and the group it stands in.

    >>> kind_of("Gives no antibiotics.", "close"), kind_of("Asks about fever.", "critical")
    ('avoid', 'ask')
    """
    if _prohibition(expect):
        return "avoid"
    if group == "must_ask" or (group == "critical" and _ASKS.match(expect.strip())):
        return "ask"
    return "tell"


def violation_of(expect: str) -> str:
    """A prohibition turned round: what the agent would be seen doing if it broke it.

    >>> violation_of("Does not play it down, and does not suggest waiting.")
    'The agent does play it down, or does suggest waiting.'
    >>> violation_of("Gives no antibiotics.")
    'The agent gives antibiotics.'
    """
    sentence = expect.strip()
    start = _prohibition(sentence)
    if start is None:
        return f"The agent does the opposite of this: {sentence}"
    # What follows a semicolon explains the prohibition; it is no part of what must not happen.
    words, rest = start.group().lower(), sentence[start.end() :].split(";")[0].strip(" ,:.") + "."
    rest = _AGAIN.sub("does", re.sub(r",? (?:and|or|nor) (?=(?:does not|doesn['’]t)\b)", ", or ", rest))
    if words == "never":
        return f"The agent {rest}"
    if words == "no" or words.startswith(("avoid", "refrain")):
        return f"The agent does or allows this: {rest}"
    verb = words.split()[0]
    if words.endswith("nothing"):
        return f"The agent {verb} something {rest}"
    return f"The agent {verb} {rest}" if words.endswith(" no") else f"The agent does {rest}"


def beginnings(sentence: str) -> tuple[str, ...]:
    """What a question about a sentence's topic would use: its "how long" and the like, then the beginnings
    of its content words, in order, each once.

    >>> beginnings("No trouble breathing, and no allergies.")
    ('troubl', 'breath', 'allerg')
    >>> beginnings("Asks how long she has coughed.")
    ('how long', 'cough')
    """
    asked = _MEASURES.findall(sentence.lower())
    return tuple(dict.fromkeys([*asked, *(_beginning(word) for word in _content(sentence))]))


def name_from(sentence: str, taken: Set[str]) -> str:
    """An id from the first three content words of a sentence, numbered if it is taken already.

    >>> name_from("I have high blood pressure and diabetes.", set())
    'high_blood_pressure'
    """
    plain = unicodedata.normalize("NFKD", sentence).encode("ascii", "ignore").decode()
    name = "_".join((_content(plain) or _words(plain))[:3]) or "fact"
    number, unique = 1, name
    while unique in taken:
        number += 1
        unique = f"{name}_{number}"
    return unique


def _prohibition(expect: str) -> re.Match[str] | None:
    match = _PROHIBITION.match(expect.strip())
    # "Notes the dose" begins with "no" and forbids nothing: the prohibition must end where a word ends.
    return match if match and not re.match(r"[\w'-]", expect.strip()[match.end() :]) else None


def _words(sentence: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:-[^\W_]+)*", re.sub(r"\w+n['’]t\b|['’]\w+", "", sentence.lower()))


def _content(sentence: str) -> list[str]:
    return [word for word in _words(sentence) if word not in _PLAIN and len(word) > 2]


def _beginning(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_BEGINNING:
            return word.removesuffix(ending)
    return word
