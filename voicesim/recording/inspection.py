"""What is odd about the sound of an imported call: looked at block by block, told in words."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.resampling import resample
from voicesim.recording.sound_file import Frames

SAME = 1e-4
"""Share of the power by which two channels may differ and still be one sound (-40 dB)."""
SILENT = 10 ** (-70 / 20)
"""RMS of full scale under which a channel holds no call (-70 dBFS)."""
FLAT_TOP, FLAT_RUN = 0.97, 3
"""A sample is clipped with so much of full scale, in a run of as many at the channel's own peak."""
CLIPPED = 1e-5
"""Share of clipped samples from which it is told."""
OFFSET = 0.003
"""Mean of full scale from which a channel has a direct current (-50 dBFS), which would hide quiet sound."""
HOLE, LONG_HOLE, EDGE = 0.02, 0.5, 0.01
"""A gap: zeros for so many seconds in a channel that sounds right before and after them, from at least this level."""
CROSSTALK = "(crosstalk)"
LEAK_RATE = 4_000
LEAK_WINDOW = 2.0
LEAK_LAG = 0.5
LEAK_BELOW, LEAK_FLOOR, LEAK_LIKE = 6.0, -75.0, 0.5
"""One side is heard in the other's channel where that is so much (dB) quieter, above the floor, and as much alike."""
LEAST_LEAKS = 3
DRIFT = 20e-6
"""Share by which the lag of what leaks changes with time, from which two clocks drift apart."""


@dataclass
class _Channel:
    """Running figures of one channel."""

    count: int = 0
    total: float = 0.0
    power: float = 0.0
    peak: float = 0.0
    clipped: int = 0
    holes: list[float] = field(default_factory=list)
    zeros: int = 0
    before: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def rms(self) -> float:
        """Without the direct current."""
        return float(np.sqrt(max(0.0, self.power / self.count - self.mean**2))) if self.count else 0.0


@dataclass(frozen=True)
class _Leak:
    """Sound of channel `source` in the other one: when, how much quieter (dB), and how much later (seconds)."""

    source: int
    at: float
    below: float
    lag: float


class Inspection:
    """Looks at a call of one or two channels at a rate (Hz), given in blocks of any length."""

    def __init__(self, rate: int, channels: int) -> None:
        self._rate = rate
        self._channels = [_Channel() for _ in range(channels)]
        self._difference = 0.0
        self._leaks: list[_Leak] = []
        self._rest: Frames = np.zeros((0, channels), np.float32)
        self._at = 0

    @property
    def seconds(self) -> float:
        """How much was looked at."""
        return self._channels[0].count / self._rate

    @property
    def offsets(self) -> tuple[float, ...]:
        """The direct current of each channel that is worth taking out, and 0 for the others."""
        return tuple(channel.mean if abs(channel.mean) >= OFFSET else 0.0 for channel in self._channels)

    @property
    def one_sound(self) -> bool:
        """Whether both channels hold the same, perhaps at another level: a mix of both sides."""
        if len(self._channels) < 2:
            return False
        left, right = self._channels
        return left.rms > SILENT and right.rms > SILENT and self._unlike() < SAME

    def feed(self, frames: Frames) -> None:
        """The next samples, shape (samples, channels)."""
        for channel, sound in zip(self._channels, frames.T, strict=True):
            self._look(channel, sound.astype(np.float64))
        if len(self._channels) == 2:
            left, right = frames.T.astype(np.float64)
            self._difference += float(left @ right)
            self._rest = np.concatenate([self._rest, frames])
            step = round(LEAK_WINDOW * self._rate)
            while len(self._rest) >= step:
                self._leaks += _leak(self._rest[:step], self._rate, self._at / self._rate)
                self._rest = self._rest[step:]
                self._at += step

    def findings(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """What is odd, in words; `names` are those of the channels (`the patient's channel`)."""
        sentences: list[str] = []
        for name, channel in zip(names, self._channels, strict=True):
            sentences += _told(name, channel, self._rate)
        for source in range(len(self._channels)):
            sentences += self._told_leak(source, names)
        return tuple(sentences)

    def _unlike(self) -> float:
        """1 - r^2 of the two channels: what the best copy of one leaves of the other."""
        left, right = self._channels
        count = left.count
        shared = self._difference / count - left.mean * right.mean
        return 1.0 - shared**2 / max(left.rms**2 * right.rms**2, 1e-24)

    def _look(self, channel: _Channel, sound: NDArray[np.float64]) -> None:
        if not len(sound):
            return
        size = np.abs(sound)
        channel.peak = max(channel.peak, float(size.max()))
        flat = (size >= FLAT_TOP) & (size >= channel.peak * 0.9999)
        runs = _runs(flat)
        channel.clipped += sum(stop - start for start, stop in runs if stop - start >= FLAT_RUN)
        self._look_for_holes(channel, sound, size)
        channel.count += len(sound)
        channel.total += float(sound.sum())
        channel.power += float(sound @ sound)

    def _look_for_holes(self, channel: _Channel, sound: NDArray[np.float64], size: NDArray[np.float64]) -> None:
        least, most = round(HOLE * self._rate), round(LONG_HOLE * self._rate)
        for start, stop in _runs(sound == 0.0):
            length = stop - start + (channel.zeros if start == 0 else 0)
            before = channel.before if start == 0 else float(size[start - 1])
            if stop == len(sound):
                channel.zeros, channel.before = length, before
            elif least <= length <= most and before >= EDGE and size[stop] >= EDGE:
                channel.holes.append((channel.count + stop - length) / self._rate)
        if sound[-1] != 0.0:
            channel.zeros, channel.before = 0, float(size[-1])

    def _told_leak(self, source: int, names: tuple[str, ...]) -> list[str]:
        leaks = [leak for leak in self._leaks if leak.source == source]
        if len(leaks) < LEAST_LEAKS:
            return []
        below = float(np.median([leak.below for leak in leaks]))
        lag = float(np.median([leak.lag for leak in leaks]))
        sentences = [
            f"what is said in {names[source]} is heard in {names[1 - source]}, too: {below:.0f} dB quieter and "
            f"{lag * 1000:.0f} ms later {CROSSTALK}"
        ]
        times, lags = np.array([leak.at for leak in leaks]), np.array([leak.lag for leak in leaks])
        if len(leaks) >= 2 * LEAST_LEAKS and np.ptp(times) >= 60:
            slope = _slope(times, lags)
            if abs(slope) >= DRIFT:
                sentences.append(f"the clocks of {names[0]} and {names[1]} drift apart by {abs(slope) * 1e6:.0f} ppm")
        return sentences


def _told(name: str, channel: _Channel, rate: int) -> list[str]:
    if channel.rms < SILENT:
        return [f"{name} is silent"]
    sentences = []
    if channel.clipped > CLIPPED * channel.count and channel.clipped / rate > 1e-3:
        sentences.append(f"{name} is clipped in {channel.clipped:,} samples ({channel.clipped / channel.count:.2%})")
    if abs(channel.mean) >= OFFSET:
        sentences.append(f"{name} has a direct current of {channel.mean:+.1%} of full scale; it is taken out")
    if channel.holes:
        places = ", ".join(f"{second:.2f} s" for second in channel.holes[:5])
        more = f" and {len(channel.holes) - 5} more" if len(channel.holes) > 5 else ""
        sentences.append(f"{name} has gaps in its sound ({len(channel.holes)}): at {places}{more}")
    return sentences


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Half-open ranges in which flags hold."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], flags.view(np.int8), [0]])))
    return [(int(start), int(stop)) for start, stop in zip(steps[::2], steps[1::2], strict=True)]


def _leak(frames: Frames, rate: int, at: float) -> list[_Leak]:
    """What one channel holds of the other in a window, if that can be told."""
    pair = [resample(np.ascontiguousarray(channel), rate, LEAK_RATE).astype(np.float64) for channel in frames.T]
    pair = [np.diff(sound - sound.mean()) for sound in pair]
    levels = [10 * np.log10(max(float(np.mean(sound**2)), 1e-12)) for sound in pair]
    source = int(levels[1] > levels[0])
    below = levels[source] - levels[1 - source]
    if below < LEAK_BELOW or levels[1 - source] < LEAK_FLOOR:
        return []
    size = 2 * len(pair[0])
    spectra = [np.fft.rfft(sound, size) for sound in pair]
    together = np.fft.irfft(spectra[1 - source] * np.conj(spectra[source]), size)
    most = round(LEAK_LAG * LEAK_RATE)
    lags = np.concatenate([together[-most:], together[: most + 1]])
    best = int(np.argmax(np.abs(lags)))
    like = float(abs(lags[best])) / max(float(np.linalg.norm(pair[0]) * np.linalg.norm(pair[1])), 1e-12)
    if like < LEAK_LIKE:
        return []
    return [_Leak(source, at, float(below), (best - most + _between(np.abs(lags), best)) / LEAK_RATE)]


def _between(values: NDArray[np.float64], peak: int) -> float:
    """Where the top of a parabola through a peak and its neighbours lies, in steps from the peak."""
    if not 0 < peak < len(values) - 1:
        return 0.0
    left, top, right = values[peak - 1 : peak + 2]
    curve = left - 2 * top + right
    return float(0.5 * (left - right) / curve) if curve else 0.0


def _slope(times: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The median slope of all pairs (Theil and Sen), which a few wrong values do not turn."""
    from scipy.stats import theilslopes

    return float(theilslopes(values, times)[0])
