"""The house: its rooms, who may import whom, and the rules of its code. One test names all offenders."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "voicesim"
GROUND = ("cache", "errors", "frozen", "parts", "redact", "registry", "scratch")
"""Modules beside the rooms that every room may use."""
DOORS = ("__init__", "__main__", "api", "api_recordings", "pytest_plugin", "testing")
"""Modules beside the rooms that may use every room."""
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
    "statistics",
    "rubrics",
    "results",
    "report",
    "suite",
    "selftest",
    "bench",
    "studio",
    "cli",
)
AFTER_THE_CALL = ("transcript", "metrics", "judge", "results", "report")
LIVE = ("tts", "channel", "transports", "caller", "call")
AGENTS = "reference_agents"
AGENTS_MAY = {"audio", "language", "llm", "catalog", "tools", "tts", "stt", AGENTS}
"""Reference agents are systems under test: they share these rooms and know nothing of the caller or the judge."""
MODULE_LINES, FUNCTION_LINES = 300, 60
VAGUE = frozenset(("one", "told", "found", "kept"))

Rule = Callable[[Path, ast.Module], Iterator[str]]


def imports_of(tree: ast.Module) -> set[str]:
    """The voicesim rooms and modules beside them that a file imports, anywhere in it."""
    rooms = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("voicesim.")}
    return rooms - {"__version__"}


def only_rooms_above(path: Path, tree: ast.Module) -> Iterator[str]:
    """A room imports only rooms above it; the call and what is said about it never meet."""
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if room in DOORS:
        return
    if room == AGENTS:
        allowed = AGENTS_MAY
    else:
        allowed = set() if room in GROUND else set(ORDER[: ORDER.index(room) + 1])
        if room in AFTER_THE_CALL:
            allowed -= set(LIVE)
        if room in {"suite", "selftest", "cli"}:
            allowed.add(AGENTS)
    if lost := sorted(imports_of(tree) - set(GROUND) - allowed):
        yield f"imports {', '.join(lost)}"


def only_agents_need_pipecat(path: Path, tree: ast.Module) -> Iterator[str]:
    """A call to somebody else's agent needs none of what the reference agents are made of."""
    if AGENTS in path.parts:
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        if any(name.split(".")[0] == "pipecat" for name in names):
            yield "imports pipecat"


def not_too_long(path: Path, tree: ast.Module) -> Iterator[str]:
    """A module holds one idea, and a function fits a screen."""
    lines = path.read_text().count("\n")
    if lines > MODULE_LINES:
        yield f"has {lines} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_a_command(path, node):
            length = (node.end_lineno or node.lineno) - node.lineno
            if length > FUNCTION_LINES:
                yield f"{node.name} has {length} lines"


def says_what_it_is(path: Path, tree: ast.Module) -> Iterator[str]:
    """Every module has a docstring."""
    if not ast.get_docstring(tree):
        yield "has no docstring"


def only_cli_prints(path: Path, tree: ast.Module) -> Iterator[str]:
    """Words for a terminal come from cli/ alone, by the one function that lets none of them command it."""
    if path.relative_to(ROOT).as_posix() == "cli/telling.py":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "typer.echo"):
            yield f"prints in line {node.lineno}"


def swallows_nothing(path: Path, tree: ast.Module) -> Iterator[str]:
    """No exception of any kind is dropped without a word."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and _is_everything(node.type) and _does_nothing(node.body):
            yield f"drops every exception in line {node.lineno}"


def names_say_what_they_are(path: Path, tree: ast.Module) -> Iterator[str]:
    """No variable is called by a word that fits everything; the names of fields are those of files."""
    fields = {id(item.target) for node in ast.walk(tree) for item in _fields(node)}
    for node in ast.walk(tree):
        if id(node) in fields:
            continue
        stored = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""
        named = node.arg if isinstance(node, ast.arg) else stored
        if named in VAGUE:
            yield f"calls something {named} in line {getattr(node, 'lineno', 0)}"


def _fields(node: ast.AST) -> list[ast.AnnAssign]:
    return [item for item in node.body if isinstance(item, ast.AnnAssign)] if isinstance(node, ast.ClassDef) else []


def _is_everything(kind: ast.expr | None) -> bool:
    return kind is None or (isinstance(kind, ast.Name) and kind.id in {"Exception", "BaseException"})


def _does_nothing(steps: list[ast.stmt]) -> bool:
    return all(isinstance(step, ast.Pass | ast.Continue) for step in steps)


def _is_a_command(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A command's function is mostly its options."""
    return "cli" in path.relative_to(ROOT).parts and len(node.args.args) > 5


RULES: tuple[Rule, ...] = (
    only_rooms_above,
    only_agents_need_pipecat,
    not_too_long,
    says_what_it_is,
    only_cli_prints,
    swallows_nothing,
    names_say_what_they_are,
)


def test_every_file_keeps_the_rules_of_the_house() -> None:
    offenders = []
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text())
        offenders += [f"{path.relative_to(ROOT)}: {words}" for rule in RULES for words in rule(path, tree)]
    assert offenders == []


def test_every_room_is_known_and_contributing_shows_the_layout_on_disk() -> None:
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms <= {*ORDER, AGENTS}
    table = (ROOT.parent / "CONTRIBUTING.md").read_text()
    assert [room for room in rooms if f"| `{room}/` |" not in table] == []
