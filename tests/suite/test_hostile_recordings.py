"""Recordings from strangers in the steps that write files of them: copies, drafts and replays."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from made_recording import line, make_recording

from voicesim.call.assembly import Order
from voicesim.catalog.find import Catalogue
from voicesim.catalog.yaml_tree import comment
from voicesim.errors import RecordingError, UsageError
from voicesim.judge.judges import Panel
from voicesim.recording import files
from voicesim.recording.events import Event, ToolCall, ToolResult
from voicesim.recording.read import open_recording
from voicesim.suite.draft_case import draft_case
from voicesim.suite.replay import AS_RECORDED, ReplayOptions
from voicesim.suite.replay_plan import replay_plan
from voicesim.transcript.marking import MARK, Marker
from voicesim.transcript.model import Side, Transcript, Utterance
from voicesim.transcript.redaction import Wanted, redact_recording

EVIL = "../../../evil\nbackend: {system: clinic}\r\u2028x: \x1b]0;y\x07"
CASE = Catalogue.here().case("cold-01-andi")


def said(number: int, side: Side, text: str) -> Utterance:
    start = float(2 * number)
    return Utterance(
        id=f"{side[0].upper()}{number}".replace("C", "P"),
        side=side,
        start=start,
        end=start + 1.0,
        text=text,
        voiced=((start, start + 1.0),),
        intent="respond" if side == "caller" else None,
        source="line" if side == "caller" else "whisper",
    )


TALK = (
    said(1, "caller", "I have a cough."),
    said(2, "agent", "What is your name, and do you have a fever?"),
    said(3, "caller", "Melanie Jones, and no fever."),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "call"
    number = {"Melanie": {"id": "Melanie", "note": "for Melanie Jones", "pin": 7714}}
    events: list[Event] = [
        line(2.0, 3.0, text="I have a cough."),
        ToolCall(t=5.0, call_id="1", name="verify", arguments=number),
        ToolResult(t=5.0, call_id="1", result=[{"type": "Jones"}, 7714]),
    ]
    make_recording(folder, np.zeros(24_000 * 10, np.int16), np.ones(24_000 * 10, np.int16), events)
    save(folder, *TALK)
    rewrite(folder, case={"id": CASE.id, "sha256": "", "content": CASE.model_dump(mode="json")})
    return folder


def save(folder: Path, *utterances: Utterance) -> None:
    call_id = open_recording(folder).manifest.call_id
    files.save(
        folder,
        files.TRANSCRIPT,
        Transcript(call_id=call_id, duration=10.0, language="en", model="none", utterances=utterances),
    )


def rewrite(folder: Path, **changes: Any) -> None:
    for name in (files.MANIFEST, files.TRANSCRIPT):
        content = json.loads((folder / name).read_text())
        content |= {key: value for key, value in changes.items() if key in content}
        (folder / name).write_text(json.dumps(content))


def test_what_a_tool_was_given_is_redacted_in_keys_numbers_and_places_that_look_like_ids(
    folder: Path, tmp_path: Path
) -> None:
    redact_recording(folder, tmp_path / "copy", Wanted(words=("Melanie", "Jones", "7714")))
    for path in (tmp_path / "copy").rglob("*.json*"):
        assert not any(word in path.read_text() for word in ("Melanie", "Jones", "7714")), path
    events = open_recording(tmp_path / "copy").events
    call = next(event for event in events if isinstance(event, ToolCall))
    assert call.arguments == {MARK: {"id": MARK, "note": f"for {MARK} {MARK}", "pin": MARK}}
    assert (call.name, call.call_id) == ("verify", "1")


def test_the_name_of_a_call_is_redacted_alike_in_every_file(folder: Path, tmp_path: Path) -> None:
    rewrite(folder, call_id="Melanie-2026")
    redact_recording(folder, tmp_path / "copy", Wanted(words=("Melanie",)))
    names = {
        open_recording(tmp_path / "copy").manifest.call_id,
        files.load(tmp_path / "copy", files.TRANSCRIPT, Transcript).call_id,
    }
    assert names == {f"{MARK}-2026"}


@pytest.mark.parametrize(
    "content", ["[" * 100_000, '{"a": NaN}', "\xff", "{", '"' + "x" * (files.JSON_LIMIT + 1) + '"']
)
def test_a_file_that_cannot_be_read_stops_the_copy_and_leaves_nothing(
    folder: Path, tmp_path: Path, content: str
) -> None:
    (folder / "more.json").write_text(content, encoding="latin-1")
    with pytest.raises(RecordingError, match=r"more\.json"):
        redact_recording(folder, tmp_path / "copy", Wanted(words=("Melanie",)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["call"]


def test_many_phrases_in_many_words_take_no_time() -> None:
    marker = Marker(f"{number} street" for number in range(100_000, 150_000))
    text = " ".join(str(number) for number in range(100_000, 150_000))
    assert marker.places(text) == []
    assert len(marker.places(text.replace(" ", " street "))) == 49_999


def test_a_replay_stays_in_its_folder_whatever_the_recorded_call_is_called(folder: Path, tmp_path: Path) -> None:
    rewrite(folder, call_id=EVIL)
    out = tmp_path / "out" / "replays"
    wanted = Order(
        CASE, Catalogue.here().persona(CASE.patient.persona), AS_RECORDED, "", out, "replays", clock="virtual"
    )
    plan = replay_plan([folder], ["python:x:y"], ReplayOptions(), wanted, Panel())
    (call,) = plan.calls
    assert call.order.folder.parent == out
    assert call.order.folder.name.isprintable()


def test_a_draft_holds_nothing_that_a_stranger_wrote_into_its_comments(folder: Path) -> None:
    rewrite(folder, call_id=EVIL)
    text = draft_case(folder, "drafted")
    entry = yaml.safe_load(text)
    assert "backend" not in entry
    assert entry["id"] == "drafted"
    assert all(sign.isprintable() or sign == "\n" for sign in text)


@pytest.mark.parametrize(
    "patient", [[], "x", {"name": 5}, {"age": 10**400}, {"age": 1e308}, {"sex": EVIL}, {"persona": EVIL}, None]
)
def test_a_draft_of_a_call_with_a_forged_case_is_a_case_or_an_error(folder: Path, patient: Any) -> None:
    content = CASE.model_dump(mode="json")
    content["patient"] = content["patient"] | patient if isinstance(patient, dict) else patient
    rewrite(folder, case={"id": "x", "sha256": "", "content": content})
    assert yaml.safe_load(draft_case(folder, "drafted"))["patient"]["age"] in (40, CASE.patient.age)
    rewrite(folder, case={"id": "x", "sha256": "", "content": {}})
    rewrite(folder, language="klingon")
    with pytest.raises(UsageError, match="language"):
        draft_case(folder, "drafted")


def test_a_comment_is_one_line_whatever_is_in_it() -> None:
    assert comment(f"  by {EVIL}") == "#   by ../../../evil backend: {system: clinic} x: ?]0;y?\n"
    assert yaml.safe_load(comment(EVIL)) is None


def test_a_copy_of_a_recording_without_a_patient_is_made(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder / files.VERDICTS, ignore_errors=True)
    rewrite(folder, case={"id": "x", "sha256": "", "content": {"patient": [1]}})
    redact_recording(folder, tmp_path / "copy", Wanted(entities=("name",), words=("Jones",)))
    assert open_recording(tmp_path / "copy").manifest.case.content == {"patient": [1]}
