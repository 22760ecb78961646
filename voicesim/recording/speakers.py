"""A mono mix of a call, its two speakers told apart by how they sound. Uncertain by nature, and marked so."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from voicesim.audio.samples import RATE, Pcm, samples, to_wave
from voicesim.errors import RecordingError
from voicesim.recording.sound_file import SoundInfo
from voicesim.recording.sources import at_24_khz, inspected
from voicesim.stt.silero import WINDOW
from voicesim.stt.vad import StreamingVad, speech_regions

BANDS = 24
FRAME = 768
"""Samples of a spectrum, the step of the voice detector."""
LEAST = 0.4
"""Seconds of a stretch of speech from which its voice is looked at; a shorter one goes with its neighbour."""
SEEDS = 10
"""Beginnings from which two groups of voices are looked for; the tightest two are taken."""
TOGETHER = round(0.35 * RATE / FRAME)
"""Frames of pause across which speech is of one speaker."""
PAD = samples(0.1)
"""Samples around a stretch that go with it."""
UNCERTAIN = (
    "both sides were in one channel; the speakers were told apart by their voices. Who spoke, overlaps and "
    "interruptions are uncertain"
)


@dataclass(frozen=True)
class SplitMix:
    """A mix and whose each stretch is: (first sample, one past the last, is the patient's), in order."""

    path: Path
    repair: bool
    infos: tuple[SoundInfo, ...]
    offsets: tuple[float, ...]
    stretches: tuple[tuple[int, int, bool], ...]
    notes: tuple[str, ...]

    def blocks(self) -> Iterator[Pcm]:
        """See Source; a side is silent where the other one speaks."""
        at = 0
        for block in at_24_khz(self.path, self.repair, self.offsets):
            mono = block[:, 0]
            sides = np.zeros((len(mono), 2), np.int16)
            for start, stop, patient in self.stretches:
                first, last = max(0, start - at), min(len(mono), stop - at)
                if first < last:
                    sides[first:last, 0 if patient else 1] = mono[first:last]
            at += len(mono)
            yield sides


def split_speakers(path: Path, *, repair: bool) -> SplitMix:
    """Tell the two speakers of a mix apart; the first to speak is taken for the agent, which answers the phone.

    Raises RecordingError when fewer than two voices can be told apart.
    """
    info, inspection, odd = inspected(path, repair=repair)
    spans, features = _speech(path, repair, inspection.offsets)
    if len(spans) < 2:
        raise RecordingError(f"{path}: no two speakers can be told apart in it")
    groups = _two_groups(features, np.array([stop - start for start, stop in spans]))
    stretches = tuple(
        (max(0, start - PAD), stop + PAD, bool(group != groups[0]))
        for (start, stop), group in zip(spans, groups, strict=True)
    )
    notes = (*odd, *inspection.findings(("the mix",) if info.channels == 1 else ("the mix", "its copy")), UNCERTAIN)
    return SplitMix(path, repair, (info,), inspection.offsets, _apart(stretches), notes)


def _speech(path: Path, repair: bool, offsets: tuple[float, ...]) -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
    """Where somebody speaks (samples), and how each stretch sounds: one row of features a stretch."""
    vad, probabilities, spectra = StreamingVad(), list[float](), list[NDArray[np.float64]]()
    rest = np.zeros(0, np.int16)
    for block in at_24_khz(path, repair, offsets):
        mono = np.concatenate([rest, block[:, 0]])
        whole = len(mono) // FRAME * FRAME
        probabilities += [window.speech for window in vad.feed(mono[:whole])]
        spectra += list(_log_bands(mono[:whole]))
        rest = mono[whole:]
    regions = speech_regions(np.array(probabilities))
    voiced: list[tuple[int, int]] = []
    for first, last in regions:
        joined = bool(voiced) and first - voiced[-1][1] <= TOGETHER
        voiced = [*voiced[:-1], (voiced[-1][0], last)] if joined else [*voiced, (first, last)]
    rows = [_sound_of(np.array(spectra[first : max(last, first + 1)])) for first, last in voiced]
    return [(first * WINDOW, last * WINDOW) for first, last in voiced], np.array(rows)


def _log_bands(pcm: Pcm) -> NDArray[np.float64]:
    """The level (dB) of bands on the mel scale, one row for every FRAME samples."""
    frames = to_wave(pcm).reshape(-1, FRAME) * np.hanning(FRAME)
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    hz = np.fft.rfftfreq(FRAME, 1 / RATE)
    mel = 2595 * np.log10(1 + hz / 700)
    edges = np.linspace(2595 * np.log10(1 + 80 / 700), 2595 * np.log10(1 + 3800 / 700), BANDS + 1)
    bands = [power[:, (mel >= low) & (mel < high)].sum(axis=1) for low, high in pairwise(edges)]
    return np.asarray(10 * np.log10(np.array(bands).T + 1e-9))


def _sound_of(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """A voice without its level: the shape of its mean spectrum over the louder half of a stretch."""
    level = rows.mean(axis=1)
    mean = rows[level >= np.median(level)].mean(axis=0)
    return np.asarray(mean - mean.mean())


def _two_groups(features: NDArray[np.float64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The group, 0 or 1, of each stretch; a short one is in the group of the stretch before it."""
    from scipy.cluster.vq import kmeans2

    long = lengths >= samples(LEAST)
    if long.sum() < 2:
        long[:] = True
    best: tuple[float, NDArray[np.int64]] | None = None
    for seed in range(SEEDS):
        centres, labels = kmeans2(features[long], 2, minit="++", seed=seed, iter=50)
        spread = float(np.sum(np.square(features[long] - centres[labels])))
        if best is None or spread < best[0]:
            best = spread, labels
    assert best is not None
    labels = best[1]
    groups = np.zeros(len(features), np.int64)
    groups[long] = labels
    for place in np.flatnonzero(~long):
        groups[place] = groups[place - 1] if place else groups[np.flatnonzero(long)[0]]
    return groups


def _apart(stretches: tuple[tuple[int, int, bool], ...]) -> tuple[tuple[int, int, bool], ...]:
    """The same without overlaps: where two stretches meet, each ends in the middle."""
    parted: list[tuple[int, int, bool]] = []
    for start, stop, patient in stretches:
        if parted and parted[-1][1] > start:
            middle = (parted[-1][1] + start) // 2
            parted[-1] = (parted[-1][0], middle, parted[-1][2])
            start = middle
        parted.append((start, stop, patient))
    return tuple(parted)
