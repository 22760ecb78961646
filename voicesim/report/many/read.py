"""From folders of finished calls to rows. No sound is read."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from voicesim.catalog.model import Kind
from voicesim.judge.model import Evidence, Outcome, Verdicts
from voicesim.judge.panel import PANEL
from voicesim.language.fold import fold
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.report.gate import gate
from voicesim.report.many.row import Checked, Money, Place, Quoted, Row, Setting, Timing
from voicesim.report.wording import spaced
from voicesim.report.write import load_verdicts
from voicesim.transcript.model import Transcript

_KINDS: tuple[Kind, ...] = ("ask", "tell", "avoid", "ordered", "code")


def read_rows(folders: Iterable[Path], seen_from: Path, judge: str | None = None) -> tuple[Row, ...]:
    """The calls of some recording folders, in the order in which they were made.

    `seen_from` is the folder of the page that links to their scorecards. `judge` names whose verdicts count; None
    takes the newest of each call. Raises RecordingError for a file that cannot be read, and UsageError when a call
    has no verdicts of that judge.
    """
    rows = [_row(folder, seen_from, judge) for folder in folders]
    return tuple(sorted(rows, key=lambda row: (row.started_at, row.id)))


def _row(folder: Path, seen_from: Path, judge: str | None) -> Row:
    manifest = files.load(folder, files.MANIFEST, Manifest)
    judged = {path.name for path in (folder / files.VERDICTS).glob("*.json")}
    verdicts = load_verdicts(folder, judge) if judged or judge else None
    metrics = files.load(folder, files.METRICS, Metrics) if (folder / files.METRICS).is_file() else None
    state = gate(manifest.validity, verdicts.score if verdicts else None)
    page = folder / files.SCORECARD
    score = verdicts.score if verdicts else None
    return Row(
        id=manifest.call_id,
        setting=_setting(manifest, verdicts),
        state=state.state,
        reason=state.reason,
        title=str(manifest.case.content.get("title", manifest.case.id)),
        draft=manifest.case.content.get("clinical_status") == "draft",
        score=score.value if score else None,
        coverage=score.coverage if score else None,
        failed_critical=score.failed_critical if score else (),
        failures=tuple((failure.tag, failure.check) for failure in verdicts.tags) if verdicts else (),
        checks=_checks(folder, manifest, verdicts) if verdicts else (),
        timing=_timing(metrics) if metrics else None,
        money=_money(metrics, verdicts),
        duration=manifest.duration,
        ended=spaced(manifest.end_reason or ""),
        started_at=manifest.started_at,
        scorecard=quote(os.path.relpath(page, seen_from).replace(os.sep, "/")) if page.is_file() else "",
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


def _checks(folder: Path, manifest: Manifest, verdicts: Verdicts) -> tuple[Checked, ...]:
    kinds = {check.get("id"): check.get("kind") for check in manifest.case.content.get("rubric", ())}
    lines = {line.id: line.text for line in files.load(folder, files.TRANSCRIPT, Transcript).utterances}
    votes = _votes(folder, verdicts)
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


def _votes(folder: Path, counted: Verdicts) -> dict[str, dict[str, Outcome]]:
    """By check, what each judge of the call found by itself; nothing where there was only one."""
    every = [
        files.load(folder, f"{files.VERDICTS}/{path.name}", Verdicts)
        for path in sorted((folder / files.VERDICTS).glob("*.json"))
    ]
    judges = [verdicts for verdicts in every if verdicts.judge != PANEL]
    if len(judges) < 2:
        return {}
    found: dict[str, dict[str, Outcome]] = {}
    for judge in judges:
        for verdict in judge.verdicts:
            if verdict.by != "code":
                found.setdefault(verdict.check, {})[judge.judge] = verdict.outcome
    return found


def _quoted(evidence: Evidence, lines: Mapping[str, str]) -> Quoted:
    whole = fold(evidence.quote) == fold(lines.get(evidence.utterance, ""))
    place: Place = "patient" if evidence.utterance.startswith("P") else "whole line" if whole else "part of a line"
    return Quoted(evidence.utterance, evidence.quote, place)


def _timing(metrics: Metrics) -> Timing:
    yields = tuple(one.yield_time for one in metrics.interruptions if one.yielded and one.yield_time is not None)
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
