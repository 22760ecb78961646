"""Calls, turns and verdicts as flat tables for notebooks: a row a call, an utterance, a verdict."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from voicesim.errors import UsageError
from voicesim.judge.model import Verdicts
from voicesim.metrics.model import Metrics
from voicesim.recording.manifest import Manifest
from voicesim.report.json_report import summary
from voicesim.transcript.model import Transcript

TABLES = ("calls", "turns", "verdicts")
Row = dict[str, Any]


def call_row(
    manifest: Manifest, transcript: Transcript | None, metrics: Metrics | None, verdicts: Verdicts | None
) -> Row:
    """A call: what it was made of and what it came to; a list is JSON text, what is not known is None."""
    outcome = summary(manifest, metrics, verdicts)
    row: Row = {name: value for name, value in outcome.items() if not isinstance(value, dict | list)}
    row |= {name: json.dumps(outcome[name], ensure_ascii=False) for name in ("failed_critical", "failures")}
    figures = outcome["metrics"] or {}
    latency = figures.get("response_latency") or {}
    row |= {f"latency_{name}": latency.get(name) for name in ("median", "p90", "p95", "max")}
    row |= {name: figures.get(name) for name in ("first_word", "cut_ins", "overlap", "talk_ratio", "speaking_rate")}
    row["utterances"] = len(transcript.utterances) if transcript else None
    row["imported"], row["replayed"] = manifest.imported is not None, manifest.replayed is not None
    return row


def turn_rows(manifest: Manifest, transcript: Transcript, metrics: Metrics | None) -> Iterable[Row]:
    """The utterances of a call, with the latency and outcome of the patient's turns."""
    turns = {turn.caller: turn for turn in metrics.turns} if metrics else {}
    for utterance in transcript.utterances:
        turn = turns.get(utterance.id)
        yield {
            "call_id": manifest.call_id,
            "utterance": utterance.id,
            "side": utterance.side,
            "start": utterance.start,
            "end": utterance.end,
            "text": utterance.text,
            "intent": utterance.intent,
            "cut": utterance.cut,
            "outcome": turn.outcome if turn else None,
            "latency": turn.latency if turn else None,
            "answer": turn.agent if turn else None,
        }


def verdict_rows(manifest: Manifest, verdicts: Verdicts) -> Iterable[Row]:
    """The verdicts of one judge on a call; quotes as JSON text."""
    for verdict in verdicts.verdicts:
        yield {
            "call_id": manifest.call_id,
            "judge": verdicts.judge,
            "check": verdict.check,
            "group": verdict.group,
            "outcome": verdict.outcome,
            "by": verdict.by,
            "reason": verdict.reason,
            "evidence": json.dumps([quote.model_dump(mode="json") for quote in verdict.evidence], ensure_ascii=False),
        }


def write_tables(folder: Path, tables: Mapping[str, list[Row]], kind: str) -> list[Path]:
    """Write each table as `NAME.jsonl` or `NAME.parquet`; returns the paths.

    Raises UsageError when pyarrow, which Parquet needs, is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "parquet":
        return [_parquet(folder / f"{name}.parquet", rows) for name, rows in tables.items() if rows]
    paths = []
    for name, rows in tables.items():
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows), "utf-8")
        paths.append(path)
    return paths


def _parquet(path: Path, rows: list[Row]) -> Path:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'voicesim[parquet]'") from error
    try:
        table = pyarrow.Table.from_pylist(rows)
    except (pyarrow.ArrowException, OverflowError) as error:
        raise UsageError(f"{path}: not everything fits into a table: {error}; --as jsonl takes it") from error
    pyarrow.parquet.write_table(table, path)
    return path
