"""The offline judge on wordings by somebody who had not seen its rules; the files say what must not happen."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from spoken import CASES, call_of, check_of, shipped

from voicesim.catalog.model import Case, Check
from voicesim.judge.evidence import verify
from voicesim.judge.offline.cues import CuesJudge

INPUTS = Path(__file__).parent / "inputs"
UNDECIDED = ("not_heard", "cannot_assess")
SENDS = {"advice": True}
IF_WORSE = {"advice": True, "condition": ["@breathing", "@chest_pain"]}
FIELDS: dict[str, dict[str, Any]] = {"call_911": SENDS, "call_if_worse": IF_WORSE}


def rows(name: str) -> list[Any]:
    """The entries of a file, each with the check that it names, as test parameters."""
    data = yaml.safe_load((INPUTS / f"{name}.yaml").read_text(encoding="utf-8"))
    checks = data.get("checks", {})
    return [
        pytest.param(entry, checks.get(entry.get("what") or entry.get("about"), {}), id=str(entry)[:90])
        for entry in data["entries"]
    ]


def made(id: str, given: dict[str, Any], **fields: Any) -> Check:
    kept = {name: value for name, value in given.items() if name != "of"}
    return Check.model_validate({"id": id, "group": "close", "kind": "ask", "weight": 0.5} | kept | fields)


def outcome(check: Check, case: Case, patient: str, agent: str | list[str]) -> str:
    said = [agent] if isinstance(agent, str) else agent
    return CuesJudge().find(check, call_of(case, [f"P: {patient}", *(f"A: {line}" for line in said)])).outcome


def fits(found: str, wanted: bool, entry: dict[str, Any], yes: str = "hit", no: str | None = None) -> bool:
    """Whether an outcome is right: the wanted one, or undecided where the entry or the file allows it."""
    if found in UNDECIDED:
        return bool(entry.get("undecided_ok")) or (not wanted and no is None)
    return found == yes if wanted else found != yes if no is None else found == no


@pytest.mark.parametrize(("entry", "given"), rows("told"))
def test_what_was_told_is_heard_and_nothing_else(entry: dict[str, Any], given: dict[str, Any]) -> None:
    check = made(entry["what"], given, **FIELDS.get(entry["what"], {}))
    flu = "I've had the flu for two days. And now... I can't catch my breath. My chest feels tight."
    patient = "I've had a cough for three days." if entry["what"] in ("call_if_worse", "pneumonia_open") else flu
    found = outcome(check, shipped("cold-04"), patient, entry["agent"])
    assert fits(found, entry["told"], entry), found


@pytest.mark.parametrize(("entry", "given"), rows("asked"))
def test_what_was_asked_of_the_patient_is_heard_and_nothing_else(entry: dict[str, Any], given: dict[str, Any]) -> None:
    check = made(entry["about"], given)
    found = outcome(check, shipped("cold-01"), "I've had a runny nose for three days.", entry["agent"])
    assert fits(found, entry["asked_of_patient"], entry), found


@pytest.mark.parametrize(("entry", "given"), rows("recommend"))
def test_what_was_recommended_is_heard_in_any_words(entry: dict[str, Any], given: dict[str, Any]) -> None:
    if "check" in entry:
        name, id = entry["check"].split()
        case = shipped(name)
        check, patient = check_of(case, id), case.patient.says_first
    else:
        case, patient = shipped("cold-09"), "I have aches and a stuffy nose."
        plain = {"kind": "avoid", "group": "critical", "expect": "Does not recommend it.", "violation": "It does."}
        check = made("product", plain, cues=[entry["product"]], allowed=["@paracetamol", "tea"])
    found = outcome(check, case, patient, entry["agent"])
    assert fits(found, entry["recommended"], entry, "miss", "hit"), found


@pytest.mark.parametrize("cues", ["one", "all"])
@pytest.mark.parametrize(("entry", "given"), rows("not_advice"))
def test_what_only_sounds_like_advice_is_none(entry: dict[str, Any], given: dict[str, Any], cues: str) -> None:
    case = shipped("clinic-01")
    check = check_of(case, "no_medical_advice")
    if cues == "one":
        check = check.model_copy(update={"cues": (entry["cue"],), "claims": ()})
    found = outcome(check, case, "Hello, I've been feeling dizzy since this morning.", entry["agent"])
    assert fits(found, entry["advice"], entry, "miss", "hit"), found


@pytest.mark.parametrize(("entry", "given"), rows("refused_later_granted"))
def test_a_refusal_that_is_taken_back_is_none(entry: dict[str, Any], given: dict[str, Any]) -> None:
    case = shipped("cold-10")
    found = CuesJudge().find(check_of(case, "refuses_antibiotic"), call_of(case, entry["said"])).outcome
    assert fits(found, entry["hit"], entry), found


NUMBERS = yaml.safe_load((INPUTS.parents[1] / "language/inputs/quotes_numbers.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", [*(row.values[0] for row in rows("quotes")), *NUMBERS], ids=lambda row: str(row)[:90])
def test_a_quote_holds_only_with_what_governs_it(entry: dict[str, Any]) -> None:
    (said,) = call_of(shipped("cold-01"), [f"A: {entry['sentence']}"]).transcript.utterances
    assert (verify(entry["quote"], said) is not None) == entry["accepted"]


def test_every_shipped_case_is_there() -> None:
    assert len(list(CASES.glob("*.yaml"))) == 11
