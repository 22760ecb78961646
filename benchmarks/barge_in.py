"""Do the yield times in the report match the waveform? `python benchmarks/barge_in.py [--seconds 60] [CASE]`.

A live call to each reference agent by a patient that cuts into every turn of three seconds. One row an interruption:
the yield time as reported, and as read off the recorded samples alone: from the patient's first frame of 10 ms above
-45 dBFS to the agent's last one before half a second of silence.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from limits import Limits
from numpy.typing import NDArray

import voicesim
from voicesim.audio.samples import RATE, Pcm
from voicesim.catalog.find import Catalogue
from voicesim.recording.read import open_recording

AGENTS = ("realtime", "modular")
FRAME = RATE // 100
LOUD = -45.0
"""dBFS."""
SILENCE = 50
"""Frames without sound that end a reply."""
LIMIT = 0.1
"""Seconds between the two."""


def loud(track: Pcm) -> NDArray[np.bool_]:
    """Which frames of 10 ms of an int16 track are above the threshold."""
    frames = track[: len(track) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64) / 32768
    levels: NDArray[np.float64] = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-12)
    return levels > LOUD


def by_the_waveform(caller: Pcm, agent: Pcm, near: float) -> tuple[float, float]:
    """The patient's onset at about a moment, and the agent's last sound before it fell silent; both in seconds."""
    first = max(0, round((near - 0.2) * 100))
    onset = first + int(np.argmax(loud(caller)[first:]))
    sounds = np.flatnonzero(loud(agent))
    last = int(sounds[sounds <= onset][-1])
    for frame in sounds[sounds > onset]:
        if frame - last > SILENCE:
            break
        last = int(frame)
    return onset / 100, (last + 1) / 100


def main(case: str, seconds: float) -> int:
    """Print the table; how many limits were missed."""
    limits, here = Limits(), Catalogue.here()
    persona = here.persona("stress-interrupter")
    eager = persona.turn_taking.model_copy(update={"barge_in": 1.0, "barge_in_after": 3.0})
    persona = persona.model_copy(update={"turn_taking": eager})
    print(f"{'agent':10}{'utterance':>10}{'at':>8}{'reported':>10}{'waveform':>10}{'apart':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        for agent in AGENTS:
            result = voicesim.simulate(case, agent, persona=persona, out=Path(scratch, agent), max_duration=seconds)
            recording = open_recording(result.folder)
            apart = []
            for cut in result.metrics.interruptions:
                onset, end = by_the_waveform(recording.caller, recording.agent, cut.start)
                read = f"{end - onset:10.2f}"
                if cut.yield_time is None:
                    print(f"{agent:10}{cut.caller:>10}{cut.start:8.2f}{'no yield':>10}{read}")
                    continue
                apart.append(abs(cut.yield_time - (end - onset)))
                print(f"{agent:10}{cut.caller:>10}{cut.start:8.2f}{cut.yield_time:10.2f}{read}{apart[-1]:8.2f}")
            print(f"{agent:10}{len(result.metrics.interruptions)} interruptions, {len(apart)} yielded to", flush=True)
            limits.at_most(f"{agent}: reported and waveform apart", max(apart, default=float("inf")), LIMIT, "s")
    return limits.missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("case", nargs="?", default="cold-01-andi")
    parser.add_argument("--seconds", type=float, default=60.0)
    chosen = parser.parse_args()
    sys.exit(main(chosen.case, chosen.seconds) > 0)
