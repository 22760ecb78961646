"""A case drafted from a call: what was asked is a fact, personal details are invented, and `check` passes."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from made_recording import make_recording

from voicesim.caller.opening import check_opening
from voicesim.catalog.model import Case
from voicesim.errors import UsageError
from voicesim.recording import files
from voicesim.suite.draft_case import draft_case
from voicesim.transcript.model import Side, Transcript, Utterance

SAID: tuple[tuple[Side, str], ...] = (
    ("agent", "Hello, this is the surgery."),
    ("caller", "Hello, I'm Rosa Klein and I have had a sore throat since Monday."),
    ("agent", "I see. Do you have any fever?"),
    ("caller", "Yes, it was thirty nine this morning."),
    ("agent", "What is your phone number?"),
    ("caller", "It's 0171 555 1234."),
    ("agent", "Thank you, Rosa Klein. Do you take any medicine?"),
    ("caller", "Only ibuprofen."),
    ("agent", "Drink a lot. Goodbye."),
    ("caller", "Thank you. Goodbye."),
)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    folder = tmp_path / "call"
    make_recording(folder, np.zeros(24_000 * 30, np.int16))
    numbers = {"agent": 0, "caller": 0}
    utterances = []
    for place, (side, text) in enumerate(SAID):
        numbers[side] += 1
        start = 3.0 * place
        name = f"{'A' if side == 'agent' else 'P'}{numbers[side]}"
        intent = "respond" if side == "caller" else None
        utterances.append(
            Utterance(
                id=name,
                side=side,
                start=start,
                end=start + 2,
                text=text,
                voiced=((start, start + 2.0),),
                intent=intent,
                source="whisper",
            )
        )
    transcript = Transcript(call_id="made", duration=30.0, language="en", model="m", utterances=tuple(utterances))
    files.save(folder, files.TRANSCRIPT, transcript)
    return folder


def test_what_was_asked_becomes_facts_and_checks_with_their_quotes(recording: Path) -> None:
    text = draft_case(recording, "draft-made")
    case = Case.model_validate(yaml.safe_load(text))
    check_opening(case)
    facts = {fact.id: fact for fact in case.patient.reveal_only_if_asked}
    assert list(facts) == ["fever", "phone", "medicine"]
    assert facts["fever"].says == "Yes, it was thirty nine this morning."
    assert facts["medicine"].cues == ("medicine",)
    assert [check.id for check in case.rubric] == ["asks_fever", "asks_phone", "asks_medicine"]
    assert "#   fever: P2 at 9.0 s, asked by A2 “I see. Do you have any fever?”" in text.splitlines()


def test_personal_details_are_invented_and_listed(recording: Path) -> None:
    text = draft_case(recording, "draft-made")
    for detail in ("Rosa", "Klein", "0171", "1234"):
        assert detail not in text
    assert "Sam Miller" in text
    assert "a name became 'Sam Miller'" in text
    assert "a number became" in text


def test_check_passes_the_draft_and_nothing_is_written_over(recording: Path, tmp_path: Path) -> None:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "voicesim", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    done = run("draft-case", "call")
    assert done.returncode == 0, done.stderr
    checked = run("check", "cases/draft-call.yaml")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    again = run("draft-case", "call")
    assert again.returncode == 2
    assert "there is a file already" in again.stderr


def test_a_call_without_a_transcript_is_refused(recording: Path) -> None:
    (recording / files.TRANSCRIPT).unlink()
    with pytest.raises(UsageError, match="transcribe it first"):
        draft_case(recording, "x")
