"""Every kind of catalogue file, changed by a stranger in one place: an error that says where, or a model."""

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fuzz.odd import CHANGES, FUZZ, PLACES, VALUES, changed
from voicesim.catalog.check import check
from voicesim.catalog.find import FOLDERS, READERS, Catalogue, Kind
from voicesim.catalog.model_names import resolve_model
from voicesim.catalog.resolve import resolve_agent
from voicesim.catalog.yaml_tree import read_tree
from voicesim.errors import VoicesimError

ROOT = Path(__file__).parents[2]
KINDS: tuple[Kind, ...] = tuple(FOLDERS)
TAKEN = 2
"""Shipped files of each kind that are changed."""
MADE: tuple[tuple[Kind, Any], ...] = (
    (
        "agent",
        {"agent": "pcm:ws://localhost:1/x", "limits": {"call": 60}, "headers": {"X-A": "b"}, "title": "An agent"},
    ),
    (
        "agent",
        {
            "agent": "twilio:wss://h/ws?token=abc",
            "twilio": {"parameters": {"a": "b"}, "press": [{"key": "1", "at": 2}]},
            "ice_servers": [{"url": "stun:h:1"}],
        },
    ),
    (
        "model",
        {
            "model": "m",
            "base_url": "http://localhost:1/v1",
            "timeout": 60,
            "headers": {"X-A": {"env": "A_KEY", "prefix": "Bearer "}},
            "prices": {"text_in": 1.0, "text_out": 2.0, "currency": "USD", "date": "2026-01-01"},
        },
    ),
    (
        "suite",
        {
            "cases": ["cold-*"],
            "personas": ["own"],
            "profiles": ["clean"],
            "agents": ["realtime", "pcm:ws://localhost:1"],
            "seeds": [1, 2],
            "exclude": [{"case": "cold-01-*", "profile": "clean"}],
            "include": [{"cases": ["cold-01-andi"], "repeats": 1}],
            "mind": "cues",
            "judges": ["cues"],
            "limits": {"max_turns": 30, "max_duration": 300},
        },
    ),
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """A catalogue of one case, one persona and one profile: names are looked up in it for every example."""
    root = tmp_path_factory.mktemp("catalogue")
    for name in ("cases/cold-01-andi.yaml", "personas/calm-professional.yaml", "audio_profiles/clean.yaml"):
        (root / name).parent.mkdir()
        shutil.copy(ROOT / name, root / name)
    return Catalogue((root,))


def load(kind: Kind, text: bytes, small: Catalogue) -> None:
    """Read a file as a command does that names it, and as `voicesim check` does, which raises nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / FOLDERS[kind] / "file.yaml"
        path.parent.mkdir()
        path.write_bytes(text)
        with suppress(VoicesimError):
            READERS[kind](path, read_tree(path, str(path)))
        with suppress(VoicesimError):
            {"agent": resolve_agent, "model": resolve_model}.get(kind, str)(str(path))
        check([path], small)


def sources() -> list[tuple[Kind, Any]]:
    shipped = [
        (kind, yaml.safe_load(path.read_text()))
        for kind, folder in FOLDERS.items()
        for path in sorted((ROOT / folder).glob("*.yaml"))[:TAKEN]
    ]
    assert {kind for kind, _ in (*shipped, *MADE)} == set(KINDS)
    return [*shipped, *MADE]


@FUZZ
@given(source=st.sampled_from(sources()), place=PLACES, change=CHANGES, value=VALUES)
def test_a_file_with_one_place_changed(
    small: Catalogue, source: tuple[Kind, Any], place: int, change: str, value: Any
) -> None:
    kind, content = source
    text = yaml.safe_dump(changed(content, place, change, value), allow_unicode=True)
    load(kind, text.encode("utf-8", "surrogatepass"), small)


@FUZZ
@given(kind=st.sampled_from(KINDS), content=st.one_of(VALUES.map(yaml.safe_dump)))
def test_a_file_of_anything(small: Catalogue, kind: Kind, content: str) -> None:
    load(kind, content.encode("utf-8", "surrogatepass"), small)


@FUZZ
@given(source=st.sampled_from(sources()), at=st.floats(0, 1), put=st.binary(max_size=20))
def test_a_file_with_other_bytes_in_it(small: Catalogue, source: tuple[Kind, Any], at: float, put: bytes) -> None:
    kind, content = source
    text = yaml.safe_dump(content).encode()
    place = int(at * len(text))
    load(kind, text[:place] + put + text[place + len(put) :], small)


BREAKERS = (
    b"a: &a [*a]",
    b"- " * 2_000,
    b"[" * 2_000,
    b"\xff\xfe",
    b"a: 1" + b"0" * 5_000,
    b"? {}\n: 1",
    b"!!python/object:os.system x",
)


@pytest.mark.parametrize("text", BREAKERS)
@pytest.mark.parametrize("kind", KINDS)
def test_files_that_break_readers_of_yaml(small: Catalogue, kind: Kind, text: bytes) -> None:
    load(kind, text, small)
