"""Sounds of a patient that are no words, and words said away from the phone. 24,000 Hz float32, seeded."""

from collections.abc import Callable

import numpy as np

from voicesim.audio.samples import RATE, Wave, samples

KEYS = "keys:"
"""A sound of this name and some of 0 to 9, * and # is these keys of a telephone, pressed one after the other."""

_COUGH_PEAK, _KNOCK_PEAK = 0.5, 0.25
_BREATH_PEAK = 0.05
"""About 20 dB under the speech, as a breath into a handset is."""
_ASIDE_DB = -12.0
_ASIDE_HZ = 1800.0
"""A head that is turned away from the phone gives it less sound, and little above this."""
_KEY_SECONDS, _KEY_PAUSE, _KEY_LEVEL = 0.12, 0.08, 0.15
_ROWS, _COLUMNS = (697.0, 770.0, 852.0, 941.0), (1209.0, 1336.0, 1477.0)
_KEYPAD = ("123", "456", "789", "*0#")
"""Tones of ITU-T Q.23: a key sounds the tone of its row and that of its column."""


def make_sound(sound: str, seed: int) -> Wave:
    """A sound by its name (one of SOUNDS, or `keys:` and the keys); the same seed gives the same samples."""
    if sound.startswith(KEYS):
        return _keys(sound.removeprefix(KEYS))
    return _MAKERS[sound](np.random.default_rng([seed, *sound.encode()]))


def aside(wave: Wave) -> Wave:
    """The wave as said away from the phone: 12 dB softer and dull (second-order low-pass at 1.8 kHz)."""
    from scipy.signal import butter, sosfilt

    dull = sosfilt(butter(2, _ASIDE_HZ, fs=RATE, output="sos"), wave)
    return np.asarray(dull * 10 ** (_ASIDE_DB / 20), np.float32)


def _cough(random: np.random.Generator) -> Wave:
    """Two coughs: each a burst of air at full force, a rush that dies down, and a little voice at its end."""
    parts: list[Wave] = []
    for force in (1.0, float(random.uniform(0.5, 0.8))):
        burst = _noise(random, 0.05, 400.0, 5000.0) * _fading(0.05, 0.6)
        rush = _noise(random, 0.18, 300.0, 3000.0) * _fading(0.18, 0.08) * 0.45
        voice = _rough_voice(random, 0.09) * _fading(0.09, 0.1) * 0.25
        gap = np.zeros(samples(float(random.uniform(0.08, 0.16))), np.float32)
        parts += [np.asarray(force * np.concatenate([burst, rush, voice]), np.float32), gap]
    return _at_peak(np.concatenate(parts[:-1]), _COUGH_PEAK)


def _breath(random: np.random.Generator) -> Wave:
    """One breath in: air that swells over two thirds of its time and stops."""
    length = float(random.uniform(0.35, 0.6))
    air = _noise(random, length, 800.0, 4500.0)
    rise = samples(length * 0.65)
    swell = np.concatenate([np.linspace(0.0, 1.0, rise), np.linspace(1.0, 0.0, len(air) - rise)]) ** 1.5
    return _at_peak(air * swell, _BREATH_PEAK)


def _knock(random: np.random.Generator) -> Wave:
    """Three knocks at a door: short thuds that ring low."""
    thud = _noise(random, 0.09, 90.0, 700.0) * _fading(0.09, 0.01)
    gap = np.zeros(samples(0.14), np.float32)
    return _at_peak(np.concatenate([thud, gap, thud, gap, thud]), _KNOCK_PEAK)


def _beep(_: np.random.Generator) -> Wave:
    """The tone of an answering machine: 1 kHz for 0.4 s."""
    return _tones((1000.0,), 0.4)


def _keys(keys: str) -> Wave:
    pause = np.zeros(samples(_KEY_PAUSE), np.float32)
    return np.concatenate([wave for key in keys for wave in (_tones(_key_tones(key), _KEY_SECONDS), pause)])


def _key_tones(key: str) -> tuple[float, float]:
    row = next(n for n, keys in enumerate(_KEYPAD) if key in keys)
    return _ROWS[row], _COLUMNS[_KEYPAD[row].index(key)]


def _tones(frequencies: tuple[float, ...], length: float) -> Wave:
    """Sines of these frequencies (Hz) together for `length` seconds, with 5 ms of onset and end."""
    time = np.arange(samples(length)) / RATE
    wave = np.sum([np.sin(2 * np.pi * frequency * time) for frequency in frequencies], axis=0)
    ramp = np.minimum(1.0, np.minimum(time, time[::-1]) / 0.005)
    return np.asarray(wave * ramp * _KEY_LEVEL, np.float32)


def _noise(random: np.random.Generator, length: float, low: float, high: float) -> Wave:
    """Noise in a band (Hz), `length` in seconds, with a peak of 1."""
    from scipy.signal import butter, sosfilt

    band = butter(2, (low, high), btype="bandpass", fs=RATE, output="sos")
    return _at_peak(sosfilt(band, random.standard_normal(samples(length))), 1.0)


def _rough_voice(random: np.random.Generator, length: float) -> Wave:
    """A rough voice that falls: harmonics of a tone from about 180 Hz down to two thirds of it, with a peak of 1."""
    count = samples(length)
    pitch = float(random.uniform(150.0, 210.0)) * np.linspace(1.0, 0.66, count)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    tone = np.sum([np.sin(n * phase) / n for n in range(1, 12)], axis=0)
    return _at_peak(tone * (1 + 0.3 * random.standard_normal(count)), 1.0)


def _fading(length: float, last: float) -> Wave:
    """A level that falls evenly in dB from 1 to `last` over `length` seconds, with 2 ms of onset."""
    level = np.geomspace(1.0, last, samples(length))
    onset = samples(0.002)
    level[:onset] *= np.linspace(0.0, 1.0, onset)
    return np.asarray(level, np.float32)


def _at_peak(wave: np.ndarray, peak: float) -> Wave:
    return np.asarray(wave * (peak / np.abs(wave).max()), np.float32)


_MAKERS: dict[str, Callable[[np.random.Generator], Wave]] = {
    "cough": _cough,
    "breath": _breath,
    "knock": _knock,
    "beep": _beep,
}
SOUNDS = frozenset(_MAKERS)
