"""The nurse line in the caller's own process: real voice, real ear, no wire; for virtual time, clean or with one fault.

    voicesim run cold-04-emergency-dyspnea --agent python:voicesim.reference_agents.in_process:clean --clock virtual

Every fault of `planted.PLANTED` is a factory of this module by its name.
"""

from collections import deque
from collections.abc import Callable, Coroutine
from functools import lru_cache, partial
from typing import Any

import numpy as np

from voicesim.audio.samples import TICK, Pcm, quantize, samples, to_wave
from voicesim.errors import near
from voicesim.reference_agents.brain import Reply, cut_sentences
from voicesim.reference_agents.planted import CLEAN, PLANTED, Planted
from voicesim.reference_agents.voice import AgentVoice
from voicesim.stt.vad import StreamingVad
from voicesim.stt.whisper import Whisper, load_whisper

SPEECH = 0.5
PADDING = samples(0.3)
"""Sound before its first voiced window that belongs to a turn of the caller."""
FAREWELL_REST = samples(0.4)
"""Silence between the last word and hanging up."""


class SpokenNurse:
    """Hears with Whisper and voice activity detection, thinks with a brain, speaks sentence by sentence."""

    def __init__(self, planted: Planted) -> None:
        self._brain, self._conduct = planted.brain(), planted.conduct
        self._voice, self._whisper = _parts()
        self._vad = StreamingVad()
        self._out: deque[tuple[str, Pcm]] = deque()
        self._spoken: list[str] = []
        self._heard: Pcm = np.zeros(0, np.int16)
        self._voiced = self._quiet = self._wait = self._answers = 0
        self._done = False
        self._say(self._brain.greet() or "", samples(0.3))

    def tick(self, caller: Pcm) -> Pcm | None:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        self._hear(caller)
        if self._conduct.drops_after is not None and self._answers > self._conduct.drops_after and self._out:
            return None
        if self._done and not self._out and self._wait <= 0:
            return None
        return self._next()

    def _hear(self, block: Pcm) -> None:
        """Take in the caller's sound; stop for it, or answer it when it is over."""
        self._heard = np.concatenate([self._heard, block])
        for window in self._vad.feed(block):
            if window.speech >= SPEECH:
                self._voiced, self._quiet = self._voiced + TICK * 8 // 5, 0
            elif self._voiced:
                self._quiet += TICK * 8 // 5
        if not self._voiced:
            self._heard = self._heard[-PADDING:]
            return
        if self._out and self._voiced >= self._conduct.stops_after:
            self._stop()
        if self._quiet >= self._conduct.endpoint:
            self._turn_over()

    def _stop(self) -> None:
        """The caller interrupts: what was not said is dropped."""
        if self._conduct.ignores_barge_in:
            return
        self._out.clear()
        self._wait = 0
        self._brain.interrupted(" ".join(self._spoken[:-1]))

    def _turn_over(self) -> None:
        """Answer the caller; what was said into the agent's own turn and did not stop it is let go."""
        sound, voiced, quiet = self._heard, self._voiced, self._quiet
        self._heard, self._voiced, self._quiet = np.zeros(0, np.int16), 0, 0
        if self._out or self._done:
            return
        if voiced < samples(0.25):
            return
        text = self._whisper.dictate(to_wave(sound), "en").text
        reply = _result(self._brain.reply(text))
        self._answers += 1
        self._done = reply.done
        self._say(reply.text, max(self._conduct.delay - quiet, 0))

    def _say(self, text: str, after: int) -> None:
        sentences = cut_sentences(text)
        self._spoken, self._wait = [], after
        self._out.extend((sentence, quantize(self._voice.speak(sentence)).pcm) for sentence in sentences)
        if self._done:
            self._out.append(("", np.zeros(FAREWELL_REST, np.int16)))

    def _next(self) -> Pcm:
        """The next 20 ms of sound."""
        if self._wait > 0 or not self._out:
            self._wait -= TICK
            return np.zeros(TICK, np.int16)
        sentence, sound = self._out.popleft()
        if sentence and (not self._spoken or self._spoken[-1] != sentence):
            self._spoken.append(sentence)
        if len(sound) > TICK:
            self._out.appendleft((sentence, sound[TICK:]))
        return np.pad(sound[:TICK], (0, TICK - len(sound[:TICK])))


def make(planted: Planted) -> SpokenNurse:
    """An agent for one call. Raises UsageError when its voice or its ear is not installed."""
    return SpokenNurse(planted)


@lru_cache(maxsize=1)
def _parts() -> tuple[AgentVoice, Whisper]:
    """The voice and the ear of all agents of this process."""
    return AgentVoice(), load_whisper("base", threads=1)


def _result(reply: Coroutine[Any, Any, Reply]) -> Reply:
    """What a brain that waits for nothing answers."""
    try:
        reply.send(None)
    except StopIteration as done:
        said: Reply = done.value
        return said
    reply.close()
    raise RuntimeError("a brain in the caller's process must not wait for anything")


def __getattr__(name: str) -> Callable[[], SpokenNurse]:
    """The factory of the clean agent, and of each fault by its name."""
    if name == CLEAN.name:
        return partial(make, CLEAN)
    if name in PLANTED:
        return partial(make, PLANTED[name])
    raise AttributeError(f"there is no agent {name!r}.{near(name, [CLEAN.name, *PLANTED])}")
