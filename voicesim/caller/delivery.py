"""How a line is said: in which parts, with which pauses, fillers and sounds between them."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from voicesim.audio.samples import samples
from voicesim.caller.mind import Part, PatientLine
from voicesim.caller.own_words import mid_sentence
from voicesim.caller.phrases import phrases_of
from voicesim.caller.sounds import aside, make_sound
from voicesim.caller.turn_taking import Dice
from voicesim.catalog.model import TurnTaking
from voicesim.tts.base import Speech

BREATH_PAUSE = 0.08
"""Seconds between a breath and the first word."""
LEAST_WORDS = 5
"""A line of fewer words is said in one go."""
_MARKS = re.compile(r"[,;.!?…-]+\s+")


def delivered(line: PatientLine, turn_taking: TurnTaking, dice: Dice, language: str = "en") -> PatientLine:
    """The line as a persona says it: by its chances of a breath before it, a filler and a pause inside it.

    The text takes the fillers in. A line that has parts already is said as it is.
    """
    if line.parts:
        return line
    first, rest = line.text, ""
    if dice.happens("hesitation", turn_taking.hesitation):
        first, rest = _parted(line.text, dice)
    if dice.happens("filler", turn_taking.filler):
        filler = dice.pick("filler words", phrases_of(language)["fillers"])
        if rest:
            rest = f"{filler if first[-1] in '.!?' else filler.lower()} {mid_sentence(rest)}"
        else:
            first = f"{filler} {mid_sentence(first)}"
    parts = [Part(first), Part(rest, pause=dice.pause())] if rest else [Part(first)]
    if dice.happens("breath", turn_taking.breath):
        parts = [Part(sound="breath"), replace(parts[0], pause=BREATH_PAUSE), *parts[1:]]
    return replace(line, text=f"{first} {rest}".strip(), parts=tuple(parts))


def slipped(text: str, wrong: str, right: str, repair: str) -> str:
    """A line in which the speaker first says the wrong words and corrects itself; as it is without the right ones.

    >>> slipped("It's on the thirteenth.", "the twelfth", "the thirteenth", "no,")
    "It's on the twelfth, no, the thirteenth."
    """
    place = re.search(rf"\b{re.escape(right)}\b", text, re.IGNORECASE)
    if place is None:
        return text
    if not place.start():
        return f"{wrong[:1].upper()}{wrong[1:]}, {repair} {mid_sentence(text)}"
    return f"{text[: place.start()]}{wrong}, {repair} {text[place.start() :]}"


def join(parts: Sequence[Part], speeches: Sequence[Speech], seed: int) -> Speech:
    """The sound of a line's parts; `speeches` are those of its parts with words, in order."""
    left, waves = iter(speeches), []
    for part in parts:
        wave = make_sound(part.sound, seed) if part.sound else next(left).wave
        waves += [np.zeros(samples(part.pause), np.float32), aside(wave) if part.aside else wave]
    text = " ".join(part.text for part in parts if part.text)
    return Speech(np.concatenate(waves), text, " ".join(speech.spoken for speech in speeches))


def _parted(text: str, dice: Dice) -> tuple[str, str]:
    """A line in two, at one of its marks or else between two words; the second is empty for a short line."""
    words = text.split()
    if len(words) < LEAST_WORDS:
        return text, ""
    marks = [mark.end() for mark in _MARKS.finditer(text)]
    if marks:
        place = dice.pick("place", marks)
        return text[:place].rstrip(), text[place:]
    middle = dice.pick("place", range(2, len(words) - 1))
    return " ".join(words[:middle]), " ".join(words[middle:])
