"""The offline judge on single wordings: `python benchmarks/held_out.py [held_out|tuned]`.

Each item is a short conversation with the true verdict of one check, written from docs/cases.md and the cases alone, in
plain, natural or misleading words. The rules of the judge are made with `tuned.jsonl` in sight, and never with
`held_out.jsonl`: whoever changes a rule runs that file for its rates only, and replaces what was looked into.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from scipy.stats import binomtest

from voicesim.bench.scripted import transcript_of
from voicesim.catalog.find import Catalogue
from voicesim.judge.base import Call
from voicesim.judge.offline.cues import CuesJudge

DECIDED = ("hit", "miss", "not_applicable")


def counted(file: Path) -> dict[str, Counter[str]]:
    """By style and for critical checks: how many verdicts were right, wrong and undecided."""
    judge, catalogue = CuesJudge(), Catalogue.here()
    counts: dict[str, Counter[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        case = catalogue.case(item["case"])
        check = next(check for check in case.rubric if check.id == item["check"])
        outcome = judge.find(check, Call(case, transcript_of(item["lines"], item["id"]))).outcome
        verdict = "right" if outcome == item["label"] else "wrong" if outcome in DECIDED else "undecided"
        parts = [item["style"], "all", *([f"{item['style']}, critical"] if check.group == "critical" else [])]
        for part in parts:
            counts.setdefault(part, Counter())[verdict] += 1
    return counts


def main(name: str) -> None:
    """Print the table: wrong verdicts with their Wilson interval."""
    file = Path(__file__).parent / "held_out" / f"{name}.jsonl"
    print(f"{'style':<20}{'n':>5}{'right':>7}{'undecided':>11}{'wrong':>7}   wrong, 95 %")
    for part, counts in sorted(counted(file).items()):
        total = counts.total()
        interval = binomtest(counts["wrong"], total).proportion_ci(method="wilson")
        print(
            f"{part:<20}{total:>5}{counts['right']:>7}{counts['undecided']:>11}{counts['wrong']:>7}"
            f"   {interval.low:.1%} to {interval.high:.1%}"
        )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "held_out")
