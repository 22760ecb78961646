"""Single wordings: short conversations, each with the true verdict of one check, by style.

`tuned.jsonl` is what the offline judge's rules are made with. `held_out.jsonl` is run for its rates alone: whoever has
looked into it replaces it. Each line has `id`, `case`, `check`, `kind`, `style`, `label`, `lines` and `why`.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from voicesim.judge.gold import Gold

PARTS = ("tuned", "held_out")


@cache
def wordings() -> tuple[Gold, ...]:
    """The items of both parts as labels, in the order of their files."""
    folder = files("voicesim.bench.exam") / "wordings"
    return tuple(
        _label(json.loads(line), part)
        for part in PARTS
        for line in (folder / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    )


def _label(item: dict[str, Any], part: str) -> Gold:
    return Gold(
        item=f"{part}/{item['id']}",
        check=item["check"],
        label=item["label"],
        source="planted",
        rater="author",
        reason=item["why"],
        case=item["case"],
        said=tuple(item["lines"]),
        part=part,
        style=item["style"],
    )
