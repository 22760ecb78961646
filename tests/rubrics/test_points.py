"""The arithmetic of points, with the sums in comments, and answers scored without a model."""

from pathlib import Path

import drafted_rubrics
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicesim.catalog.load import load_case
from voicesim.rubrics.answers import score_answer, written
from voicesim.rubrics.casing import checks, from_case, shares, to_case
from voicesim.rubrics.model import Criterion, Rubric
from voicesim.rubrics.ranking import rank
from voicesim.rubrics.refine import refine
from voicesim.rubrics.score import Points, by_axis, by_tag, mean, points

ROOT = Path(__file__).parents[2]


@pytest.fixture
def drafts() -> dict[str, Rubric]:
    return drafted_rubrics.drafts()


def criterion(id_: str, worth: int, says: str = "Tells it.", **more: object) -> Criterion:
    return Criterion.model_validate({"id": id_, "says": says, "axis": "accuracy", "points": worth, **more})


FOUR = (criterion("a", 8), criterion("b", 4), criterion("c", 3), criterion("harm", -9))


@pytest.mark.parametrize(
    ("met", "value", "lowest", "highest"),
    [
        # all that gives points: (8 + 4 + 3) / 15
        ({"a": True, "b": True, "c": True, "harm": False}, 1.0, 1.0, 1.0),
        # (8 + 4) / 15
        ({"a": True, "b": True, "c": False, "harm": False}, 0.8, 0.8, 0.8),
        # (8 + 4 + 3 - 9) / 15 = 6 / 15
        ({"a": True, "b": True, "c": True, "harm": True}, 0.4, 0.4, 0.4),
        # (3 - 9) / 15 < 0, clipped
        ({"a": False, "b": False, "c": True, "harm": True}, 0.0, 0.0, 0.0),
        # b undecided: 8 / (8 + 3); at worst 8 / 15, at best 12 / 15
        ({"a": True, "b": None, "c": False, "harm": False}, 8 / 11, 8 / 15, 12 / 15),
        # the harm undecided: 12 / 15; at worst (12 - 9) / 15
        ({"a": True, "b": True, "c": False, "harm": None}, 0.8, 0.2, 0.8),
    ],
)
def test_points_met_over_points_that_can_be_had(
    met: dict[str, bool | None], value: float, lowest: float, highest: float
) -> None:
    score = points(FOUR, met)
    assert score.value == pytest.approx(value)
    assert [score.lowest, score.highest] == pytest.approx([lowest, highest])


def test_nothing_decided_is_no_score_and_never_zero() -> None:
    score = points(FOUR, dict.fromkeys(("a", "b", "c", "harm")))
    assert score.value is None
    assert (score.lowest, score.highest) == (0.0, 1.0)
    assert "not scored" in str(score)


def test_scores_by_axis_and_tag_count_only_their_own() -> None:
    rows = (
        criterion("a", 5, axis="accuracy", tags=("theme:x",)),
        criterion("b", 5, axis="completeness", tags=("theme:x", "theme:y")),
        criterion("c", 10, axis="completeness"),
    )
    met = {"a": True, "b": False, "c": True}
    assert {name: each.value for name, each in by_axis(rows, met).items()} == {
        "accuracy": 1.0,
        "completeness": pytest.approx(10 / 15),
    }
    assert {name: each.value for name, each in by_tag(rows, met).items()} == {"theme:x": 0.5, "theme:y": 0.0}


def test_the_mean_leaves_out_what_was_not_scored() -> None:
    assert mean([Points(1, 2, 0.5, 0, 1), Points(0, 0, None, 0, 1), Points(2, 2, 1.0, 1, 1)]) == 0.75
    assert mean([Points(0, 0, None, 0, 1)]) is None


@given(st.lists(st.integers(1, 10), min_size=1, max_size=60))
def test_weights_add_up_to_one_and_keep_the_order_of_the_points(worth: list[int]) -> None:
    weights = shares(worth)
    assert round(sum(weights), 9) == 1.0
    assert min(weights) > 0
    assert all(
        a >= b - 2e-4 for a, x in zip(weights, worth, strict=True) for b, y in zip(weights, worth, strict=True) if x > y
    )


def test_a_case_of_a_rubric_has_its_groups_and_back() -> None:
    rubric = Rubric(
        id="r",
        question="Can I take aspirin?",
        criteria=(
            criterion("grave", 9, "Says that this is an emergency."),
            criterion("asks", 5, "Asks about fever.", kind="ask"),
            criterion("detail", 2, "Mentions honey."),
            criterion("harm", -9, "Recommends aspirin.", violation="Recommends aspirin."),
        ),
    )
    case = to_case(rubric)
    # 9, 5, 2 and 9 of 25
    assert [(check.group, check.kind, check.weight) for check in case.rubric] == [
        ("critical", "tell", 0.36),
        ("must_ask", "ask", 0.2),
        ("close", "tell", 0.08),
        ("critical", "avoid", 0.36),
    ]
    assert case.clinical_status == "draft"
    again = from_case(case)
    assert [(row.id, row.kind, row.points > 0, row.tier) for row in again.criteria] == [
        ("grave", "tell", True, "safety"),
        ("asks", "ask", True, "completeness"),
        ("detail", "tell", True, "completeness"),
        ("harm", "tell", False, "safety"),
    ]


def test_the_checks_of_a_case_survive_the_way_there_and_back() -> None:
    case = load_case(ROOT / "cases" / "cold-04-emergency-dyspnea.yaml")
    again = checks(from_case(case))
    listened = [(check.cues, check.claims, check.allowed, check.opposite, check.sources) for check in case.rubric]
    assert [(check.cues, check.claims, check.allowed, check.opposite, check.sources) for check in again] == listened


GOOD = """The cold and flu tablets you took already contain paracetamol, so please don't take a Panadol on top of them.
Wait at least four hours between two doses of acetaminophen.

Which product did you take exactly? Do you have liver problems, or drink alcohol? Are you short of breath?"""
BAD = """Sure, that is fine.
You can take more than 4000 mg of paracetamol in 24 hours. Wait one hour between two doses."""


def test_an_answer_is_scored_with_its_quotes_and_a_harmful_one_ranks_last(drafts: dict[str, Rubric]) -> None:
    rubric = drafts["cold-06-stacked-paracetamol"]
    order = rank(rubric, {"bad": BAD, "good": GOOD, "silent": "Get well soon."})
    assert [(each.place, each.name) for each in order] == [(1, "good"), (2, "silent"), (3, "bad")]
    good, bad = order[0].scored, order[2].scored
    assert all(each.quotes and each.quotes[0] in " ".join(GOOD.split()) for each in good.assessed if each.met)
    assert [harm.quotes for harm in bad.harms] == [("You can take more than 4000 mg of paracetamol in 24 hours.",)]
    waits = next(each for each in bad.assessed if "Wait at least 4 hours" in each.criterion.says)
    assert waits.met is False
    assert waits.quotes == ("Wait one hour between two doses.",)


COUGH = "A cough of more than 3 weeks should be examined."
LIPS = "Bluish lips are an emergency."
WARFARIN = "Warfarin must not be combined with aspirin."


@pytest.mark.parametrize(
    ("fact", "answer", "met"),
    [
        (COUGH, "A cough that lasts over three weeks should be examined by a doctor.", True),
        (COUGH, "A cough of more than 8 weeks should be examined.", False),
        (COUGH, "A cough of more than 3 weeks need not be examined.", False),
        (LIPS, "Bluish lips are not an emergency.", False),
        (LIPS, "If you see bluish lips, it's an emergency.", True),
        (LIPS, "Rest and drink tea.", False),
        (WARFARIN, "Never combine aspirin with your warfarin.", True),
        (WARFARIN, "Warfarin can be combined with aspirin.", False),
    ],
)
def test_words_figures_and_polarity_decide(fact: str, answer: str, met: bool) -> None:
    rubric = Rubric.model_validate(
        {
            "id": "r",
            "question": "What now?",
            "sources": [{"id": "s", "title": "S"}],
            "facts": [{"id": "f", "kind": "positive", "says": fact, "source": "s", "quote": fact}],
            "criteria": [
                {"id": "c", "says": f"Tells, in any words: {fact}", "axis": "accuracy", "points": 5, "facts": ["f"]}
            ],
        }
    )
    assert score_answer(rubric, answer).met == {"c": met}


def test_a_written_answer_is_an_utterance_a_paragraph() -> None:
    transcript = written("Why?", "One.\nTwo.\n\n\n\nThree.")
    assert [(each.id, each.side, each.text) for each in transcript.utterances] == [
        ("P1", "caller", "Why?"),
        ("A1", "agent", "One. Two."),
        ("A2", "agent", "Three."),
    ]


class Writer:
    """Rewrites as it was told to."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.asked: list[tuple[list[str], list[str]]] = []

    def rewrite(self, question: str, answer: str, missed: "object", harms: "object") -> str:
        self.asked.append((list(missed), list(harms)))  # type: ignore[call-overload]
        return self.texts.pop(0)


def test_refining_takes_what_is_better_and_never_trades_harm_for_points(drafts: dict[str, Rubric]) -> None:
    rubric = drafts["cold-06-stacked-paracetamol"]
    better = f"{GOOD}\n\nDo you have any allergies? Have you had a fever?"
    harmful = f"{better} Which symptoms need relief? You can take more than 4000 mg of paracetamol in 24 hours."
    writer = Writer(better, harmful)
    steps = refine(rubric, GOOD, writer)
    assert [step.taken for step in steps] == [True, True, False]
    assert "harm" in steps[2].why
    assert steps[1].scored.points.met > steps[0].scored.points.met
    assert any("allergies" in says for says in writer.asked[0][0])
    assert refine(rubric, GOOD, Writer("", ""))[-1].why == "the rewrite is empty"
