"""A recording in other forms: captions, who spoke when, a page to read, tables, sound."""

import json
from pathlib import Path

import pytest
import soundfile

from voicesim.errors import UsageError
from voicesim.recording import files
from voicesim.recording.manifest import bare_manifest
from voicesim.report.captions import markdown, rttm, srt, vtt
from voicesim.report.export import export
from voicesim.transcript.model import Transcript, Utterance

SAMPLE = Path(__file__).parents[2] / "recordings" / "sample" / "cold-04-emergency-dyspnea"
TEXT = "Call <b>112</b> --> now | *please*\nquick"
TRANSCRIPT = Transcript(
    call_id="my call",
    duration=3700.0,
    language="en",
    model="m",
    utterances=(
        Utterance(
            id="A1", side="agent", start=0.5, end=1.25, text=TEXT, voiced=((0.5, 0.75), (1.0, 1.25)), source="whisper"
        ),
        Utterance(
            id="P1", side="caller", start=3661.5, end=3662.0, text="Okay.", voiced=((3661.5, 3662.0),), source="line"
        ),
    ),
)


def test_captions_have_their_clock_and_hold_no_markup_of_the_call() -> None:
    assert srt(TRANSCRIPT).splitlines() == [
        "1",
        "00:00:00,500 --> 00:00:01,250",
        "Agent: Call <b>112</b> → now | *please* quick",
        "",
        "2",
        "01:01:01,500 --> 01:01:02,000",
        "Patient: Okay.",
    ]
    assert vtt(TRANSCRIPT).splitlines()[:5] == [
        "WEBVTT",
        "",
        "A1",
        "00:00:00.500 --> 00:00:01.250",
        "<v Agent>Call &lt;b&gt;112&lt;/b&gt; → now | *please* quick",
    ]


def test_rttm_has_a_line_for_every_stretch_of_sound() -> None:
    assert rttm(TRANSCRIPT).splitlines() == [
        "SPEAKER my_call 2 0.500 0.250 <NA> <NA> agent <NA> <NA>",
        "SPEAKER my_call 2 1.000 0.250 <NA> <NA> agent <NA> <NA>",
        "SPEAKER my_call 1 3661.500 0.500 <NA> <NA> patient <NA> <NA>",
    ]


def test_markdown_of_the_call_is_text() -> None:
    page = markdown(bare_manifest("my call", "x"), TRANSCRIPT)
    assert "**A1** Agent, 0.50 s: Call &#60;b&#62;112&#60;/b&#62; &#45;&#45;&#62; now &#124; &#42;please" in page


def test_a_recording_is_written_as_sound_and_as_tables(tmp_path: Path) -> None:
    (wav,) = export([SAMPLE], "wav", tmp_path)
    sound, rate = soundfile.read(wav, dtype="int16")
    manifest = json.loads((SAMPLE / files.MANIFEST).read_text())
    assert (rate, sound.shape[1]) == (24_000, 2)
    assert len(sound) / rate == pytest.approx(manifest["duration"], abs=0.02)
    paths = export([SAMPLE], "jsonl", tmp_path / "tables")
    rows = {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in paths}
    assert rows["calls"][0]["case"] == "cold-04-emergency-dyspnea"
    assert {"calls", "turns", "verdicts"} == set(rows)
    assert all(not isinstance(value, dict | list) for row in rows["calls"] for value in row.values())


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    paths = export([SAMPLE], "parquet", tmp_path)
    table = parquet.read_table(paths[0])
    assert table.column("case").to_pylist() == ["cold-04-emergency-dyspnea"]


def test_captions_need_a_transcript(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(SAMPLE, tmp_path / "copy", ignore=shutil.ignore_patterns("transcript.json"))
    with pytest.raises(UsageError, match="transcribe it first"):
        export([tmp_path / "copy"], "srt", tmp_path / "out")
