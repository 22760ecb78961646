"""Every kind of catalogue file, changed by a stranger in one place: an error that says where, or a model."""

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fuzz.odd import CHANGES, FUZZ, PLACES, VALUES, changed
from voicesim.catalog.find import Catalogue
from voicesim.catalog.resolve import resolve_agent
from voicesim.errors import VoicesimError

ROOT = Path(__file__).parents[2]
FILES = (*sorted((ROOT / "cases").glob("*.yaml"))[:3], *sorted((ROOT / "personas").glob("*.yaml"))[:2])
PROFILES = sorted((ROOT / "audio_profiles").glob("*.yaml"))[:3]
AGENT = {"agent": "pcm:ws://localhost:1/x", "limits": {"call": 60}, "headers": {"X-A": "b"}, "title": "An agent"}


def load(kind: str, text: bytes) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "file.yaml"
        path.write_bytes(text)
        with suppress(VoicesimError):
            resolve_agent(str(path)) if kind == "agent" else getattr(Catalogue.here(), kind)(str(path))


def sources() -> list[tuple[str, Any]]:
    kinds = {"cases": "case", "personas": "persona", "audio_profiles": "profile"}
    read = [(kinds[path.parent.name], yaml.safe_load(path.read_text())) for path in (*FILES, *PROFILES)]
    return [*read, ("agent", AGENT)]


@FUZZ
@given(source=st.sampled_from(sources()), place=PLACES, change=CHANGES, value=VALUES)
def test_a_file_with_one_place_changed(source: tuple[str, Any], place: int, change: str, value: Any) -> None:
    kind, content = source
    text = yaml.safe_dump(changed(content, place, change, value), allow_unicode=True)
    load(kind, text.encode("utf-8", "surrogatepass"))


@FUZZ
@given(kind=st.sampled_from(["case", "persona", "profile", "agent"]), content=st.one_of(VALUES.map(yaml.safe_dump)))
def test_a_file_of_anything(kind: str, content: str) -> None:
    load(kind, content.encode("utf-8", "surrogatepass"))


@FUZZ
@given(source=st.sampled_from(sources()), at=st.floats(0, 1), put=st.binary(max_size=20))
def test_a_file_with_other_bytes_in_it(source: tuple[str, Any], at: float, put: bytes) -> None:
    kind, content = source
    text = yaml.safe_dump(content).encode()
    place = int(at * len(text))
    load(kind, text[:place] + put + text[place + len(put) :])


BREAKERS = (
    b"a: &a [*a]",
    b"- " * 5_000,
    b"[" * 5_000,
    b"\xff\xfe",
    b"a: 1" + b"0" * 5_000,
    b"? {}\n: 1",
    b"!!python/object:os.system x",
)


@pytest.mark.parametrize("text", BREAKERS)
@pytest.mark.parametrize("kind", ["case", "persona", "profile", "agent"])
def test_files_that_break_readers_of_yaml(kind: str, text: bytes) -> None:
    load(kind, text)
