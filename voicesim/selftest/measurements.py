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
class Measurement:
    """What the measures say of an instant, in seconds; None where they found nothing, or were held up and say so."""

    value: float | None
    harness_late: bool = False


@dataclass(frozen=True)
class Measurements:
    """The figures of a call by kind, in the order of the call.

    `late` is the 99th percentile of its ticks' lateness (seconds), `broken_off` why it did not come to its goodbye.
    """

    by_kind: dict[Kind, list[Measurement]]
    validity: Validity
    late: float = 0.0
    broken_off: str = ""


class _Deaf:
    """A transcriber that hears no words: the measures are of sound."""

    model = "none"
    sha256 = ""

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        return Hearing("", (), language)


def measure_call(folder: Path) -> Measurements:
    """Transcribe and measure the recording of a call of the self-test."""
    recording = open_recording(folder)
    transcript = build(recording, _Deaf(), "en")
    manifest = recording.manifest
    late = manifest.lateness.p99 if manifest.lateness else 0.0
    by_kind = measurements(transcript, measure(recording, transcript))
    whole = manifest.end_reason == "completed"
    broken_off = "" if whole else f"{manifest.end_reason}: {manifest.end_detail}"
    return Measurements(by_kind, manifest.validity or Validity(valid=True), late, broken_off)


def measurements(transcript: Transcript, metrics: Metrics) -> dict[Kind, list[Measurement]]:
    """The figures that the script knows the truth of, in the order of the call."""
    starts = {utterance.id: utterance.start for utterance in transcript.utterances}
    by_kind: dict[Kind, list[Measurement]] = {"latency": [], "cut_in": [], "yield": []}
    for turn in metrics.turns:
        harness_late = turn.harness_late is not None
        if turn.outcome == "cut_in" and turn.agent_start is not None:
            into = None if harness_late else turn.agent_start - starts[turn.caller]
            by_kind["cut_in"].append(Measurement(into, harness_late))
        else:
            by_kind["latency"].append(Measurement(turn.latency, harness_late))
    by_kind["yield"] = [
        Measurement(interruption.yield_time, interruption.harness_late is not None)
        for interruption in metrics.interruptions
    ]
    return by_kind
