"""What a caller of a booking line says: danger, complaints, consent, names, dates of birth, days."""

import re

from voicesim.language.data import load
from voicesim.language.kinds import Date
from voicesim.language.values import read

ASKS_ADVICE = re.compile(
    r"\b(?:what|anything|something|which)\b[^.?!]{0,40}\b(?:take|do (?:about|for|against)|help)\b|\bshould i take\b"
    r"|\bwhat (?:is|could|do you think)\b[^.?!]{0,20}\b(?:wrong|cause|have)\b"
    r"|\bis (?:it|that|this) (?:serious|dangerous)\b"
)
UNWELL = re.compile(r"\b(?:dizz|light ?headed|pain|sick|ill|fever|unwell|headache|nause|weak)")
DANGER = (
    r"\bchest (?:pain|hurts|tight)|\bfainted\b|\bpassed out\b|\bblacked out\b|\bcan't (?:speak|see|move|breathe)\b"
    r"|\bworst headache\b|\b(?:face|arm|leg) (?:is|feels|went) (?:numb|weak)\b"
)
AGREES = re.compile(r"\b(?:please|fine|perfect|good|great|works|book it|sounds|take (?:it|that)|okay|ok)\b")
CLOSING = re.compile(r"\b(?:good ?bye|bye|that's all|that's it|nothing else|thank)\b")
_NAMED = re.compile(
    r"^(?:(?:yes|sure|okay|ok|well|hello|hi|um|uh|of course|(?:like |as )?i said)[,. ]+)*"
    r"(?:(?:my (?:full )?name is|the name is|this is|it's|it is|i'm|i am)\s+)?",
    re.IGNORECASE,
)


def name_in(heard: str) -> str:
    """The name in an answer to the question for it; empty when there is none.

    >>> name_in("Yes, my name is Ratna Dewi."), name_in("Like I said, Ratna Dewi, born in 1968.")
    ('Ratna Dewi', 'Ratna Dewi')
    """
    rest = _NAMED.sub("", heard.strip(), count=1)
    words = re.findall(r"[^\W\d_][\w'’-]*", re.split(r"[,.?!;]", rest)[0])
    return " ".join(words[:4])


def birthday(heard: str) -> str:
    """The first whole date in a text as YYYY-MM-DD; empty when there is none.

    >>> birthday("It's the twelfth of April, nineteen sixty-eight.")
    '1968-04-12'
    """
    dates = [reading.value for reading in read(heard) if isinstance(reading.value, Date)]
    return next((str(date) for date in dates if date.day and date.year), "")


def weekday(folded: str) -> str:
    """The first day of the week that a folded text names; empty when it names none."""
    days = "|".join(load("values")["weekdays"])
    match = re.search(rf"\b({days})s?\b", folded)
    return match[1] if match else ""
