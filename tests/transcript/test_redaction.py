"""A redacted copy has none of the words, in no file and no channel, and loads like any other."""

import json
from pathlib import Path

import numpy as np
import pytest
from made_recording import line, make_recording
from spoken_agent import spoken

from voicesim.audio.samples import Pcm, samples
from voicesim.errors import UsageError
from voicesim.language.personal import ENTITIES, personal
from voicesim.metrics.measure import measure
from voicesim.recording import files
from voicesim.recording.read import open_recording
from voicesim.stt.whisper import load_whisper
from voicesim.transcript.build import build
from voicesim.transcript.marking import MARK, Marker
from voicesim.transcript.model import Transcript
from voicesim.transcript.redaction import Wanted, redact_recording

AGENT, PATIENT = "Hello Melanie, what can I do for you today?", "My name is Melanie and I have a dry cough."


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("call") / "original"
    agent, said = spoken(AGENT), spoken(PATIENT)
    start = len(agent) / 24_000 + 1.0
    stem = np.concatenate([np.zeros(samples(start), np.int16), said])
    spoken_line = line(start, start + len(said) / 24_000, text=PATIENT)
    recording = make_recording(folder, agent, stem, [spoken_line])
    transcript = build(recording, load_whisper("base", threads=2), "en")
    files.save(folder, files.TRANSCRIPT, transcript)
    quote = {"utterance": "P1", "quote": "is Melanie and"}
    files.write_text(folder / files.VERDICTS / "j.json", json.dumps({"evidence": [quote], "reason": "Melanie said so"}))
    return folder


def power(sound: Pcm) -> float:
    return float(np.mean(np.square(sound, dtype=np.float64)))


@pytest.mark.parametrize(
    "wanted", [Wanted(words=("Melanie",)), Wanted(entities=("name",)), Wanted(words=("melanie",), sound="tone")]
)
def test_the_words_are_gone_from_every_file_and_from_the_sound(wanted: Wanted, original: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in original.rglob("*") if path.is_file()}
    told = redact_recording(original, tmp_path / "copy", wanted)
    assert told.stretches == 2
    assert {path: path.read_bytes() for path in original.rglob("*") if path.is_file()} == before
    for path in (tmp_path / "copy").rglob("*.json*"):
        assert "melanie" not in path.read_text().lower(), path
    recording = open_recording(tmp_path / "copy")
    assert recording.manifest.redacted == told
    assert "a redacted copy" in recording.events[0].message  # type: ignore[union-attr]
    transcript = files.load(tmp_path / "copy", files.TRANSCRIPT, Transcript)
    assert MARK in transcript.of("agent")[0].text
    measure(recording, transcript)
    name = next(word for word in transcript.of("agent")[0].words if word.text == MARK)
    heard = recording.agent[samples(name.start) : samples(name.end)]
    first = open_recording(original).agent[samples(name.start) : samples(name.end)]
    assert power(first) > 1e4
    assert power(heard) == pytest.approx(0.0 if wanted.sound == "silence" else 1_000**2 / 2, rel=0.1)
    again = build(recording, load_whisper("base", threads=2), "en")
    assert "melanie" not in " ".join(utterance.text for utterance in again.utterances).lower()
    changed = recording.clean != open_recording(original).clean
    assert 0.2 < np.count_nonzero(changed) / 24_000 < 1.6  # the name, and not the line


def test_what_is_not_there_or_not_asked_for_is_refused(original: Path, tmp_path: Path) -> None:
    for wanted, says in (
        (Wanted(), "say what to redact"),
        (Wanted(words=("aspirin",)), "nothing of what is to be redacted"),
    ):
        with pytest.raises(UsageError, match=says):
            redact_recording(original, tmp_path / "copy", wanted)
    (tmp_path / "there").mkdir()
    with pytest.raises(UsageError, match="never written over"):
        redact_recording(original, tmp_path / "there", Wanted(words=("Melanie",)))
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_words_a_letter_away_are_marked_and_shorter_ones_are_not() -> None:
    assert (
        Marker(["Andi"]).marked("Andy, this is Andi's son and he is fine.")
        == f"{MARK}, this is {MARK} son and he is fine."
    )
    assert Marker(["five"]).places("five hundred five") == [(0, 4), (13, 17)]


def test_personal_details_are_found_by_kind() -> None:
    text = "I'm Rosa Klein, born on 12 March 1980, at 14 Baker Street. Call 0171 555 1234 or rosa@example.org."
    text += " I take 500 mg."
    found = [(detail.entity, detail.text) for detail in personal(text)]
    assert ("name", "Rosa Klein") in found
    assert ("address", "14 Baker Street") in found or ("address", "14 Baker Street.") in found
    assert ("email", "rosa@example.org") in found
    assert any(kind == "number" and "555" in held for kind, held in found)
    assert any(kind == "date" and "March" in held for kind, held in found)
    assert not any("500" in held for _, held in found)
    assert {kind for kind, _ in found} <= set(ENTITIES)
    assert personal("I'm just tired, and I am taking two tablets.") == []
