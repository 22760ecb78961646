import numpy as np
import pytest
from speechlike import placed

from voicesim.audio.edges import levels_db
from voicesim.audio.samples import RATE
from voicesim.recording.events import Intent
from voicesim.transcript.cut import breaks_off, is_cut


@pytest.mark.parametrize(
    ("intent", "patient", "broke_off", "cut"),
    [
        ("stop", (2.0, 3.0), False, True),  # ends 0.35 s after the interruption began
        ("stop", (0.2, 2.5), False, False),  # began before the agent did
        ("ignore", (2.0, 2.4), True, True),  # stopped for an "mm-hm"
        ("ignore", (2.0, 2.4), False, False),  # came to its own end
        ("respond", (2.0, 3.0), True, False),
    ],
)
def test_an_utterance_is_cut_by_what_the_patient_said_into_it(
    intent: Intent, patient: tuple[float, float], broke_off: bool, cut: bool
) -> None:
    assert is_cut((1.0, 2.35), [(intent, patient)], 10.0, broke_off=broke_off) is cut


def test_talking_on_for_two_seconds_is_not_being_cut() -> None:
    assert not is_cut((1.0, 4.0), [("stop", (2.0, 3.0))], 10.0, broke_off=True)
    assert not is_cut((1.0, 4.0), [("ignore", (2.0, 3.0))], 10.0, broke_off=True)


def test_the_end_of_the_recording_cuts() -> None:
    assert is_cut((1.0, 4.0), [], 4.05, broke_off=False)
    assert not is_cut((1.0, 4.0), [], 4.2, broke_off=True)


def test_sound_that_stops_at_full_voice_breaks_off_and_sound_that_fades_does_not() -> None:
    wave = placed(4.0, (1.0, 3.0))
    assert breaks_off(levels_db(wave), 3.0)
    faded = wave.copy()
    faded[2 * RATE : 3 * RATE] *= 10 ** (-np.linspace(0, 40, RATE) / 20).astype(np.float32)
    assert not breaks_off(levels_db(faded), 3.0)
    assert not breaks_off(levels_db(wave[:0]), 0.0)
