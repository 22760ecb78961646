"""Lost packets."""

import numpy as np
import pytest

from voicesim.audio.samples import RATE, TICK
from voicesim.catalog.model import Loss
from voicesim.channel.loss import FADE, SEAM, PacketLoss

SILENCE = np.zeros(TICK)


class Scripted(np.random.Generator):
    """Draws that were written down: 0 loses a packet in the good state, and ends a burst in the bad one."""

    def __init__(self, draws: list[float]) -> None:
        super().__init__(np.random.PCG64(0))
        self._draws = iter(draws)

    def random(self, *_: object, **__: object) -> float:  # type: ignore[override]
        return next(self._draws)


def pattern(rate: float, burst: float, packets: int = 40_000) -> np.ndarray:
    line = PacketLoss(Loss(rate=rate, burst=burst), np.random.default_rng(2))
    packet = np.ones(TICK)
    return np.array([bool(line.process(packet, packet).happened) for _ in range(packets)])


@pytest.mark.parametrize(("rate", "burst"), [(0.05, 1.0), (0.05, 3.0), (0.2, 5.0), (0.8, 1.0)])
def test_rate_and_length_of_bursts_are_those_asked_for(rate: float, burst: float) -> None:
    lost = pattern(rate, burst)
    assert lost.mean() == pytest.approx(rate, rel=0.1)
    starts = np.count_nonzero(lost[1:] & ~lost[:-1]) + int(lost[0])
    # Each for itself, 1 / (1 - rate) are lost in a row on average.
    assert lost.sum() / starts == pytest.approx(1 / (1 - rate) if burst == 1.0 else burst, rel=0.1)


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.3])
def test_loss_without_bursts_is_independent(rate: float) -> None:
    """What follows a lost packet is lost as often as any other; the count lies within four standard deviations."""
    lost = pattern(rate, 1.0)
    assert abs(lost.sum() - rate * len(lost)) < 4 * np.sqrt(len(lost) * rate * (1 - rate))
    after = lost[1:][lost[:-1]]
    assert abs(after.sum() - rate * len(after)) < 4 * np.sqrt(len(after) * rate * (1 - rate)) + 1


def test_no_loss_is_no_change() -> None:
    line = PacketLoss(Loss(rate=0.0), np.random.default_rng(2))
    packet = np.random.default_rng(3).standard_normal(TICK)
    assert all(line.process(packet, packet).sound is packet for _ in range(100))


def test_a_lost_packet_is_the_last_good_one_fading_out() -> None:
    line = PacketLoss(Loss(rate=0.3, burst=2), Scripted([0.99, 0.0, 0.99, 0.99, 0.99, 0.0]))
    heard = [line.process(np.full(TICK, value), SILENCE) for value in (0.5, 9.0, 9.0, 9.0, 9.0, -0.5)]
    assert [bool(lost) for _, lost in heard] == [False, True, True, True, True, False]
    sound = [wave for wave, _ in heard]
    for number in range(3):
        expected = 0.5 * np.linspace(FADE[number], FADE[number + 1], TICK)
        np.testing.assert_allclose(sound[1 + number][SEAM:], expected[SEAM:])
    assert not sound[4][SEAM:].any()
    np.testing.assert_array_equal(sound[5][SEAM:], -0.5)


def test_seams_do_not_click() -> None:
    """A 300 Hz sine of amplitude 0.3 moves by at most 0.024 a sample; lost packets add no jump to it."""
    line = PacketLoss(Loss(rate=0.3, burst=2), np.random.default_rng(8))
    sine = 0.3 * np.sin(2 * np.pi * 300 * np.arange(4 * RATE) / RATE + 0.7)
    heard = np.concatenate([line.process(sine[at : at + TICK], SILENCE).sound for at in range(0, len(sine), TICK)])
    assert np.abs(np.diff(heard)).max() < 2 * 0.024


def test_a_packet_lost_before_any_came_is_silent() -> None:
    line = PacketLoss(Loss(rate=0.5), Scripted([0.0]))
    wave, lost = line.process(np.ones(TICK), SILENCE)
    assert lost
    assert not wave.any()
