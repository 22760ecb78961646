"""What the real measures say of a finished call of the self-test."""

from dataclasses import dataclass
from pathlib import Path

from voicesim.audio.samples import Wave
from voicesim.metrics.measure import measure
from voicesim.metrics.model import Metrics
from voicesim.recording.manifest import Validity
from voicesim.recording.read import open_recording
from voicesim.selftest.agent import Kind
from voicesim.stt.model import Hearing
from voicesim.transcript.build import build
from voicesim.transcript.model import Transcript


@dataclass(frozen=True)
class Figure:
    """What the measures say of an instant, in seconds; None where they found nothing, or were held up and say so."""

    value: float | None
    harness_late: bool = False


@dataclass(frozen=True)
class Measured:
    """The figures of a call by kind, in the order of the call; `late` is the 99th percentile of its ticks' lateness."""

    figures: dict[Kind, list[Figure]]
    validity: Validity
    late: float = 0.0


class _Deaf:
    """A transcriber that hears no words: the measures are of sound."""

    model = "none"
    sha256 = ""

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        return Hearing("", (), language)


def measured(folder: Path) -> Measured:
    """The figures of a recording."""
    recording = open_recording(folder)
    transcript = build(recording, _Deaf(), "en")
    manifest = recording.manifest
    late = manifest.lateness.p99 if manifest.lateness else 0.0
    return Measured(read(transcript, measure(recording, transcript)), manifest.validity or Validity(valid=True), late)


def read(transcript: Transcript, metrics: Metrics) -> dict[Kind, list[Figure]]:
    """The figures that the script knows the truth of, in the order of the call."""
    starts = {one.id: one.start for one in transcript.utterances}
    found: dict[Kind, list[Figure]] = {"latency": [], "cut_in": [], "yield": []}
    for turn in metrics.turns:
        harness_late = turn.harness_late is not None
        if turn.outcome == "cut_in" and turn.agent_start is not None:
            into = None if harness_late else turn.agent_start - starts[turn.caller]
            found["cut_in"].append(Figure(into, harness_late))
        else:
            found["latency"].append(Figure(turn.latency, harness_late))
    found["yield"] = [Figure(one.yield_time, one.harness_late is not None) for one in metrics.interruptions]
    return found
