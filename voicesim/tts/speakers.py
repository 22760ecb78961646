"""Other people's voices from hibari's one: each frame's spectrum and the pitch turned towards a speaker of Kokoro.

hibari's model gives a sentence as a pitch curve and, for each 12.5 ms, the log spectra of its harmonics, its noise
and a third part. A speaker is a small map, fitted once on sentences that both voices spoke
(benchmarks/fit_speakers.py): from the spectral envelope of a frame and its neighbours, in mel bands, to what is to
be added to it (a hidden layer of fixed random weights and a linear layer: an extreme learning machine, Huang et al.
2006); and the mean and spread of the log pitch (the usual linear transform of voice conversion, Stylianou et al.
1998). It costs a fiftieth of real time, where Kokoro itself takes more than half of it.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, Wave
from voicesim.errors import UsageError, near

Floats = NDArray[np.float64]

FFT = 1_200
BANDS = 32
_LIMIT = 5.0
_VOICED_HZ = 40.0
_SMOOTH = np.ones(5) / 5
_HARMONIC_POWER = 150.0
"""Power of a harmonic's line in the spectrum of a frame against its log magnitude, for the envelope of all parts."""


@dataclass(frozen=True)
class Speaker:
    """`pitch`: mean and spread of log Hz, of the speaker and of hibari's voice. `hidden` and `weights`: the map."""

    pitch: tuple[float, float, float, float]
    hidden: Floats
    weights: Floats

    def speak(self, model: Any, phonemes: str, seed: tuple[int, int]) -> Wave:
        """The speaker's sound of phonemes, float32 mono at 24,000 Hz, by a loaded hibari model."""
        from hibari import dsp

        ids = np.asarray([model.ids(phonemes)], np.int64)
        parts = model.sess.run(None, {"ids": ids, "speed": np.asarray([1.0], np.float32)})
        harmonics, phase, noise, rest, angle, pitch = (part[0] for part in parts)
        added = self.gain(harmonics, noise, rest)
        wave: Wave = dsp.synth(
            harmonics + added, phase, noise + added, rest + added, angle, self.turned_pitch(pitch),
            np.random.default_rng(seed),
        )  # fmt: skip
        return wave

    def turned_pitch(self, hz: NDArray[np.float32]) -> NDArray[np.float32]:
        """A pitch curve in Hz (0 where unvoiced) with the speaker's mean and spread."""
        mean, spread, from_mean, from_spread = self.pitch
        turned = np.exp(mean + (np.log(np.maximum(hz, _VOICED_HZ)) - from_mean) * spread / from_spread)
        return np.where(hz > _VOICED_HZ, turned, 0.0).astype(np.float32)

    def gain(
        self, harmonics: NDArray[np.float32], noise: NDArray[np.float32], rest: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """What is added to the log magnitudes of a sentence, shape (601, frames)."""
        wanted = features(envelope(harmonics, noise, rest), self.hidden) @ self.weights
        padded = np.pad(wanted, ((2, 2), (0, 0)), mode="edge")
        smooth = np.stack([np.convolve(padded[:, band], _SMOOTH, "valid") for band in range(BANDS)])
        hz = np.arange(FFT // 2 + 1) * RATE / FFT
        _, centres = mel_bands()
        frames = np.clip(smooth, -_LIMIT, _LIMIT).T
        return np.stack([np.interp(hz, centres, frame) for frame in frames]).T.astype(np.float32) / np.float32(2.0)


def speaker_names() -> tuple[str, ...]:
    """The speakers that hibari's voice can be turned into, sorted."""
    return tuple(sorted(name.removesuffix(".weights") for name in _data() if name.endswith(".weights")))


@cache
def speaker(name: str) -> Speaker:
    """Raises UsageError for an unknown name."""
    data = _data()
    if f"{name}.weights" not in data:
        raise UsageError(f"there is no speaker {name!r}.{near(name, speaker_names())}")
    mean, spread, from_mean, from_spread = (float(value) for value in data[f"{name}.pitch"])
    hidden, weights = data["hidden"].astype(np.float64), data[f"{name}.weights"].astype(np.float64)
    return Speaker((mean, spread, from_mean, from_spread), hidden, weights)


@cache
def _data() -> dict[str, NDArray[Any]]:
    file = files("voicesim.tts") / "data" / "speakers.npz"
    with file.open("rb") as source, np.load(source) as stored:
        return {name: stored[name] for name in stored.files}


@cache
def mel_bands() -> tuple[Floats, Floats]:
    """Triangular bands, evenly over the mel scale from 60 to 11,800 Hz and at least 240 Hz wide: weights of
    shape (BANDS, 601) that add up to 1 in each band, and the centres in Hz."""
    edges = 700.0 * (10 ** (np.linspace(_mel(60.0), _mel(11_800.0), BANDS + 2) / 2595.0) - 1.0)
    hz = np.arange(FFT // 2 + 1) * RATE / FFT
    weights = np.zeros((BANDS, len(hz)))
    for band, (low, centre, high) in enumerate(zip(edges, edges[1:], edges[2:], strict=False)):
        below, above = max(centre - low, 120.0), max(high - centre, 120.0)
        rising, falling = (hz - centre + below) / below, (centre + above - hz) / above
        weights[band] = np.clip(np.minimum(rising, falling), 0.0, None)
    return weights / weights.sum(axis=1, keepdims=True), edges[1:-1]


def envelope(harmonics: NDArray[np.float32], noise: NDArray[np.float32], rest: NDArray[np.float32]) -> Floats:
    """Log power of each frame in mel bands, shape (frames, BANDS), from the log magnitudes of the three parts."""
    power = np.exp(2.0 * harmonics) * _HARMONIC_POWER + np.exp(2.0 * noise) + np.exp(2.0 * rest)
    return np.asarray(np.log(power.T @ mel_bands()[0].T + 1e-7))


def features(bands: Floats, hidden: Floats) -> Floats:
    """What the linear layer sees of each frame: the hidden layer's output, the frame's own bands, and a constant."""
    scaled = (bands + 4.0) / 4.0
    padded = np.pad(scaled, ((2, 2), (0, 0)), mode="edge")
    ones = np.ones((len(bands), 1))
    around = np.concatenate([padded[:-4], padded[2:-2], padded[4:], ones], axis=1)
    return np.concatenate([np.tanh(around @ hidden), scaled, ones], axis=1)


def _mel(hz: float) -> float:
    return float(2595.0 * np.log10(1.0 + hz / 700.0))
