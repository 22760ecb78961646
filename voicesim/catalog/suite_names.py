"""The names in a suite file: what they stand for, and which lead nowhere."""

from collections.abc import Iterator
from pathlib import Path

from voicesim.catalog.find import Catalogue, Kind
from voicesim.catalog.load import Loaded
from voicesim.catalog.problems import Problem, problems_of
from voicesim.catalog.resolve import ChosenAgent, resolve_agent
from voicesim.catalog.suite_file import OWN, Exclusion, Matrix, SuiteFile
from voicesim.catalog.yaml_tree import Loc
from voicesim.errors import CatalogueError, UsageError

_KEYS: tuple[tuple[str, Kind], ...] = (("cases", "case"), ("personas", "persona"), ("profiles", "profile"))


def suite_agent(name: str, catalogue: Catalogue) -> ChosenAgent:
    """The agent that a suite names: an id of the agents folder, an agent file, or a string as for `--agent`.

    Raises UsageError and CatalogueError as `resolve_agent` does.
    """
    known = catalogue.files("agent")
    return resolve_agent(str(known[name]) if name in known else name)


def lost_names(loaded: Loaded[SuiteFile], catalogue: Catalogue) -> Iterator[Problem]:
    """Every name of a suite file that stands for nothing, at its place, with the near names."""
    suite = loaded.entry
    places: list[tuple[Loc, SuiteFile | Matrix]] = [((), suite)]
    places += [(("include", number), matrix) for number, matrix in enumerate(suite.include)]
    for place, matrix in places:
        for key, kind in _KEYS:
            for number, name in enumerate(getattr(matrix, key) or ()):
                yield from _lost(loaded, (*place, key, number), catalogue, kind, name)
        for number, agent in enumerate(matrix.agents or ()):
            try:
                suite_agent(agent, catalogue)
            except CatalogueError as error:
                yield from problems_of(error) if Path(agent).is_file() else (_at(loaded, place, number, error),)
            except UsageError as error:
                yield _at(loaded, place, number, error)
    yield from _idle_exclusions(loaded, catalogue)


def _at(loaded: Loaded[SuiteFile], place: Loc, number: int, error: Exception) -> Problem:
    return loaded.problem((*place, "agents", number), str(error))


def _lost(loaded: Loaded[SuiteFile], place: Loc, catalogue: Catalogue, kind: Kind, name: str) -> Iterator[Problem]:
    if kind == "persona" and name == OWN:
        return
    try:
        for single in catalogue.matching(kind, [name]):
            catalogue.path(kind, single)
    except CatalogueError as error:
        yield loaded.problem(place, str(error))


def _idle_exclusions(loaded: Loaded[SuiteFile], catalogue: Catalogue) -> Iterator[Problem]:
    """An exclusion with a plain id that the catalogue does not know leaves nothing out: a typo."""
    for number, exclusion in enumerate(loaded.entry.exclude):
        for kind in ("case", "persona", "profile"):
            name = getattr(exclusion, kind)
            if name is not None and not _is_pattern(name) and name not in catalogue.ids(kind):
                yield from _lost(loaded, ("exclude", number, kind), catalogue, kind, name)


def _is_pattern(name: str) -> bool:
    return any(sign in name for sign in "*?[")


def excluded(exclusions: tuple[Exclusion, ...], **names: str) -> bool:
    """Whether any exclusion leaves out the call with these names."""
    return any(exclusion.fits(**names) for exclusion in exclusions)
