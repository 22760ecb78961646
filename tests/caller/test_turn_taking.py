"""The numbers of a persona, drawn: where the gaps lie, and that one choice leaves the others alone."""

import math
from statistics import median, pstdev

import pytest
from pydantic import ValidationError

from voicesim.audio.samples import seconds
from voicesim.caller.turn_taking import LONGEST_GAP, Dice
from voicesim.catalog.model import ReplyGap, TurnTaking


def gaps(gap: ReplyGap, seed: int, count: int) -> list[float]:
    dice = Dice(TurnTaking(reply_gap=gap), seed)
    return [seconds(dice.reply_gap()) for _ in range(count)]


def test_most_gaps_lie_at_the_mode() -> None:
    drawn = gaps(ReplyGap(mode=0.2, spread=0.5, speaker=0.0), seed=1, count=8000)
    counts = [sum(low <= gap < low + 0.05 for gap in drawn) for low in (n * 0.05 for n in range(20))]
    # The bin of 0.15 to 0.20 s or its neighbour: the density is flat around its mode.
    assert counts.index(max(counts)) in (3, 4)
    # The median of a log-normal is mode * exp(spread^2) = 0.2 * exp(0.25) = 0.257.
    assert median(drawn) == pytest.approx(0.257, abs=0.01)
    assert min(drawn) > 0
    assert max(drawn) <= LONGEST_GAP


def test_one_call_has_a_pace_of_its_own() -> None:
    medians = [math.log(median(gaps(ReplyGap(speaker=0.4, spread=0.2), seed, 200))) for seed in range(60)]
    # Between calls the logarithm differs by `speaker`, the noise of 200 draws (0.2 * 1.25 / sqrt(200) = 0.02) aside.
    assert pstdev(medians) == pytest.approx(0.4, abs=0.12)


def test_two_numbers_are_a_range() -> None:
    turn_taking = TurnTaking.model_validate({"reply_gap": [0.3, 0.5]})
    dice = Dice(turn_taking, 3)
    drawn = [seconds(dice.reply_gap()) for _ in range(500)]
    assert 0.3 <= min(drawn) < 0.32
    assert 0.48 < max(drawn) <= 0.5


def test_a_gap_of_more_than_two_numbers_is_refused() -> None:
    with pytest.raises(ValidationError, match="between"):
        TurnTaking.model_validate({"reply_gap": [0.1, 0.2, 0.3]})


def test_a_choice_leaves_the_sequences_of_the_others_alone() -> None:
    one, other = Dice(TurnTaking(), 5), Dice(TurnTaking(), 5)
    for _ in range(10):
        one.happens("cough", 0.5)
    assert [one.reply_gap() for _ in range(5)] == [other.reply_gap() for _ in range(5)]
    assert Dice(TurnTaking(), 6).reply_gap() != Dice(TurnTaking(), 5).reply_gap()


def test_a_chance_of_one_always_happens_and_none_never() -> None:
    dice = Dice(TurnTaking(), 1)
    assert all(dice.happens("x", 1.0) for _ in range(1000))
    assert not any(dice.happens("x", 0.0) for _ in range(1000))
