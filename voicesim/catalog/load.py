"""One catalogue file -> its frozen model, or everything that is wrong with it in one error."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from voicesim.catalog.accent_file import AccentFile
from voicesim.catalog.agent_file import AgentFile, agent_file_type, keys_of, owners_of
from voicesim.catalog.explain import faults_of, key_text
from voicesim.catalog.legacy import is_legacy, upgrade
from voicesim.catalog.model import AudioProfile, Case, Entry, Persona
from voicesim.catalog.model_file import ModelFile
from voicesim.catalog.problems import Problem, ProblemsError
from voicesim.catalog.profile import Effect
from voicesim.catalog.script import Script
from voicesim.catalog.yaml_tree import Fault, Loc, YamlTree, read_tree
from voicesim.registry import TOOL_SYSTEMS, TRANSPORTS

E = TypeVar("E", bound=Entry)


@dataclass(frozen=True)
class Loaded(Generic[E]):
    """A valid entry that still knows where each of its keys stands in its file.

    `origin` maps places of the entry to places of the file where the two differ. `notes` say what was read in another
    form than it is written, for a person to look at.
    """

    entry: E
    path: Path
    tree: YamlTree
    origin: Mapping[Loc, Loc] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def problem(self, loc: Loc, message: str) -> Problem:
        """A problem at a place of the entry."""
        return _problem(self.tree, str(self.path), _written_at(loc, self.origin), message)


PERSONA_KEYS: Mapping[str, str] = MappingProxyType({"floor": "turn_taking"})
"""Keys of personas in older files and recordings, and what they are called now."""

AnyLoaded = (
    Loaded[Case] | Loaded[Persona] | Loaded[AudioProfile] | Loaded[AgentFile] | Loaded[AccentFile] | Loaded[ModelFile]
)


def load_case(path: Path | str) -> Case:
    """A case from YAML or JSON, also in the older form. Raises CatalogueError with all its problems."""
    return read_case(Path(path)).entry


def load_persona(path: Path | str) -> Persona:
    """A persona from YAML or JSON. Raises CatalogueError with every problem of the file."""
    return read_persona(Path(path)).entry


def load_profile(path: Path | str) -> AudioProfile:
    """An audio profile from YAML or JSON. Raises CatalogueError with every problem of the file.

    The path of a noise file is read relative to the profile's folder; the returned model has it in
    the form that can be opened. A noise file that is not there is refused here, before any call.
    """
    return read_profile(Path(path)).entry


def load_agent_file(path: Path | str) -> AgentFile:
    """An agent file from YAML or JSON. Raises CatalogueError with every problem of the file."""
    return read_agent_file(Path(path)).entry


def read_case(path: Path, tree: YamlTree | None = None) -> Loaded[Case]:
    """As load_case, keeping the places of the file; `tree` is given where the file has been read already."""
    tree = tree or read_tree(path, str(path))
    if not is_legacy(tree.data):
        loaded = Loaded(validated(Case, tree.data, path, tree), path, tree)
        if problems := [loaded.problem(loc, fault) for loc, fault in _backend_faults(loaded.entry)]:
            raise ProblemsError(problems)
        return loaded
    upgraded = upgrade(tree.data, id_from_name(path))
    tree = YamlTree(tree.data, tree.lines, (*tree.faults, *upgraded.faults))
    entry = validated(Case, upgraded.data, path, tree, upgraded.origin)
    notes = ("the published form of a case; what it does not say was derived", *upgraded.derived)
    return Loaded(entry, path, tree, upgraded.origin, notes)


def read_persona(path: Path, tree: YamlTree | None = None) -> Loaded[Persona]:
    """As load_persona, keeping the places of the file."""
    tree = tree or read_tree(path, str(path))
    data, origin = renamed_keys(tree.data, PERSONA_KEYS)
    notes = tuple(f"`{old[0]}` is now called `{new[0]}`; rename the key" for new, old in origin.items())
    return Loaded(validated(Persona, data, path, tree, origin), path, tree, origin, notes)


def read_profile(path: Path, tree: YamlTree | None = None) -> Loaded[AudioProfile]:
    """As load_profile, keeping the places of the file."""
    tree = tree or read_tree(path, str(path))
    loaded = Loaded(validated(AudioProfile, tree.data, path, tree), path, tree)
    placed: dict[str, Any] = {}
    if loaded.entry.noise is not None:
        placed["noise"] = _with_sound(loaded, ("noise",), loaded.entry.noise)
    for leg in ("chain", "agent_leg"):
        effects: tuple[Effect, ...] = getattr(loaded.entry, leg)
        placed[leg] = tuple(_with_sound(loaded, (leg, n, effect.key), effect) for n, effect in enumerate(effects))
    return Loaded(loaded.entry.model_copy(update=placed), path, tree)


def _with_sound(loaded: Loaded[AudioProfile], loc: Loc, effect: Effect) -> Effect:
    """The effect with the path of its sound file in the form that can be opened; refused when it is not there."""
    path = getattr(effect, "path", "")
    if not path:
        return effect
    sound = Path(os.path.normpath(loaded.path.parent / path))
    if not sound.is_file():
        raise ProblemsError([loaded.problem((*loc, "path"), f"there is no noise file {sound}")])
    return effect.model_copy(update={"path": str(sound)})


def read_agent_file(path: Path, tree: YamlTree | None = None) -> Loaded[AgentFile]:
    """As load_agent_file, keeping the places of the file."""
    tree = tree or read_tree(path, str(path))
    data = tree.data if isinstance(tree.data, dict) else {}
    model = agent_file_type(data.get("agent"))
    tree = YamlTree(tree.data, tree.lines, (*tree.faults, *_keys_of_others(data)))
    return Loaded(validated(model, tree.data, path, tree), path, tree)


def _keys_of_others(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Keys that would have no effect on this agent, as its transport does not use them."""
    transport = str(data.get("agent", "")).partition(":")[0]
    if transport not in TRANSPORTS:
        return
    for key in (key for key in data if key not in keys_of(transport)):
        if forms := owners_of(key):
            message = f"has no effect on {TRANSPORTS.row(transport).form or transport}; it is for agents of the form "
            yield (key,), f"`{key}` {message}{' or '.join(forms)}"


def read_accent(path: Path, tree: YamlTree | None = None) -> Loaded[AccentFile]:
    """An accent file, keeping the places of the file. Raises CatalogueError with every problem of the file."""
    tree = tree or read_tree(path, str(path))
    return Loaded(validated(AccentFile, tree.data, path, tree), path, tree)


def read_model_file(path: Path, tree: YamlTree | None = None) -> Loaded[ModelFile]:
    """A model file from YAML or JSON, keeping its places. Raises CatalogueError with every problem of the file."""
    tree = tree or read_tree(path, str(path))
    return Loaded(validated(ModelFile, tree.data, path, tree), path, tree)


def load_script(path: Path | str) -> Script:
    """The lines of a scripted patient. Raises ProblemsError with all that is wrong in the file."""
    tree = read_tree(Path(path), str(path))
    return validated(Script, tree.data, Path(path), tree)


def id_from_name(path: Path) -> str:
    """The id that a file's name stands for: `My Case.json` -> `my-case`."""
    return re.sub(r"[^a-z0-9_]+", "-", path.stem.lower()).strip("-_") or "unnamed"


def validated(model: type[E], data: Any, path: Path, tree: YamlTree, origin: Mapping[Loc, Loc] | None = None) -> E:
    """Data of a file as its model. Raises ProblemsError with everything that is wrong, each at its place."""
    if not isinstance(data, dict):
        what = "is empty" if data is None else "must be a mapping of keys, such as `id: my-case`"
        raise ProblemsError([Problem(what, str(path), line=tree.line_of(()))])
    faults = list(tree.faults)
    entry: E | None = None
    try:
        # JSON mode takes lists for tuples; strict refuses `weight: "0.2"` and `age: yes` as numbers.
        entry = model.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        told_already = {loc for loc, _ in tree.faults}
        located = ((_written_at(loc, origin or {}), text) for loc, text in faults_of(error, model, data))
        faults += [(loc, text) for loc, text in located if loc not in told_already]
    if entry is None or faults:
        problems = [_problem(tree, str(path), loc, fault) for loc, fault in faults]
        raise ProblemsError(sorted(problems, key=lambda problem: problem.line or 0))
    return entry


def _backend_faults(case: Case) -> Iterable[tuple[Loc, str]]:
    if case.backend is None:
        return [(("tools",), "tools need a `backend` that answers them")] if case.tools else []
    faults: Iterable[tuple[Loc, str]] = TOOL_SYSTEMS.load(case.backend.kind).faults(case)
    return faults


def renamed_keys(data: Any, names: Mapping[str, str]) -> tuple[Any, dict[Loc, Loc]]:
    """Data with its top-level keys under their present names, and where the renamed ones stand in the file."""
    if not isinstance(data, dict):
        return data, {}
    old = {key: new for key, new in names.items() if key in data and new not in data}
    return {old.get(key, key): value for key, value in data.items()}, {(new,): (key,) for key, new in old.items()}


def _problem(tree: YamlTree, file: str, loc: Loc, message: str) -> Problem:
    return Problem(message, file, key_text(tree.data, loc), tree.line_of(loc))


def _written_at(loc: Loc, origin: Mapping[Loc, Loc]) -> Loc:
    for end in range(len(loc), 0, -1):
        if loc[:end] in origin:
            return origin[loc[:end]] + loc[end:]
    return loc
