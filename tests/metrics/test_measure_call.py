from pathlib import Path

import numpy as np
import pytest
from handmade import agent, call
from made_recording import make_recording

from voicesim.errors import RecordingError
from voicesim.metrics.measure import measure


def test_a_transcript_of_another_call_is_refused(tmp_path: Path) -> None:
    recording = make_recording(tmp_path / "r", np.zeros(2400, dtype=np.int16), call_id="other")
    with pytest.raises(RecordingError, match="transcript is of call 'c'"):
        measure(recording, call(agent((0.0, 0.1))))


def test_the_transcripts_warnings_are_kept(tmp_path: Path) -> None:
    recording = make_recording(tmp_path / "r", np.zeros(2400, dtype=np.int16), call_id="c")
    told = call(agent((0.0, 0.1))).model_copy(update={"warnings": ("odd",)})
    assert measure(recording, told).warnings == ("odd",)
