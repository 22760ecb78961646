"""How alike two voices sound, by a simple speaker measure: the spectrum's shape and the pitch.

A voice is the mean and spread of nineteen mel cepstra over its active 20 ms frames (without the first, which is the
level; Davis and Mermelstein 1980), and the median and spread of the log pitch. Differences count in units of how much
one voice varies from sentence to sentence. The measure tells timbre and pitch apart, men from women, one speaker from
another on a clean line. It says nothing about age, accent or how natural a voice is, and it is no voice biometry.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, Wave
from voicesim.tts.shape import active_frames

Print = NDArray[np.float64]
"""Forty numbers of one sentence; see print_of."""

_FFT, _HOP, _BANDS, _CEPSTRA = 1_024, 480, 32, 19
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 400.0


def print_of(wave: Wave) -> Print:
    """The numbers of a sentence (float32 mono at 24,000 Hz): cepstra's means and spreads, pitch's median and spread."""
    from scipy.fft import dct

    frames = np.lib.stride_tricks.sliding_window_view(np.pad(wave, _FFT // 2), _FFT)[::_HOP]
    active = active_frames(wave)
    frames = frames[: len(active)][active[: len(frames)]]
    power = np.abs(np.fft.rfft(frames * np.hanning(_FFT), axis=1)) ** 2
    cepstra = dct(np.log(power @ _mel_bands().T + 1e-9), axis=1, norm="ortho")[:, 1 : 1 + _CEPSTRA]
    pitch = np.log(pitch_of(wave))
    tone = [float(np.median(pitch)), float(pitch.std())] if len(pitch) else [0.0, 0.0]
    return np.concatenate([cepstra.mean(axis=0), cepstra.std(axis=0), tone])


def pitch_of(wave: Wave) -> NDArray[np.float64]:
    """Fundamental frequency in Hz of each clearly voiced 50 ms, by autocorrelation (Boersma 1993)."""
    size = RATE // 20
    window = np.hanning(size)
    lags = slice(round(RATE / _HIGHEST_HZ), round(RATE / _LOWEST_HZ))
    of_window = np.fft.irfft(np.abs(np.fft.rfft(window, 4 * size)) ** 2)[: lags.stop + 1]
    track = []
    loudest = float(np.max(np.square(wave), initial=0.0))
    for start in range(0, len(wave) - size, _HOP):
        frame = wave[start : start + size].astype(np.float64)
        if np.mean(np.square(frame)) < 1e-3 * loudest:
            continue
        echo = np.fft.irfft(np.abs(np.fft.rfft((frame - frame.mean()) * window, 4 * size)) ** 2)[: lags.stop + 1]
        ratio = echo / (echo[0] + 1e-12) / (of_window / of_window[0])
        best = lags.start + int(np.argmax(ratio[lags]))
        shorter = (lag for lag in range(lags.start, best) if ratio[lag] > 0.9 * ratio[best] and _is_peak(ratio, lag))
        if ratio[best] > 0.6:
            track.append(RATE / next(shorter, best))
    return np.array(track)


def distances(prints: Mapping[str, Sequence[Print]]) -> dict[tuple[str, str], float]:
    """The distance of each two voices: the root mean square difference of their means, in spreads of one voice."""
    means, spread = _means_and_spread(prints)
    names = list(prints)
    return {
        (first, second): _distance(means[first], means[second], spread)
        for number, first in enumerate(names)
        for second in names[number + 1 :]
    }


def told_apart(prints: Mapping[str, Sequence[Print]]) -> float:
    """The share of sentences whose nearest voice, made from the other sentences, is their own. Needs two of each."""
    _, spread = _means_and_spread(prints)
    right, total = 0, 0
    for name, own in prints.items():
        for number, sentence in enumerate(own):
            rest = {other: [p for n, p in enumerate(those) if other != name or n != number]
                    for other, those in prints.items()}  # fmt: skip
            nearest = min(rest, key=lambda other: _distance(sentence, np.mean(rest[other], axis=0), spread))
            right, total = right + (nearest == name), total + 1
    return right / total


def _means_and_spread(prints: Mapping[str, Sequence[Print]]) -> tuple[dict[str, Print], Print]:
    means = {name: np.mean(own, axis=0) for name, own in prints.items()}
    within = np.concatenate([np.stack(own) - means[name] for name, own in prints.items()])
    return means, np.sqrt(np.mean(np.square(within), axis=0)) + 1e-6


def _distance(first: Print, second: Print, spread: Print) -> float:
    return float(np.sqrt(np.mean(np.square((first - second) / spread))))


def _is_peak(ratio: NDArray[np.float64], lag: int) -> bool:
    return bool(ratio[lag] >= ratio[lag - 1] and ratio[lag] >= ratio[lag + 1])


def _mel_bands() -> NDArray[np.float64]:
    edges = 700.0 * (10 ** (np.linspace(100.0, 3_000.0, _BANDS + 2) / 2595.0) - 1.0)
    hz = np.fft.rfftfreq(_FFT, 1.0 / RATE)[None, :]
    low, centre, high = (edges[n : n + _BANDS, None] for n in range(3))
    return np.clip(np.minimum((hz - low) / (centre - low), (high - hz) / (high - centre)), 0.0, None)
