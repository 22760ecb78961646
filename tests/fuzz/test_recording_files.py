"""Every file of a recording, changed by a stranger in one place: each step says what is wrong, or does its work."""

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.odd import CHANGES, FUZZ, PLACES, VALUES, as_json, changed, places
from voicesim.audio.samples import RATE
from voicesim.errors import VoicesimError
from voicesim.judge.judges import Panel
from voicesim.judge.run import score_together
from voicesim.metrics.measure import measure
from voicesim.recording import files, flac
from voicesim.recording.read import find_recordings, open_recording
from voicesim.report.write import write_scorecard
from voicesim.transcript.model import Transcript, Utterance, Word

SAMPLE = Path(__file__).parents[2] / "recordings" / "sample"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample call, with its sound cut to a second (it is decoded and encoded for every example)."""
    (sample,) = find_recordings(SAMPLE)
    folder = tmp_path_factory.mktemp("whole") / "call"
    folder.mkdir()
    for name in (files.MANIFEST, files.EVENTS):
        shutil.copy(sample / name, folder)
    for name, channels in ((files.AUDIO, 2), (files.CLEAN, 1)):
        flac.write(folder, name, channels, [np.full((RATE, channels), 1000, np.int16)])
    recording = open_recording(folder)
    utterances = (said("A1", 0.0, "Hello, how can I help?"), said("P1", 0.5, "I have a cough."))
    call_id = recording.manifest.call_id
    transcript = Transcript(call_id=call_id, duration=1.0, language="en", model="none", utterances=utterances)
    files.save(folder, files.TRANSCRIPT, transcript)
    files.save(folder, files.METRICS, measure(recording, transcript))
    score_together(folder, Panel().seated(), 1)
    write_scorecard(folder)
    return folder


def said(name: str, start: float, text: str) -> Utterance:
    agent, end = name.startswith("A"), start + 0.4
    return Utterance(
        id=name,
        side="agent" if agent else "caller",
        start=start,
        end=end,
        text=text,
        voiced=((start, end),),
        words=(Word(text=text, start=start, end=end, probability=0.9),) if agent else (),
        intent=None if agent else "respond",
        source="whisper" if agent else "line",
    )


def steps(folder: Path) -> None:
    """What is done with a recording; each step stands for itself, as commands do."""
    allowed: list[Callable[[], object]] = [
        lambda: open_recording(folder).agent,
        lambda: open_recording(folder).clean,
        lambda: measure(open_recording(folder), files.load(folder, files.TRANSCRIPT, Transcript)),
        lambda: score_together(folder, Panel().seated(), 1),
        lambda: write_scorecard(folder),
    ]
    for step in allowed:
        with suppress(VoicesimError):
            step()


def in_a_copy(whole: Path, change: Callable[[Path], None]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "call"
        shutil.copytree(whole, folder)
        change(folder)
        steps(folder)


@pytest.mark.parametrize("name", [files.MANIFEST, files.TRANSCRIPT, files.METRICS, "verdicts/cues.json"])
@FUZZ
@given(place=PLACES, change=CHANGES, value=VALUES)
def test_a_json_file_with_one_place_changed(whole: Path, name: str, place: int, change: str, value: Any) -> None:
    def rewrite(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(as_json(changed(content, place, change, value)), "utf-8", "surrogatepass")

    in_a_copy(whole, rewrite)


@pytest.mark.parametrize("far", [1e308, -1e308, 1e15, 86_401.0])
@pytest.mark.parametrize("name", [files.MANIFEST, files.TRANSCRIPT, files.METRICS])
def test_every_number_of_a_file_in_turn_so_far_off_that_its_samples_cannot_be_counted(
    whole: Path, name: str, far: float
) -> None:
    content = json.loads((whole / name).read_text())
    numbers = [(parent, key) for parent, key in places(content) if isinstance(parent[key], float)]
    assert numbers
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "call"
        shutil.copytree(whole, folder)
        for parent, key in numbers:
            right, parent[key] = parent[key], far
            (folder / name).write_text(json.dumps(content))
            steps(folder)
            parent[key] = right


@FUZZ
@given(line=PLACES, place=PLACES, change=CHANGES, value=VALUES)
def test_an_event_with_one_place_changed(whole: Path, line: int, place: int, change: str, value: Any) -> None:
    def rewrite(folder: Path) -> None:
        lines = (folder / files.EVENTS).read_text().splitlines()
        at = line % len(lines)
        lines[at] = as_json(changed(json.loads(lines[at]), place, change, value))
        (folder / files.EVENTS).write_text("\n".join(lines) + "\n", "utf-8", "surrogatepass")

    in_a_copy(whole, rewrite)


NAMES = (files.MANIFEST, files.EVENTS, files.AUDIO, files.CLEAN, files.TRANSCRIPT, files.METRICS, "verdicts/cues.json")


@FUZZ
@given(name=st.sampled_from(NAMES), at=st.floats(0, 1), put=st.binary(max_size=40), cut=st.booleans())
def test_a_file_with_other_bytes_in_it_or_cut_short(whole: Path, name: str, at: float, put: bytes, cut: bool) -> None:
    def rewrite(folder: Path) -> None:
        content = (folder / name).read_bytes()
        place = int(at * len(content))
        (folder / name).write_bytes(content[:place] + put + (b"" if cut else content[place + len(put) :]))

    in_a_copy(whole, rewrite)


@FUZZ
@given(lengths=st.lists(st.integers(0, 200_000), min_size=3, max_size=3), ended=st.booleans())
def test_live_files_of_any_length(whole: Path, lengths: list[int], ended: bool) -> None:
    def leave(folder: Path) -> None:
        content = json.loads((folder / files.MANIFEST).read_text())
        if not ended:
            content |= {"end_reason": None, "duration": None, "validity": None}
        (folder / files.MANIFEST).write_text(json.dumps(content))
        (folder / files.LIVE).mkdir()
        for name, length in zip(("caller", "agent", "clean"), lengths, strict=True):
            with (folder / files.LIVE / f"{name}.pcm").open("wb") as file:
                file.truncate(length)

    before = len(open_recording(whole).agent)

    def longer(folder: Path) -> None:
        leave(folder)
        assert len(open_recording(folder).agent) == max(before, *(length // 2 for length in lengths))

    in_a_copy(whole, longer)


FORGED: tuple[tuple[str, Any], ...] = (
    ("case.content.rubric", [5]),
    ("case.content.rubric", ["x"]),
    ("case.content.rubric", [{}]),
    ("case.content.patient", []),
    ("case.content.patient", {"name": "Ada"}),
    ("setup_seconds", -1e308),
    ("lateness.max", 1e308),
)


@pytest.mark.parametrize(("place", "value"), FORGED)
def test_a_manifest_that_was_forged_in_a_place_that_the_page_shows(whole: Path, place: str, value: Any) -> None:
    def rewrite(folder: Path) -> None:
        content = json.loads((folder / files.MANIFEST).read_text())
        *parents, last = place.split(".")
        inside = content
        for name in parents:
            inside = inside[name]
        assert last in inside
        inside[last] = value
        (folder / files.MANIFEST).write_text(json.dumps(content))

    in_a_copy(whole, rewrite)
