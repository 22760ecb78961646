"""A fact may be said in other words or figures; a value that it does not hold is invented."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from patients import begun, shipped

from voicesim.caller.guard import problem

INPUTS = Path(__file__).parents[1] / "language" / "inputs" / "same_fact.yaml"
ROWS: list[dict[str, Any]] = yaml.safe_load(INPUTS.read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['line']} {'=' if row['same'] else '!='} {row['fact']}")
def test_only_values_of_the_fact_may_be_said(row: dict[str, Any]) -> None:
    case = shipped("cold-01")
    fact = case.patient.reveal_only_if_asked[0].model_copy(update={"id": "told", "says": row["fact"]})
    patient = case.patient.model_copy(update={"reveal_only_if_asked": (fact,)})
    case = case.model_copy(update={"patient": patient})
    found = problem(row["line"], case, begun(case), "I see.", ("told",))
    assert (found.reason if found else None) == (None if row["same"] else "caller_invented_fact")
