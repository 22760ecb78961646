"""The table of measures: complete, documented, and open to other packages."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest
from handmade import agent, call, caller

from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import Metrics
from voicesim.registry import MEASURES, Registry

NO_MEASURES = {"schema_version", "call_id", "duration", "dead_air_limit", "warnings", "others"}


def test_every_field_of_the_metrics_has_its_row_and_every_row_its_function() -> None:
    assert set(MEASURES) == set(Metrics.model_fields) - NO_MEASURES
    for name in MEASURES:
        assert MEASURES.load(name).__doc__, name


def test_every_measure_is_defined_in_the_documents() -> None:
    text = (Path(__file__).parents[2] / "docs/measures.md").read_text()
    assert [name for name in MEASURES if f"`{name}`" not in text] == []


def test_another_package_adds_a_measure_without_a_change_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(call: MeasuredCall) -> int:
        return len(call.transcript.utterances)

    module = ModuleType("their_measures")
    module.lines = lines  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "their_measures", module)
    point = EntryPoint("lines", "their_measures:lines", "voicesim.measures")
    monkeypatch.setattr("voicesim.parts.entry_points", lambda group: [point])
    monkeypatch.setattr("voicesim.metrics.measure.MEASURES", Registry("measure", "voicesim.measures", MEASURES.rows))
    assert measure_transcript(call(caller((0.0, 1.0)), agent((2.0, 3.0)))).others == {"lines": 2}
