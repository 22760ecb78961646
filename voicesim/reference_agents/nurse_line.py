"""The rule-based brain: a nurse line for colds that asks, listens for red flags and advises with care."""

import re
from enum import Enum, auto

from voicesim.reference_agents.advice import (
    EMERGENCY,
    EMERGENCY_AGAIN,
    EMERGENCY_AGREED,
    EMERGENCY_CHILD,
    Turn,
    advice,
    refuse_antibiotic,
    safety_net,
)
from voicesim.reference_agents.alarm import BREATHING, alarm, confirms, passing
from voicesim.reference_agents.brain import SAY_AGAIN, Reply, cut_sentences
from voicesim.reference_agents.caller_state import CallerState
from voicesim.reference_agents.faq import answer
from voicesim.reference_agents.questions import RIGHT_NOW, Question, next_question
from voicesim.reference_agents.words import fold, says_no, says_yes

FAREWELL = "Take care, and get well soon. Goodbye."
MOST_QUESTIONS = 8
MOST_FOLLOW_UPS = 6
MOST_BLANKS = 2
LONGEST_TURN = 75
"""Words of advice in one turn."""
_SO_FAR = ("Does that make sense so far?", "Is that clear?", "Okay so far?")
_GOODBYE = re.compile(r"\b(?:good ?bye|bye|see you|have a (?:good|nice) (?:day|one|evening))\b|\bthat's all\b")
_NO_MORE = re.compile(
    r"^(?:no|nope|nothing|not really|none)\b|\bthank(?:s| you)\b"
    r"|\b(?:that's (?:all|it|everything)|nothing else|no more questions)\b"
)
_LISTENING = re.compile(
    r"(?:(?:mm+|mhm|m+hm+|uh huh|hm+|ok(?:ay)?|yes|yeah|yep|right|sure|i see|go on|all right|alright|ah|oh)"
    r"[ ,.!]*)+$"
)
_AGREES = re.compile(
    r"\b(?:i'll|i will|i'm going to|we'll|let me) (?:call|go|do)\b|\bcalling\b|\bgoing (?:now|there)\b"
)
_ANTIBIOTIC = re.compile(r"\banti ?bio|\bprescri")
_LEFTOVER = re.compile(r"\bat home\b|\bleft ?over|\bi have (?:some|left)\b")


class _Stage(Enum):
    OPENING = auto()
    ASKING = auto()
    ADVISING = auto()
    FOLLOW_UP = auto()
    EMERGENCY = auto()
    OVER = auto()


class NurseLineBrain:
    """Deterministic. Its state is what it understood, what it asked and how far its advice has come."""

    def __init__(self, greeting: str | None) -> None:
        self._greeting = greeting
        self._caller = CallerState()
        self._stage = self._before_over = _Stage.OPENING
        self._asked: set[str] = set()
        self._open: Question | None = None
        self._advice: list[Turn] = []
        self._said: Turn = ()
        self._unheard: Turn = ()
        self._blanks = self._follow_ups = self._refusals = self._checks = 0

    def greet(self) -> str | None:
        return self._greeting

    def interrupted(self, spoken: str) -> None:
        """Sentences of the last turn that were not played to their end are kept, to be said again."""
        rest = list(self._said)
        spoken = spoken.strip()
        while rest and spoken.startswith(rest[0]):
            spoken = spoken.removeprefix(rest.pop(0)).lstrip()
        self._unheard = tuple(rest)
        if self._stage is _Stage.OVER and rest:
            self._stage = self._before_over

    async def reply(self, heard: str) -> Reply:
        folded = fold(heard)
        unheard, self._unheard = self._unheard, ()
        if self._stage is _Stage.OVER:
            return Reply("", done=True)
        if not re.search(r"[a-z0-9]", folded):
            return self._blank(unheard)
        self._blanks = 0
        if unheard and _LISTENING.match(folded):
            return self._say(unheard, done=unheard[-1].endswith("Goodbye."))
        if self._red_flag(folded):
            self._caller.hear(folded)
            self._stage, self._open = _Stage.EMERGENCY, None
            return self._say(EMERGENCY_CHILD if self._caller.child else EMERGENCY)
        if self._stage is _Stage.EMERGENCY:
            return self._say(EMERGENCY_AGREED if _AGREES.search(folded) else EMERGENCY_AGAIN, done=True)
        if self._stage in (_Stage.OPENING, _Stage.ASKING):
            if _GOODBYE.search(folded):
                return self._say(("Before you go:", safety_net(self._caller), FAREWELL), done=True)
            return self._listen(folded, unheard)
        return self._advise(folded, unheard)

    def _blank(self, unheard: Turn) -> Reply:
        """Nothing was understood: say the unheard rest, ask to repeat, and after that go on."""
        self._blanks += 1
        if unheard:
            return self._say(unheard, done=unheard[-1].endswith("Goodbye."))
        if self._blanks <= MOST_BLANKS or self._stage is _Stage.OPENING:
            return self._say((SAY_AGAIN,))
        if self._stage is _Stage.ASKING:
            return self._ask()
        if self._stage is _Stage.ADVISING:
            return self._next_advice()
        return self._say((FAREWELL,), done=True)

    def _red_flag(self, folded: str) -> bool:
        if self._stage is _Stage.EMERGENCY:
            return False
        if alarm(folded) == "now":
            return True
        return self._open is RIGHT_NOW and (confirms(folded) or (says_yes(folded) and not passing(folded)))

    def _listen(self, folded: str, unheard: Turn) -> Reply:
        question, first = self._open, self._stage is _Stage.OPENING
        self._stage = _Stage.ASKING
        if question is not None and any(text.endswith("?") for text in unheard):
            self._caller.hear(folded)
            return self._again(question) or self._ask()
        self._caller.hear(folded, question.id if question else "")
        if question is not None and question.id == "breathing" and not passing(folded):
            if alarm(folded) == "unclear" or says_yes(folded):
                return self._ask(RIGHT_NOW)
            if not _speaks_of_breathing(folded):
                return self._again(question) or self._ask()
        return self._ask(lead=self._opening_words() if first else _later(folded))

    def _again(self, question: Question) -> Reply | None:
        """The same question once more; None when it was already repeated."""
        mark = f"{question.id} again"
        if mark in self._asked:
            return None
        self._asked.add(mark)
        return self._say(("Let me ask that once more.", question.words(self._caller)))

    def _opening_words(self) -> Turn:
        if self._caller.asks_about_paracetamol:
            return ("Please hold off on that for a moment, until I know more.",)
        if self._caller.wants_antibiotic:
            return ("I understand you want to get well fast. Before we talk about antibiotics, a few questions.",)
        return ("I'm sorry to hear that. I have a few questions first.",)

    def _ask(self, question: Question | None = None, lead: Turn = ()) -> Reply:
        chosen = question or next_question(self._caller, self._asked)
        asked = sum(1 for question in self._asked if not question.endswith("again"))
        if chosen is None or asked >= MOST_QUESTIONS:
            self._stage, self._open = _Stage.ADVISING, None
            self._advice = advice(self._caller)
            return self._next_advice()
        self._open = chosen
        self._asked.add(chosen.id)
        return self._say((*lead, chosen.words(self._caller)))

    def _next_advice(self, lead: Turn = ()) -> Reply:
        turn = self._advice.pop(0)
        if self._advice:
            turn = (*turn, _SO_FAR[self._checks % len(_SO_FAR)])
            self._checks += 1
        else:
            self._stage = _Stage.FOLLOW_UP
        return self._say((*lead, *turn))

    def _advise(self, folded: str, unheard: Turn) -> Reply:
        self._caller.hear(folded, "follow_up")
        answered = self._answer(folded)
        if self._stage is _Stage.ADVISING:
            lead = (*answered, *(text for text in unheard if text not in _SO_FAR))
            if lead and _words(lead) + _words(self._advice[0]) > LONGEST_TURN:
                return self._say((*lead, "Shall I go on?"))
            return self._next_advice(lead)
        self._follow_ups += 1
        closing = "?" not in folded and (_GOODBYE.search(folded) or _NO_MORE.search(folded))
        if unheard and not closing:
            return self._say((*answered, *unheard))
        if closing or not answered or self._follow_ups > MOST_FOLLOW_UPS:
            return self._say((FAREWELL,), done=True)
        return self._say((*answered, "Is there anything else?"))

    def _answer(self, folded: str) -> Turn:
        """An answer to what the caller asks or presses for while advice is given."""
        if _ANTIBIOTIC.search(folded) or (self._refusals and _LEFTOVER.search(folded)):
            self._refusals += 1
            return refuse_antibiotic(4 if _LEFTOVER.search(folded) else min(self._refusals, 3))
        return answer(folded, self._caller)

    def _say(self, turn: Turn, *, done: bool = False) -> Reply:
        if done:
            self._before_over, self._stage = self._stage, _Stage.OVER
        self._said = tuple(sentence for part in turn for sentence in cut_sentences(part))
        return Reply(" ".join(self._said), done)


def _words(turn: Turn) -> int:
    return sum(len(part.split()) for part in turn)


def _later(folded: str) -> Turn:
    asks = "?" in folded or _ANTIBIOTIC.search(folded)
    return ("I'll come to that in a moment.",) if asks else ()


def _speaks_of_breathing(folded: str) -> bool:
    fine = re.search(rf"{BREATHING}|\b(?:fine|ok|okay|normal|good|all right|not really)\b", folded)
    return bool(fine or passing(folded) or says_no(folded) or says_yes(folded))
