"""Whole calls on virtual time with the parts of `voicesim.testing`, and what the tests of this room ask of them."""

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from voicesim.audio.samples import Pcm, seconds
from voicesim.caller.mind import PatientLine
from voicesim.catalog.model import AudioProfile, TurnTaking
from voicesim.recording.events import Event
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import open_recording
from voicesim.testing import (
    PLAIN,
    AnsweringAgent,
    FinishedCall,
    PeakVad,
    PeakWindow,
    ScriptedAgent,
    ScriptedMind,
    ToneWorkers,
    make_call,
    run_virtual,
)
from voicesim.transports.base import Transport

__all__ = [
    "PLAIN",
    "AnsweringAgent",
    "PeakVad",
    "PeakWindow",
    "Rig",
    "ScriptedAgent",
    "ScriptedMind",
    "ToneWorkers",
    "call",
    "make_call",
    "spans",
]


@dataclass(frozen=True)
class Rig(FinishedCall):
    """A finished call, with the mind and the workers that took part."""

    mind: ScriptedMind
    workers: ToneWorkers


def call(
    folder: Path,
    agent: ScriptedAgent | AnsweringAgent | Transport,
    *,
    lines: Iterable[PatientLine] = (),
    heard: Iterable[str] = (),
    turn_taking: TurnTaking = PLAIN,
    opening: str = "I have a cold.",
    profile: AudioProfile | None = None,
    max_turns: int = 30,
    max_duration: float = 120.0,
    workers: ToneWorkers | None = None,
    watch: Callable[[Event], None] = lambda event: None,
    run: Callable[[Coroutine[Any, Any, Manifest]], Manifest] = run_virtual,
) -> Rig:
    """Run one call to its end, on virtual time unless told otherwise, and open its recording."""
    mind, workers = ScriptedMind(lines), workers or ToneWorkers(heard)
    manifest = run(
        make_call(
            folder,
            agent,
            mind=mind,
            workers=workers,
            turn_taking=turn_taking,
            opening=opening,
            profile=profile,
            max_turns=max_turns,
            max_duration=max_duration,
            watch=watch,
        )
    )
    return Rig(open_recording(folder), manifest, mind, workers)


def spans(pcm: Pcm) -> list[tuple[float, float]]:
    """Where a track sounds, in seconds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], pcm != 0, [False]]).astype(np.int8)))
    return [
        (round(seconds(int(a)), 4), round(seconds(int(b)), 4)) for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]
