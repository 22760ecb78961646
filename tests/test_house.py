"""The house: a room imports only rooms above it, and the call and what is said about it never meet."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "voicesim"
GROUND = ("cache", "errors", "redact", "sound")
ORDER = (
    "catalog",
    "backend",
    "text",
    "speech",
    "channel",
    "hearing",
    "recording",
    "lines",
    "caller",
    "call",
    "transcript",
    "metrics",
    "judge",
    "report",
    "suite",
    "selftest",
    "cli",
)
AFTER_THE_CALL = ("transcript", "metrics", "judge", "report")
LIVE = ("speech", "channel", "lines", "caller", "call")
REFERENCE_MAY = {"catalog", "backend", "speech", "hearing", "reference"}


def imports_of(path: Path) -> set[str]:
    """The voicesim rooms and ground modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("voicesim.")}
    return found - {"__version__"}


FILES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    used = imports_of(path) - set(GROUND)
    if room == "reference":
        assert used <= REFERENCE_MAY
        return
    above = set(ORDER[: ORDER.index(room) + 1])
    if room in {"suite", "cli"}:
        above |= {"reference"}
    assert used <= above
    if room in AFTER_THE_CALL:
        assert not used & set(LIVE)


def test_every_room_is_known() -> None:
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert rooms == {*ORDER, "reference"}
