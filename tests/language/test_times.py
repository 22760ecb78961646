"""Times of day are found in whatever form they are said or written."""

import pytest

from voicesim.language.kinds import Time
from voicesim.language.values import times_in


@pytest.mark.parametrize(
    ("sentence", "times"),
    [
        ("I have Thursday at 9:30.", [Time(9, 30)]),
        ("Thursday at nine thirty works.", [Time(9, 30)]),
        ("Is 9.30 am good?", [Time(9, 30, "am")]),
        ("We have 2 p.m. and 10:00 AM.", [Time(2, 0, "pm"), Time(10, 0, "am")]),
        ("Half past nine, or quarter to ten?", [Time(9, 30), Time(9, 45)]),
        ("Come at ten.", [Time(10, 0)]),
        ("At ten o'clock on Tuesday.", [Time(10, 0)]),
        ("Nine oh five a.m.", [Time(9, 5, "am")]),
        ("At 14:30 on Friday.", [Time(14, 30)]),
        ("Take two tablets, 500 milligrams, for 10 days.", []),
        ("Call 9-1-1, or 5 5 5 0 1 9 9.", []),
        ("She is at 10 percent.", []),
        ("That was twenty thirty years ago.", []),
    ],
)
def test_times_are_read_in_the_ways_people_say_them(sentence: str, times: list[Time]) -> None:
    assert times_in(sentence) == times


@pytest.mark.parametrize(
    ("said", "fits"),
    [(Time(2, 30), True), (Time(2, 30, "pm"), True), (Time(14, 30), True), (Time(2, 30, "am"), False)],
)
def test_an_afternoon_time_can_be_said_in_two_ways(said: Time, fits: bool) -> None:
    assert said.fits(14, 30) is fits


def test_midnight_and_noon() -> None:
    assert Time(12, 0).fits(12, 0)
    assert Time(12, 0, "am").fits(0, 0)
    assert not Time(12, 0, "pm").fits(0, 0)
