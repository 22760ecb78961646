"""What a voice says for a value is read as that value again; nothing that can be written breaks it."""

import re
from datetime import date, time
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from voicesim.language.data import load
from voicesim.language.fold import fold
from voicesim.language.kinds import Date, Digits, Quantity, Time, Year, same, units
from voicesim.language.say import say
from voicesim.language.spoken import spoken
from voicesim.language.values import read

NUMBERS = st.one_of(
    st.integers(0, 10**9).map(Decimal),
    st.decimals(0, 10_000, allow_nan=False, places=1),
    st.decimals(0, 100, allow_nan=False, places=3),
)
DOSED = st.sampled_from(
    [name for name, unit in units().items() if not unit.signs and name not in ("pound", "in", "stone", "degree")]
)
MONTHS = [name.capitalize() for name in load("values")["months"]]
ENGLISH = re.compile(r"[^\W\d_]?(?:[^\W\d_]|[ '\-.,;:?!]|[\u0300-\u036f])*")


def said_is(written: str) -> bool:
    """Whether a text holds the same single value as what is said for it."""
    ours, said = read(written), read(spoken(written))
    return len(ours) == len(said) == 1 and same(ours[0].value, said[0].value)


@given(number=NUMBERS)
def test_a_number_said_is_that_number(number: Decimal) -> None:
    assert said_is(f"{number:f}")
    assert said_is(f"{number:,f}")
    assert [same(reading.value, Quantity(number)) for reading in read(say(Quantity(number)))] == [True]


@given(number=NUMBERS, unit=DOSED)
def test_a_dose_said_is_that_dose(number: Decimal, unit: str) -> None:
    quantity = Quantity(number, unit)
    for text in (say(quantity), f"{number:f} {(units()[unit].short or (unit,))[0]}"):
        assert said_is(text)
        assert same(read(text)[0].value, quantity)


@given(at=st.times(), half=st.sampled_from(["", "am", "pm", " a.m.", " P.M."]))
@example(at=time(0, 5), half="")
def test_a_time_said_is_that_time(at: time, half: str) -> None:
    written = f"{at.hour}:{at.minute:02d}" if not half else f"{at.hour % 12 or 12}:{at.minute:02d}{half}"
    readings = read(f"at {spoken(written)}")
    assert len(readings) == 1
    assert isinstance(readings[0].value, Time)
    assert same(readings[0].value, read(written)[0].value)
    assert fold(spoken(written)) == fold(written)


@given(day=st.dates(date(1800, 1, 1), date(2099, 12, 31)))
def test_a_date_said_is_that_date(day: date) -> None:
    month = MONTHS[day.month - 1]
    for written in (f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", day.isoformat()):
        assert [reading.value for reading in read(spoken(written))] == [Date(day.month, day.day, day.year)]
        assert fold(spoken(written)) == fold(written)
    assert [reading.value for reading in read(spoken(f"{month} {day.day}"))] == [Date(day.month, day.day)]


@given(number=st.integers(1500, 2099))
def test_a_year_said_is_that_year(number: int) -> None:
    said = read(spoken(f"in {number}"))
    assert len(said) == 1
    assert same(said[0].value, Year(number))


SHAPES = st.sampled_from(
    ["ddd-dddd", "(ddd) ddd-dddd", "ddd ddd dddd", "0ddd ddd ddd", "0ddd-dddd-dddd", "+dd dd dddd dddd"]
)


@given(shape=SHAPES, data=st.data())
def test_a_phone_number_said_is_that_number(shape: str, data: st.DataObject) -> None:
    written = re.sub("d", lambda _: data.draw(st.sampled_from("0123456789")), shape)
    digits = Digits(re.sub(r"\D", "", written))
    assert [reading.value for reading in read(written)] == [digits]
    assert [reading.value for reading in read(spoken(written))] == [digits]
    assert fold(spoken(written).removeprefix("plus ")) == fold(written)


INPUTS = Path(__file__).parent / "inputs"
AMBIGUOUS_ALOUD = {"24/7", "11/2", "500 1000 mg", "(50) mg"}
"""What is said for these can be taken for something else: two numbers in a row, a ratio."""
SENTENCES = sorted(
    (
        {
            text
            for name in ("equal", "apart", "times", "same_fact", "spoken", "quotes_numbers", "cues_numbers")
            for row in yaml.safe_load((INPUTS / f"{name}.yaml").read_text("utf-8"))
            for key, text in row.items()
            if key in ("a", "b", "text", "fact", "line", "sentence") and not re.search(r"[A-Za-z]\d|<\w|\]\(", text)
        }
        | {str(text) for row in load("values")["values"] for text in (*row["holds"], *row["fails"])}
    )
    - AMBIGUOUS_ALOUD
)


@pytest.mark.parametrize("text", SENTENCES)
def test_what_is_said_of_a_text_holds_its_values(text: str) -> None:
    written = [reading.value for reading in read(text)]
    said = [reading.value for reading in read(spoken(text))]
    assert len(written) == len(said)
    assert all(map(same, written, said))


@given(text=st.text(max_size=60))
def test_any_text_can_be_spoken_and_only_speakable_signs_are_left(text: str) -> None:
    assert ENGLISH.fullmatch(spoken(text)) or not spoken(text).isascii()
    assert not any(sign.isdigit() for sign in spoken(text))


@given(text=st.text("0123456789 .,:;/-+<>$%°½μg'\"()xamphtofneiv", max_size=40))
def test_figures_and_signs_in_any_order_can_be_spoken_read_and_folded(text: str) -> None:
    said = spoken(text)
    assert not any(sign.isdigit() for sign in said)
    assert spoken(said) == said or " " in said
    assert all(0 <= reading.start < reading.end <= len(text) for reading in read(text))
    assert all(fold(text)) or not fold(text)
