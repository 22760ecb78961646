"""How much faster than real time a call runs on virtual time: `python benchmarks/virtual_time.py`.

Real session, recorder, channel and Silero; a scripted mind, a voice that is cached, and no transcription. Prints
one row a profile: seconds of call, seconds it took (median of the runs), and the ratio.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from limits import Limits

from voicesim.audio.samples import TICK, Pcm, to_pcm
from voicesim.call.assembly import build_call
from voicesim.call.virtual import run_virtual
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.understanding import Understood
from voicesim.caller.voicing import Manner
from voicesim.catalog.find import Catalogue
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, bare_manifest
from voicesim.transports.inprocess import InProcess
from voicesim.tts.base import Speech
from voicesim.tts.synthesize import synthesize

RUNS = 3
LIMIT = 20.0
"""Times real time, on one core."""
TURNS = 12
PROFILES = ("clean", "telephone", "cafe_15db")


class CachedWorkers:
    """One spoken line, again and again; understands nothing."""

    def __init__(self) -> None:
        persona = Catalogue.here().persona("calm-professional")
        self._speech = synthesize("I have had this cough for about four weeks now.", persona, 0)

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        return Understood("And then?")

    async def speak(self, line: PatientLine) -> Speech:
        return self._speech


class Answers:
    """Answers a fixed number of times, and leaves."""

    name = "scripted"

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        said = sum(turn.side == "caller" for turn in memory.turns)
        return PatientLine("A line.", hang_up=said >= TURNS)


class Nurse:
    """Answers with two seconds of real speech 0.8 s after the caller."""

    def __init__(self, speech: Pcm) -> None:
        self._speech, self._out = speech, speech[:0]
        self._quiet, self._heard = 0, False

    def tick(self, caller: Pcm) -> Pcm:
        loud = int(np.abs(caller.astype(np.int32)).max()) > 2000
        self._quiet, self._heard = (0, True) if loud else (self._quiet + 1, self._heard)
        if self._heard and self._quiet == 40:
            self._out, self._heard = self._speech, False
        block, self._out = self._out[:TICK], self._out[TICK:]
        return np.pad(block, (0, TICK - len(block)))


def one_call(profile: str, workers: CachedWorkers, nurse: Nurse, folder: Path) -> float:
    """Run a call and return its length in seconds."""

    async def main() -> Manifest:
        catalogue = Catalogue.here()
        call = build_call(
            InProcess(nurse),
            mind=Answers(),
            workers=lambda timeline: workers,
            opening="Hello.",
            manner=Manner(catalogue.persona("calm-professional").turn_taking),
            profile=catalogue.profile(profile),
            max_turns=2 * TURNS,
            max_duration=600.0,
        )
        return await call.run(LiveRecording(folder, bare_manifest(folder.name, "benchmark", "virtual")))

    duration = run_virtual(main()).duration
    assert duration is not None
    return duration


def main() -> int:
    """Print the tables; how many limits were missed."""
    workers = CachedWorkers()
    speech = to_pcm(
        synthesize("Are you short of breath right now?", Catalogue.here().persona("worried-parent"), 0).wave
    )
    limits, slowest = Limits(), float("inf")
    print(f"{'profile':<14}{'call, s':>10}{'took, s':>10}{'x real time':>13}")
    with tempfile.TemporaryDirectory() as scratch:
        for profile in PROFILES:
            one_call(profile, workers, Nurse(speech), Path(scratch) / f"{profile}-warm")
            took = []
            for run in range(RUNS):
                begun = time.process_time()
                length = one_call(profile, workers, Nurse(speech), Path(scratch) / f"{profile}-{run}")
                took.append(time.process_time() - begun)
            median = statistics.median(took)
            slowest = min(slowest, length / median)
            print(f"{profile:<14}{length:>10.1f}{median:>10.2f}{length / median:>13.1f}")
    limits.at_least("a call on virtual time, the slowest profile", slowest, LIMIT, "x")
    return limits.missed


if __name__ == "__main__":
    sys.exit(main() > 0)
