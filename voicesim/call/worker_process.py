"""The process in which Whisper, minds and voices run, so that they never hold up the pacing loop."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Any

import numpy as np

from voicesim.audio.samples import RATE, Pcm, to_wave
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.catalog.model import Case, Persona
from voicesim.tts.base import Speech

if TYPE_CHECKING:
    from voicesim.stt.whisper import Whisper

NICE = 10
"""The worker gives way to the process that keeps time."""
THREADS = 2
"""Threads of Whisper: the patient should not think longer than a person would."""


@contextmanager
def worker() -> Iterator[Executor]:
    """One worker process, started at first use; gone at the end, whatever it was doing."""
    pool = ProcessPoolExecutor(max_workers=1, mp_context=_WithoutMain(), initializer=_settle)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Process(SpawnProcess):
    """A process that does not run the caller's script again, so that a script needs no `__main__` guard."""

    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 (multiprocessing's name)
        main = sys.modules["__main__"]
        spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
        main.__spec__ = main.__file__ = None
        try:
            return SpawnProcess._Popen(process)
        finally:
            main.__spec__, main.__file__ = spec, file


class _WithoutMain(SpawnContext):
    Process = _Process


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


def _settle() -> None:
    """A worker leaves Ctrl-C to the main process and takes only the time that others leave."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
