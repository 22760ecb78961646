"""Validating files and folders: every problem of every file, nothing raised."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voicesim.catalog.find import FOLDERS, READERS, AnyEntry, Catalogue, Kind, entry_files, own_id
from voicesim.catalog.legacy import is_legacy
from voicesim.catalog.load import Loaded
from voicesim.catalog.model import Case, Persona
from voicesim.catalog.problems import Problem, problems_of
from voicesim.catalog.suite_file import SuiteFile
from voicesim.catalog.suite_names import lost_names
from voicesim.catalog.yaml_tree import SUFFIXES, YamlTree, parts_of, read_tree
from voicesim.errors import CatalogueError, near

# Keys that only one kind of entry has, at the top level of its file.
_MARKS: tuple[tuple[Kind, frozenset[str]], ...] = (
    ("case", frozenset({"patient", "rubric", "clinical_status", "references", "language"})),
    ("persona", frozenset({"voice", "accent", "rate", "turn_taking", "floor"})),
    ("profile", frozenset({"band_hz", "codec", "noise", "loss"})),
    ("accent", frozenset({"rules", "sources", "spoken_as"})),
    ("agent", frozenset({"turn_detection", "base_url", "headers", "prices", "ice_servers", "pcm"})),
    ("suite", frozenset({"cases", "personas", "profiles", "agents", "repeats", "seeds", "include", "exclude"})),
)


@dataclass(frozen=True)
class Spoken:
    """Names that personas may use, by voice engine. An engine that is not in it is not checked."""

    voices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    accents: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Checked:
    """What was looked at, what was wrong, and what a person should look at: a file and a sentence each."""

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]
    notes: tuple[tuple[Path, str], ...] = ()


def check(
    paths: Iterable[Path],
    catalogue: Catalogue,
    spoken: Callable[[], Spoken] | None = None,
    opening: Callable[[Case], str] | None = None,
) -> Checked:
    """Validate files and folders. A folder is one with entries in it, or one that has cases/, personas/,
    audio_profiles/, agents/, accents/, models/ or suites/. Personas among the files may be used by cases among
    the files. `spoken` is asked only when there is a persona to check against it; `opening` says what is wrong with a
    case's opening line, "" if nothing.
    """
    problems: list[Problem] = []
    files: dict[Path, None] = {}
    for path in paths:
        inside = list(_files(path))
        if not inside:
            problems.append(_nothing_at(path))
        files |= dict.fromkeys(inside)
    trees = {path: tree for path in files if (tree := _tree(path, problems))}
    problems += _same_ids(trees)
    loaded = [entry for path, tree in trees.items() if (entry := _read(path, tree, problems))]
    also = frozenset(entry.entry.id for entry in loaded if isinstance(entry.entry, Persona))
    names = spoken() if spoken and also else Spoken()
    for entry in loaded:
        problems += _lost_names(entry, catalogue, also, names)
        if opening and isinstance(entry.entry, Case) and (wrong := opening(entry.entry)):
            problems.append(entry.problem(("patient", "says_first"), wrong))
    notes = tuple((entry.path, note) for entry in loaded for note in entry.notes)
    unique = dict.fromkeys(sorted(problems, key=lambda problem: (problem.file, problem.line or 0)))
    return Checked(tuple(files), tuple(unique), notes)


def kind_of(path: Path, data: Any) -> Kind | None:
    """Case, persona, profile, agent or model: told from the keys of a file, else from the name of its folder."""
    if is_legacy(data):
        return "case"
    keys = frozenset(data) if isinstance(data, dict) else frozenset()
    if "agent" in keys:
        return "agent"
    if "model" in keys:
        return "model"
    counts = {kind: len(marks & keys) for kind, marks in _MARKS}
    best = max(counts.values())
    winners = [kind for kind, count in counts.items() if count == best > 0]
    if len(winners) == 1:
        return winners[0]
    return next((kind for kind, folder in FOLDERS.items() if folder == path.resolve().parent.name), None)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir() and (parts := parts_of(path)):
        yield from parts
        return
    inner = [path / folder for folder in FOLDERS.values() if (path / folder).is_dir()]
    for folder in inner or [path]:
        yield from entry_files(folder)


def _nothing_at(path: Path) -> Problem:
    if not path.exists():
        return Problem("there is no such file or folder", str(path))
    return Problem(f"has no {', '.join(SUFFIXES)} files, and no {', '.join(FOLDERS.values())} folder", str(path))


def _tree(path: Path, problems: list[Problem]) -> YamlTree | None:
    try:
        return read_tree(path, str(path))
    except CatalogueError as error:
        problems.extend(problems_of(error))
        return None


def _same_ids(trees: Mapping[Path, YamlTree]) -> Iterator[Problem]:
    seen: dict[tuple[Path, str], Path] = {}
    for path, tree in trees.items():
        where = (path.resolve().parent, own_id(path, tree.data))
        if where in seen:
            line = tree.line_of(("id",))
            yield Problem(f"{where[1]!r} is the id of {seen[where]} too", str(path), "id", line)
        seen.setdefault(where, path)


def _read(path: Path, tree: YamlTree, problems: list[Problem]) -> AnyEntry | None:
    kind = kind_of(path, tree.data)
    if kind is None:
        kinds = (
            "is no case (patient, rubric), persona (voice, turn_taking), audio profile (codec, noise), "
            "agent (agent), accent (rules), model (model) or suite (cases, agents)"
        )
        problems.append(Problem(kinds, str(path)))
        return None
    try:
        return READERS[kind](path, tree)
    except CatalogueError as error:
        problems.extend(problems_of(error))
        return None


def _lost_names(loaded: AnyEntry, catalogue: Catalogue, also: frozenset[str], spoken: Spoken) -> Iterator[Problem]:
    """Names that lead nowhere: all in a suite, the persona of a case, the voice and the accent of a persona."""
    entry = loaded.entry
    if isinstance(entry, SuiteFile):
        yield from lost_names(Loaded(entry, loaded.path, loaded.tree), catalogue)
    if isinstance(entry, Case):
        try:
            lost = catalogue.lost_persona(entry.patient.persona, also)
        except CatalogueError as error:
            yield from problems_of(error)
            return
        if lost:
            yield loaded.problem(("patient", "persona"), lost)
    if isinstance(entry, Persona):
        engine, voice, accent = entry.voice.engine, entry.voice.name, entry.accent.name
        voices, accents = spoken.voices.get(engine), spoken.accents.get(engine)
        if entry.voice.model:  # its server has names of its own
            voices = None
            if not Path(entry.voice.model).is_file():
                yield loaded.problem(("voice", "model"), f"there is no model file {entry.voice.model}")
        if voices is not None and voice not in voices:
            yield loaded.problem(("voice", "name"), f"{engine} has no voice {voice!r}.{near(voice, voices)}")
        if accents is not None and accent not in accents:
            yield loaded.problem(("accent",), f"{engine} has no accent {accent!r}.{near(accent, accents)}")
