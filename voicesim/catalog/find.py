"""The catalogue of a working directory: a user's own folders first, then the ones that came with voicesim."""

import importlib.resources
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from voicesim.catalog.load import (
    AnyLoaded,
    Loaded,
    id_from_name,
    read_accent,
    read_agent_file,
    read_case,
    read_model_file,
    read_persona,
    read_profile,
)
from voicesim.catalog.model import AudioProfile, Case, Persona
from voicesim.catalog.problems import Problem, ProblemsError
from voicesim.catalog.suite_file import SuiteFile, read_suite_file
from voicesim.catalog.yaml_tree import SUFFIXES, YamlTree, parts_of, read_tree
from voicesim.errors import CatalogueError, near

Kind = Literal["case", "persona", "profile", "agent", "accent", "model", "suite"]

FOLDERS: Mapping[Kind, str] = MappingProxyType(
    {
        "case": "cases",
        "persona": "personas",
        "profile": "audio_profiles",
        "agent": "agents",
        "accent": "accents",
        "model": "models",
        "suite": "suites",
    }
)
AnyEntry = AnyLoaded | Loaded[SuiteFile]
READERS: Mapping[Kind, Callable[[Path, YamlTree | None], AnyEntry]] = MappingProxyType(
    {
        "case": read_case,
        "persona": read_persona,
        "profile": read_profile,
        "agent": read_agent_file,
        "accent": read_accent,
        "model": read_model_file,
        "suite": read_suite_file,
    }
)


@dataclass(frozen=True)
class Catalogue:
    """Cases, personas and audio profiles by id. `roots` hold their folders; an earlier root wins.

    Every method raises CatalogueError: for a name that no root knows (with the near ones), for two
    files of one folder with the same id (naming both), and for an entry with anything wrong in it.
    """

    roots: tuple[Path, ...]

    @classmethod
    def here(cls) -> "Catalogue":
        """The folders of the working directory, then the shipped ones."""
        own, came_with = Path(), shipped()
        if came_with is None or came_with.resolve() == own.resolve():
            return cls((own,))
        return cls((own, came_with))

    def case(self, name: str) -> Case:
        """The case with this id, or in this file. Its persona must be one of the catalogue."""
        loaded = read_case(self._file("case", name))
        lost = self.lost_persona(loaded.entry.patient.persona)
        if lost:
            raise ProblemsError([loaded.problem(("patient", "persona"), lost)])
        return loaded.entry

    def persona(self, name: str) -> Persona:
        """The persona with this id, or in this file."""
        return read_persona(self._file("persona", name)).entry

    def profile(self, name: str) -> AudioProfile:
        """The audio profile with this id, or in this file."""
        return read_profile(self._file("profile", name)).entry

    def matching(self, kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
        """Every id, file or pattern of ids (`cold-*`) as the names of single entries, each once, in the order given.

        A file that holds a list stands for all its entries. Raises CatalogueError for a pattern that fits nothing.
        """
        single: dict[str, None] = {}
        for name in names:
            if any(sign in name for sign in "*?["):
                single |= dict.fromkeys(self._fitting(kind, name))
            else:
                parts = () if _is_id(name) else parts_of(Path(name))
                single |= dict.fromkeys([str(part) for part in parts] or [name])
        return tuple(single)

    def _fitting(self, kind: Kind, pattern: str) -> list[str]:
        ids = [name for name in self.files(kind) if fnmatchcase(name, pattern)]
        if not ids:
            raise CatalogueError(f"no {kind} fits {pattern!r}.{near(pattern.strip('*?'), self.files(kind))}")
        return ids

    def path(self, kind: Kind, name: str) -> Path:
        """The file that an id or a path stands for."""
        return self._file(kind, name)

    def ids(self, kind: Kind) -> tuple[str, ...]:
        """All ids of a kind, sorted."""
        return tuple(self.files(kind))

    def files(self, kind: Kind) -> Mapping[str, Path]:
        """The file of each id, sorted by id. Files are only looked at as far as their id."""
        paths: dict[str, Path] = {}
        for root in reversed(self.roots):
            paths |= ids_in(root / FOLDERS[kind])
        return dict(sorted(paths.items()))

    def folders(self) -> tuple[Path, ...]:
        """The catalogue folders that are there, in order of precedence."""
        all_of_them = (root / folder for root in self.roots for folder in FOLDERS.values())
        return tuple(folder for folder in all_of_them if folder.is_dir())

    def lost_persona(self, wanted: str, also: frozenset[str] = frozenset()) -> str:
        """What to say of a persona that neither the catalogue nor `also` knows; empty when it is known."""
        known = {*also, *self.ids("persona")}
        return "" if wanted in known else f"there is no persona {wanted!r}.{near(wanted, known)}"

    def _file(self, kind: Kind, name: str) -> Path:
        if not _is_id(name):
            parts = parts_of(Path(name))
            if len(parts) > 1:
                raise CatalogueError(f"holds {len(parts)} entries; name one of them as {parts[0]}", file=name)
            if not parts:
                raise CatalogueError(f"there is no {kind} file {name}")
            return parts[0]
        files = self.files(kind)
        if not files:
            raise CatalogueError(f"there is no {FOLDERS[kind]} folder here, and none came with this voicesim")
        if name in files:
            return files[name]
        longer = [known for known in files if known.startswith(name)]
        if len(longer) == 1:
            return files[longer[0]]
        if longer:
            raise CatalogueError(f"{name!r} is the beginning of several: {', '.join(longer)}")
        raise CatalogueError(f"there is no {kind} {name!r}.{near(name, files)}")


def shipped() -> Path | None:
    """Where the folders that came with voicesim are: in an installed package, or beside it in a checkout."""
    package = Path(str(importlib.resources.files("voicesim")))
    for root in (package / "_catalogue", package.parent):
        if (root / FOLDERS["case"]).is_dir() and (root / FOLDERS["persona"]).is_dir():
            return root
    return None


def entry_files(folder: Path) -> tuple[Path, ...]:
    """The entries of the files directly in a folder, sorted by file; none if there is no such folder."""
    if not folder.is_dir():
        return ()
    files = (path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    return tuple(part for path in sorted(files) if not path.name.startswith(".") for part in parts_of(path))


def ids_in(folder: Path) -> dict[str, Path]:
    """The file of each id in one folder. Raises CatalogueError when two files have the same id."""
    ids: dict[str, Path] = {}
    clashes: list[Problem] = []
    for path in entry_files(folder):
        name = peek_id(path)
        if name in ids:
            clashes.append(Problem(f"{name!r} is the id of {ids[name]} too", str(path), "id"))
        ids.setdefault(name, path)
    if clashes:
        raise ProblemsError(clashes)
    return ids


def peek_id(path: Path) -> str:
    """The id a file gives itself; a file that cannot be read or has no id goes by its name."""
    try:
        return own_id(path, read_tree(path, str(path)).data)
    except CatalogueError:
        return id_from_name(path)


def own_id(path: Path, data: Any) -> str:
    """The id in a file's data, or else the id that its name stands for."""
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str) and _is_id(name) else id_from_name(path)


def _is_id(name: str) -> bool:
    return re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name) is not None
