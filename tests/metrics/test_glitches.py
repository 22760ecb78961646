"""Holes cut into real speech are found, and the silences that speech has by itself are not."""

import functools

import numpy as np
import pytest
from handmade import agent, call

from voicesim.audio.samples import RATE, Pcm, samples, to_pcm
from voicesim.metrics.glitches import glitches, holes
from voicesim.transcript.model import Transcript

TEXT = "Please take a tablet at breakfast, keep drinking, and stop at once if your tummy hurts."


@functools.cache
def spoken() -> Pcm:
    from hibari import Hibari

    return to_pcm(np.asarray(Hibari()(TEXT, seed=2), np.float32))


def said(pcm: Pcm) -> Transcript:
    return call(agent((0.0, len(pcm) / RATE)), duration=len(pcm) / RATE)


def loud_places(pcm: Pcm, count: int) -> list[int]:
    """Samples in the middle of vowels, spread over the clip."""
    level = np.convolve(np.abs(pcm.astype(np.float64)), np.ones(1200) / 1200, mode="same")
    found: list[int] = []
    for at in np.argsort(-level).tolist():
        if all(abs(at - other) > RATE // 3 for other in found) and samples(0.3) < at < len(pcm) - samples(0.5):
            found.append(at)
        if len(found) == count:
            break
    return sorted(found)


def with_hole(pcm: Pcm, at: int, duration: float) -> Pcm:
    """The sound waits for `duration` seconds at a sample, and then goes on where it was."""
    return np.concatenate([pcm[:at], np.zeros(samples(duration), np.int16), pcm[at:]])


@pytest.mark.parametrize("duration", [0.012, 0.02, 0.06, 0.14])
def test_a_hole_in_a_word_is_found_to_the_millisecond(duration: float) -> None:
    for at in loud_places(spoken(), 4):
        pcm = with_hole(spoken(), at, duration)
        (one,) = glitches(said(pcm), pcm)
        assert one.utterance == "A1"
        assert (one.start, one.end) == pytest.approx((at / RATE, at / RATE + duration), abs=0.001)


def test_speech_as_it_is_has_none() -> None:
    assert glitches(said(spoken()), spoken()) == ()


def test_shorter_and_longer_silences_are_no_holes() -> None:
    (at,) = loud_places(spoken(), 1)
    for duration in (0.005, 0.2):
        pcm = with_hole(spoken(), at, duration)
        assert glitches(said(pcm), pcm) == ()


def test_a_hole_outside_of_the_agents_utterances_is_nobodys() -> None:
    (at,) = loud_places(spoken(), 1)
    pcm = with_hole(spoken(), at, 0.05)
    outside = call(agent((at / RATE + 0.5, len(pcm) / RATE)), duration=len(pcm) / RATE)
    assert glitches(outside, pcm) == ()


def test_what_a_codec_leaves_of_silence_is_empty_too() -> None:
    wave = np.full(RATE, 0.2)
    wave[2400:3600] = np.resize([4 / 32768, -4 / 32768], 1200)
    assert holes(wave) == [(2400, 3600)]
    wave[2400:3600] = np.resize([40 / 32768, -40 / 32768], 1200)
    assert holes(wave) == []
