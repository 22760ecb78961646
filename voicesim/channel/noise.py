"""Background noise made from nothing: loops of 30 seconds that begin where they end."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, samples

Loop = NDArray[np.float64]

LENGTH = samples(30.0)


def white(random: Generator) -> Loop:
    """Equal power at all frequencies."""
    return random.standard_normal(LENGTH)


def pink(random: Generator) -> Loop:
    """Equal power in all octaves from 20 Hz up."""
    return coloured(random, lambda hz: np.where(hz >= 20.0, 1.0 / np.sqrt(np.maximum(hz, 20.0)), 0.0))


def coloured(random: Generator, amplitude: Callable[[NDArray[Any]], NDArray[Any]]) -> Loop:
    """White noise with the amplitude spectrum of a function of frequency (Hz)."""
    hz = np.fft.rfftfreq(LENGTH, 1.0 / RATE)
    return np.fft.irfft(np.fft.rfft(white(random)) * amplitude(hz), LENGTH)


def street(random: Generator) -> Loop:
    """Rumble of engines far away, and cars that pass: the hiss of tyres over a swelling rumble."""
    rumble = coloured(random, lambda hz: np.where(hz >= 25.0, 1.0 / (1.0 + (hz / 120.0) ** 1.5), 0.0))
    tyres = coloured(random, lambda hz: np.exp(-0.5 * (np.log2(np.maximum(hz, 1.0) / 900.0) / 1.1) ** 2))
    rumble, tyres = unit(rumble), unit(tyres)
    cars = np.zeros(LENGTH)
    seconds = np.arange(LENGTH) / RATE
    # One car in every slot of three seconds: traffic, and no half minute much louder than the next.
    for slot in np.arange(0.0, LENGTH / RATE, 3.0):
        middle, width = slot + random.uniform(0.0, 3.0), random.uniform(0.5, 1.2)
        away = (seconds - middle + 15.0) % 30.0 - 15.0
        cars = cars + random.uniform(0.5, 1.0) * np.exp(-0.5 * (away / width) ** 2)
    return 0.8 * even(rumble * (0.8 + 0.4 * cars)) + 0.5 * even(tyres * (0.2 + cars))


def unit(loop: Loop) -> Loop:
    """The loop at an RMS of 1."""
    return np.asarray(loop / np.sqrt(np.mean(np.square(loop))))


def even(loop: Loop, stretch: float = 1.5) -> Loop:
    """The loop with no stretch of so many seconds louder than another: what swells and fades faster stays.

    A caller hears a part of the loop only. With this the ratio of speech to noise holds over any part.
    """
    window = np.zeros(LENGTH)
    length = samples(stretch)
    window[:length] = np.hanning(length) / np.hanning(length).sum()
    spectrum = np.fft.rfft(np.roll(window, -length // 2))
    for _ in range(2):
        around = np.fft.irfft(np.fft.rfft(np.square(loop)) * spectrum, LENGTH)
        loop = loop / np.sqrt(np.maximum(around, 1e-12))
    return loop


def hum(random: Generator) -> Loop:
    """Mains hum: 50 Hz and its harmonics, the odd ones stronger."""
    seconds = np.arange(LENGTH) / RATE
    phases = random.uniform(0.0, 2 * np.pi, size=12)
    parts = (
        (1.0 if number % 2 else 0.4) / number * np.sin(2 * np.pi * 50.0 * number * seconds + phases[number - 1])
        for number in range(1, 13)
    )
    return np.asarray(sum(parts))


def car(random: Generator) -> Loop:
    """Inside a car at an even speed: the engine's harmonics, tyres on asphalt, and wind that comes and goes."""
    seconds = np.arange(LENGTH) / RATE
    engine = sum(
        np.sin(2 * np.pi * 40.0 * number * seconds + random.uniform(0, 6.28)) / number for number in range(1, 9)
    )
    road = unit(coloured(random, lambda hz: np.where(hz >= 20.0, 1.0 / (1.0 + (hz / 90.0) ** 1.4), 0.0)))
    wind = unit(coloured(random, lambda hz: np.exp(-0.5 * (np.log2(np.maximum(hz, 1.0) / 700.0) / 1.2) ** 2)))
    gusts = 1.0 + 0.3 * np.sin(2 * np.pi * seconds * 3.0 / 30.0 + random.uniform(0, 6.28))
    return np.asarray(0.3 * unit(np.asarray(engine)) + road + 0.25 * even(wind * gusts))
