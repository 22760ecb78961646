"""Quality of the agent's voice: noise and lost packets take from it what they should, and nothing is made up."""

import numpy as np
import pytest
from handmade import agent, call

from voicesim.audio.samples import RATE, TICK, Wave, to_pcm
from voicesim.metrics import speech_quality as measured
from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.model import SpeechQuality
from voicesim.metrics.speech_quality import speech_quality

SECONDS = 10.0


@pytest.fixture(scope="module")
def speech() -> Wave:
    """Ten seconds of the neural voice."""
    from hibari import Hibari

    voice = Hibari()
    said = ("Please rest, drink plenty, and keep taking your metformin.", "Have you had a fever in the last four days?")
    return np.resize(
        np.concatenate([np.asarray(voice(text, seed=1), np.float32) for text in said]), int(SECONDS * RATE)
    )


def quality(wave: Wave) -> SpeechQuality | None:
    return speech_quality(MeasuredCall(call(agent((0.0, len(wave) / RATE))), agent=to_pcm(wave)))


def test_noise_and_loss_are_told_apart(speech: Wave) -> None:
    random = np.random.default_rng(3)
    noise = (random.standard_normal(len(speech)) * float(np.std(speech)) * 10 ** (-15 / 20)).astype(np.float32)
    lost = speech.copy()
    for start in range(0, len(lost), TICK):
        if random.random() < 0.15:
            lost[start : start + TICK] = 0.0
    clean, noisy, broken = quality(speech), quality(speech + noise), quality(lost)
    assert clean is not None
    assert noisy is not None
    assert broken is not None
    assert clean.overall > 3.0
    assert clean.continuity > 4.0
    # Noise at 15 dB is a matter of the background; lost packets are one of signal and continuity.
    assert clean.background - noisy.background > 1.0
    assert clean.signal - noisy.signal < 0.5
    assert clean.signal - broken.signal > 0.5
    assert clean.continuity - broken.continuity > 1.0
    assert broken.background > noisy.background
    assert quality(speech) == clean


def test_too_little_speech_has_no_quality(speech: Wave, monkeypatch: pytest.MonkeyPatch) -> None:
    assert quality(speech[: 2 * RATE]) is None
    short = quality(speech[: 4 * RATE])
    assert short is not None
    assert short.seconds == 4.0
    assert speech_quality(MeasuredCall(call(agent((0.0, SECONDS))))) is None
    monkeypatch.setattr(measured, "find_spec", lambda name: None)
    assert quality(speech) is None
