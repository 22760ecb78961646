"""What the worker processes do: Whisper, minds and voices, which would hold up the pacing loop."""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from voicesim.audio.samples import RATE, Pcm, samples, to_wave
from voicesim.caller.delivery import join
from voicesim.caller.mind import Memory, Part, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.caller.understanding import Understood
from voicesim.catalog.model import Case, Persona
from voicesim.stt.finished import finished_probability
from voicesim.tts.base import Speech

if TYPE_CHECKING:
    from voicesim.stt.whisper import Whisper

THREADS = 1
"""Threads of Whisper: on short windows one is as fast as two, and the agent may need the other core."""


def warm_ear(whisper: str, language: str = "en") -> str:
    """In the ear's process: load the models and let them run once; returns the sha256 of Whisper's weights.

    Raises UsageError for a model that does not understand the language.
    """
    model, silence = _whisper(whisper), np.zeros(RATE, np.float32)
    model.check_language(language)
    model.dictate_speech(silence, language)
    finished_probability(silence)
    return model.sha256


def hear(whisper: str, turn: Pcm, stretch: Pcm, language: str, before: str) -> Understood:
    """In the ear's process: a stretch (int16 mono, 24,000 Hz), and whether the turn up to its end was finished."""
    heard = _whisper(whisper).dictate(to_wave(stretch), language, before)
    finished = finished_probability(to_wave(turn)) if heard.text else 1.0
    return Understood(heard.text, finished, heard.confidence)


def warm_mind(mind: str, case: Case) -> str:
    """In the voice's process: make the mind once, so that its first thought takes no longer; returns its name."""
    made = make_mind(mind, case)
    made.warm()
    return made.name


def think(mind: str, case: Case, heard: str, memory: Memory, hurried: bool) -> PatientLine:
    """In the voice's process: what the patient of a case says next. Minds keep nothing between two turns.

    Not `hurried`, as on virtual time, it may take as long as it takes.
    """
    made = make_mind(mind, case)
    if not hurried:
        made.take_time()
    return asyncio.run(made.reply(heard, memory))


def speak(parts: Sequence[Part], persona: Persona, seed: int) -> Speech:
    """In the voice's process: a line by its parts, in the persona's voice and its companion's."""
    other = persona.model_copy(update={"voice": persona.companion.voice})
    worded = [part for part in parts if not part.sound]
    speeches = [_voiced(part.text, persona if part.speaker == "patient" else other, seed) for part in worded]
    return join(parts, speeches, seed)


def voice(text: str, persona: Persona, seed: int) -> None:
    """In the voice's process: voice a line that may be needed; its sentences are kept in the cache."""
    _voiced(text, persona, seed)


def _voiced(text: str, persona: Persona, seed: int) -> Speech:
    """A text, its sentences one by one: each is found again where it was voiced before, whatever stood beside it."""
    from voicesim.tts.phonemes import PAUSE
    from voicesim.tts.synthesize import sentence_by_sentence

    speeches = list(sentence_by_sentence(text, persona, seed))
    pause = np.zeros(samples(PAUSE / persona.rate), np.float32)
    waves = [wave for speech in speeches for wave in (pause, speech.wave)][1:]
    return Speech(np.concatenate(waves), text, " ".join(speech.spoken for speech in speeches))


@lru_cache(maxsize=1)
def _whisper(model: str) -> "Whisper":
    from voicesim.stt.whisper import load_whisper

    return load_whisper(model, threads=THREADS)
