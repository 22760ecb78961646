"""Thresholds that an agent's figures have to keep: in a suite file, or as a named set that cites its source."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from voicesim.catalog.agent_file import Plain
from voicesim.catalog.entry import Entry, Slug, named_in
from voicesim.catalog.load import validated
from voicesim.catalog.yaml_tree import SUFFIXES, read_tree
from voicesim.errors import UsageError, near
from voicesim.registry import FIGURES

SETS = Path(__file__).parent / "threshold_sets"
"""The sets that come with voicesim."""


class Threshold(Entry):
    """One figure of each agent, and what it must not pass. `source` says where the number comes from."""

    figure: Annotated[str, AfterValidator(named_in(FIGURES))]
    at_most: float | None = None
    at_least: float | None = None
    source: Plain = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError("needs either `at_most` or `at_least`")
        return self

    def kept(self, value: float) -> bool:
        """Whether a value keeps it; the bound itself does."""
        return value <= self.at_most if self.at_most is not None else value >= (self.at_least or 0.0)

    def __str__(self) -> str:
        return f"{self.figure} {'<=' if self.at_most is not None else '>='} {self.at_most or self.at_least or 0:g}"


class ThresholdSet(Entry):
    """A named set. Published sets contradict each other, so each says who says so."""

    id: Slug
    title: Plain = ""
    source: Plain = Field(min_length=1)
    thresholds: tuple[Threshold, ...] = Field(min_length=1)


def threshold_set(name: str) -> ThresholdSet:
    """A set by the name of one that comes with voicesim, or from a file.

    Raises UsageError with the near names, and CatalogueError with every problem of a file.
    """
    known = {path.stem: path for path in SETS.glob("*.yaml")}
    path = Path(name) if name.lower().endswith(SUFFIXES) else known.get(name)
    if path is None:
        raise UsageError(f"there is no threshold set {name!r}.{near(name, known)}")
    tree = read_tree(path, str(path))
    return validated(ThresholdSet, tree.data, path, tree)


def threshold_sets() -> tuple[ThresholdSet, ...]:
    """All sets that come with voicesim."""
    return tuple(threshold_set(path.stem) for path in sorted(SETS.glob("*.yaml")))
