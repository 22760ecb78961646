"""From a suite to its calls: every combination once, each with a key of its content."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Write

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import AudioProfile
from voicesim.catalog.suite_file import SuiteFile
from voicesim.errors import CatalogueError
from voicesim.suite.content import content_key
from voicesim.suite.matrix import PlannedCall, planned_calls
from voicesim.suite.plan import Plan

CASES = ("cold-01-andi", "cold-04-emergency-dyspnea")


def calls(folder: Path = Path("recordings/s"), **changes: Any) -> tuple[PlannedCall, ...]:
    suite = SuiteFile.model_validate({"cases": CASES, "agents": ("python:nurse:build",)} | changes)
    return planned_calls(suite, Catalogue.here(), folder)


def keys(planned: Sequence[PlannedCall]) -> set[str]:
    return {call.key for call in planned}


def test_everything_is_combined_with_everything() -> None:
    planned = calls(profiles=("clean", "telephone"), agents=("python:a:b", "python:c:d"), repeats=3)
    assert len(planned) == len(keys(planned)) == 2 * 2 * 2 * 3
    assert len({call.order.folder for call in planned}) == len(planned)
    first = planned[0]
    assert first.order.folder == Path("recordings/s/cold-01-andi_python-a-b_clean_01")
    assert (first.order.suite, first.order.seed, planned[2].order.seed) == ("s", 0, 2)


def test_patterns_own_personas_exclusions_and_inclusions() -> None:
    planned = calls(
        cases=("cold-*",),
        personas=("own", "stress-interrupter"),
        exclude=({"case": "cold-0*", "persona": "stress-*"},),
        include=({"cases": ("cold-01-andi",), "personas": ("stress-interrupter",), "seeds": (5,)},),
    )
    # 10 cases with their own persona, cold-10 with the interrupter as well, and what is included.
    assert len(planned) == 10 + 1 + 1
    assert planned[-1].order.folder.name == "cold-01-andi_python-nurse-build_clean_stress-interrupter_01"
    assert planned[-1].order.seed == 5


def test_a_call_that_is_planned_twice_is_made_once() -> None:
    assert len(calls(include=({"profiles": ("clean", "telephone")},))) == 4
    assert len(calls(personas=("own", Catalogue.here().case(CASES[0]).patient.persona))) == 3


def test_agents_that_are_shown_alike_are_told_apart() -> None:
    planned = calls(agents=("python:a:b", "python:a:b"))
    assert {call.order.agent for call in planned} == {"python:a:b", "python:a:b #2"}
    # Two agents whose names are written alike in a folder's name.
    folders = [call.order.folder.name for call in calls(cases=CASES[:1], agents=("python:a:b", "python:a-:b"))]
    assert len(set(folders)) == 2


def test_the_key_tells_what_decides_the_call_and_nothing_else(tmp_path: Path) -> None:
    before = keys(calls())
    assert keys(calls(tmp_path / "elsewhere")) == before
    assert keys(calls(judges=("openai:gpt-5",), whisper="small", repeats=1)) == before
    assert before < keys(calls(repeats=2))
    for change in (
        {"seed": 1},
        {"mind": "openai:gpt-5"},
        {"ear": "tiny.en"},
        {"clock": "virtual"},
        {"limits": {"max_turns": 5}},
        {"profiles": ("telephone",)},
        {"personas": ("stress-interrupter",)},
        {"agents": ("python:nurse:other",)},
    ):
        assert not before & keys(calls(**change)), change


def test_a_word_of_the_case_makes_another_call(write: Write, case_text: str, persona_text: str, tmp_path: Path) -> None:
    write("personas/plain.yaml", persona_text)
    here = Catalogue((tmp_path,))
    write("audio_profiles/quiet.yaml", "id: quiet\ntitle: Quiet\n")

    def key_of(*changes: tuple[str, str]) -> str:
        write("cases/a.yaml", case_text, *changes)
        suite = SuiteFile(cases=("sore-throat",), profiles=("quiet",), agents=("realtime",))
        return planned_calls(suite, here, tmp_path / "s")[0].key

    assert key_of() == key_of()
    assert key_of() != key_of(("No fever.", "A fever."))


def test_a_sound_that_a_profile_names_counts_with_its_content(tmp_path: Path) -> None:
    noise = tmp_path / "noise.wav"
    profile = AudioProfile.model_validate(
        {"id": "n", "title": "N", "noise": {"kind": "file", "path": str(noise), "snr_db": 10.0}}
    )
    order = replace(calls()[0].order, profile=profile)
    noise.write_bytes(b"one")
    before = content_key(order)
    noise.write_bytes(b"two")
    assert content_key(order) != before


def test_a_name_that_stands_for_nothing_is_refused() -> None:
    with pytest.raises(CatalogueError, match="Did you mean cold-01-andi"):
        calls(cases=("cold-01-andy",))


@pytest.mark.parametrize(("cores", "at_once"), [(1, 1), (2, 1), (3, 1), (4, 2), (64, 2)])
def test_both_reference_agents_are_called_at_once_where_each_call_has_two_cores(
    cores: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)), raising=False)
    planned = calls(cases=("cold-04-emergency-dyspnea",), agents=("realtime", "modular"))
    assert Plan(planned, Path("recordings/s")).width() == at_once
