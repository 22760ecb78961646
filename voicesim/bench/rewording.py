"""Fields of a check replaced in the text of a case's file, as a diff; everything else keeps its place and comments."""

import difflib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from voicesim.catalog.model import Case
from voicesim.errors import UsageError


def diff(path: Path, check: str, values: Mapping[str, Any]) -> str:
    """New values for some fields of one check, as a unified diff of a case's file; "" when nothing would change.

    It has no lines around the change, so that of several for neighbouring checks any can be taken. Raises
    UsageError when the reworded case would be no valid one.
    """
    text = path.read_text(encoding="utf-8")
    changed = reworded(text, check, values)
    name = place_of(path).as_posix()
    before, after = text.splitlines(keepends=True), changed.splitlines(keepends=True)
    return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", n=0))


def place_of(path: Path) -> Path:
    """Where a case's file is, seen from here; where a copy of it would be found first, when it is elsewhere."""
    here = Path.cwd()
    return path.resolve().relative_to(here) if path.resolve().is_relative_to(here) else Path("cases") / path.name


def reworded(text: str, check: str, values: Mapping[str, Any]) -> str:
    """The text of a case with the values of some fields of one check replaced where they stand.

    Raises UsageError when that would be no valid case.
    """
    spans = []
    for key, node in _fields(yaml.compose(text), check):
        if key in values and json.dumps(values[key]) != json.dumps(yaml.safe_load(yaml.serialize(node))):
            # A block's end mark stands behind the line ends and the indentation that follow it.
            start, end = node.start_mark.index, node.end_mark.index
            spans.append((start, start + len(text[start:end].rstrip()), json.dumps(values[key], ensure_ascii=False)))
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    try:
        Case.model_validate(yaml.safe_load(text))
    except (ValidationError, yaml.YAMLError) as error:
        raise UsageError(f"the wording proposed for {check} makes no valid case: {error}") from error
    return text


def _fields(root: Any, check: str) -> list[tuple[str, Any]]:
    rubric = next(value for key, value in root.value if key.value == "rubric")
    for node in rubric.value:
        fields = [(key.value, value) for key, value in node.value]
        if any(key == "id" and value.value == check for key, value in fields):
            return fields
    return []
