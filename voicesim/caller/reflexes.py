"""What every mind does alike: asks again when it heard nothing, stops saying goodbye, presses its point."""

import re

from voicesim.caller import phrases
from voicesim.caller.asked import declines, says_no
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.moves import Sentence, plain, says_goodbye
from voicesim.catalog.model import Patient

MOST_GOODBYES = 2
_NO = re.compile(
    r"^(?:no|sorry,? no|i'm sorry,? (?:but )?no)\b|\b(?:can't|cannot|can not|won't|will not|not able to|not going to"
    r"|don't|do not)\b.*\b(?:them|those|it|that|these)\b"
)


def reflex(sentences: tuple[Sentence, ...], memory: Memory, language: str = "en") -> PatientLine | None:
    """The line that needs no thought: for a turn that was not understood, and when all goodbyes are said."""
    goodbyes = sum(says_goodbye(line, language) for line in phrases.spoken(memory))
    if goodbyes >= MOST_GOODBYES:
        return PatientLine(phrases.phrase("no_more_goodbyes", language), hang_up=True)
    if goodbyes and not any(sentence.asks for sentence in sentences):
        return PatientLine(phrases.phrase("second_goodbye", language), hang_up=True)
    if not sentences:
        return PatientLine(phrases.pick(phrases.ways("unheard", language), memory))
    return None


def next_press(patient: Patient, memory: Memory) -> str:
    """The next line with which the patient presses for what was declined; "" when all were used."""
    insists = patient.insists
    if insists is None:
        return ""
    used = phrases.times(insists.says, memory)
    return insists.says[used] if used < min(insists.at_most, len(insists.says)) else ""


def pressed(sentences: tuple[Sentence, ...], patient: Patient, memory: Memory, language: str = "en") -> str:
    """The line to press with if the agent's words decline what the patient wants; "" otherwise."""
    insists, before = patient.insists, phrases.spoken(memory)[-1:]
    if insists is None:
        return ""
    just_pressed = any(line in before[0] for line in insists.says) if before else False
    if declines(sentences, insists, language) or (just_pressed and _still_no(sentences, language)):
        return next_press(patient, memory)
    return ""


def _still_no(sentences: tuple[Sentence, ...], language: str) -> bool:
    """A refusal that does not name its object again: "No, not for a cough.", "I can't give you those."."""
    if language != "en":
        return any(says_no(sentence.text, language) for sentence in sentences if not sentence.asks)
    return any(_NO.search(plain(sentence.text)) for sentence in sentences if not sentence.asks)
