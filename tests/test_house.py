"""The house: a room imports only rooms above it, and the call and what is said about it never meet."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1] / "voicesim"
GROUND = ("cache", "errors", "frozen", "redact", "registry", "scratch")
ORDER = (
    "audio",
    "language",
    "llm",
    "catalog",
    "tts",
    "channel",
    "stt",
    "recording",
    "tools",
    "transports",
    "caller",
    "call",
    "transcript",
    "metrics",
    "judge",
    "report",
    "suite",
    "selftest",
    "bench",
    "cli",
)
AFTER_THE_CALL = ("transcript", "metrics", "judge", "report")
LIVE = ("tts", "channel", "transports", "caller", "call")
AGENTS = "reference_agents"
AGENTS_MAY = {"audio", "language", "llm", "catalog", "tools", "tts", "stt", AGENTS}
"""Reference agents are systems under test: they share these rooms and know nothing of the caller or the judge."""


def imports_of(path: Path) -> set[str]:
    """The voicesim rooms and ground modules that a file imports, anywhere in it."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("voicesim.")}
    return rooms - {"__version__"}


FILES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT)


def offence(path: Path) -> str:
    """What a file imports that its room may not, in words; "" for nothing."""
    room = path.relative_to(ROOT).parts[0]
    used = imports_of(path) - set(GROUND)
    if room == AGENTS:
        allowed = AGENTS_MAY
    else:
        allowed = set(ORDER[: ORDER.index(room) + 1])
        if room in AFTER_THE_CALL:
            allowed -= set(LIVE)
        if room in {"suite", "cli"}:
            allowed.add(AGENTS)
    lost = sorted(used - allowed)
    return f"{path.relative_to(ROOT)} imports {', '.join(lost)}" if lost else ""


def test_a_room_imports_only_rooms_above_it() -> None:
    assert [words for path in FILES if (words := offence(path))] == []


def test_the_ground_imports_no_room() -> None:
    ground = {name: imports_of(ROOT / f"{name}.py") - set(GROUND) for name in GROUND}
    assert ground == {name: set() for name in GROUND}


def test_every_room_is_known() -> None:
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert rooms <= {*ORDER, AGENTS}
