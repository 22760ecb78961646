"""A suite file: which calls to make, as a matrix of cases, personas, profiles and agents, each repeated."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from voicesim.catalog.agent_file import Plain
from voicesim.catalog.entry import Entry, Slug, Words
from voicesim.catalog.load import Loaded, validated
from voicesim.catalog.threshold_file import Threshold, threshold_set
from voicesim.catalog.yaml_tree import YamlTree, read_tree
from voicesim.errors import CatalogueError, UsageError
from voicesim.frozen import Seed
from voicesim.registry import JUDGES, MINDS, Registry

OWN = "own"
"""Stands among personas for the one that a case names itself."""
MOST_REPEATS = 1000
MOST_INCLUDES = 100


def _named_in(registry: Registry) -> Callable[[str], str]:
    """A validator for what `--mind` or `--judge` takes: raises ValueError unless it is of a form that the table has."""

    def known(spec: str) -> str:
        try:
            registry.split(spec)
        except UsageError as error:
            raise ValueError(str(error)) from error
        return spec

    return known


def _sound_seeds(repeats: int | None, seeds: tuple[int, ...] | None) -> None:
    if repeats is not None and seeds is not None:
        raise ValueError("`seeds` names every repeat; leave `repeats` out")
    if seeds and len(set(seeds)) < len(seeds):
        raise ValueError("`seeds` has a number twice; the second call would be the first once more")


def _is_a_set(name: str) -> str:
    try:
        threshold_set(name)
    except (CatalogueError, UsageError) as error:
        raise ValueError(str(error)) from error
    return name


Names = Annotated[Words, Field(min_length=1)]
Agents = Annotated[tuple[Annotated[Plain, Field(min_length=1)], ...], Field(min_length=1)]


class CallLimits(Entry):
    """Lines of the patient, and seconds, after which each call ends."""

    max_turns: int = Field(default=30, ge=1, le=1000)
    max_duration: float = Field(default=300.0, ge=5, le=7200)


class Matrix(Entry):
    """Names to combine: ids, patterns of ids (`cold-*`) or files. What is left out is as in the suite around it."""

    cases: Names | None = None
    personas: Names | None = None
    profiles: Names | None = None
    agents: Agents | None = None
    repeats: int | None = Field(default=None, ge=1, le=MOST_REPEATS)
    seeds: tuple[Seed, ...] | None = Field(default=None, min_length=1, max_length=MOST_REPEATS)

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        _sound_seeds(self.repeats, self.seeds)
        return self


class Exclusion(Entry):
    """Calls that are left out of the matrix: those that fit every pattern that is given."""

    case: str | None = None
    persona: str | None = None
    profile: str | None = None
    agent: str | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("names nothing to leave out: give a `case`, `persona`, `profile` or `agent`")
        return self

    def fits(self, **names: str) -> bool:
        """Whether a call with these names is left out; `agent` is what the agent is called."""
        patterns = self.model_dump(exclude_none=True)
        return all(fnmatchcase(names[kind], pattern) for kind, pattern in patterns.items())


class SuiteFile(Entry):
    """The whole file. Every case is combined with every persona, profile and agent, `repeats` times over.

    Without `personas` each case has its own; `own` among others stands for that one. The first repeat has the seed
    `seed`, the next ones count up; `seeds` names them all instead. `include` are further matrices, added after
    `exclude` has left calls out. `at_once` bounds the calls made side by side; without it, as many as the machine
    paces in time. With `thresholds` or `threshold_sets`, these decide whether the suite passes.
    """

    id: Slug | None = None
    title: Plain = ""
    cases: Names
    personas: Names = (OWN,)
    profiles: Names = ("clean",)
    agents: Agents
    repeats: int | None = Field(default=None, ge=1, le=MOST_REPEATS)
    seed: Seed = 0
    seeds: tuple[Seed, ...] | None = Field(default=None, min_length=1, max_length=MOST_REPEATS)
    include: tuple[Matrix, ...] = Field(default=(), max_length=MOST_INCLUDES)
    exclude: tuple[Exclusion, ...] = ()
    mind: Annotated[Plain, AfterValidator(_named_in(MINDS))] = "cues"
    auditor: Plain = Field(default="", description="a model that audits the patient after each call, beside the code")
    judges: tuple[Annotated[Plain, AfterValidator(_named_in(JUDGES))], ...] = Field(default=("cues",), min_length=1)
    judge_repeats: int = Field(default=1, ge=1, le=99)
    whisper: str = Field(default="base", min_length=1)
    ear: str = Field(default="base", min_length=1)
    clock: Literal["live", "virtual"] = "live"
    limits: CallLimits = CallLimits()
    at_once: int | None = Field(default=None, ge=1, le=256)
    rerun_invalid: int = Field(default=0, ge=0, le=10)
    thresholds: tuple[Threshold, ...] = ()
    threshold_sets: tuple[Annotated[Plain, AfterValidator(_is_a_set)], ...] = ()

    @model_validator(mode="after")
    def _matrix_is_sound(self) -> Self:
        _sound_seeds(self.repeats, self.seeds)
        if self.seeds is not None and self.seed:
            raise ValueError("`seeds` names the seed of every repeat; leave `seed` out")
        return self

    def matrices(self) -> tuple[Matrix, ...]:
        """The suite's own matrix and then the included ones, with everything that was left out filled in."""
        names = ("cases", "personas", "profiles", "agents")
        names_of = {name: getattr(self, name) for name in names}
        own = Matrix.model_construct(**names_of, repeats=self.repeats, seeds=self.seeds)
        return (own, *(_filled(matrix, own) for matrix in self.include))

    def seeds_of(self, matrix: Matrix) -> tuple[int, ...]:
        """The seed of each repeat."""
        return matrix.seeds or tuple(range(self.seed, self.seed + (matrix.repeats or 1)))


def _filled(matrix: Matrix, own: Matrix) -> Matrix:
    given: dict[str, Any] = {name: value for name, value in matrix if value is not None}
    left = {name: value for name, value in own if name not in given}
    if matrix.repeats is not None or matrix.seeds is not None:
        left = {name: value for name, value in left.items() if name not in ("repeats", "seeds")}
    return Matrix.model_construct(**left, **given)


def read_suite_file(path: Path, tree: YamlTree | None = None) -> Loaded[SuiteFile]:
    """A suite file from YAML or JSON, keeping its places. Raises CatalogueError with every problem of the file."""
    tree = tree or read_tree(path, str(path))
    return Loaded(validated(SuiteFile, tree.data, path, tree), path, tree)
