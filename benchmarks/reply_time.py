"""How soon the patient answers: `python benchmarks/reply_time.py [--busy] [--seconds 120] [CASE ...]`.

Live calls of each case (all ten without a name) to both reference agents, offline, and one to an agent that streams a
minute of speech with a pause of 1.3 s after every sentence. With `--busy`, two busy loops run beside them. Everything
runs on this machine: patient, agent, and the transcript between two calls. With `--charged base` (or `tiny.en`) the
calls are on virtual time instead, and the patient's work takes the processor time that it used, whatever else runs.

One row an agent: replies, then seconds, median and p95. `drawn` is the silence that the persona leaves, `got` the one
it left, `excess` the difference. `asked` counts the replies to turns that called for one; after the others the persona
waits for its `end_of_turn`. `cut off` are replies into a turn that was not over. `load` is the machine's, before and
after.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from charged_calls import charged_call
from limits import Limits

import voicesim
from voicesim.audio.samples import TICK, Pcm, Wave, samples, to_pcm
from voicesim.catalog.find import Catalogue
from voicesim.metrics.model import PatientReply
from voicesim.recording.read import open_recording
from voicesim.reference_agents.voice import AgentVoice
from voicesim.stt.whisper import load_whisper
from voicesim.suite.after import transcribe

AGENTS = ("realtime", "modular")
MEDIAN_LIMIT, P95_LIMIT = 0.6, 1.0
"""Seconds of excess."""
CUT_OFF_LIMIT = 0.02
UNDERSTOOD_LIMIT = 1.0
"""Seconds from the end of a minute of speech until it is understood."""
WAITS = 2.0
"""Seconds drawn from which a silence is the `end_of_turn` of a persona and no reply gap."""
PAUSE, LENGTH = 1.3, 60.0
STATEMENTS = (
    "This is most likely a cold, which is caused by a virus.",
    "Most people feel better within one week.",
    "Please rest, and drink plenty of water.",
    "Honey in warm water may ease the throat.",
    "You can take paracetamol against the pain.",
    "Never take more than four grams of it in a day.",
    "A blocked nose may last for about ten days.",
)
QUESTION = "Do you have any other questions?"


class StreamingAgent:
    """Speaks for a minute once the patient has opened the call, sentence by sentence."""

    def __init__(self) -> None:
        voice, pause = AgentVoice(), np.zeros(samples(PAUSE - 0.3), np.float32)  # 0.3 s come with each sentence
        parts: list[Wave] = []
        for n in range(100):
            if sum(map(len, parts)) > samples(LENGTH):
                break
            parts += [voice.speak(STATEMENTS[n % len(STATEMENTS)]), pause]
        self._speech = to_pcm(np.concatenate([*parts, voice.speak(QUESTION)]))
        self._quiet, self._opened, self._at = 0, False, 0

    def tick(self, caller: Pcm) -> Pcm:
        """See `voicesim.transports.inprocess.InProcessAgent`."""
        loud = int(np.abs(caller.astype(np.int32)).max(initial=0)) > 500
        self._opened |= loud
        self._quiet = 0 if loud else self._quiet + 1
        if not self._opened or (self._at == 0 and self._quiet < 60):
            return np.zeros(TICK, np.int16)
        block = self._speech[self._at : self._at + TICK]
        self._at += TICK
        return np.pad(block, (0, TICK - len(block)))


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many endless loops, each in a process of its own."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def main(cases: Sequence[str], seconds: float, loops: int, ear: str) -> int:
    """Print the table; how many limits were missed."""
    limits = Limits()
    print(f"{'agent':12}{'calls':>6}{'invalid':>8}{'n':>5}{'asked':>6}", end="")
    print(f"{'drawn':>8}{'got':>8}{'excess':>8}{'p95':>8}{'cut off':>9}  load")
    if ear:
        _charged(cases, ear, seconds, limits)
        return limits.missed
    with busy(loops), tempfile.TemporaryDirectory() as scratch:
        for agent in AGENTS:
            before, replies, invalid = os.getloadavg()[0], list[PatientReply](), 0
            for case in cases:
                result = voicesim.simulate(case, agent, out=Path(scratch) / agent, max_duration=seconds)
                validity = result.manifest.validity
                invalid += not (validity is not None and validity.valid)
                measured = result.metrics.reply_time
                replies += measured.replies if measured else ()
            load = f"{before:.1f} to {os.getloadavg()[0]:.1f}"
            _row(agent, len(cases), invalid, replies, load, limits)
        _stream(Path(scratch), limits)
    return limits.missed


def _charged(cases: Sequence[str], ear: str, seconds: float, limits: Limits) -> None:
    """The same on virtual time, where other work on the machine changes nothing."""
    voice, whisper = AgentVoice(), load_whisper(threads=2)
    replies, before = list[PatientReply](), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            folder = Path(scratch) / case
            charged_call(case, ear, voice, folder, seconds)
            measured = transcribe(folder, whisper)[1].reply_time
            replies += measured.replies if measured else ()
    load = f"processor time ({before:.1f} to {os.getloadavg()[0]:.1f})"
    _row(f"rules, {ear}"[:12], len(cases), 0, replies, load, limits)


def _row(agent: str, calls: int, invalid: int, replies: Sequence[PatientReply], load: str, limits: Limits) -> None:
    timed = [reply for reply in replies if reply.excess is not None]
    if not timed:
        print(f"{agent:12}{calls:6}{invalid:8}{0:5}  no reply was timed")
        return
    excess = np.array([reply.excess for reply in timed])
    median, p95 = float(np.median(excess)), float(np.quantile(excess, 0.95))
    drawn, got = np.median([reply.drawn for reply in timed]), np.median([reply.got for reply in timed])
    asked, cut_off = sum(reply.drawn < WAITS for reply in timed), sum(reply.cut_off for reply in replies)
    print(f"{agent:12}{calls:6}{invalid:8}{len(timed):5}{asked:6}{drawn:8.2f}{got:8.2f}", end="")
    print(f"{median:8.2f}{p95:8.2f}{cut_off:5} /{len(replies):3}  {load}", flush=True)
    limits.at_most(f"{agent}: excess of a reply, median", median, MEDIAN_LIMIT, "s")
    limits.at_most(f"{agent}: excess of a reply, p95", p95, P95_LIMIT, "s")
    limits.at_most(f"{agent}: share of replies that cut the agent off", cut_off / len(replies), CUT_OFF_LIMIT)


def _stream(scratch: Path, limits: Limits) -> None:
    """A minute of speech: when it was understood, whether it was heard out, and how it was answered."""
    case, before = Catalogue.here().case("cold-01-andi"), os.getloadavg()[0]
    result = voicesim.simulate(case, StreamingAgent(), out=scratch / "stream", max_duration=LENGTH + 45)
    heard = [event for event in open_recording(result.folder).events if event.type == "heard"]
    last = next((event for event in heard if QUESTION[:-1].lower() in event.text.lower()), None)
    measured = result.metrics.reply_time
    valid = bool(result.manifest.validity and result.manifest.validity.valid)
    load = f"{before:.1f} to {os.getloadavg()[0]:.1f}"
    print(f"a minute of speech: heard out {len(heard) == 1}, valid {valid}, load {load}")
    if measured is not None:
        for reply in measured.replies:
            print(f"  {reply.caller}: drawn {reply.drawn:.2f}, got {reply.got}, excess {reply.excess}")
    late = last.t - last.end if last is not None else float("inf")
    limits.at_most("a minute of speech is understood after its end", late, UNDERSTOOD_LIMIT, "s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--charged", metavar="EAR", default="", help="virtual time, with base or tiny.en as the ear")
    chosen = parser.parse_args()
    named = chosen.cases or Catalogue.here().matching("case", ["cold-*"])
    sys.exit(main(named, chosen.seconds, 2 if chosen.busy else 0, chosen.charged) > 0)
