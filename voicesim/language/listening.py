"""Words with which somebody only shows that they listen, in English."""

import re

_LISTENING = (
    r"(?:m+|mm+|mhm|m+ ?hm+|hm+|uh ?huh|ah|oh|aha|yes|yeah|yep|ok|okay|right|sure|fine|good|great|really|exactly|"
    r"i see|go on|all right|alright|got it|i understand|understood|thanks|thank you|you)"
)
"""(Whisper hears `you` and `thank you` in a cough.)"""
_ONLY = re.compile(rf"(?:{_LISTENING}(?: |$))*")
_NO_WORD = re.compile(r"[^a-z' ]+")


def only_listens(said: str) -> bool:
    """Whether all that was said shows no more than that somebody listens; true of nothing.

    >>> only_listens("Mm-hmm, okay."), only_listens("Right. Go on."), only_listens(" ")
    (True, True, True)
    >>> only_listens("Okay, but wait."), only_listens("No, I can't breathe!")
    (False, False)
    """
    return _ONLY.fullmatch(" ".join(_NO_WORD.sub(" ", said.lower()).split())) is not None
