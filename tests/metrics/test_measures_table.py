"""The table of measures: complete, documented, and open to other packages."""

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from handmade import agent, call, caller
from pydantic import BaseModel

from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import Metrics
from voicesim.recording.manifest import bare_manifest
from voicesim.registry import MEASURES, Registry
from voicesim.report.figures import figures
from voicesim.report.json_report import summary

NO_MEASURES = {"schema_version", "call_id", "duration", "dead_air_limit", "warnings", "others"}


def test_every_field_of_the_metrics_has_its_row_and_every_row_its_function() -> None:
    assert set(Metrics.model_fields) - NO_MEASURES <= set(MEASURES)
    for name in MEASURES:
        assert MEASURES.load(name).__doc__, name


def test_every_measure_is_defined_in_the_documents() -> None:
    text = (Path(__file__).parents[2] / "docs/measures.md").read_text()
    assert [name for name in MEASURES if f"`{name}`" not in text] == []


def add(monkeypatch: pytest.MonkeyPatch, **measures: Callable[[MeasuredCall], Any]) -> None:
    """Measures of another package, found by their entry points."""
    module = ModuleType("their_measures")
    vars(module).update(measures)
    monkeypatch.setitem(sys.modules, "their_measures", module)
    points = [EntryPoint(name, f"their_measures:{name}", "voicesim.measures") for name in measures]
    monkeypatch.setattr("voicesim.parts.entry_points", lambda group: points)
    table = Registry("measure", "voicesim.measures", MEASURES.rows)
    for module_name in ("voicesim.metrics.measure", "voicesim.report.figures"):
        monkeypatch.setattr(f"{module_name}.MEASURES", table)


def measured() -> Metrics:
    return measure_transcript(call(caller((0.0, 1.0)), agent((2.0, 3.0))))


class Pace(BaseModel):
    words: int
    fast: bool


def test_a_measure_of_another_package_stands_in_the_file_the_json_report_and_on_the_scorecard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add(
        monkeypatch,
        their_lines=lambda call: len(call.transcript.utterances),
        their_pace=lambda call: Pace(words=3, fast=True),
        their_gap=lambda call: None,
    )
    metrics, manifest = measured(), bare_manifest("c", "s")
    plain = {"their_lines": 2, "their_pace": {"words": 3, "fast": True}, "their_gap": None}
    read_again = Metrics.model_validate_json(metrics.model_dump_json())
    for others in (metrics.others, read_again.others, summary(manifest, metrics, None)["metrics"]["others"]):
        assert others | plain == others
    shown = {row.name: (row.value, row.note) for row in figures(metrics, manifest)}
    assert shown["Their lines"] == ("2", "of another package")
    assert shown["Their pace"] == ("words 3, fast yes", "of another package")
    assert shown["Their gap"] == ("\N{EM DASH}", "not measured")


def fails(call: MeasuredCall) -> int:
    raise KeyError("nobody")


@pytest.mark.parametrize("measure", [fails, lambda call: float("nan"), lambda call: object()])
def test_one_that_fails_is_told_by_name_and_costs_no_other_measure(
    monkeypatch: pytest.MonkeyPatch, measure: Callable[[MeasuredCall], Any]
) -> None:
    add(monkeypatch, theirs=measure, their_lines=lambda call: len(call.transcript.utterances))
    found = measured()
    assert (found.others["theirs"], found.others["their_lines"]) == (None, 2)
    assert found.response_latency.n == 1
    (told,) = (text for text in found.warnings if "theirs" in text)
    assert told.startswith("the measure 'theirs' failed: ")
