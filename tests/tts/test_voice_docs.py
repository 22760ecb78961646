"""What docs/voices.md and docs/profiles.md say is there, is there, and what they show works."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from voicesim.catalog.load import read_accent
from voicesim.catalog.model import AudioProfile
from voicesim.catalog.profile import Effect
from voicesim.channel.channel import Channel, caller_leg
from voicesim.registry import BACKGROUNDS, BURSTS, CODECS, EFFECTS, VOICES, Registry
from voicesim.tts.accents import accent_names

DOCS = Path(__file__).parents[2] / "docs"
VOICES_PAGE = (DOCS / "voices.md").read_text("utf-8")
PROFILES_PAGE = (DOCS / "profiles.md").read_text("utf-8")


def block(page: str, start: str) -> str:
    """The indented block of a page that begins with a line."""
    lines = page.splitlines()
    first = lines.index(f"    {start}")
    after = next((n for n, line in enumerate(lines[first:], first) if line and not line.startswith("    ")), len(lines))
    return "\n".join(line[4:] for line in lines[first:after]) + "\n"


@pytest.mark.parametrize("table", [EFFECTS, BACKGROUNDS, BURSTS, CODECS], ids=lambda table: table.kind)
def test_every_row_of_the_channels_tables_is_told(table: Registry) -> None:
    assert [name for name in table if f"`{name}`" not in PROFILES_PAGE] == []


def test_every_key_of_every_effect_is_told() -> None:
    for name in EFFECTS:
        effect: type[Effect] = EFFECTS.load(name)
        row = next(line for line in PROFILES_PAGE.splitlines() if line.startswith(f"| `{name}` |"))
        assert [key for key in effect.model_fields if f"`{key}`" not in row] == [], name


def test_every_engine_and_every_accent_is_told() -> None:
    assert [name for name in VOICES if f"**{name}**" not in VOICES_PAGE] == []
    assert [name for name in accent_names() if f"`{name}`" not in VOICES_PAGE] == []


def test_the_accent_that_is_shown_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(block(VOICES_PAGE, "id: mine"), "utf-8")
    assert [rule.from_ for rule in read_accent(path).entry.rules] == [0.0, 0.3]


@pytest.fixture
def effect_of_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The effect that docs/profiles.md shows, as an installed package."""
    (tmp_path / "own_effect.py").write_text(block(PROFILES_PAGE, "from typing import ClassVar"), "utf-8")
    info = tmp_path / "own_effect-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-effect\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[voicesim.effects]\nquieter = own_effect:Quieter\n")
    monkeypatch.syspath_prepend(tmp_path)
    EFFECTS.__dict__.pop("rows", None)
    yield
    EFFECTS.__dict__.pop("rows", None)


@pytest.mark.usefixtures("effect_of_the_docs")
def test_the_effect_that_is_shown_works() -> None:
    profile = AudioProfile.model_validate({"id": "p", "title": "p", "chain": [{"quieter": {"factor": 0.25}}]})
    clean = np.ones(960, np.float32)
    np.testing.assert_array_equal(Channel(caller_leg(profile), 1).process(clean).wave, 0.25 * clean)


@pytest.mark.parametrize("page", [VOICES_PAGE, PROFILES_PAGE], ids=["voices", "profiles"])
def test_every_command_shown_names_what_there_is(page: str) -> None:
    from voicesim.catalog.find import Catalogue
    from voicesim.tts.engines import engine

    catalogue = Catalogue.here()
    for option, kind in (("--persona", "persona"), ("--profile", "profile")):
        for name in re.findall(rf"{option} ([\w-]+)", page):
            assert name in catalogue.ids(kind)  # type: ignore[arg-type]
    for maker, name in re.findall(r"--voice (\w+):(\w+)", page):
        assert name in engine(maker).voices()
