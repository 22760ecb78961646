"""Each effect of a chain: what it does, and that 20 ms at a time is the whole at once."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from voicesim.audio.levels import ACTIVE_LEVEL_DB, active_level_db
from voicesim.audio.samples import RATE, TICK, Wave, rms_db
from voicesim.catalog.model import AudioProfile, Persona
from voicesim.channel.channel import Channel, caller_leg
from voicesim.channel.codec import Codec
from voicesim.channel.echo import Echo
from voicesim.channel.room import Room, impulse_response
from voicesim.channel.spectrum import SpeechSpectrum
from voicesim.errors import UsageError
from voicesim.registry import BACKGROUNDS, BURSTS, CODECS, EFFECTS
from voicesim.tts.synthesize import synthesize

RANDOM = np.random.default_rng(4)
LINE = "I have had a cold for four days and it hurts when I swallow, so I would like to see a doctor."
EVERY_EFFECT: dict[str, Any] = {
    "room": {"rt60_s": 0.3, "speakerphone": True},
    "background": {"kind": "pink", "snr_db": 12},
    "bursts": {"kind": "door", "per_minute": 50},
    "echo": {"loss_db": 15, "delay_ms": 100},
    "microphone": {"muffled_hz": 2500, "gain_db": 6, "agc": True, "clip_db": -9},
    "band": {"low_hz": 200, "high_hz": 3400},
    "codec": {"kind": "opus", "bitrate": 16000},
    "loss": {"rate": 0.1, "burst": 2},
    "jitter": {"mean_ms": 20, "buffer_ms": 40},
    "dropouts": {"per_minute": 30},
    "delay": 60,
}


def chain(**effects: Any) -> AudioProfile:
    return AudioProfile.model_validate(
        {"id": "p", "title": "p", "chain": [{name: settings} for name, settings in effects.items()]}
    )


def through(profile: AudioProfile, clean: Wave, seed: int = 1, far: Wave | None = None) -> Wave:
    return Channel(caller_leg(profile), seed).process(clean, far).wave


AVERAGE = SpeechSpectrum.average()


@pytest.fixture(scope="module")
def voice() -> Wave:
    wave = synthesize(LINE, Persona(id="p", title="p"), 1).wave
    return np.concatenate([wave, np.zeros(-len(wave) % TICK, np.float32)])


def noise(seconds: float, gain: float = 0.07) -> Wave:
    return (gain * np.random.default_rng(9).standard_normal(round(seconds * RATE))).astype(np.float32)


def test_every_effect_of_the_table_is_looked_at_here() -> None:
    assert set(EVERY_EFFECT) == set(EFFECTS)


@given(cuts=st.lists(st.integers(1, 49), max_size=5, unique=True), seed=st.integers(0, 3))
@settings(max_examples=8, deadline=None)
@pytest.mark.parametrize("name", [*EVERY_EFFECT, "all"])
def test_any_number_of_ticks_at_a_time_is_the_whole_at_once(name: str, cuts: list[int], seed: int) -> None:
    profile = chain(**(EVERY_EFFECT if name == "all" else {name: EVERY_EFFECT[name]}))
    clean, far = noise(1.0), noise(1.0)[::-1].copy()
    channel, whole = Channel(caller_leg(profile), seed), Channel(caller_leg(profile), seed)
    edges = [0, *sorted(cuts), 50]
    parts = [channel.process(clean[TICK * a : TICK * b], far[TICK * a : TICK * b])
             for a, b in pairwise(edges)]  # fmt: skip
    at_once = whole.process(clean, far)
    np.testing.assert_array_equal(np.concatenate([part.wave for part in parts]), at_once.wave)
    shifted = [event._replace(at=event.at + TICK * start)
               for part, start in zip(parts, edges, strict=False) for event in part.happened]  # fmt: skip
    assert tuple(shifted) == at_once.happened


@pytest.mark.parametrize("name", [name for name in EVERY_EFFECT if name not in ("room", "echo", "background")])
def test_sound_comes_out_by_the_delay_later(name: str) -> None:
    quiet = EVERY_EFFECT[name] if name not in ("loss", "jitter", "dropouts") else {
        "loss": {"rate": 0.0}, "jitter": {"mean_ms": 1, "buffer_ms": 40}, "dropouts": {"per_minute": 0.001},
    }[name]  # fmt: skip
    channel = Channel(caller_leg(chain(**{name: quiet})), 1)
    clean = np.zeros(RATE, np.float32)
    clean[4_800:9_600] = noise(0.2)
    heard = channel.process(clean).wave
    size = 2 * RATE
    fit = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(clean, size)))
    # Opus changes the sound, so that the best fit may lie a few samples beside.
    assert int(np.argmax(np.abs(fit))) == pytest.approx(channel.delay, abs=5 if name == "codec" else 0)


def test_a_chain_is_the_short_form_in_its_order() -> None:
    short = AudioProfile.model_validate(
        {"id": "p", "title": "p", "band_hz": [300, 3400], "codec": "mulaw", "noise": {"kind": "white", "snr_db": 10},
         "loss": {"rate": 0.1, "burst": 2}}
    )  # fmt: skip
    long = chain(
        background={"kind": "white", "snr_db": 10}, band={"low_hz": 300, "high_hz": 3400}, codec="mulaw",
        loss={"rate": 0.1, "burst": 2},
    )  # fmt: skip
    assert caller_leg(short) == long.chain
    clean = noise(1.0)
    assert through(short, clean).tobytes() == through(long, clean).tobytes()


@pytest.mark.parametrize("kind", [*BACKGROUNDS])
@pytest.mark.parametrize("line", [{}, {"band": {}, "codec": "mulaw"}, {"codec": "g722"}])
def test_the_ratio_to_real_speech_is_the_asked_one(kind: str, line: dict[str, Any], voice: Wave) -> None:
    """Active level of the voice over the level of the noise, each as it leaves the channel, over the whole loop."""
    quiet = active_level_db(through(chain(**line), voice))
    silence = np.zeros(30 * RATE, np.float32)
    noisy = Channel(caller_leg(chain(background={"kind": kind, "snr_db": 10}, **line)), 1, voice)
    assert quiet - rms_db(noisy.process(silence).wave) == pytest.approx(10.0, abs=0.5)


def test_a_voice_and_its_background_are_added(voice: Wave) -> None:
    profile = chain(background={"kind": "cafe", "snr_db": 5})
    heard = through(profile, voice)
    np.testing.assert_allclose(heard - voice, through(profile, np.zeros(len(voice), np.float32)), atol=1e-6)


@pytest.mark.parametrize("codec", [*CODECS])
def test_a_codec_keeps_a_tone_and_its_level(codec: str) -> None:
    clean = (0.1 * np.sqrt(2) * np.sin(2 * np.pi * 1_000 * np.arange(2 * RATE) / RATE)).astype(np.float32)
    heard = through(chain(codec=codec), clean)[RATE // 2 : RATE + RATE // 2]
    assert np.argmax(np.abs(np.fft.rfft(heard))) == 1_000
    assert rms_db(heard) == pytest.approx(-20.0, abs=1.0)


@pytest.mark.parametrize(("codec", "edge"), [("mulaw", 4_000), ("alaw", 4_000), ("amr", 4_000), ("g722", 8_000)])
def test_nothing_is_heard_above_half_a_codecs_rate(codec: str, edge: int) -> None:
    heard = through(chain(codec=codec), noise(2.0))
    power = np.abs(np.fft.rfft(heard * np.hanning(len(heard)))) ** 2
    hz = np.fft.rfftfreq(len(heard), 1 / RATE)
    assert 10 * np.log10(power[hz > edge + 50].max() / power[(hz > 400) & (hz < 3_000)].mean()) < -50


@pytest.mark.parametrize("codec", ["opus", "amr"])
def test_opus_and_amr_conceal_a_lost_packet_themselves(codec: str, voice: Wave) -> None:
    """What stands in a lost packet's place is neither silence nor the plain repetition, and it is logged."""
    channel = Channel(caller_leg(chain(codec=codec, loss={"rate": 0.1})), 5)
    passed = channel.process(voice)
    lost = [event.at // TICK for event in passed.happened]
    assert 0.02 < len(lost) / (len(voice) / TICK) < 0.25
    plain = through(chain(codec=codec), voice)
    assert not np.array_equal(passed.wave, plain)
    loud = [n for n in lost if rms_db(plain[(n + 1) * TICK : (n + 3) * TICK]) > -30]
    assert np.mean([rms_db(passed.wave[(n + 1) * TICK : (n + 3) * TICK]) > -45 for n in loud]) > 0.6


def test_a_codec_without_that_bit_rate_is_refused() -> None:
    for wrong, message in (({"kind": "amr", "bitrate": 13_000}, "AMR has no bit rate 13000"),
                              ({"kind": "mulaw", "bitrate": 64_000}, "one bit rate")):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            Channel((Codec(**wrong),), 1)


def test_independent_loss_lies_within_its_binomial_interval() -> None:
    passed = Channel(caller_leg(chain(loss=0.05)), 3).process(np.zeros(2_000 * TICK, np.float32))
    interval = binomtest(len(passed.happened), 2_000).proportion_ci(0.999)
    assert interval.low <= 0.05 <= interval.high


def test_jitter_loses_what_comes_later_than_the_buffer_waits() -> None:
    silence = np.zeros(2_000 * TICK, np.float32)

    def late(buffer: float) -> list[float]:
        channel = Channel(caller_leg(chain(jitter={"mean_ms": 20, "buffer_ms": buffer})), 1)
        assert channel.delay == channel.transit == buffer * RATE / 1_000
        return [event.amount for event in channel.process(silence).happened if event.kind == "late_packet"]

    counts = [len(late(buffer)) for buffer in (0.0, 20.0, 40.0, 80.0)]
    assert counts[0] == 2_000  # nothing waits: whatever takes any time at all is late
    assert counts[1] > counts[2] > counts[3]
    assert all(0 <= seconds < 0.5 for seconds in late(20.0))


def test_a_dropout_is_silence_for_as_long_as_is_logged() -> None:
    passed = Channel(caller_leg(chain(dropouts={"per_minute": 60, "seconds": [0.1, 0.3]})), 2).process(noise(20.0))
    assert len(passed.happened) > 5
    for event in passed.happened[:-1]:
        gap = passed.wave[event.at + TICK // 4 : event.at + round(event.amount * RATE)]
        assert not gap.any()
        assert passed.wave[event.at + round(event.amount * RATE) + TICK // 4 :][:TICK].any()


@pytest.mark.parametrize("kind", [*BURSTS])
def test_a_burst_begins_where_it_is_logged_and_has_its_level(kind: str) -> None:
    passed = Channel(caller_leg(chain(bursts={"kind": kind, "per_minute": 30, "snr_db": 3})), 2).process(
        np.zeros(30 * RATE, np.float32)
    )
    assert 5 <= len(passed.happened) <= 30
    first = passed.happened[0]
    assert not passed.wave[: first.at].any()
    burst = passed.wave[first.at : first.at + round(first.amount * RATE)]
    assert rms_db(burst) == pytest.approx(ACTIVE_LEVEL_DB - 3.0, abs=0.1)


def test_gain_and_clipping_are_what_they_say(voice: Wave) -> None:
    louder = through(chain(microphone={"gain_db": 6}), voice)
    np.testing.assert_allclose(louder, voice * 10 ** (6 / 20), rtol=1e-5)
    passed = Channel(caller_leg(chain(microphone={"gain_db": 20, "clip_db": -6})), 1).process(voice)
    assert np.abs(passed.wave).max() == pytest.approx(10 ** (-6 / 20))
    over = int(np.count_nonzero(np.abs(voice * 10) > 10 ** (-6 / 20)))
    assert sum(event.amount for event in passed.happened) == pytest.approx(over, rel=0.01)


def test_gain_control_brings_a_quiet_voice_up(voice: Wave) -> None:
    twice = np.concatenate([voice, voice])
    quiet = through(chain(microphone={"gain_db": -15}), twice)
    levelled = through(chain(microphone={"gain_db": -15, "agc": True}), twice)
    assert active_level_db(quiet) == pytest.approx(ACTIVE_LEVEL_DB - 15, abs=0.3)
    assert active_level_db(levelled[len(voice) :]) == pytest.approx(ACTIVE_LEVEL_DB, abs=4.0)


def test_a_cloth_over_the_microphone_takes_the_high_frequencies() -> None:
    heard = through(chain(microphone={"muffled_hz": 1_500}), noise(2.0))
    power = np.abs(np.fft.rfft(heard)) ** 2
    hz = np.fft.rfftfreq(len(heard), 1 / RATE)
    assert 10 * np.log10(power[hz > 2_500].mean() / power[hz < 1_200].mean()) < -45


def test_the_echo_is_the_other_side_later_and_weaker() -> None:
    far = np.zeros(RATE, np.float32)
    far[4_800:9_600] = noise(0.2)
    heard = through(chain(echo={"loss_db": 20, "delay_ms": 100}), np.zeros(RATE, np.float32), far=far)
    fit = np.fft.irfft(np.fft.rfft(heard, 2 * RATE) * np.conj(np.fft.rfft(far, 2 * RATE)))
    assert int(np.argmax(np.abs(fit))) == 2_400
    # Half the power of white noise lies between 300 and 6,000 Hz: 3.2 dB less than all of it.
    assert rms_db(heard[7_200:12_000]) == pytest.approx(rms_db(far[4_800:9_600]) - 20 - 3.2, abs=0.5)
    assert not through(chain(echo={}), np.zeros(RATE, np.float32)).any()


@pytest.mark.parametrize("seconds", [0.2, 0.4, 0.8, 1.5])
@pytest.mark.parametrize("size", [(3.0, 2.5, 2.4), (8.0, 6.0, 3.0)])
def test_a_room_rings_as_long_as_asked(seconds: float, size: tuple[float, float, float]) -> None:
    """RT60 from Schroeder's backward integral, between -5 and -25 dB, within 10 %."""
    response = impulse_response(Room(rt60_s=seconds, size_m=size, distance_m=1.0), np.random.default_rng(1), AVERAGE)
    decay = 10 * np.log10(np.cumsum(np.square(response)[::-1])[::-1] / np.sum(np.square(response)))
    begin, end = int(np.argmax(decay < -5)), int(np.argmax(decay < -25))
    assert 3 * (end - begin) / RATE == pytest.approx(seconds, rel=0.10)


def test_a_room_keeps_the_level_and_distance_adds_reflections(voice: Wave) -> None:
    padded = np.concatenate([voice, np.zeros(RATE, np.float32)])
    shares = []
    for distance in (0.05, 0.5, 2.0):
        room = Room(distance_m=distance, rt60_s=0.5)
        assert active_level_db(through(chain(room=room.model_dump(mode="json")), padded)) == pytest.approx(
            ACTIVE_LEVEL_DB, abs=1.5
        )
        response = np.square(impulse_response(room, np.random.default_rng(1), AVERAGE))
        shares.append(response[:60].sum() / response.sum())
    assert shares[0] > 0.9 > shares[1] > shares[2]


def test_what_does_not_fit_into_a_room_is_refused() -> None:
    with pytest.raises(UsageError, match="distance of 9 m does not fit into a room"):
        Channel((Room(distance_m=9.0),), 1)
    with pytest.raises(UsageError, match="between 1 and 100 metres"):
        Channel((Room(size_m=(0.5, 3.0, 3.0)),), 1)


def test_the_same_seed_is_the_same_bytes_and_another_is_not(voice: Wave) -> None:
    profile = chain(**EVERY_EFFECT)
    assert through(profile, voice, 4).tobytes() == through(profile, voice, 4).tobytes()
    assert through(profile, voice, 4).tobytes() != through(profile, voice, 5).tobytes()


def test_an_effect_without_a_stage_is_refused() -> None:
    from voicesim.catalog.profile import Effect

    with pytest.raises(UsageError, match="has no `stage`"):
        Channel((Effect(),), 1)
    assert isinstance(Echo(), Effect)
