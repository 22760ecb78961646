"""Cases as strangers write them: the published form, languages in any spelling, ids and cues that cannot be used."""

import json
from pathlib import Path
from typing import Any

import pytest

from voicesim.catalog.load import load_case
from voicesim.errors import CatalogueError, UsageError
from voicesim.language.codes import language_code

PUBLISHED: dict[str, Any] = {
    "id": "flu-01",
    "title": "Three days of fever",
    "clinical_refs": ["NHS: rest and fluids for flu", {"source": "CDC", "topic": "flu", "fact": "antivirals early"}],
    "patient": {
        "name": "Siti",
        "age": 61,
        "says_first": "I have been shivering since Sunday.",
        "reveal_only_if_asked": ["I have asthma.", "My temperature was 39 this morning.", "No allergies."],
    },
    "rubric": {
        "must_ask": [{"id": "fever", "expect": "Asks how high the fever is.", "weight": 0.25}],
        "critical": [
            {"id": "breath", "expect": "Asks whether she is short of breath.", "weight": 0.25},
            {"id": "no_aspirin", "expect": "Does not recommend aspirin.", "weight": 0.25},
        ],
        "close": [{"id": "worse", "expect": "Says when to seek help.", "weight": 0.25}],
    },
}


def put(tmp_path: Path, content: Any, name: str = "case.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def test_the_published_form_loads_with_derived_kinds_and_cues(tmp_path: Path) -> None:
    case = load_case(put(tmp_path, PUBLISHED))
    assert [(check.id, check.group, check.kind) for check in case.rubric] == [
        ("fever", "must_ask", "ask"),
        ("breath", "critical", "ask"),
        ("no_aspirin", "critical", "avoid"),
        ("worse", "close", "tell"),
    ]
    assert [fact.says for fact in case.patient.reveal_only_if_asked] == PUBLISHED["patient"]["reveal_only_if_asked"]
    assert [(entry.source, entry.fact) for entry in case.references] == [
        ("NHS", "rest and fluids for flu"),
        ("CDC", "antivirals early"),
    ]


def test_what_is_wrong_in_the_published_form_is_told_where_it_stands(tmp_path: Path) -> None:
    rubric = {**PUBLISHED["rubric"], "closing": [], "close": [{"id": "worse", "expect": "Says when.", "weight": "x"}]}
    path = put(tmp_path, {**PUBLISHED, "rubric": rubric})
    with pytest.raises(CatalogueError) as caught:
        load_case(path)
    text = str(caught.value)
    assert "rubric.closing: unknown group. Did you mean close?" in text
    assert "rubric.close[worse].weight" in text


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("en-US", "en"),
        ("EN", "en"),
        (" en_GB ", "en"),
        ("English", "en"),
        ("zh-Hant-TW", "zh"),
        ("id", "id"),
        ("Indonesian", "id"),
        ("pt-BR", "pt"),
        ("nb-NO", "no"),
    ],
)
def test_a_language_is_read_in_any_spelling(tmp_path: Path, written: str, code: str) -> None:
    assert language_code(written) == code
    assert load_case(put(tmp_path, {**PUBLISHED, "language": written})).language == code


@pytest.mark.parametrize(("written", "near"), [("klingon", "Known"), ("engl", "en"), ("", "Known"), ("xx-YY", "Known")])
def test_an_unknown_language_is_refused_before_any_call(tmp_path: Path, written: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"there is no language {written!r}.*{near}.*code such as en"):
        language_code(written)
    with pytest.raises(CatalogueError, match="language: there is no language"):
        load_case(put(tmp_path, {**PUBLISHED, "language": written}))


@pytest.mark.parametrize("cue", ["?", "!!", "--", " . ", "…"])
def test_a_cue_that_is_only_a_sign_is_refused(tmp_path: Path, cue: str) -> None:
    check = {**PUBLISHED["rubric"]["close"][0], "cues": ["help", cue]}
    with pytest.raises(CatalogueError, match="has no letter or digit"):
        load_case(put(tmp_path, {**PUBLISHED, "rubric": {**PUBLISHED["rubric"], "close": [check]}}))


def test_an_id_that_no_folder_could_be_named_after_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"id: .*100"):
        load_case(put(tmp_path, {**PUBLISHED, "id": "a" * 300}))
