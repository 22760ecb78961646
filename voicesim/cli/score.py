"""`voicesim score`: transcripts to verdicts and a score."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from voicesim.cli import judging, options
from voicesim.cli.telling import echo
from voicesim.llm.server import TIMEOUT

if TYPE_CHECKING:
    from rich.table import Table

    from voicesim.judge.gate import Gate, State
    from voicesim.judge.model import Verdicts
    from voicesim.metrics.model import Cost

_STYLES = {"hit": "green", "miss": "red", "not_applicable": "dim"}


def score(
    recordings: options.Recordings,
    judge: judging.Judges = None,
    judge_repeats: judging.Repeats = 1,
    batch: judging.Batch = False,
    judge_timeout: judging.Timeout = TIMEOUT,
    as_json: options.AsJson = False,
) -> None:
    """Judge transcribed calls by the rubric of their case, and keep the verdicts with the recording.

    Ends with 0 when every call is scored and misses no critical check, 1 when one does not, 3 when one is invalid.
    """
    from voicesim.judge.gate import exit_code, gate
    from voicesim.judge.run import score_together
    from voicesim.recording.read import find_recordings

    folders = find_recordings(*recordings)
    judges = judging.panel(judge, judge_repeats, batch, judge_timeout).seated()
    states: list[State] = []
    rows: list[dict[str, Any]] = []
    own: list[Verdicts] = []
    for folder in folders:
        judged = score_together(folder, judges, judge_repeats)
        own += judged.own
        state = gate(judged.recording.manifest.validity, judged.verdicts.score)
        states.append(state.state)
        rows.append(
            {"recording": str(folder), "gate": state.state, "gate_reason": state.reason}
            | judged.verdicts.model_dump(mode="json")
        )
        if not as_json:
            _print(folder, judged.verdicts, state)
            if len(judged.own) > 1:
                _print_by_judge(judged.own)
    if as_json:
        result = {"recordings": rows, **_figures(own)}
        echo(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False), is_json=True)
    else:
        _print_figures(own)
    raise typer.Exit(exit_code(states))


def _figures(own: "list[Verdicts]") -> dict[str, Any]:
    """Stability and agreement; validity is measured against people, never here."""
    from dataclasses import asdict

    from voicesim.bench.agreement import agreement, stability

    return {
        "stability": [asdict(figure) for figure in stability(own)],
        "agreement": [asdict(figure) for figure in agreement(own)],
        "validity": None,
    }


def _print_figures(own: "list[Verdicts]") -> None:
    from voicesim.bench.agreement import agreement, stability
    from voicesim.report.wording import MISSING, percent

    steady, agreeing = stability(own), agreement(own)
    for figure in steady:
        echo(
            f"stability of {figure.judge}: {percent(figure.share)} "
            f"over {figure.repeats} repeats of {figure.checks} checks"
        )
    for pair in agreeing:
        value = MISSING if pair.kappa is None else f"{pair.kappa:.2f}"
        same = f"{percent(pair.share)} of {pair.checks} checks the same"
        echo(f"agreement of {' and '.join(pair.judges)}: kappa {value}, {same}")
    for judge, cost in _costs(own).items():
        echo(f"cost of {judge}: {cost}")
    if steady or agreeing:
        echo("validity: not measured here; it takes labels by people")


def _costs(own: "list[Verdicts]") -> dict[str, str]:
    """What the answers of each judge cost, over all calls, in words."""
    costs: dict[str, list[Cost]] = {}
    for verdicts in own:
        if verdicts.cost is not None:
            costs.setdefault(verdicts.judge, []).append(verdicts.cost)
    words = {}
    for judge, some in costs.items():
        unknown = dict.fromkeys(reason for cost in some for reason in cost.unknown)
        amount = f"{sum(cost.amount or 0.0 for cost in some):.4f} {some[0].currency}"
        answers = sum(cost.responses for cost in some)
        words[judge] = f"unknown: {'; '.join(unknown)}" if unknown else f"{amount} for {answers} answers"
    return words


def _print(folder: Path, verdicts: "Verdicts", state: "Gate") -> None:
    from rich.text import Text

    from voicesim.cli.terminal import Terminal
    from voicesim.report.wording import spaced

    console = Terminal()
    console.print(Text(f"{folder}  judged by {verdicts.judge}"))
    console.print(_table(verdicts))
    value = "not scored" if verdicts.score.value is None else f"score {verdicts.score.value:.2f}"
    why = f": {state.reason}" if state.reason else ""
    console.print(Text(f"{value}, {verdicts.score.coverage:.0%} of the rubric decided, {state.state}{why}"))
    for tag in verdicts.tags:
        note = f": {tag.note}" if tag.note else ""
        console.print(Text(f"failure by {tag.by}: {spaced(tag.tag)} ({tag.check or 'the whole call'}){note}"))
    for warning in verdicts.warnings:
        console.print(Text(f"warning: {warning}", style="yellow"))
    console.print()


def _print_by_judge(own: "Sequence[Verdicts]") -> None:
    """The judges of a panel beside each other, check by check."""
    from rich.table import Table
    from rich.text import Text

    from voicesim.cli.terminal import Terminal
    from voicesim.report.wording import spaced

    table = Table("check")
    for verdicts in own:
        table.add_column(Text(verdicts.judge))
    for row in zip(*(verdicts.verdicts for verdicts in own), strict=True):
        cells = [Text(spaced(verdict.outcome), style=_STYLES.get(verdict.outcome, "yellow")) for verdict in row]
        table.add_row(Text(row[0].check), *cells)
    Terminal().print(table)


def _table(verdicts: "Verdicts") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from voicesim.report.wording import visible  # before the table is laid out by its widths

    table = Table("check", "group", "weight", "outcome", "quote or reason")
    for verdict in verdicts.verdicts:
        proof = verdict.evidence[0] if verdict.evidence and verdict.outcome != "disputed" else None
        said = f"{proof.utterance} at {proof.start:.1f} s: “{proof.quote}”" if proof else verdict.reason
        agreeing = sum(vote.outcome == verdict.outcome for vote in verdict.votes)
        votes = f" {agreeing} of {len(verdict.votes)}" if agreeing else ""
        outcome = Text(verdict.outcome.replace("_", " ") + votes, style=_STYLES.get(verdict.outcome, "yellow"))
        table.add_row(Text(verdict.check), verdict.group, f"{verdict.weight:.2f}", outcome, Text(visible(said)))
    return table
