"""The offline judge reads cues and declared fields: ids, expectations and the order of checks change nothing."""

import pytest
from hypothesis import given, settings
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


def found(case: Case, lines: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return verdicts(case, call_of(case, [line for line in lines if not line.startswith("T: ")]))


OTHERS = sorted({text for case, _ in CASES.values() for check in case.rubric for text in (check.expect, check.id)})
WORDS = st.sampled_from(OTHERS) | st.text(min_size=1, max_size=30).filter(str.strip)


@pytest.mark.parametrize("name", sorted(CASES))
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_other_ids_expectations_and_orders_change_no_verdict(name: str, data: st.DataObject) -> None:
    case, sheet = CASES[name]
    words = data.draw(st.lists(WORDS, min_size=len(case.rubric), max_size=len(case.rubric)))
    ids = data.draw(st.permutations([f"{word[:20]}-{number}" for number, word in enumerate(words)]))
    changed = [reworded(check, id, text) for check, id, text in zip(case.rubric, ids, words, strict=True)]
    order = data.draw(st.permutations(range(len(changed))))
    shuffled = case.model_copy(update={"rubric": tuple(changed[place] for place in order)})
    judged = [place for place in order if case.rubric[place].kind != "code"]
    as_it_was = dict(zip(sorted(judged), found(case, sheet.said), strict=True))
    assert found(shuffled, sheet.said) == [as_it_was[place] for place in judged]


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_hit_of_ask_and_tell_and_a_miss_of_avoid_have_a_sentence(name: str) -> None:
    case, sheet = CASES[name]
    call = call_of(case, [line for line in sheet.said if not line.startswith("T: ")])
    for check in case.rubric:
        finding = CuesJudge().find(check, call)
        needs = {"ask": "hit", "tell": "hit", "avoid": "miss"}.get(check.kind)
        assert finding.evidence or finding.outcome != needs, check.id
