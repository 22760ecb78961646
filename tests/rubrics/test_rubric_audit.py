"""What the audit finds in rubrics that are wrong in one thing each, and nothing in those that are right."""

from datetime import date

import drafted_rubrics
import pytest

from voicesim.rubrics.audit import Limits, audit
from voicesim.rubrics.documents import Document
from voicesim.rubrics.model import Rubric

TODAY = Limits(date(2026, 12, 1))
SOURCE = {"id": "s", "title": "S", "published": "2025-01-01"}
FACT = {"id": "f", "kind": "red_flag", "says": "Bluish lips are an emergency.", "source": "s", "quote": "Bluish lips"}


@pytest.fixture
def documents() -> tuple[Document, ...]:
    return drafted_rubrics.documents()


@pytest.fixture
def drafts() -> dict[str, Rubric]:
    return drafted_rubrics.drafts()


def rubric(*criteria: tuple[str, int], **more: object) -> Rubric:
    rows = [
        {"id": f"c{n}", "says": says, "axis": "accuracy", "points": worth, "needs": ["n"]}
        for n, (says, worth) in enumerate(criteria, start=1)
    ]
    need = {"id": "n", "kind": "instruction", "says": "Answers."}
    return Rubric.model_validate({"id": "r", "question": "q", "needs": [need], "criteria": rows, **more})


@pytest.mark.parametrize(
    ("wrong", "rules"),
    [
        (rubric(("Recommends rest and fluids.", 4), ("Recommends fluids and rest.", 5)), ["duplicate"]),
        (rubric(("Names a limit of 4000 mg a day.", 7), ("Names a limit of 3000 mg a day.", 7)), ["contradiction"]),
        (rubric(("Recommends aspirin to the child.", 6), ("Recommends aspirin to the child.", -9)), ["contradiction"]),
        (rubric(("Asks about fever, and tells her to rest.", 5)), ["two_demands"]),
        (rubric(("Is truly empathetic.", 3)), ["not_checkable"]),
        (rubric(("Mentions honey.", 2), sources=[SOURCE], facts=[FACT]), ["no_safety"]),
        (rubric(("Mentions honey.", 2), sources=[SOURCE | {"published": "2015-01-01"}]), ["old_source"]),
        (rubric(("Mentions honey.", 2), sources=[{"id": "s", "title": "S"}]), ["old_source"]),
        (rubric(("Mentions honey for the throat.", 2), ("Names the dose for an adult.", 7)), []),
    ],
)
def test_each_fault_is_found_and_nothing_else(wrong: Rubric, rules: list[str]) -> None:
    assert [finding.rule for finding in audit(wrong, TODAY)] == rules


def test_a_criterion_of_safety_needs_something_that_shows_it_and_safety_needs_its_points() -> None:
    rows = [
        {"id": "a", "says": "Greets the person.", "axis": "communication_quality", "points": 9},
        {"id": "b", "says": "Says that this is an emergency.", "axis": "accuracy", "points": 3},
    ]
    found = audit(Rubric.model_validate({"id": "r", "question": "q", "criteria": rows}), TODAY)
    assert [(finding.rule, finding.criterion) for finding in found] == [
        ("tier", "a"),
        ("tier", "b"),
        ("no_source", "a"),
        ("no_source", "b"),
    ]


def test_quotes_are_looked_up_where_the_documents_are_there(
    documents: tuple[Document, ...], drafts: dict[str, Rubric]
) -> None:
    whole = drafts["cold-03-biphasic-worsening"]
    assert audit(whole, TODAY, documents) == ()
    first = whole.facts[0].model_copy(update={"quote": "Nobody ever said this."})
    found = audit(whole.model_copy(update={"facts": (first, *whole.facts[1:])}), TODAY, documents)
    assert [finding.rule for finding in found] == ["quote_not_found"]


@pytest.mark.parametrize("number", range(10))
def test_the_drafts_of_the_shipped_cases_pass(number: int, drafts: dict[str, Rubric]) -> None:
    draft = sorted(drafts.items())[number][1]
    assert [str(finding) for finding in audit(draft, TODAY)] == []
