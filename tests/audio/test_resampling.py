"""Between the call's rate and a wire's: pitch, level and place in time stay, whatever the blocks."""

import itertools

import numpy as np
import pytest

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import Pcm

RATES = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000]


def sine(rate: int, duration: float, hz: float = 1_000.0, delay: float = 0.0) -> Pcm:
    t = np.arange(round(rate * duration)) / rate - delay
    wave: Pcm = np.rint(10_000 * np.sin(2 * np.pi * hz * t)).astype(np.int16)
    return wave


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("inwards", [True, False])
def test_a_tone_is_the_same_tone_later_by_the_stated_delay(rate: int, inwards: bool) -> None:
    source, target = (rate, 24_000) if inwards else (24_000, rate)
    convert = StreamResampler(source, target)
    out = convert.feed(sine(source, 0.5))
    # n samples become n * target / source, rounded up: half a second stays half a second.
    assert len(out) == -(-len(sine(source, 0.5)) * target // source)
    wanted = sine(target, 0.6, delay=convert.delay)[: len(out)]
    settled = slice(target // 10, None)
    assert np.abs(out[settled].astype(int) - wanted[settled]).max() <= 4


def test_the_delays_are_those_the_documentation_gives() -> None:
    assert StreamResampler(24_000, 48_000).delay == pytest.approx(0.0006, abs=5e-5)
    assert StreamResampler(48_000, 24_000).delay == pytest.approx(0.0006, abs=5e-5)
    assert (
        StreamResampler(24_000, 8_000).delay == StreamResampler(8_000, 24_000).delay == pytest.approx(0.0018, abs=5e-5)
    )
    assert StreamResampler(24_000, 24_000).delay == 0.0


def test_what_the_lower_rate_cannot_hold_does_not_fold_down() -> None:
    # 5 kHz at 24,000 Hz would be heard as 3 kHz at 8,000 Hz; 60 dB below its 10,000 / sqrt(2) it is not.
    folded = StreamResampler(24_000, 8_000).feed(sine(24_000, 0.5, 5_000.0))
    assert np.sqrt(np.mean(folded[500:].astype(float) ** 2)) < 10_000 / np.sqrt(2) * 10 ** (-60 / 20)


def test_a_constant_stays_the_same_constant() -> None:
    out = StreamResampler(8_000, 24_000).feed(np.full(8_000, -20_000, np.int16))
    assert set(out[200:].tolist()) == {-20_000}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("sizes", [[480] * 10, [7] * 685 + [5], [4_800], [1, 4_799], [4_799, 0, 1]])
def test_block_size_does_not_change_the_sound(rate: int, sizes: list[int]) -> None:
    tone = sine(24_000, 0.2)
    convert = StreamResampler(24_000, rate)
    parts = [convert.feed(tone[a:b]) for a, b in itertools.pairwise(np.cumsum([0, *sizes]))]
    assert np.array_equal(np.concatenate(parts), StreamResampler(24_000, rate).feed(tone))
