import pytest
from made_recording import line
from speechlike import placed_pcm

from voicesim.recording.events import Effect, Event
from voicesim.transcript.patient import patient_speech


def test_zeros_at_the_end_of_a_clip_are_not_speech() -> None:
    # the clip is 1.3 s long, its last 300 ms are zeros
    (one,), warnings = patient_speech([line(1.0, 2.3)], placed_pcm(4.0, (1.0, 2.0)))
    assert one.voiced[-1][1] == pytest.approx(2.0, abs=0.002)
    assert one.voiced[0][0] == pytest.approx(1.0, abs=0.002)
    assert (one.cut, warnings) == (False, [])


def test_a_pause_inside_a_line_parts_its_voiced_spans() -> None:
    (one,), _ = patient_speech([line(0.0, 3.0)], placed_pcm(4.0, (0.0, 1.5), (2.2, 3.0)))
    assert [moment for span in one.voiced for moment in span] == pytest.approx([0.0, 1.5, 2.2, 3.0], abs=0.002)


def test_a_line_that_was_cut_ends_where_it_was_cut() -> None:
    events: list[Event] = [line(1.0, 3.0), Effect(t=2.0, kind="line_cut"), line(5.0, 6.0)]
    found, _ = patient_speech(events, placed_pcm(7.0, (1.0, 2.0), (5.0, 6.0)))
    assert [(one.cut, round(one.voiced[-1][1], 2)) for one in found] == [(True, 2.0), (False, 6.0)]


def test_a_line_the_recording_stops_in_is_cut() -> None:
    (one,), _ = patient_speech([line(1.0, 3.0)], placed_pcm(2.0, (1.0, 2.0)))
    assert (one.cut, one.voiced[-1][1]) == (True, 2.0)


def test_a_line_that_cannot_be_heard_is_told_and_left_out() -> None:
    found, warnings = patient_speech([line(1.0, 2.0, text="Hello?")], placed_pcm(4.0))
    assert found == []
    assert warnings == ["the patient's line at 1.00 s is silent: 'Hello?'"]


def test_a_line_cut_before_its_first_sample_was_never_said() -> None:
    events: list[Event] = [line(1.0, 2.0), Effect(t=1.0, kind="line_cut")]
    assert patient_speech(events, placed_pcm(4.0)) == ([], [])
