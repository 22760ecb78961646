"""What is heard of the patient in what was sent."""

from pathlib import Path

import numpy as np
from made_recording import line, make_recording

from voicesim.audio.samples import RATE, Pcm, Wave
from voicesim.stt.model import HeardWord, Hearing
from voicesim.transcript.build import build
from voicesim.transcript.sent import TAIL, with_heard


class Counts:
    """Hears one word a stretch of sound (300 ms and more of silence apart): its length in tenths of a second."""

    model, sha256 = "counts", "0"

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        loud = np.flatnonzero(np.abs(wave) > 0.05)
        runs = np.split(loud, np.flatnonzero(np.diff(loud) > 0.3 * RATE) + 1) if len(loud) else []
        words = [
            HeardWord(str(round(len(run) / RATE * 10)), run[0] / RATE, run[-1] / RATE, 1.0) for run in runs if len(run)
        ]
        return Hearing(" ".join(word.text for word in words), tuple(words), language)


def square(seconds: float, *spans: tuple[float, float]) -> Pcm:
    """A square wave in these spans, silence between."""
    wave = np.zeros(round(seconds * RATE), np.int16)
    for start, end in spans:
        wave[round(start * RATE) : round(end * RATE)] = 8000
    return wave


def test_each_line_is_heard_where_the_line_delivers_it(tmp_path: Path) -> None:
    clean = square(12.0, (1.0, 2.0), (5.0, 7.0))
    events = (line(1.0, 2.0, text="First."), line(5.0, 7.0, text="Second."))
    recording = make_recording(tmp_path / "r", square(12.0), clean, events)
    # The channel is 300 ms late: the end of each line lies behind its end in the clean stem.
    late = square(12.0, (1.3, 2.3), (5.3, 7.3))
    transcript = with_heard(build(recording, Counts(), "en"), late, Counts())
    assert [(said.text, said.heard) for said in transcript.of("caller")] == [("First.", "10"), ("Second.", "20")]
    assert TAIL >= 0.3


def test_of_a_patient_who_never_spoke_nothing_is_heard(tmp_path: Path) -> None:
    transcript = build(make_recording(tmp_path / "r", square(4.0)), Counts(), "en")
    assert with_heard(transcript, square(4.0), Counts()) == transcript


def test_a_line_that_never_arrived_is_heard_as_nothing(tmp_path: Path) -> None:
    recording = make_recording(tmp_path / "r", square(4.0), square(4.0, (1.0, 2.0)), (line(1.0, 2.0),))
    transcript = build(recording, Counts(), "en")
    assert transcript.of("caller")[0].heard is None
    assert with_heard(transcript, square(4.0), Counts()).of("caller")[0].heard == ""
