"""Values are read alike however they are written or said; inputs by people who had not seen the patterns."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from voicesim.language.cues import cue_in
from voicesim.language.data import load
from voicesim.language.fold import find, fold
from voicesim.language.kinds import Value
from voicesim.language.numbers import line_of
from voicesim.language.value_patterns import grammar
from voicesim.language.values import read, same, times_in

INPUTS = Path(__file__).parent / "inputs"


def inputs(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = yaml.safe_load((INPUTS / f"{name}.yaml").read_text(encoding="utf-8"))
    return rows


def values(text: str) -> list[Value]:
    return [reading.value for reading in read(text)]


def all_same(text: str, other: str) -> bool:
    ours, theirs = values(text), values(other)
    return len(ours) == len(theirs) > 0 and all(map(same, ours, theirs))


PATTERNS = [
    (str(text), [str(value) for value in held])
    for row in load("values")["values"]
    for text, held in {**row["holds"], **row["fails"]}.items()
]


@pytest.mark.parametrize(("text", "held"), PATTERNS)
def test_every_pattern_takes_its_examples_and_leaves_the_others(text: str, held: list[str]) -> None:
    assert [str(value) for value in values(text)] == held


def test_what_may_begin_with_a_letter_says_so() -> None:
    lines = [line_of(text) for text, _ in PATTERNS]
    begun = {
        pattern.regex.pattern
        for pattern in grammar().patterns
        for line in lines
        for piece, place in zip(line.pieces, line.places, strict=True)
        if piece.text[0].isalpha() and pattern.regex.match(line.text, place)
    }
    assert begun <= {pattern.regex.pattern for pattern in grammar().worded}


@pytest.mark.parametrize("row", load("numbers")["examples"]["holds"], ids=lambda row: str(row["text"]))
def test_number_words_become_figures(row: dict[str, str]) -> None:
    assert line_of(row["text"]).text == row["line"]


@pytest.mark.parametrize("row", load("numbers")["examples"]["fails"], ids=lambda row: str(row["text"]))
def test_words_that_make_no_number_do_not(row: dict[str, str]) -> None:
    assert row["line"] not in line_of(row["text"]).text


@pytest.mark.parametrize(("text", "other"), load("units")["examples"]["holds"])
def test_forms_of_a_unit_hold_the_same_value(text: str, other: str) -> None:
    assert all_same(str(text), str(other))


@pytest.mark.parametrize(("text", "other"), load("units")["examples"]["fails"])
def test_units_that_differ_hold_different_values(text: str, other: str) -> None:
    assert values(str(text))
    assert not all_same(str(text), str(other))


@pytest.mark.parametrize("row", inputs("equal"), ids=lambda row: f"{row['a']}={row['b']}")
def test_the_same_value_is_the_same(row: dict[str, str]) -> None:
    if row["by"] == "words":
        assert fold(row["a"]) == fold(row["b"])
        assert find(row["a"], row["b"]) == (0, len(row["b"]))
    else:
        assert all_same(row["a"], row["b"])


@pytest.mark.parametrize("row", inputs("apart"), ids=lambda row: f"{row['a']}!={row['b']}")
def test_values_that_differ_are_never_taken_for_the_same(row: dict[str, str]) -> None:
    assert fold(row["a"]) != fold(row["b"])
    assert find(row["a"], row["b"]) is None
    assert find(row["b"], row["a"]) is None
    assert not all_same(row["a"], row["b"])


@pytest.mark.parametrize("row", inputs("cues_numbers"), ids=lambda row: f"{row['cue']} in {row['text']}")
def test_a_number_is_found_as_a_cue_however_it_is_said(row: dict[str, Any]) -> None:
    assert cue_in(row["cue"], row["text"]) is row["holds"]


@pytest.mark.parametrize("row", inputs("times"), ids=lambda row: str(row["text"]))
def test_times_of_day_are_read_as_people_name_them(row: dict[str, Any]) -> None:
    assert [str(time) for time in times_in(row["text"])] == row["times"]


@pytest.mark.parametrize("row", inputs("quotes_numbers"), ids=lambda row: f"{row['quote']} in {row['sentence']}")
def test_a_quote_holds_number_for_number(row: dict[str, Any]) -> None:
    assert (find(row["quote"], row["sentence"]) is not None) is row["accepted"]


def test_groups_of_a_phone_number_are_no_thousands() -> None:
    assert [str(value) for value in values("0612 100 000")] == ["tel 0612100000"]
    assert [str(value) for value in values("100 000 mg")] == ["100000 mg"]
