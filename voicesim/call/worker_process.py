"""What the worker process does: Whisper, minds and voices, which would hold up the pacing loop."""

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from voicesim.audio.samples import RATE, Pcm, to_wave
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.catalog.model import Case, Persona
from voicesim.tts.base import Speech

if TYPE_CHECKING:
    from voicesim.stt.whisper import Whisper

THREADS = 2
"""Threads of Whisper: the patient should not think longer than a person would."""


def warm(whisper: str) -> str:
    """In the worker: load Whisper and let it run once; returns the sha256 of its weights."""
    model, silence = _whisper(whisper), np.zeros(RATE, np.float32)
    model.transcribe(silence, "en")
    model.transcribe_speech(silence, "en")
    return model.sha256


def hear(whisper: str, pcm: Pcm, language: str) -> str:
    """In the worker: the words of int16 mono at 24,000 Hz."""
    return _whisper(whisper).transcribe(to_wave(pcm), language).text


def think(mind: str, case: Case, heard: str, memory: Memory) -> PatientLine:
    """In the worker: what the patient of a case says next. Minds keep nothing between two turns."""
    return asyncio.run(make_mind(mind, case).reply(heard, memory))


def speak(text: str, persona: Persona, seed: int) -> Speech:
    """In the worker: a line in the persona's voice."""
    from voicesim.tts.synthesize import synthesize

    return synthesize(text, persona, seed)


@lru_cache(maxsize=1)
def _whisper(model: str) -> "Whisper":
    from voicesim.stt.whisper import load_whisper

    return load_whisper(model, threads=THREADS)
