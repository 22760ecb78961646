"""Rubric files: voicesim's own form in YAML, and the forms of others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from voicesim.catalog.load import id_from_name, validated
from voicesim.catalog.yaml_tree import comment, read_tree
from voicesim.errors import CatalogueError
from voicesim.rubrics import healthbench
from voicesim.rubrics.model import Rubric

LINES = ".jsonl"


def read_rubric(path: Path) -> Rubric:
    """The one rubric of a file. Raises CatalogueError with all that is wrong, or when there are several in it."""
    rubrics = read_rubrics(path)
    if len(rubrics) > 1:
        raise CatalogueError(f"has {len(rubrics)} rubrics; one is wanted", file=str(path))
    return rubrics[0]


def read_rubrics(path: Path) -> tuple[Rubric, ...]:
    """All rubrics of a file: YAML or JSON in voicesim's form, a list of `{criterion, axis, points}`, or JSON lines."""
    if not path.is_file():
        raise CatalogueError("there is no such file", file=str(path))
    if path.suffix.lower() == LINES:
        return healthbench.read_lines(path)
    tree = read_tree(path, str(path))
    if isinstance(tree.data, list) and all(isinstance(row, dict) and "criterion" in row for row in tree.data):
        return (healthbench.of_rows(tree.data, id_from_name(path), path.stem, path),)
    return (validated(Rubric, tree.data, path, tree),)


def to_yaml(rubric: Rubric) -> str:
    """A rubric as a person edits it: what is empty or as usual is left out, and it says whether it is a draft."""
    status = "signed" if rubric.signed else "a draft until a person has signed every criterion"
    body = yaml.dump(_plain(rubric), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)
    return comment(f"{rubric.drafted_by or 'A rubric'}: {status}.") + body


def case_yaml(case: Any, note: str) -> str:
    """A case as YAML text, with a note at its head."""
    body = yaml.dump(_plain(case), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)
    return "".join(map(comment, note.splitlines())) + body


def _plain(entry: Any) -> Any:
    from voicesim.language.topics import condensed

    data = entry.model_dump(mode="json", exclude_defaults=True)
    for criterion in data.get("criteria", data.get("rubric", ())):
        _first(criterion, ("id", "group", "kind", "says", "expect", "violation", "axis", "points", "weight"))
        for key in ("cues", "claims", "allowed", "opposite"):
            if key in criterion:
                criterion[key] = list(condensed(criterion[key]))
    return data


def _first(row: dict[str, Any], keys: Sequence[str]) -> None:
    """Put what a person reads first at the beginning."""
    ordered = {key: row[key] for key in keys if key in row} | row
    row.clear()
    row.update(ordered)


class _Plain(yaml.SafeDumper):
    """Writes the same list twice where it stands twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
