"""The offline judge reads cues and declared fields: ids, expectations and the order of checks change nothing."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spoken import call_of

from voicesim.bench.exam.sheet import sheets
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case, Check
from voicesim.judge.base import Call
from voicesim.judge.offline.cues import CuesJudge

CASES = {sheet.case: (Catalogue.here().case(sheet.case), sheet) for sheet in sheets()}


def verdicts(case: Case, call: Call) -> list[tuple[str, tuple[str, ...]]]:
    """Outcome and quotes of each check that is no rule, in the order of the rubric."""
    found = [CuesJudge().find(check, call) for check in case.rubric if check.kind != "code"]
    return [(finding.outcome, tuple(proof.quote for proof in finding.evidence)) for finding in found]


def reworded(check: Check, id: str, text: str) -> Check:
    """A check with another id, and other words wherever only people and models read them."""
    update = {"id": id, "expect": text, "violation": text, "not_violation": (text,), "premise": text}
    steps = {
        name: step.model_copy(update={"expect": text})
        for name in ("first", "then")
        if (step := getattr(check, name)) is not None
    }
    return check.model_copy(update={name: value for name, value in update.items() if getattr(check, name)} | steps)


@pytest.mark.parametrize("name", sorted(CASES))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.sampled_from(["emergency", "asks about fever before advice", "if probably calls take", "zz"]))
def test_other_ids_and_expectations_change_no_verdict(name: str, words: str) -> None:
    case, sheet = CASES[name]
    lines = [line for line in sheet.said if not line.startswith("T: ")]
    renamed = tuple(
        reworded(check, f"{words.replace(' ', '-')}-{number}", words) for number, check in enumerate(case.rubric)
    )
    changed = case.model_copy(update={"rubric": renamed})
    assert verdicts(case, call_of(case, lines)) == verdicts(changed, call_of(changed, lines))


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_order_of_checks_changes_no_verdict(name: str) -> None:
    case, sheet = CASES[name]
    lines = [line for line in sheet.said if not line.startswith("T: ")]
    turned = case.model_copy(update={"rubric": tuple(reversed(case.rubric))})
    assert verdicts(case, call_of(case, lines)) == verdicts(turned, call_of(turned, lines))[::-1]


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_hit_of_ask_and_tell_and_a_miss_of_avoid_have_a_sentence(name: str) -> None:
    case, sheet = CASES[name]
    call = call_of(case, [line for line in sheet.said if not line.startswith("T: ")])
    for check in case.rubric:
        finding = CuesJudge().find(check, call)
        needs = {"ask": "hit", "tell": "hit", "avoid": "miss"}.get(check.kind)
        assert finding.evidence or finding.outcome != needs, check.id
