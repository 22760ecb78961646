"""Tables of a judge on gold labels, on answers of our choice."""

from dataclasses import replace
from typing import Any

import pytest
from spoken import check_of, shipped

from voicesim.bench.evaluation import consensus, evaluate, raters
from voicesim.bench.examine import Answer
from voicesim.catalog.tags import Tag
from voicesim.judge.gold import Gold, Label, Pointed
from voicesim.judge.model import Evidence, Outcome, Verdict, Vote


def gold(label: Label, rater: str = "ann", **more: Any) -> Gold:
    return Gold(item="x", check="fever", label=label, source="human", rater=rater, recording="x", **more)


def answer(outcome: Outcome, *labels: Gold, case: str = "a", quote: str = "", check: str = "fever") -> Answer:
    this = check_of(shipped("cold-01"), check)
    proof = (Evidence(utterance="A1", quote=quote, start=0.0, end=1.0),) if quote else ()
    verdict = Verdict(check=this.id, group=this.group, weight=this.weight, outcome=outcome, evidence=proof)
    return Answer(case, this, verdict, labels)


SOME = (
    answer("hit", gold("hit")),
    answer("hit", gold("hit"), case="b"),
    answer("miss", gold("hit")),
    answer("miss", gold("miss"), case="b"),
    answer("hit", gold("miss")),
    answer("cannot_assess", gold("miss"), case="b"),
    answer("error", gold("hit")),
    answer("cannot_assess", gold("unscored")),
    answer("hit", gold("unscored"), case="b"),
)


def test_the_figures_of_a_table() -> None:
    table = evaluate("j", "1", SOME).tables[0]
    assert (table.items, table.cases) == (9, 2)
    assert table.confusion["hit"] == {"hit": 2, "miss": 1, "error": 1}
    assert (table.sensitivity.part, table.sensitivity.whole) == (2, 3)
    assert (table.specificity.part, table.specificity.whole) == (1, 2)
    # undecided: one abstention and one error of the seven that could be told; held back: one of two
    assert (table.undecided.part, table.undecided.whole) == (2, 7)
    assert (table.held_back.part, table.held_back.whole) == (1, 2)
    # a hit for a miss, and a hit for what nobody could tell
    assert table.wrong_hits == 2
    assert table.agreement.value == 0.6  # 3 of 5 decided
    # agreed 3 of 5; chance (3 * 3 + 2 * 2) / 25 = 0.52: (0.60 - 0.52) / 0.48
    assert table.kappa.value == pytest.approx(1 / 6)


def test_abstaining_is_neither_right_nor_wrong() -> None:
    table = evaluate("j", "1", [answer("cannot_assess", gold("hit")), answer("disputed", gold("miss"))]).tables[0]
    assert (table.sensitivity.value, table.specificity.value, table.kappa.value, table.macro_f1.value) == (None,) * 4
    assert (table.undecided.part, table.undecided.whole, table.wrong_hits) == (2, 2, 0)


def test_tables_are_given_by_kind_group_and_fault() -> None:
    planted = answer("hit", gold("hit", fault="clean", part="tuned"), check="breathing_now")
    names = [(one.by, one.name, one.items) for one in evaluate("j", "1", [*SOME, planted]).tables]
    assert names == [
        ("all", "all", 10),
        ("kind", "ask", 10),
        ("group", "critical", 1),
        ("group", "must_ask", 9),
        ("fault", "clean", 1),
        ("part", "tuned", 1),
        ("check", "a/breathing_now", 1),
        ("check", "a/fever", 5),
        ("check", "b/fever", 4),
    ]


def test_most_raters_decide_and_a_tie_is_left_out() -> None:
    assert consensus([gold("hit"), gold("hit", "bob"), gold("miss", "eve")]) == "hit"
    assert consensus([gold("hit"), gold("miss", "bob")]) is None
    found = evaluate("j", "1", [answer("hit", gold("hit"), gold("miss", "bob"))])
    assert (found.split, found.tables[0].items) == (1, 0)


def test_raters_are_compared_two_by_two_on_what_both_labelled() -> None:
    labels = [
        one.model_copy(update={"item": f"call-{number}"})
        for number, pair in enumerate([("hit", "hit"), ("hit", "miss"), ("miss", "miss"), ("miss", "miss")])
        for one in (gold(pair[0], "ann"), gold(pair[1], "bob"))  # type: ignore[arg-type]
    ]
    (found,) = raters([*labels, gold("hit", "eve")])
    assert (found.one, found.other, found.agreement.part, found.agreement.whole) == ("ann", "bob", 3, 4)
    # agreed 0.75; chance (2 * 1 + 2 * 3) / 16 = 0.5
    assert found.kappa == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("place", "met"),
    [(("A1", "a fever"), 1), (("A1", "Have you had a fever or felt hot?"), 1), (("A2", "a fever"), 0)],
    ids=["within the quote", "around the quote", "another utterance"],
)
def test_evidence_agrees_when_it_meets_the_labelled_place(place: tuple[str, str], met: int) -> None:
    label = gold("hit", evidence=(Pointed(utterance=place[0], quote=place[1]),))
    table = evaluate("j", "1", [answer("hit", label, quote="Have you had a fever"), answer("hit", gold("hit"))]).tables[
        0
    ]
    assert (table.evidence.part, table.evidence.whole) == (met, 1)


# --- repeats, and the kinds of failures --------------------------------------------------------------------


def repeated(*outcomes: Outcome) -> Answer:
    """An answer by the majority of repeats with these outcomes."""
    one = answer(max(outcomes, key=outcomes.count), gold("hit"))
    votes = tuple(Vote(judge="j", repeat=n, outcome=outcome) for n, outcome in enumerate(outcomes, start=1))
    return replace(one, verdict=one.verdict.model_copy(update={"votes": votes}))


def test_stability_stands_beside_validity() -> None:
    found = evaluate("j", "1", [repeated("miss", "miss", "miss"), repeated("hit", "hit", "miss")])
    # Three of three pairs the same, and one of three: 4 of 6. Of the two right hits one is called so.
    assert (found.stability.part, found.stability.whole) == (4, 6)
    assert (found.tables[0].sensitivity.part, found.tables[0].sensitivity.whole) == (1, 2)
    assert evaluate("j", "1", SOME).stability.value is None


def tagged(outcome: Outcome, named: Tag | None, label: Label, right: Tag | None, **changes: Any) -> Answer:
    one = answer(outcome, gold(label, tag=right))
    return replace(one, tag=named, check=one.check.model_copy(update=changes))


TAGGED = (
    tagged("miss", "missed_question", "miss", "missed_question"),
    tagged("miss", "missed_question", "miss", "missed_question"),
    tagged("miss", "other", "miss", "missed_question"),
    tagged("miss", "missed_question", "miss", "missing_advice"),
    tagged("hit", None, "miss", "missing_advice"),
    tagged("miss", "missed_question", "hit", None),
    tagged("hit", None, "hit", None),
    tagged("not_applicable", None, "not_applicable", None),
    # None of these counts: undecided, of a kind that nobody says, untellable, or named by the case itself.
    tagged("cannot_assess", None, "miss", "missed_question"),
    tagged("miss", "missed_question", "miss", None),
    tagged("miss", "missed_question", "unscored", None),
    tagged("miss", "wrong_order", "miss", "wrong_order", tag="wrong_order"),
)


def test_each_kind_of_failure_has_precision_recall_and_f1() -> None:
    tags = evaluate("j", "1", TAGGED).tags
    assert tags.items == 8
    figures = {figure.tag: figure for figure in tags.tags}
    assert set(figures) == {"missed_question", "missing_advice", "other"}
    asked = figures["missed_question"]
    # Named four times, twice rightly; there three times, named twice: F1 = 2 * 2 / (4 + 3).
    assert (asked.precision.part, asked.precision.whole) == (2, 4)
    assert (asked.recall.part, asked.recall.whole) == (2, 3)
    assert asked.f1 == pytest.approx(4 / 7)
    assert (figures["missing_advice"].precision.value, figures["missing_advice"].f1) == (None, 0.0)
    assert (figures["other"].recall.value, figures["other"].f1) == (None, 0.0)
    assert tags.macro_f1 == pytest.approx((4 / 7 + 0 + 0) / 3)
    # Of three items without a failure one was called one.
    assert (tags.false_alarms.part, tags.false_alarms.whole) == (1, 3)


def test_a_judge_that_names_nothing_raises_no_alarm() -> None:
    tags = evaluate("j", "1", [tagged("hit", None, "hit", None)]).tags
    assert (tags.tags, tags.macro_f1, tags.false_alarms.part) == ((), None, 0)


def test_what_code_decided_says_nothing_about_the_judge() -> None:
    one = tagged("miss", "wrong_tool", "hit", None)
    by_code = replace(one, verdict=one.verdict.model_copy(update={"by": "code"}))
    assert evaluate("j", "1", [by_code]).tags.items == 0
