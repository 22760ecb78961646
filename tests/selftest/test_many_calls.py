"""A few of the calls of benchmarks/many_calls.py: cases, personas and seeds, each to its end, and the same again."""

import filecmp
from pathlib import Path

import pytest

from voicesim.call.virtual import run_virtual
from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.recording.events import CallerLine
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import open_recording
from voicesim.reference_agents.nurse_line import NurseLineBrain
from voicesim.selftest.text_call import text_call
from voicesim.suite.audit import line_findings
from voicesim.testing import PeakVad


def made(folder: Path, case: str, persona: str, seed: int) -> Manifest:
    here = Catalogue.here()
    found, brain = here.case(case), NurseLineBrain("Hello, this is the nurse line. How can I help?")
    mind = make_mind("cues", found)
    return run_virtual(text_call(folder, brain, found, here.persona(persona), mind=mind, vad=PeakVad(), seed=seed))


@pytest.mark.parametrize(
    ("case", "persona"),
    [
        ("cold-01-andi", "stress-interrupter"),
        ("cold-02-prolonged-cough", "stress-child-beside"),
        ("cold-03-biphasic-worsening", "stress-hard-of-hearing"),
        ("cold-10-antibiotic-request-smoker", "stress-adversary"),
    ],
)
def test_a_difficult_patient_comes_to_an_end_and_the_same_one_again(tmp_path: Path, case: str, persona: str) -> None:
    first, again = tmp_path / "a" / "c", tmp_path / "b" / "c"
    manifest = made(first, case, persona, seed=3)
    assert manifest.validity is not None
    assert manifest.validity.valid
    assert manifest.end_reason in ("completed", "max_turns")
    made(again, case, persona, seed=3)
    files = ("audio.flac", "caller_clean.flac", "events.jsonl")
    assert filecmp.cmpfiles(first, again, files, shallow=False) == (list(files), [], [])
    said = [event for event in open_recording(first).events if isinstance(event, CallerLine)]
    assert list(line_findings(open_recording(first).events, Catalogue.here().case(case))) == []
    assert len([line for line in said if line.kind == "line"]) >= 3
