"""What a finished call costs to transcribe and measure: `python benchmarks/after_call.py`.

A call of some three minutes is put together from a neural voice: every fact of a case against as many replies of
an agent, with usual gaps. Side by side, each with its model loaded: voicesim's transcript and measures, and plain
faster-whisper (base, int8, its defaults, word times) on both whole channels. Two threads each.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from limits import Limits
from word_times import DEVELOPED_ON, HELD_OUT

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Pcm, samples, to_pcm, to_wave
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Accent, Voice
from voicesim.metrics.measure import measure
from voicesim.recording.events import CallerLine
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import bare_manifest
from voicesim.recording.read import Recording, open_recording
from voicesim.stt.short_windows import WHISPER_RATE
from voicesim.stt.whisper import load_whisper
from voicesim.transcript.build import build
from voicesim.tts.hibari import HibariEngine

RUNS = 3
COST, FASTER = 0.15, 1.5
"""What it may cost, in lengths of the call, and how much faster than plain faster-whisper it has to be."""
GAPS = (0.6, 0.9)
"""Seconds before the patient and before the agent."""


def lay_out() -> tuple[Pcm, Pcm, list[CallerLine]]:
    """Both channels, and the events of the patient's lines."""
    case = Catalogue.here().case("cold-01-andi")
    lines = [case.patient.says_first, *(fact.says for fact in case.patient.reveal_only_if_asked)] * 2
    replies = [*DEVELOPED_ON, *HELD_OUT]
    engine, deeper = HibariEngine(), Voice(pitch=0.85)
    caller, agent = [np.zeros(0, np.float32)], [np.zeros(0, np.float32)]
    events, at = [], 0
    for n, text in enumerate(lines):
        said = engine.speak(text, deeper, Accent(), 1.0, n)
        reply = engine.speak(" ".join(replies[2 * n : 2 * n + 2]), Voice(), Accent(), 1.0, n)
        before, between = samples(GAPS[0]), samples(GAPS[1])
        start = (at + before) / RATE
        end = start + len(said) / RATE
        events.append(CallerLine(t=start, text=text, spoken=text, intent="respond", start=start, end=end))
        caller += [np.zeros(before, np.float32), said, np.zeros(between + len(reply), np.float32)]
        agent += [np.zeros(before + len(said) + between, np.float32), reply]
        at += before + len(said) + between + len(reply)
    return to_pcm(np.concatenate(caller)), to_pcm(np.concatenate(agent)), events


def record(folder: Path) -> Recording:
    """The call as a recording."""
    caller, agent, events = lay_out()
    with LiveRecording(folder, bare_manifest(folder.name, "benchmark")) as live:
        for channel, pcm in (("caller", caller), ("clean", caller), ("agent", agent)):
            live.write(channel, 0, pcm)
        for event in events:
            live.event(event)
        live.finish(lambda old, duration: old.model_copy(update={"duration": duration}))
    return open_recording(folder)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of the runs, and of the processor's time."""
    took, busy = [], []
    for _ in range(RUNS):
        begun, used = time.perf_counter(), time.process_time()
        work()
        took.append(time.perf_counter() - begun)
        busy.append(time.process_time() - used)
    return statistics.median(took), statistics.median(busy)


def main() -> int:
    """Print the tables; how many limits were missed."""
    from faster_whisper import WhisperModel

    from voicesim.stt.weights import find_weights

    whisper = load_whisper("base", threads=2)
    engine = WhisperModel(str(find_weights("base").folder), device="cpu", compute_type="int8", cpu_threads=2)
    with tempfile.TemporaryDirectory() as scratch:
        recording = record(Path(scratch) / "call")
        length = recording.duration

        def ours() -> object:
            return measure(recording, build(recording, whisper, "en"))

        def plain() -> object:
            words = []
            for pcm in (recording.caller, recording.agent):
                audio = resample(to_wave(pcm), RATE, WHISPER_RATE)
                segments, _ = engine.transcribe(audio, language="en", word_timestamps=True)
                words += [word for segment in segments for word in segment.words or ()]
            return words

        print(f"call of {length:.0f} s; medians of {RUNS}")
        print(f"{'what':36}{'seconds':>9}{'x length':>10}{'cpu s':>8}{'x length':>10}")
        rows = []
        for what, work in (("voicesim: transcript and measures", ours), ("plain faster-whisper, both channels", plain)):
            took, busy = timed(work)
            rows.append((took, busy))
            print(f"{what:36}{took:9.1f}{took / length:10.3f}{busy:8.1f}{busy / length:10.3f}")
        limits = Limits()
        limits.at_most("transcript and measures, of the call's length", rows[0][0] / length, COST, "x")
        limits.at_least("faster than plain faster-whisper on both channels", rows[1][0] / rows[0][0], FASTER, "x")
        return limits.missed


if __name__ == "__main__":
    sys.exit(main() > 0)
