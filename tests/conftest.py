"""Fixtures shared by all rooms: a small catalogue to break in one place at a time, and a cache of one's own."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: examples may take as long as they take. They are the same ones each time, so
# that a change is judged by what it did; new ones are tried by `make fuzz`.
settings.register_profile("patient", deadline=None, derandomize="FUZZ_EXAMPLES" not in os.environ)
settings.load_profile("patient")

CASE = """\
id: sore-throat
title: A sore throat
patient:
  name: Ada
  age: 30
  sex: female
  persona: plain
  says_first: "My throat hurts."
  reveal_only_if_asked:
    - {id: fever, says: "No fever.", cues: [fever]}
    - {id: duration, says: "Two days.", cues: [how long]}
rubric:
  - {id: breathing, group: critical, kind: ask, weight: 0.5, expect: "Asks about breathing.", cues: [breath]}
  - {id: rest, group: close, kind: tell, weight: 0.3, expect: "Recommends rest."}
  - id: no_antibiotics
    group: close
    kind: avoid
    weight: 0.2
    expect: "Does not offer antibiotics."
    violation: "The agent offers antibiotics."
"""
PERSONA = "id: plain\ntitle: Plain speaker\n"
PROFILE = "id: quiet\ntitle: Quiet line\n"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """write("cases/a.yaml", text, (old, new), ...) puts a file under tmp_path, parts of its text replaced.

    Every replaced part must be there, so that a test cannot break a file in a place that is gone.
    """

    def put(name: str, text: str = CASE, *changes: tuple[str, str]) -> Path:
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return put


@pytest.fixture
def case_text() -> str:
    return CASE


@pytest.fixture
def persona_text() -> str:
    return PERSONA


@pytest.fixture
def profile_text() -> str:
    return PROFILE


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for a test that is about making sound, not about finding it."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("VOICESIM_CACHE", str(folder))
    return folder
