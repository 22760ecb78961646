"""What is wrong in catalogue files, as data: one problem is a file, a key, a line and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.errors import CatalogueError


@dataclass(frozen=True)
class Problem:
    """One thing to repair. `key` is a dotted path (`rubric[fever].weight`), `line` counts from 1."""

    message: str
    file: str
    key: str = ""
    line: int | None = None

    def __str__(self) -> str:
        return str(CatalogueError(self.message, file=self.file, key=self.key, line=self.line))


class ProblemsError(CatalogueError):
    """All problems of a file (or a folder) at once; file, key and line are those of the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        super().__init__(first.message, file=first.file, key=first.key, line=first.line)
        self.args = ("\n".join(str(problem) for problem in self.problems),)

    def __reduce__(self) -> tuple[type["ProblemsError"], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)


def problems_of(error: CatalogueError) -> tuple[Problem, ...]:
    """The problems an error tells of: its own list, or itself as the only one."""
    if isinstance(error, ProblemsError):
        return error.problems
    place = f"{error.file}:{error.line}" if error.file and error.line else error.file
    lead = "".join(f"{part}: " for part in (place, error.key) if part)
    return (Problem(str(error).removeprefix(lead), error.file, error.key, error.line),)
