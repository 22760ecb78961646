"""Calls for hours of virtual time in one process: `python benchmarks/soak.py [HOURS]`, one without an argument.

Real session, pacer, recorder, channel and repair; tones for voices. Each call of five minutes is recorded, opened and
measured, and its folder deleted. Prints memory, threads and file descriptors after each tenth of the time; none may
grow after the first tenth, in which everything is loaded.
"""

import gc
import resource
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from limits import Limits

from voicesim.caller.mind import Memory, PatientLine
from voicesim.catalog.find import Catalogue
from voicesim.metrics.measure import measure_transcript
from voicesim.recording.read import open_recording
from voicesim.testing import AnsweringAgent, ToneWorkers, make_call, run_virtual
from voicesim.transcript.model import Transcript

CALL = 300.0
"""Seconds of each call."""
MEMORY = 16.0
"""MB by which the memory may grow, whatever the hours."""


class Talks:
    """Says something else every time, and never goodbye."""

    name = "talks"

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        return PatientLine(f"This is line {len(memory.turns)} of mine.")


@dataclass(frozen=True)
class Sample:
    """What the process holds. Memory in MB."""

    memory: float
    threads: int
    descriptors: int


def sample() -> Sample:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory = pages * resource.getpagesize() / 1e6
    return Sample(memory, threading.active_count(), len(list(Path("/proc/self/fd").iterdir())))


def call(folder: Path) -> float:
    """One call and what follows it; returns its length in seconds."""
    profile = Catalogue.here().profile("telephone")
    agent, workers = AnsweringAgent(delay=0.8, length=2.0), ToneWorkers(["And then?"])
    run_virtual(
        make_call(folder, agent, mind=Talks(), workers=workers, profile=profile, max_turns=1_000, max_duration=CALL)
    )
    recording = open_recording(folder)
    transcript = Transcript(call_id=folder.name, duration=recording.duration, language="en", model="", utterances=())
    measure_transcript(transcript, recording.events)
    shutil.rmtree(folder)
    return recording.duration


def main() -> int:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    samples: list[Sample] = []
    done, begun = 0.0, time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        while done < hours * 3600:
            done += call(Path(scratch) / "call")
            if done >= (len(samples) + 1) * hours * 360:
                samples.append(sample())
                held = samples[-1]
                handles = f"{held.threads:4} threads {held.descriptors:4} file descriptors"
                print(f"{done / 3600:6.2f} h {held.memory:8.1f} MB {handles}", flush=True)
    first, last, limits = samples[0], samples[-1], Limits()
    took = time.monotonic() - begun
    print(f"{done / 3600:.1f} h of calls in {took:.0f} s, {done / took:.0f} times real time")
    limits.at_most("memory that came on after the first tenth", last.memory - first.memory, MEMORY, "MB")
    limits.at_most("threads that came on", last.threads - first.threads, 0)
    limits.at_most("file descriptors that came on", last.descriptors - first.descriptors, 0)
    return int(limits.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
