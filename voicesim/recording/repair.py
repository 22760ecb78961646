"""Make a whole recording of what a killed process left behind."""

import os
from pathlib import Path

from voicesim.recording import files, live
from voicesim.recording.manifest import Manifest, Validity


def make_whole(folder: Path) -> None:
    """Turn the live files of a dead call into a recording marked repaired.

    Files that are whole already are not touched. Raises RecordingError while the call is still being
    recorded, and OSError when there is no room to write.
    """
    handle = live.lock(folder / files.LIVE)
    try:
        manifest = files.load(folder, files.MANIFEST, Manifest)
        if manifest.end_reason is None:
            duration = live.compress(folder)
            files.save(folder, files.MANIFEST, _mark(manifest, duration))
        live.remove_live(folder)
    finally:
        os.close(handle)


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
