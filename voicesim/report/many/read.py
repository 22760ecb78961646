"""From a suite to rows. No sound is read."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from voicesim.catalog.model import Kind
from voicesim.errors import UsageError, near
from voicesim.judge.model import Evidence, Outcome, Verdicts
from voicesim.language.fold import fold
from voicesim.metrics.model import Metrics
from voicesim.recording.manifest import Manifest
from voicesim.report.many.row import Checked, Money, Place, Quoted, Row, Setting, Timing
from voicesim.report.wording import spaced
from voicesim.results.read import SuiteCall, SuiteResult

_KINDS: tuple[Kind, ...] = ("ask", "tell", "avoid", "ordered", "code")


def rows_of(suite: SuiteResult, seen_from: Path, judge: str = "") -> tuple[Row, ...]:
    """The calls of a suite in the order in which they were made, those that are missing at the end.

    `seen_from` is the folder of the page that links to their scorecards. `judge` names whose verdicts count instead of
    the suite's. Raises RecordingError for a transcript that cannot be read, and UsageError when no call has verdicts of
    that judge.
    """
    calls = suite.calls
    if judge:
        known = dict.fromkeys(verdicts.judge for call in calls for verdicts in call.judged)
        if judge not in known:
            raise UsageError(f"{suite.folder}: no call has verdicts of judge {judge!r}.{near(judge, known)}")
        calls = tuple(replace(call, verdicts=_of(call, judge)) for call in calls)
    rows = [_row(call, seen_from) for call in calls]
    return tuple(sorted(rows, key=lambda row: (row.state == "missing", row.started_at, row.id)))


def _of(call: SuiteCall, judge: str) -> Verdicts | None:
    return next((verdicts for verdicts in call.judged if verdicts.judge == judge), None)


def _row(call: SuiteCall, seen_from: Path) -> Row:
    manifest, plan = call.manifest, call.planned
    if manifest is None or call.folder is None:
        setting = Setting(plan.case, plan.persona, plan.profile, plan.agent, seed=plan.seed)
        return Row(plan.name, setting, call.state, call.reason, plan.case)
    score = call.verdicts.score if call.verdicts else None
    page = call.scorecard
    return Row(
        id=call.folder.name,
        setting=_setting(manifest, call.verdicts),
        state=call.state,
        reason=call.reason,
        title=str(manifest.case.content.get("title", manifest.case.id)),
        draft=call.draft,
        score=score.value if score else None,
        coverage=score.coverage if score else None,
        failed_critical=score.failed_critical if score else (),
        failures=tuple((failure.tag, failure.check) for failure in call.verdicts.tags) if call.verdicts else (),
        checks=_checks(call, manifest, call.verdicts) if call.verdicts else (),
        timing=_timing(call.metrics) if call.metrics else None,
        money=_money(call.metrics, call.verdicts),
        duration=manifest.duration,
        ended=spaced(manifest.end_reason or ""),
        started_at=manifest.started_at,
        scorecard=quote(os.path.relpath(page, seen_from).replace(os.sep, "/")) if page else "",
    )


def _setting(manifest: Manifest, verdicts: Verdicts | None) -> Setting:
    accent = manifest.persona.content.get("accent")
    hashes = {part: getattr(manifest, part).sha256 for part in ("case", "persona", "profile", "agent")}
    return Setting(
        case=manifest.case.id,
        persona=manifest.persona.id,
        profile=manifest.profile.id,
        agent=manifest.agent.id,
        hashes=hashes | {"rubric": _digest(manifest.case.content.get("rubric"))},
        accent=str(accent.get("name", "")) if isinstance(accent, Mapping) else str(accent or ""),
        mind=f"{manifest.mind} ({manifest.mind_model.model})" if manifest.mind_model else manifest.mind,
        judge=verdicts.judge if verdicts else "",
        judge_version=verdicts.judge_version if verdicts else "",
        seed=manifest.seed,
        versions=manifest.versions,
    )


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _checks(call: SuiteCall, manifest: Manifest, verdicts: Verdicts) -> tuple[Checked, ...]:
    kinds = {check.get("id"): check.get("kind") for check in manifest.case.content.get("rubric", ())}
    transcript = call.transcript()
    lines = {line.id: line.text for line in transcript.utterances} if transcript else {}
    votes = _votes(call.judged)
    tags = {failure.check: failure.tag for failure in verdicts.tags if failure.check}
    return tuple(
        Checked(
            id=verdict.check,
            group=verdict.group,
            kind=next((kind for kind in _KINDS if kind == kinds.get(verdict.check)), "tell"),
            weight=verdict.weight,
            outcome=verdict.outcome,
            reason=verdict.reason,
            tag=tags.get(verdict.check),
            by_code=verdict.by == "code",
            quotes=tuple(_quoted(evidence, lines) for evidence in verdict.evidence),
            votes=votes.get(verdict.check, {}),
        )
        for verdict in verdicts.verdicts
    )


def _votes(judged: Sequence[Verdicts]) -> dict[str, dict[str, Outcome]]:
    """By check, what each judge of the call found by itself; nothing where there was only one."""
    if len(judged) < 2:
        return {}
    votes: dict[str, dict[str, Outcome]] = {}
    for judge in judged:
        for verdict in judge.verdicts:
            if verdict.by != "code":
                votes.setdefault(verdict.check, {})[judge.judge] = verdict.outcome
    return votes


def _quoted(evidence: Evidence, lines: Mapping[str, str]) -> Quoted:
    whole = fold(evidence.quote) == fold(lines.get(evidence.utterance, ""))
    place: Place = "patient" if evidence.utterance.startswith("P") else "whole line" if whole else "part of a line"
    return Quoted(evidence.utterance, evidence.quote, place)


def _timing(metrics: Metrics) -> Timing:
    yields = tuple(cut.yield_time for cut in metrics.interruptions if cut.yielded and cut.yield_time is not None)
    return Timing(
        latencies=metrics.response_latency.values,
        yields=yields,
        interruptions=len(metrics.interruptions),
        cut_ins=metrics.cut_ins,
        false_yields=metrics.false_yields,
        turns=len(metrics.turns),
    )


def _money(metrics: Metrics | None, verdicts: Verdicts | None) -> Money:
    agent = metrics.cost if metrics else None
    judge = verdicts.cost if verdicts else None
    currency = next((cost.currency for cost in (agent, judge) if cost), "USD")
    return Money(currency, agent.amount if agent else None, judge.amount if judge else None)
