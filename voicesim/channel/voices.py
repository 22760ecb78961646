"""Noise made of voices: people talking at once, near (babble) or across a room (cafe)."""

import numpy as np
from numpy.random import Generator

from voicesim.audio.samples import RATE, samples
from voicesim.catalog.model import Persona, Voice
from voicesim.channel.fir import around, low_pass
from voicesim.channel.noise import LENGTH, Loop, even, pink, unit
from voicesim.tts.synthesize import synthesize

_TALKERS = ("michael", "sarah", "george", "heart", "puck", "isabella")
_TALK = (
    "We went to the market on Saturday and came home with far too many mangoes.",
    "He said the train was late again, so nobody really started before ten.",
    "I like the small table near the window, because the light is good there.",
    "They are painting the kitchen yellow, and I am not sure that I agree.",
    "My brother wants to sell the old car, but who would ever buy it from him?",
    "It rained the whole afternoon, and the children built a castle out of boxes.",
    "She reads two books a week and still remembers who gave her every one of them.",
    "The soup was better last time, though the bread is still warm and very good.",
    "You should see the garden now, everything came up after that long winter.",
    "We could leave on Thursday and be back before your mother notices at all.",
    "There is a new bakery at the corner, and they open earlier than anyone else.",
    "I told him twice that the key is under the blue pot, not under the mat.",
)
_CLINKS = 24
_REVERBERATION = 0.6


def babble(random: Generator) -> Loop:
    """Six people who talk without a pause, each as loud as the other."""
    return even(sum((_talker(name, number, random) for number, name in enumerate(_TALKERS)), np.zeros(LENGTH)))


def cafe(random: Generator) -> Loop:
    """The same people doubled and across a room that rings for 0.6 s, over a low hum, with cups that clink."""
    far = around(babble(random) + babble(random), low_pass(3_500.0, 121))
    room = _room(random)
    talk = np.fft.irfft(np.fft.rfft(far) * np.fft.rfft(room, LENGTH), LENGTH)
    return even(talk) + 0.2 * unit(pink(random)) + 0.25 * unit(_clinks(random))


def _talker(name: str, number: int, random: Generator) -> Loop:
    """One voice that fills the loop, begun at a place of its own."""
    turned = _TALK[2 * number :] + _TALK[: 2 * number]
    voice = Voice(name=name)
    persona = Persona(id="talker", title="someone else in the room", voice=voice, rate=1.0 + 0.02 * number)
    talk = synthesize(" ".join(turned), persona, seed=number).wave.astype(np.float64)
    loop = unit(np.resize(talk, LENGTH))
    return np.roll(loop, int(random.integers(LENGTH)))


def _room(random: Generator) -> Loop:
    """The tail of a room as noise that falls by 60 dB in the reverberation time (Moorer 1979)."""
    seconds = np.arange(samples(_REVERBERATION)) / RATE
    tail = random.standard_normal(len(seconds)) * 10 ** (-3.0 * seconds / _REVERBERATION)
    tail[0] += 6.0
    return tail


def _clinks(random: Generator) -> Loop:
    """Cups and spoons: short, high, ringing, a few of them every ten seconds."""
    loop = np.zeros(LENGTH)
    seconds = np.arange(samples(0.25)) / RATE
    for _ in range(_CLINKS):
        ring = np.zeros(len(seconds))
        for hz in random.uniform(2_200.0, 6_500.0, size=3):
            ring += np.sin(2 * np.pi * hz * seconds) * np.exp(-seconds * random.uniform(25.0, 60.0))
        at = int(random.integers(LENGTH))
        loop[(at + np.arange(len(ring))) % LENGTH] += random.uniform(0.3, 1.0) * ring
    return loop
