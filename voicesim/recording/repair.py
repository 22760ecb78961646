"""Make a whole recording of what a killed process left behind."""

import os
from pathlib import Path

from voicesim.audio.samples import RATE
from voicesim.errors import RecordingError
from voicesim.recording import files, flac, live
from voicesim.recording.manifest import Manifest, Validity


def make_whole(folder: Path) -> None:
    """Turn the live files of a dead call into a recording marked repaired.

    Nothing becomes shorter: FLAC files that hold as much already are not touched. Raises RecordingError while the call
    is still being recorded, when it cannot be told what is whole, and when the folder cannot be written.
    """
    try:
        handle = live.lock(folder)
    except FileNotFoundError:
        return  # another process has just done it
    except OSError as error:
        raise _refused(folder, error) from error
    try:
        manifest = files.load(folder, files.MANIFEST, Manifest)
        duration = _make_sound_whole(folder) / RATE
        if manifest.end_reason is None:
            files.save(folder, files.MANIFEST, _mark(manifest, duration))
        live.remove_live(folder)
    except OSError as error:
        raise _refused(folder, error) from error
    finally:
        os.close(handle)


def _make_sound_whole(folder: Path) -> int:
    """Write the FLAC files that the live ones can make longer; returns the samples of each."""
    raw = live.raw_length(folder)
    there = {name: _length(folder, name) for name in live.SOUND}
    length = max(live.SHORTEST, raw, *there.values())
    for name, old in there.items():
        if old == length:
            continue
        if old > raw:
            other = next(name for name in there if there[name] == length)
            raise RecordingError(f"{folder / name}: {length - old} samples shorter than {other}")
        live.compress(folder, name, length)
    return length


def _length(folder: Path, name: str) -> int:
    """Samples of a FLAC file; 0 when it is missing."""
    return flac.length(folder, name, len(live.SOUND[name])) if os.path.lexists(folder / name) else 0


def _refused(folder: Path, error: OSError) -> RecordingError:
    reason = error.strerror or str(error)
    return RecordingError(f"{folder}: the call was cut off, and its recording could not be made whole: {reason}")


def _mark(manifest: Manifest, duration: float) -> Manifest:
    detail = "the process ended in the middle of the call"
    return manifest.model_copy(
        update={
            "duration": duration,
            "end_reason": "harness_error",
            "end_detail": detail,
            "validity": Validity(valid=False, reason="harness_error", detail=detail),
            "repaired": True,
        }
    )
