"""Rubrics of other tools: HealthBench's JSON lines, and plain rows of criterion, axis and points.

HealthBench (Arora et al., 2025) has a line a conversation: `prompt` (messages), `rubrics` with `criterion`, `points`
and `tags` (`axis:completeness`), and `example_tags` (`theme:hedging`).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from voicesim.catalog.problems import Problem, ProblemsError
from voicesim.errors import CatalogueError
from voicesim.language.patterns import plain
from voicesim.rubrics.model import Axis, Criterion, Rubric

MOST_BYTES = 200_000_000
AXES: tuple[Axis, ...] = get_args(Axis)
_AXIS, _THEME = "axis:", "theme:"
_ASKS = re.compile(r"^(?:the (?:response|answer|model) )?(?:asks|inquires|enquires|seeks)\b")


def read_lines(path: Path) -> tuple[Rubric, ...]:
    """The rubrics of a file of JSON lines, one a line. Raises CatalogueError that names the line of what is wrong."""
    if path.stat().st_size > MOST_BYTES:
        raise CatalogueError(f"is larger than {MOST_BYTES // 1_000_000} MB", file=str(path))
    rubrics: list[Rubric] = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                rubrics.append(_rubric(_loaded(line, path, number), path, number))
    if not rubrics:
        raise CatalogueError("there is no rubric in it", file=str(path))
    return tuple(rubrics)


def of_rows(rows: Iterable[Mapping[str, Any]], id_: str, question: str, path: Path) -> Rubric:
    """A rubric of plain rows `{criterion, axis, points}`."""
    return _made({"rubrics": list(rows), "prompt": question}, id_, path, None)


def write_lines(rubrics: Iterable[Rubric]) -> str:
    """Rubrics as HealthBench writes them, a line each, with everything of them that the form has a place for."""
    return "".join(json.dumps(_line(rubric), ensure_ascii=False) + "\n" for rubric in rubrics)


def _loaded(line: bytes, path: Path, number: int) -> Mapping[str, Any]:
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CatalogueError(f"is not JSON: {error}", file=str(path), line=number) from error
    if not isinstance(data, dict):
        raise CatalogueError("a line has to be an object with `prompt` and `rubrics`", file=str(path), line=number)
    return data


def _rubric(data: Mapping[str, Any], path: Path, number: int) -> Rubric:
    return _made(data, str(data.get("prompt_id") or f"{path.stem}-{number}"), path, number)


def _made(data: Mapping[str, Any], id_: str, path: Path, number: int | None) -> Rubric:
    rows = data.get("rubrics")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CatalogueError("needs `rubrics`, a list of criteria", file=str(path), key="rubrics", line=number)
    themes = tuple(tag for tag in _list(data.get("example_tags")) if isinstance(tag, str))
    try:
        return Rubric(
            id=re.sub(r"[^a-z0-9_]+", "-", id_.lower()).strip("-_") or "unnamed",
            question=_question(data.get("prompt")) or "not told",
            drafted_by="HealthBench's form",
            criteria=tuple(_criterion(row, place, themes) for place, row in enumerate(rows, start=1)),
        )
    except ValidationError as error:
        raise ProblemsError(
            [
                Problem(fault["msg"], str(path), ".".join(map(str, fault["loc"])), number)
                for fault in error.errors(include_url=False)
            ]
        ) from error


def _criterion(row: Mapping[str, Any], place: int, themes: tuple[str, ...]) -> Criterion:
    tags = tuple(tag for tag in _list(row.get("tags")) if isinstance(tag, str) and tag)
    named = str(row.get("axis") or next((tag.removeprefix(_AXIS) for tag in tags if tag.startswith(_AXIS)), ""))
    axis = named.strip().lower().replace(" ", "_")
    others = (tag for tag in (*tags, *themes) if not tag.startswith(_AXIS))
    says = row.get("criterion")
    return Criterion.model_validate(
        {
            "id": f"c{place}",
            "says": says,
            "axis": axis or "completeness",
            "points": row.get("points"),
            "kind": "ask" if isinstance(says, str) and _ASKS.match(plain(says)) else "tell",
            "tags": tuple(dict.fromkeys(others)),
            "violation": says if isinstance(row.get("points"), int) and row["points"] < 0 else "",
        }
    )


def _question(prompt: Any) -> str:
    """The conversation before the answer, as text; only its last turn where it has no other."""
    if isinstance(prompt, str):
        return prompt.strip()
    turns = [turn for turn in _list(prompt) if isinstance(turn, dict) and isinstance(turn.get("content"), str)]
    if len(turns) == 1:
        return str(turns[0]["content"]).strip()
    return "\n\n".join(f"{turn.get('role', 'user')}: {turn['content'].strip()}" for turn in turns)


def _list(value: Any) -> list[Any]:
    """A list as it is; an empty one for anything else."""
    return value if isinstance(value, list) else []


def _turns(question: str) -> Iterator[dict[str, str]]:
    parts = re.split(r"(?:\A|\n\n)(system|developer|user|assistant): ", question)
    if len(parts) < 3 or parts[0].strip():
        yield {"role": "user", "content": question}
        return
    for role, content in zip(parts[1::2], parts[2::2], strict=True):
        yield {"role": role, "content": content}


def _line(rubric: Rubric) -> dict[str, Any]:
    themes = dict.fromkeys(tag for criterion in rubric.criteria for tag in criterion.tags if tag.startswith(_THEME))
    return {
        "prompt_id": rubric.id,
        "prompt": list(_turns(rubric.question)),
        "rubrics": [
            {
                "criterion": criterion.says,
                "points": criterion.points,
                "tags": [f"{_AXIS}{criterion.axis}", *(tag for tag in criterion.tags if not tag.startswith(_THEME))],
            }
            for criterion in rubric.criteria
        ],
        "example_tags": list(themes),
    }
