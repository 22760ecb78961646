"""`voicesim import` from the command line: one call, two files, a folder."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from sound_files import stereo_pcm, wav_bytes
from speechlike import placed

from voicesim.audio.samples import to_pcm
from voicesim.recording.read import open_recording


def voicesim_import(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "voicesim", "import", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_folder_is_imported_in_parallel_and_what_is_broken_stays_with_itself(tmp_path: Path) -> None:
    calls, out = tmp_path / "calls", tmp_path / "out"
    calls.mkdir()
    patient, agent = placed(3.0, (1.5, 2.5)), placed(3.0, (0.2, 1.0))
    (calls / "good.wav").write_bytes(wav_bytes(stereo_pcm(patient, agent)))
    (calls / "good.json").write_text('{"sentences": []}')
    (calls / "pair-caller.wav").write_bytes(wav_bytes(to_pcm(patient)[:, None]))
    (calls / "pair-agent.wav").write_bytes(wav_bytes(to_pcm(agent)[:, None]))
    (calls / "letter.mp3").write_text("Dear doctor")
    options = ("--case", "cold-01-andi", "--out", out, "--suite", "s")
    done = voicesim_import(calls, *options)
    assert done.returncode == 2
    assert "letter.mp3: no sound file" in done.stderr
    assert "2 of 3 imported, 0 with something odd, 1 refused" in done.stdout
    assert f"next: voicesim transcribe {out / 's'}" in done.stdout
    assert sorted(path.name for path in (out / "s").iterdir()) == ["good", "pair"]
    for name in ("good", "pair"):
        recording = open_recording(out / "s" / name)
        np.testing.assert_array_equal(recording.agent, to_pcm(agent))
    again = voicesim_import(calls / "good.wav", *options, "--json")
    assert again.returncode == 2
    assert "never written over" in json.loads(again.stdout)["recordings"][0]["error"]


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav_bytes(np.zeros((10, 2), np.int16)))
    for arguments, says in (
        (("a.wav", "--case", "cold-01-andy"), "Did you mean cold-01-andi"),
        (("a.wav", "--case", "cold-01-andi", "--start", "noon"), "is no date and time"),
        ((tmp_path, "--case", "cold-01-andi", "--events", "x.json"), "--events is for one call"),
        ((tmp_path / "no.wav", "--case", "cold-01-andi", "--out", tmp_path), "there is no such file"),
    ):
        done = voicesim_import(*arguments)
        assert done.returncode == 2, done.stderr
        assert says in done.stderr
