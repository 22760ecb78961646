"""Holes cut into real speech are found, and the silences that speech has by itself are not."""

import functools
from typing import Any

import av
import numpy as np
import pytest
from handmade import agent, call

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Pcm, samples, to_pcm, to_wave
from voicesim.catalog.model import Accent, Voice
from voicesim.metrics.glitches import glitches, holes
from voicesim.transcript.model import Transcript
from voicesim.tts.hibari import HibariEngine

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


LONG = (
    "Do not take more than eight tablets a day, and keep the packet out of reach. Put it back at the top of the "
    "cupboard. If the cough gets worse, talk to a pharmacist."
)


@functools.cache
def of_voice(name: str, level: float) -> Pcm:
    """A neural voice at a level (dBFS) of its louder parts."""
    wave = HibariEngine().speak(LONG, Voice(name=name), Accent(), 1.0, 3)
    loud = float(np.sqrt(np.mean(np.square(wave[np.abs(wave) > 0.001]))))
    return to_pcm(wave * (10 ** (level / 20) / loud))


def through_opus(pcm: Pcm, bit_rate: int, **options: str) -> Pcm:
    """Coded and decoded as on WebRTC: 48,000 Hz, 20 ms frames."""
    make: Any = av.CodecContext.create
    encoder, decoder = make("libopus", "w"), make("libopus", "r")
    for codec in (encoder, decoder):
        codec.sample_rate, codec.layout, codec.format = 48_000, "mono", "s16"
    encoder.bit_rate, encoder.options = bit_rate, {"application": "voip", **options}
    wide = to_pcm(resample(to_wave(pcm), RATE, 48_000))
    sound = []
    for start in range(0, len(wide) - 960, 960):
        frame = av.AudioFrame.from_ndarray(wide[None, start : start + 960], format="s16", layout="mono")
        frame.sample_rate, frame.pts = 48_000, start
        for packet in encoder.encode(frame):
            sound += [decoded.to_ndarray().reshape(-1) for decoded in decoder.decode(av.Packet(bytes(packet)))]
    return to_pcm(resample(to_wave(np.concatenate(sound).astype(np.int16)), 48_000, RATE))


def with_holes(pcm: Pcm, count: int, duration: float) -> Pcm:
    """Holes in the middle of vowels, at least half a second apart."""
    for at in reversed(loud_places(pcm, count)):
        pcm = with_hole(pcm, at, duration)
    return pcm


def lengths(pcm: Pcm) -> list[float]:
    return [glitch.end - glitch.start for glitch in glitches(said(pcm), pcm)]


@pytest.mark.parametrize(
    ("voice", "level", "count", "duration", "bit_rate"),
    [
        ("heart", -20, 10, 0.060, 24_000),
        ("heart", -20, 5, 0.040, 64_000),
        ("george", -20, 1, 0.120, 24_000),
        ("heart", -20, 4, 0.080, 16_000),
        ("heart", -20, 4, 0.080, 48_000),
        ("bella", -30, 3, 0.060, 24_000),
        ("onyx", -30, 3, 0.060, 24_000),
    ],
)
def test_holes_are_found_with_and_without_opus(
    voice: str, level: float, count: int, duration: float, bit_rate: int
) -> None:
    pcm = with_holes(of_voice(voice, level), count, duration)
    assert lengths(pcm) == pytest.approx([duration] * count, abs=0.015)
    assert lengths(through_opus(pcm, bit_rate)) == pytest.approx([duration] * count, abs=0.015)


@pytest.mark.parametrize("voice", ["heart", "george", "bella", "onyx", "sarah", "michael"])
def test_speech_through_opus_has_none_of_its_own(voice: str) -> None:
    pcm = of_voice(voice, -20)
    for bit_rate in (16_000, 24_000, 48_000):
        assert lengths(through_opus(pcm, bit_rate)) == []
    assert lengths(through_opus(pcm, 24_000, dtx="1")) == []
    assert lengths(pcm) == []


def test_pauses_between_sentences_are_none() -> None:
    parts = [of_voice("heart", -20)[: samples(2.0)], of_voice("heart", -20)[samples(3.0) : samples(5.0)]]
    for pause in (0.2, 0.4, 0.9):
        pcm = np.concatenate([parts[0], np.zeros(samples(pause), np.int16), parts[1]])
        for sound in (pcm, through_opus(pcm, 24_000), through_opus(pcm, 24_000, dtx="1")):
            assert [length for length in lengths(sound) if length > 0.1] == []


@pytest.mark.parametrize("duration", [0.004, 0.4])
def test_what_is_too_short_or_too_long_for_a_hole_is_none_through_opus_either(duration: float) -> None:
    assert lengths(through_opus(with_holes(of_voice("heart", -20), 1, duration), 24_000)) == []


def test_holes_inside_a_pause_are_none() -> None:
    rng = np.random.default_rng(2)
    pause = (rng.standard_normal(samples(0.5)) * 20).astype(np.int16)  # a breath at -64 dBFS
    for at in (0.1, 0.22, 0.34):
        pause[samples(at) : samples(at + 0.06)] = 0
    sentence = of_voice("heart", -20)
    pcm = np.concatenate([sentence, pause, sentence])
    assert lengths(pcm) == lengths(through_opus(pcm, 24_000)) == []
