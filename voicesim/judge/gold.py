"""Gold labels: what is right for one check of one call, by whom, and why; one JSON object a line."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.frozen import Frozen
from voicesim.judge.model import Outcome
from voicesim.recording import files
from voicesim.recording.manifest import EndReason

Label = Literal["hit", "miss", "not_applicable", "unscored"]
"""`unscored`: nobody could tell from this call, so a judge has to leave it undecided."""


class Pointed(Frozen, str_strip_whitespace=True):
    """Where the proof is: an utterance, and the words in it."""

    utterance: str = Field(min_length=1)
    quote: str = Field(min_length=1)


class Gold(Frozen, str_strip_whitespace=True):
    """One label by one rater.

    The call is `recording`, a folder relative to the file of the labels, or a conversation `said` with the
    `case` it is of (lines as in `scripted.py`; `ended` tells how it ended). `item` names the call, and labels
    of several raters for the same item and check stay apart. `judge` and `outcome` are the verdict that the
    rater had before them, if any. `tag` is the kind of failure that a miss is, where that is plain. `fault` and `part`
    belong to planted faults.
    """

    item: str = Field(min_length=1)
    check: str = Field(min_length=1)
    label: Label
    source: Literal["planted", "human"]
    rater: str = Field(min_length=1)
    reason: str = ""
    evidence: tuple[Pointed, ...] = ()
    recording: str = ""
    case: str = ""
    said: tuple[str, ...] = ()
    ended: EndReason = "completed"
    judge: str = ""
    outcome: Outcome | None = None
    tag: Tag | None = None
    fault: str = ""
    part: str = ""
    style: str = ""

    @model_validator(mode="after")
    def _is_of_one_call(self) -> Self:
        if self.recording and self.said:
            raise ValueError("the call is either a `recording` or what was `said`, not both")
        if self.said and not self.case:
            raise ValueError("what was `said` needs the `case` it is of")
        return self

    @property
    def disputes(self) -> bool:
        """Whether the rater said that the verdict before them was wrong, or no judges agreed on it."""
        return self.outcome == "disputed" or (self.outcome is not None and label_of(self.outcome) != self.label)


def label_of(outcome: Outcome) -> Label:
    """The label that agrees with a verdict: whatever left a check open agrees with `unscored`."""
    match outcome:
        case "hit" | "miss" | "not_applicable":
            return outcome
        case _:
            return "unscored"


def load_gold(path: Path) -> tuple[Gold, ...]:
    """The labels of a JSONL file; empty lines are left out.

    Raises UsageError that names file, line and field: for what is no label, and for a second label of the same
    rater for the same item and check.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    seen: dict[tuple[str, str, str], int] = {}
    rows: list[Gold] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = Gold.model_validate_json(line)
        except ValidationError as error:
            raise UsageError(f"{path}:{number}: {_first(error)}") from error
        key = (row.item, row.check, row.rater)
        if key in seen:
            raise UsageError(
                f"{path}:{number}: {row.rater} has labelled {row.check} of {row.item} before, in line {seen[key]}"
            )
        seen[key] = number
        rows.append(row)
    return tuple(rows)


def append_gold(path: Path, rows: Iterable[Gold]) -> None:
    """Add labels at the end of a file, which is made when it is not there; each line is written whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torn = path.is_file() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" if torn else "")
        for row in rows:
            file.write(row.model_dump_json(exclude_defaults=True) + "\n")


def put_gold(path: Path, row: Gold) -> None:
    """Add a label, in place of an earlier one by the same rater for the same item and check.

    Raises UsageError as `load_gold` does.
    """
    rows = load_gold(path) if path.is_file() else ()
    others = [other for other in rows if (other.item, other.check, other.rater) != (row.item, row.check, row.rater)]
    if len(others) == len(rows):
        append_gold(path, [row])
        return
    lines = (other.model_dump_json(exclude_defaults=True) + "\n" for other in (*others, row))
    files.write_text(path, "".join(lines))


def by_item(rows: Sequence[Gold]) -> dict[str, tuple[Gold, ...]]:
    """The labels of each call, in order of first appearance."""
    items: dict[str, list[Gold]] = {}
    for row in rows:
        items.setdefault(row.item, []).append(row)
    return {item: tuple(labels) for item, labels in items.items()}


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
