"""Rows for the pages about many calls: the fourteen published visits, and suites made at random from a seed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from voicesim.judge.model import Outcome, Verdict
from voicesim.judge.score import score
from voicesim.report.many.row import Checked, Money, Place, Quoted, Row, Setting, Timing

_ROOT = Path(__file__).parents[2]
VISITS: list[dict[str, Any]] = json.loads((_ROOT / "tests" / "judge" / "published_scores.json").read_text())
CASES = (
    "cold-01-andi",
    "cold-02-prolonged-cough",
    "cold-03-biphasic-worsening",
    "cold-04-emergency-dyspnea",
    "cold-06-stacked-paracetamol",
    "cold-09-diabetic-htn-poor-appetite",
)


def case_content(name: str) -> dict[str, Any]:
    """A shipped case as it is in its file."""
    content: dict[str, Any] = yaml.safe_load((_ROOT / "cases" / f"{name}.yaml").read_text(encoding="utf-8"))
    return content


def row_of(call_id: str, setting: Setting, outcomes: dict[str, Outcome], **changes: Any) -> Row:
    """A valid call with these outcomes, what is not named a hit; gate and score are those of the judge's own sums."""
    content = case_content(setting.case)
    verdicts = [
        Verdict(check=c["id"], group=c["group"], weight=c["weight"], outcome=outcomes.get(c["id"], "hit"))
        for c in content["rubric"]
    ]
    result = score(verdicts)
    kinds = {check["id"]: check["kind"] for check in content["rubric"]}
    known: dict[str, Any] = {
        "id": call_id,
        "setting": setting,
        "state": "failed" if result.failed_critical else "unscored" if result.value is None else "passed",
        "reason": ", ".join(result.failed_critical) or result.unscored,
        "title": content["title"],
        "draft": content["clinical_status"] == "draft",
        "score": result.value,
        "coverage": result.coverage,
        "failed_critical": result.failed_critical,
        "checks": tuple(
            Checked(verdict.check, verdict.group, kinds[verdict.check], verdict.weight, verdict.outcome)
            for verdict in verdicts
        ),
        "scorecard": f"{call_id}/scorecard.html",
    }
    return Row(**{**known, **changes})


def published() -> tuple[Row, ...]:
    """The published example: fourteen visits to ten cases, as rows."""
    return tuple(
        row_of(
            f"visit-{number:02d}",
            Setting(visit["case"], "shipped", "clean", "published"),
            dict.fromkeys(visit["missed"], "miss"),
        )
        for number, visit in enumerate(VISITS, start=1)
    )


def made_up(
    agents: dict[str, float],
    cases: tuple[str, ...] = CASES,
    profiles: tuple[str, ...] = ("clean", "telephone"),
    repeats: int = 2,
    seed: int = 1,
) -> tuple[Row, ...]:
    """Calls of every case to every agent, over every profile, repeated; agents have a chance to hit a check.

    A quarter of the checks is about as hard again in each case. Some calls are invalid, some checks undecided.
    """
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for repeat in range(repeats):
        for case in cases:
            hard = {check["id"]: rng.random() < 0.25 for check in case_content(case)["rubric"]}
            for profile in profiles:
                for slow, (agent, chance) in enumerate(agents.items()):
                    call_id = f"{case}_{agent}_{profile}_{repeat + 1:02d}"
                    setting = Setting(
                        case=case,
                        persona=f"persona-of-{case[5:7]}",
                        profile=profile,
                        agent=agent,
                        hashes={part: f"{part}-of-{case}".ljust(64, "0") for part in ("case", "rubric")},
                        accent="indian" if case < "cold-04" else "american",
                        mind="offline",
                        judge="cues",
                        judge_version="12",
                        seed=repeat,
                        versions={"voicesim": "0.1.0"},
                    )
                    rows.append(_made_up(call_id, setting, hard, chance, slow, rng, len(rows)))
    return tuple(rows)


def _made_up(
    call_id: str,
    setting: Setting,
    hard: dict[str, bool],
    chance: float,
    slow: int,
    rng: np.random.Generator,
    number: int,
) -> Row:
    outcomes: dict[str, Outcome] = {}
    for check, harder in hard.items():
        if rng.random() > chance - 0.35 * harder - 0.08 * (setting.profile != "clean"):
            outcomes[check] = "miss"
        elif rng.random() < 0.03:
            outcomes[check] = "not_heard"
    row = row_of(call_id, setting, outcomes)
    latencies = rng.lognormal(-0.25 + 0.55 * slow, 0.35, 8)
    row = replace(
        row,
        checks=tuple(_with_quotes(check, rng) for check in row.checks),
        failures=tuple(
            ("missed_question" if c.kind == "ask" else "missing_advice", c.id) for c in row.checks if c.hit is False
        ),
        timing=Timing(tuple(latencies.tolist()), tuple(rng.lognormal(-0.7, 0.4, 2).tolist()), 3, number % 3, 0, 9),
        money=Money("USD", 0.021 + 0.03 * slow, 0.004),
        duration=float(latencies.sum() + 70),
        ended="completed",
        started_at=f"2026-03-09T10:{number // 60:02d}:{number % 60:02d}+00:00",
    )
    if number % 17 == 5:
        return replace(row, state="invalid", reason="late harness: p99 of the ticks was 41 ms")
    return row


def _with_quotes(check: Checked, rng: np.random.Generator) -> Checked:
    if check.hit is None:
        return check
    votes: dict[str, Outcome] = {"cues": check.outcome, "openai:some-model": check.outcome}
    if rng.random() < 0.1:
        votes["openai:some-model"] = "miss" if check.hit else "hit"
    if check.kind == "avoid" or not check.hit:
        return replace(check, votes=votes, reason="The agent never said so." if not check.hit else "")
    every: tuple[Place, ...] = ("whole line", "part of a line", "part of a line", "patient")
    place = every[int(rng.integers(4))]
    return replace(check, quotes=(Quoted("A2", "Are you short of breath?", place),), votes=votes)
