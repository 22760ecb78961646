"""What a caller wants who speaks while the agent speaks: the floor, or only to show that they listen."""

import re

_LISTENING = re.compile(
    r"(?:m+|mm+|mhm|m+ ?hm+|hm+|uh ?huh|ah|oh|aha|yes|yeah|yep|ok|okay|right|sure|fine|good|great|really|exactly|"
    r"i see|go on|all right|alright|got it|i understand|understood|thanks|thank you|you)"
)
"""Words with which one listens. (Whisper hears `you` and `thank you` in a cough.)"""
_WORDS = re.compile(r"[^a-z' ]+")


def claims_the_floor(heard: str) -> bool:
    """Whether words that were said into the agent's speech want it to stop.

    >>> claims_the_floor("Mm-hmm, okay."), claims_the_floor("Right. Go on."), claims_the_floor(" ")
    (False, False, False)
    >>> claims_the_floor("Okay, but wait."), claims_the_floor("No, I can't breathe!")
    (True, True)
    """
    words = " ".join(_WORDS.sub(" ", heard.lower()).split())
    return re.fullmatch(rf"(?:{_LISTENING.pattern}(?: |$))*", words) is None
