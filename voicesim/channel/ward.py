"""Two places where patients call from or are put on hold: a hospital ward, and a waiting line with music."""

import numpy as np
from numpy.random import Generator

from voicesim.audio.samples import RATE, samples
from voicesim.channel.fir import around, low_pass
from voicesim.channel.noise import LENGTH, Loop, coloured, even, unit
from voicesim.channel.voices import babble

_BEAT = 60.0 / 75.0
"""Seconds between two beats of a heart at 75 a minute; the loop holds a whole number of them nearly."""
_TUNE = (0, 4, 7, 12, 7, 4, 2, 5, 9, 14, 9, 5, -1, 2, 7, 11, 7, 2, 0, 4, 7, 12, 7, 4)
"""Semitones above middle C, one every quarter second: four broken chords."""


def ward(random: Generator) -> Loop:
    """Two heart monitors of different pitch, the triple tone of an infusion pump, air conditioning and far voices."""
    far = unit(around(babble(random), low_pass(2_000.0, 121)))
    air = unit(coloured(random, lambda hz: np.where(hz >= 30.0, 1.0 / (1.0 + (hz / 200.0) ** 1.2), 0.0)))
    loop = 0.5 * far + 0.5 * air
    for hz, beat in ((960.0, _BEAT), (720.0, 60.0 / 88.0)):
        offset = random.uniform(0.0, beat)
        for second in np.arange(offset, LENGTH / RATE - 0.2, beat):
            _add(loop, second, _beep(hz, 0.09))
    for second in np.arange(random.uniform(2.0, 8.0), LENGTH / RATE - 2.0, 14.0):
        for number in range(3):
            _add(loop, second + 0.35 * number, 1.2 * _beep(1_480.0, 0.2))
    return even(loop)


def hold_music(random: Generator) -> Loop:
    """Broken chords on something like an electric piano, again and again."""
    loop = np.zeros(LENGTH)
    step = LENGTH / RATE / 120
    for number in range(120):
        hz = 261.63 * 2 ** (_TUNE[number % len(_TUNE)] / 12)
        time = np.arange(samples(0.9)) / RATE
        tone = sum(weight * np.sin(2 * np.pi * hz * part * time) for part, weight in ((1, 1.0), (2, 0.4), (3, 0.15)))
        places = (samples(number * step) + np.arange(len(time))) % LENGTH
        loop[places] += np.exp(-4.0 * time) * np.minimum(time * 200.0, 1.0) * tone
    return loop


def _beep(hz: float, length: float) -> Loop:
    time = np.arange(samples(length)) / RATE
    edge = np.minimum(1.0, 200.0 * np.minimum(time, length - time))
    return np.asarray(edge * (np.sin(2 * np.pi * hz * time) + 0.3 * np.sin(4 * np.pi * hz * time)))


def _add(loop: Loop, second: float, sound: Loop) -> None:
    places = (samples(second) + np.arange(len(sound))) % LENGTH
    loop[places] += sound
