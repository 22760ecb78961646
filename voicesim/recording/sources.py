"""The sound of a call from outside as two channels at 24,000 Hz: from one stereo file, two files, or a mix."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np

from voicesim.audio.samples import RATE, Pcm, to_wave
from voicesim.errors import RecordingError
from voicesim.recording.inspection import CROSSTALK, Inspection
from voicesim.recording.sound_file import Frames, SoundInfo, open_sound

Side = Literal["left", "right"]
LENGTHS = 0.2
"""Seconds by which two files of one call may differ in length before that is told."""
MIXED = (
    "both sides are in one channel, and nobody could say who spoke when. Give a file a side (the patient's first), or "
    "a stereo file; --split-speakers tells them apart by their voices, and is uncertain"
)


class Source(Protocol):
    """Where a call's sound comes from; `notes` tell what is odd about it."""

    @property
    def notes(self) -> tuple[str, ...]: ...

    def blocks(self) -> Iterator[Pcm]:
        """Patient and agent, int16 at 24,000 Hz, shape (samples, 2), in blocks."""
        ...

    @property
    def infos(self) -> tuple[SoundInfo, ...]:
        """What the files hold."""
        ...


@dataclass(frozen=True)
class StereoFile:
    """A file with a side in each channel; `caller` is the patient's. Made by `stereo_file`."""

    path: Path
    caller: Side
    repair: bool
    infos: tuple[SoundInfo, ...]
    offsets: tuple[float, ...]
    notes: tuple[str, ...]

    def blocks(self) -> Iterator[Pcm]:
        """See Source."""
        order = [0, 1] if self.caller == "left" else [1, 0]
        for block in at_24_khz(self.path, self.repair, self.offsets):
            yield block[:, order]


@dataclass(frozen=True)
class TwoFiles:
    """A file for each side, the patient's first; `later` are the seconds by which each begins after the call."""

    paths: tuple[Path, Path]
    repair: bool
    later: tuple[float, float]
    infos: tuple[SoundInfo, ...]
    offsets: tuple[tuple[float, ...], ...]
    notes: tuple[str, ...]

    def blocks(self) -> Iterator[Pcm]:
        """See Source. The shorter side ends in silence."""
        sides = [
            _delayed(at_24_khz(path, self.repair, offset), later)
            for path, offset, later in zip(self.paths, self.offsets, self.later, strict=True)
        ]
        waiting = [np.zeros((0, 1), np.int16), np.zeros((0, 1), np.int16)]
        while True:
            for side, stream in enumerate(sides):
                if len(waiting[side]) < RATE:
                    waiting[side] = np.concatenate([waiting[side], next(stream, np.zeros((0, 1), np.int16))])
            count = min(len(part) for part in waiting)
            if not count:
                count = max(len(part) for part in waiting)
                waiting = [np.pad(part, ((0, count - len(part)), (0, 0))) for part in waiting]
            if not count:
                return
            yield np.concatenate([part[:count] for part in waiting], axis=1)
            waiting = [part[count:] for part in waiting]


def stereo_file(path: Path, caller: Side, *, repair: bool) -> StereoFile:
    """A stereo file, looked through from beginning to end.

    Raises RecordingError for a mono file and for one whose channels hold the same mix.
    """
    info, inspection, notes = inspected(path, repair=repair)
    if info.channels == 1:
        raise RecordingError(f"{path}: {MIXED}")
    if inspection.one_sound:
        raise RecordingError(f"{path}: its two channels hold the same sound: {MIXED}")
    names = ("the patient's channel", "the agent's channel")
    findings = inspection.findings(names if caller == "left" else names[::-1])
    return StereoFile(path, caller, repair, (info,), inspection.offsets, (*notes, *findings))


def two_files(paths: tuple[Path, Path], later: tuple[float, float], *, repair: bool) -> TwoFiles:
    """Two mono files, looked through. Raises RecordingError when one has two channels, or both are one sound."""
    infos, offsets, lengths = [], [], []
    notes: list[str] = []
    for path, name in zip(paths, ("the patient's file", "the agent's file"), strict=True):
        info, inspection, odd = inspected(path, repair=repair)
        if info.channels != 1:
            raise RecordingError(f"{path}: two channels; of two files each holds one side in one channel")
        infos.append(info)
        offsets.append(inspection.offsets)
        lengths.append(inspection.seconds)
        notes += [*odd, *inspection.findings((name,))]
    difference = abs(lengths[0] + later[0] - lengths[1] - later[1])
    if difference > LENGTHS:
        ppm = difference / max(lengths) * 1e6
        notes.append(
            f"the two files differ by {difference:.2f} s in length; if they began and ended together, their clocks "
            f"drift apart by {ppm:,.0f} ppm"
        )
    source = TwoFiles(paths, repair, later, tuple(infos), tuple(offsets), ())
    together = Inspection(RATE, 2)
    for block in source.blocks():
        together.feed(to_wave(block))
    if together.one_sound:
        raise RecordingError(f"{paths[0]} and {paths[1]} hold the same sound: {MIXED}")
    crosstalk = [
        finding for finding in together.findings(("the patient's file", "the agent's file")) if finding not in notes
    ]
    notes += [finding for finding in crosstalk if CROSSTALK in finding or "drift" in finding]
    return TwoFiles(paths, repair, later, tuple(infos), tuple(offsets), tuple(notes))


def inspected(path: Path, *, repair: bool) -> tuple[SoundInfo, Inspection, tuple[str, ...]]:
    """What a file holds, read once from beginning to end, and what was odd about the file itself."""
    with open_sound(path, repair=repair) as sound:
        inspection = Inspection(sound.info.rate, sound.info.channels)
        for block in sound.blocks():
            inspection.feed(block)
        return sound.info, inspection, (*sound.info.notes, *sound.notes)


def at_24_khz(path: Path, repair: bool, offsets: Sequence[float] = ()) -> Iterator[Pcm]:
    """A file's sound as int16 at 24,000 Hz, shape (samples, channels), without a direct current."""
    import soxr

    with open_sound(path, repair=repair) as sound:
        rate, channels = sound.info.rate, sound.info.channels
        level = np.asarray(offsets or (0.0,) * channels, np.float32)
        if rate == RATE:
            yield from (_pcm(block - level, channels) for block in sound.blocks())
            return
        stream = soxr.ResampleStream(rate, RATE, channels, dtype="float32", quality="HQ")
        for block in sound.blocks():
            yield _pcm(stream.resample_chunk(block - level), channels)
        yield _pcm(stream.resample_chunk(np.zeros((0, channels), np.float32), last=True), channels)


def _pcm(frames: Frames, channels: int) -> Pcm:
    """Float samples of which 16-bit ones come back as they were: full scale is 32768, as decoders have it."""
    exact = np.rint(np.asarray(frames, np.float32).reshape(-1, channels) * np.float32(32768.0))
    return np.asarray(np.clip(exact, -32768, 32767), np.int16)


def _delayed(blocks: Iterator[Pcm], later: float) -> Iterator[Pcm]:
    if later > 0:
        yield np.zeros((round(later * RATE), 1), np.int16)
    yield from blocks
