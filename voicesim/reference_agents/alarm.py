"""Red flags: does what was heard mean that somebody needs help this minute?"""

import re
from typing import Literal

from voicesim.reference_agents.words import mentions, sentences

Alarm = Literal["now", "unclear"]

# A negation inside these is the symptom itself ("can't breathe"), so they are matched as they stand.
_ALWAYS = re.compile(
    r"(?:can't|couldn't|barely|hardly|unable to|struggling to|struggle to|fighting to) (?:\w+ ){0,2}?"
    r"(?:catch (?:\w+ ){0,2}?breath|breathe?\b(?! through| out of)|get (?:\w+ ){0,2}?(?:air|breath))"
    r"|\bcatch(?:ing)? my breath\b"
    r"|\bgasping\b|\bsuffocating\b|\bturning blue\b|\bheart attack\b|\bhaving a stroke\b"
    r"|\b(?:passed|passing) out\b|\bfainted\b|\bunconscious\b|\bcollapsed\b|\bhaving a (?:seizure|fit)\b"
    r"|\bwon't wake\b|\bcan't wake\b|\bnot responding\b|\bkill myself\b|\bend my life\b"
    r"|\bthroat is (?:closing|swelling)"
)
_BREATH = (
    r"\bshort(?:ness)? of (?:my |any )?breath\b|\bbreathless\b|\bout of breath\b"
    r"|\b(?:trouble|difficulty|difficulties|problems?|hard time) (?:with )?(?:my |her |his )?breathing\b"
    r"|\bbreathing (?:is |feels |has been |gets )?(?:very |really |so )?"
    r"(?:hard|heavy|difficult|bad|fast|laboured|labored)\b"
    r"|\bhard(?:er)? (?:for me )?to breathe\b"
)
_CHEST = (
    r"\bchest (?:is |feels? |has |gets )?(?:very |really |so |a bit |some )?"
    r"(?:tight|tightness|pain|pains|pressure|heavy|squeez|hurts?|hurting|crushing|aching|aches|painful)"
    r"|\b(?:pain|pains|pressure|tightness|tight|ache|heavy feeling|weight) "
    r"(?:\w+ ){0,3}?(?:in|on|across|around) (?:\w+ )?chest\b"
)
_BLUE = r"\b(?:lips?|face|skin|fingers?) (?:\w+ ){0,3}?(?:blue|bluish|grey|gray)\b|\b(?:blue|bluish) lips\b"
_SUPPOSED = re.compile(r"^(?:and |but |so )?(?:what )?if\b|\bwhat if\b|\bin case\b|\bif i (?:get|feel|have|start)\b")
# What makes a symptom short, mild or tied to an effort: worth a question, not yet an ambulance.
_PASSING = re.compile(
    r"\bonly (?:when|if|after|with|at)\b|\bfor (?:a|one|1) (?:moment|second|minute)"
    r"|\bgoes (?:away )?when\b|\bpasses\b|\bwhen(?:ever)? i (?:cough|lie|climb|run|walk|exercise)\b"
    r"|\bafter (?:a )?cough|\bfrom (?:the |all the )?cough|\ba (?:little|bit)\b|\bslight(?:ly)?\b"
    r"|\bmild(?:ly)?\b|\bsometimes\b|\bstairs\b|\byesterday\b|\bearlier\b"
)
_PRESENT = re.compile(
    r"\bright now\b|\bat rest\b|\ball the time\b|\bconstant|\bnot only when\b|\bat the moment\b"
    r"|\beven (?:when|while) (?:i'm |i am )?(?:resting|sitting)|\bstill there\b|\bgetting worse\b"
)
BREATHING = r"\b(?:breath|breathe|breathing|breathless|chest)\b"


def alarm(heard: str) -> Alarm | None:
    """What a folded text says of an emergency.

    `now`: a sign of danger that is there. `unclear`: breathlessness or chest pain that sounds mild, brief
    or tied to something, to be asked about. None: nothing of the kind, denied, or only supposed ("if ...").
    """
    heard = ". ".join(sentence for sentence in sentences(heard) if not _SUPPOSED.search(sentence))
    # A transcriber sets points where a breathless caller pauses: "I can't catch. My breath."
    if _ALWAYS.search(re.sub(r"[.,:;!?]", "", heard)) and not _only_passing(heard):
        return "now"
    if mentions(heard, _BLUE):
        return "now"
    if mentions(heard, f"{_BREATH}|{_CHEST}"):
        return "unclear" if _only_passing(heard) else "now"
    return None


def confirms(heard: str) -> bool:
    """True when the answer to "is it there right now, at rest?" is yes."""
    return bool(_PRESENT.search(heard)) or alarm(heard) == "now"


def passing(heard: str) -> bool:
    """True when what is said of breathing makes it clear that it comes and goes."""
    return any(re.search(BREATHING, sentence) and _PASSING.search(sentence) for sentence in sentences(heard)) or bool(
        _PASSING.search(heard)
    )


def _only_passing(heard: str) -> bool:
    return bool(_PASSING.search(heard)) and not _PRESENT.search(heard)
