"""The older form of a case: what is kept, what is derived, and what a refusal points at."""

import json
from pathlib import Path
from typing import Any

import pytest

from voicesim.catalog.legacy import is_legacy
from voicesim.catalog.load import load_case
from voicesim.catalog.model import Case
from voicesim.catalog.problems import problems_of
from voicesim.catalog.wording import beginnings, kind_of, name_from, violation_of
from voicesim.errors import CatalogueError

OLD: dict[str, Any] = {
    "says_first": "I have had a cough for a week.",
    "reveal_only_if_asked": ["I had a fever on the first night.", "No allergies.", "A low fever last night."],
    "must_ask": [{"id": "duration", "expect": "Asks how long she has coughed.", "weight": 0.3}],
    "critical": [
        {"id": "breath", "expect": "Asks if she is short of breath.", "weight": 0.3},
        {"id": "er", "expect": "Sends her to emergency care.", "weight": 0.2},
    ],
    "close": [{"id": "no_abx", "expect": "Does not recommend antibiotics.", "weight": 0.2}],
}


def put(tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "Old Cough.json"
    path.write_text(json.dumps(OLD | changes, indent=1), encoding="utf-8")
    return path


def told(path: Path) -> list[tuple[int | None, str, str]]:
    with pytest.raises(CatalogueError) as caught:
        load_case(path)
    return [(one.line, one.key, one.message) for one in problems_of(caught.value)]


def test_groups_become_a_rubric_with_derived_kinds(tmp_path: Path) -> None:
    case = load_case(put(tmp_path))
    assert [(check.id, check.group, check.kind, check.weight) for check in case.rubric] == [
        ("duration", "must_ask", "ask", 0.3),
        ("breath", "critical", "ask", 0.3),
        ("er", "critical", "tell", 0.2),
        ("no_abx", "close", "avoid", 0.2),
    ]
    assert case.rubric[3].violation == "The agent does recommend antibiotics."
    assert case.rubric[0].cues == ("how long", "cough")


def test_sentences_become_facts_with_ids_and_cues(tmp_path: Path) -> None:
    facts = load_case(put(tmp_path)).patient.reveal_only_if_asked
    assert [(fact.id, fact.cues) for fact in facts] == [
        ("fever", ("fever",)),
        ("allergies", ("allerg",)),
        ("low_fever", ("low", "fever")),
    ]
    assert facts[0].says == "I had a fever on the first night."


def test_what_the_older_form_does_not_say_has_a_default(tmp_path: Path) -> None:
    case = load_case(put(tmp_path))
    assert (case.id, case.title, case.language) == ("old-cough", "old-cough", "en")
    assert (case.patient.name, case.patient.age, case.patient.persona) == ("Patient", 40, "calm-professional")


def test_what_is_written_is_kept(tmp_path: Path) -> None:
    check = {
        "id": "no_abx",
        "expect": "Does not recommend them.",
        "weight": 0.2,
        "violation": "It does.",
        "cues": ["abx"],
    }
    case = load_case(put(tmp_path, id="old-7", name="Ada", age=9, persona="worried-parent", close=[check]))
    assert (case.id, case.patient.name, case.patient.age, case.patient.persona) == (
        "old-7",
        "Ada",
        9,
        "worried-parent",
    )
    assert (case.rubric[3].violation, case.rubric[3].cues) == ("It does.", ("abx",))


def test_the_patient_may_stand_in_a_mapping_of_its_own(tmp_path: Path) -> None:
    old = {key: value for key, value in OLD.items() if key != "says_first"}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old | {"patient": {"name": "Ada", "says_first": "Hello."}}))
    assert load_case(path).patient.says_first == "Hello."
    assert len(load_case(path).patient.reveal_only_if_asked) == 3


def test_the_older_form_may_be_yaml(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text(
        "says_first: Hello.\nreveal_only_if_asked: [No fever.]\n"
        "must_ask: [{id: fever, expect: Asks about fever., weight: 1.0}]\n"
    )
    assert load_case(path).rubric[0].kind == "ask"


def test_problems_point_at_the_place_in_the_older_file(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(
        '{"say_first": "Hello.",\n'
        ' "must_ask": [{"id": "a", "expect": "Asks.", "weight": 0.4},\n'
        '              {"id": "b", "expct": "Asks.", "weight": 0.5}],\n'
        ' "close": "none"}\n'
    )
    assert told(path) == [
        (1, "say_first", "unknown key. Did you mean says_first?"),
        (1, "says_first", "is missing"),
        (1, "rubric", "weights of the rubric add up to 0.9, not 1.0 (0.1 too little)"),
        (3, "must_ask[b].expect", "is missing"),
        (3, "must_ask[b].expct", "unknown key. Did you mean expect?"),
        (4, "close", "must be a list of checks, each with id, expect and weight"),
    ]


def test_an_id_used_in_two_groups_is_refused_at_the_second(tmp_path: Path) -> None:
    ((_, key, message),) = told(put(tmp_path, close=[OLD["close"][0] | {"id": "breath"}]))
    assert (key, message) == ("close[breath].id", "check id 'breath' is used twice (items 2 and 4)")


def test_a_case_in_the_newer_form_is_not_taken_for_an_older_one() -> None:
    assert is_legacy({"must_ask": []})
    assert not is_legacy({"rubric": [], "must_ask": []})
    assert not is_legacy(["must_ask"])


@pytest.mark.parametrize(
    ("expect", "group", "kind"),
    [
        ("Asks about fever.", "must_ask", "ask"),
        ("Confirms the age.", "must_ask", "ask"),
        ("Asks about fever.", "critical", "ask"),
        ("Asks her to call an ambulance.", "critical", "tell"),
        ("Says it is an emergency.", "critical", "tell"),
        ("Asks her to rest.", "close", "tell"),
        ("Does not wait.", "critical", "avoid"),
        ("Never promises a cure.", "close", "avoid"),
        ("Gives no antibiotics.", "close", "avoid"),
        ("Avoids jargon.", "close", "avoid"),
        ("Doesn’t minimise.", "close", "avoid"),
        ("No aspirin for a child.", "critical", "avoid"),
        ("Notes the dose.", "close", "tell"),
        ("Avoidance of dust is advised.", "close", "tell"),
    ],
)
def test_the_kind_is_read_off_the_first_words(expect: str, group: str, kind: str) -> None:
    assert kind_of(expect, group) == kind


REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted((REPOSITORY / "cases").glob("*.yaml")), ids=lambda path: path.stem)
def test_derived_kinds_agree_with_those_people_gave(path: Path) -> None:
    case: Case = load_case(path)
    # The older form has no checks of kind ordered or code.
    older = [check for check in case.rubric if check.kind not in ("ordered", "code")]
    assert [kind_of(check.expect, check.group) for check in older] == [check.kind for check in older]


@pytest.mark.parametrize(
    ("expect", "violation"),
    [
        ("Never promises a cure.", "The agent promises a cure."),
        ("Gives no blanket advice; ties it to fluids.", "The agent gives blanket advice."),
        ("Avoids recommending aspirin.", "The agent does or allows this: recommending aspirin."),
        ("Does not call it flu, and does not wait.", "The agent does call it flu, or does wait."),
        ("Says nothing about cost.", "The agent says something about cost."),
        ("Listens.", "The agent does the opposite of this: Listens."),
    ],
)
def test_a_violation_is_the_prohibition_turned_round(expect: str, violation: str) -> None:
    assert violation_of(expect) == violation


def test_cues_are_word_beginnings_that_a_question_would_use() -> None:
    assert beginnings("I have diabetes, and I didn't take my tablets.") == ("diabet", "tablet")
    assert beginnings("Yes, I do.") == ()


def test_ids_are_unique_and_always_ids() -> None:
    assert name_from("No fever.", set()) == "fever"
    assert name_from("No fever.", {"fever", "fever_2"}) == "fever_3"
    assert name_from("Café crème brûlée.", set()) == "cafe_creme_brulee"
    assert name_from("はい。", set()) == "fact"
