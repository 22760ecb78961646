"""Tables of named parts that can be added without touching anything else; the tables themselves are in `registry`.

A row is a name and where its part lives, as `module:attribute`; the module is imported when the part is used.
Another package adds rows through entry points of the table's group:

    [project.entry-points."voicesim.transports"]
    my-transport = "my_package.my_module:factory"
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from voicesim.errors import UsageError, near

FILES = (".yaml", ".yml", ".json")
"""How the name of a file ends that stands for a part."""


@dataclass(frozen=True)
class Row:
    """Where a part lives (`module:attribute`), how a user writes its name, and what it is in one sentence.

    `form` is empty where it is the name alone or, of another package's part, not known.
    """

    target: str
    form: str = ""
    about: str = ""


class Registry:
    """One kind of part: rows that come with voicesim, and rows of other installed packages."""

    def __init__(self, kind: str, group: str, rows: Mapping[str, Row], files: str = "") -> None:
        """`kind` is the word for error messages, such as `voice engine`; `group` the entry-point group.

        `files` is the row that a path of a YAML or JSON file stands for, if there is one.
        """
        self.kind, self.group, self._files = kind, group, files
        self._own = dict(rows)

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """All rows by name. A name that comes with voicesim cannot be taken by another package."""
        return {**self._added(), **self._own}

    def __contains__(self, name: str) -> bool:
        return name in self._own or name in self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def row(self, name: str) -> Row:
        """The row of a name. Raises UsageError that lists the near names."""
        if name in self._own:
            return self._own[name]
        if name in self.rows:
            return self.rows[name]
        raise UsageError(f"unknown {self.kind} {name!r}.{near(name, self.rows)}")

    def load(self, name: str) -> Any:
        """The part itself. Raises UsageError for an unknown name, and for a part that cannot be imported."""
        target = self.row(name).target
        module, _, attribute = target.partition(":")
        try:
            part: Any = import_module(module)
            for step in attribute.split("."):
                part = getattr(part, step)
        except (ImportError, AttributeError) as error:
            raise UsageError(f"{self.kind} {name!r} cannot be loaded from {target}: {error}") from error
        return part

    def split(self, spec: str) -> tuple[str, str]:
        """The name and the target of what a user wrote: `openai:NAME` is (openai, NAME), a file (openai, its path).

        Raises UsageError for an unknown name, and for a target that is missing or not wanted by the row's form.
        """
        name, colon, target = spec.partition(":")
        if self._files and spec.lower().endswith(FILES) and name not in self:
            return self._files, spec
        form = self.row(name).form
        wanted = ":" in form
        if form and (wanted != bool(target.strip()) or bool(colon) != wanted):
            raise UsageError(f"the {self.kind} {spec!r} is not of the form {form}")
        return name, target.strip()

    def forms(self) -> tuple[str, ...]:
        """How users write each name, in the order of the table."""
        return tuple(row.form or name for name, row in self.rows.items())

    def _added(self) -> dict[str, Row]:
        added = entry_points(group=self.group)
        return {
            point.name: Row(point.value, about=f"from the package {point.dist.name}" if point.dist else "")
            for point in added
        }
