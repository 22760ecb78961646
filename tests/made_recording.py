"""Recordings on disk with the sound and the events of your choice."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from voicesim.audio.samples import Pcm
from voicesim.recording.events import CallerLine, Event, Intent
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Resolved, bare_manifest
from voicesim.recording.read import Recording, open_recording

_CASE = Resolved(id="x", sha256="0" * 64, content={"language": "en"})


def make_recording(
    folder: Path, agent: Pcm, clean: Pcm | None = None, events: Sequence[Event] = (), call_id: str = "made"
) -> Recording:
    """A finished recording; without a clean stem the caller is silent. Channels are padded to one length."""
    manifest = bare_manifest(call_id, "made").model_copy(update={"case": _CASE})
    stem = np.zeros(0, dtype=np.int16) if clean is None else clean
    with LiveRecording(folder, manifest) as live:
        live.write("agent", 0, agent)
        live.write("clean", 0, stem)
        live.write("caller", 0, stem)
        for event in events:
            live.event(event)
        live.finish(lambda old, duration: old.model_copy(update={"duration": duration}))
    return open_recording(folder)


def line(start: float, end: float, intent: Intent = "respond", text: str = "I have a cough.") -> CallerLine:
    """The event of a patient line with its planned span in seconds."""
    return CallerLine(t=start, text=text, spoken=text, intent=intent, start=start, end=end)
