"""The whole line: level, band, codec, and the same seed the same bytes."""

from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy.signal import correlate

from voicesim.audio.levels import ACTIVE_LEVEL_DB, active_level_db
from voicesim.audio.samples import RATE, TICK, Wave, rms_db
from voicesim.catalog.model import AudioProfile, Loss, Noise, Persona
from voicesim.channel.channel import Channel, caller_leg
from voicesim.errors import CatalogueError
from voicesim.registry import BACKGROUNDS
from voicesim.tts.synthesize import synthesize

TELEPHONE = AudioProfile(id="telephone", title="t", band_hz=(300, 3_400), codec="mulaw")
RANDOM = np.random.default_rng(11)


def noisy(kind: str, snr_db: float, path: str = "") -> AudioProfile:
    return AudioProfile.model_validate(
        {"id": "noisy", "title": "n", "noise": {"kind": kind, "snr_db": snr_db, "path": path}}
    )


def line(profile: AudioProfile, seed: int) -> Channel:
    return Channel(caller_leg(profile), seed)


def through(profile: AudioProfile, clean: Wave, seed: int = 1) -> Wave:
    """Block by block, as in a call."""
    channel = line(profile, seed)
    return np.concatenate([channel.process(clean[at : at + TICK]).wave for at in range(0, len(clean), TICK)])


def speech_in_silence() -> Wave:
    """5 s of silence with 1 s at the level of speech from 2 to 3 s: noise in the shape of speech's band."""
    clean = np.zeros(5 * RATE, np.float32)
    tone = sum(np.sin(2 * np.pi * hz * np.arange(RATE) / RATE) for hz in (210, 430, 660, 1_290, 2_100))
    clean[2 * RATE : 3 * RATE] = tone * 10 ** (ACTIVE_LEVEL_DB / 20) / np.sqrt(np.mean(np.square(tone)))
    return clean


def snr_db(clean: Wave, heard: Wave, start: int, stop: int) -> float:
    return rms_db(clean[start:stop]) - rms_db((heard - clean)[start:stop])


def test_the_clean_line_changes_nothing() -> None:
    clean = speech_in_silence()
    channel = line(AudioProfile(id="clean", title="c"), 1)
    np.testing.assert_array_equal(channel.process(clean).wave, clean)
    assert channel.delay == 0


def test_the_ratio_holds_over_the_speech_however_much_silence_is_around_it() -> None:
    clean = speech_in_silence()
    heard = through(noisy("white", 10.0), clean)
    assert snr_db(clean, heard, 2 * RATE, 3 * RATE) == pytest.approx(10.0, abs=0.1)
    # Noise goes on at the same level where nobody speaks.
    assert rms_db(heard[: 2 * RATE]) == pytest.approx(ACTIVE_LEVEL_DB - 10.0, abs=0.1)


@pytest.mark.parametrize("kind", sorted(BACKGROUNDS.rows))
def test_every_background_holds_its_ratio_over_any_six_seconds(kind: str) -> None:
    """Whatever part of its loop a call hears: a street between two cars is as loud as a street with one."""
    heard = through(noisy(kind, 5.0), np.zeros(36 * RATE, np.float32))
    for at in range(0, len(heard), 6 * RATE):
        assert rms_db(heard[at : at + 6 * RATE]) == pytest.approx(ACTIVE_LEVEL_DB - 5.0, abs=0.5)


def test_a_real_voice_behind_band_and_codec_has_the_ratio_of_the_profile() -> None:
    """Band and codec take power from the voice and from the noise; the ratio is that of what is left."""
    voice = synthesize("I have had a cold for four days and it hurts.", Persona(id="p", title="p"), 1).wave
    clean = np.concatenate([voice, np.zeros(-len(voice) % TICK + 2 * TICK, np.float32)])
    profile = TELEPHONE.model_copy(update={"noise": Noise(kind="white", snr_db=10)})
    quiet = through(TELEPHONE, clean)
    noise = through(profile, np.zeros(len(clean), np.float32))
    assert active_level_db(quiet) - rms_db(noise) == pytest.approx(10.0, abs=1.0)


@pytest.mark.parametrize("profile", ["noise", "loss", "all"])
def test_the_same_seed_gives_the_same_bytes(profile: str) -> None:
    noise = Noise(kind="pink", snr_db=10) if profile != "loss" else None
    loss = Loss(rate=0.1, burst=2) if profile != "noise" else None
    made = AudioProfile(id="p", title="p", noise=noise, loss=loss)
    clean = (0.05 * RANDOM.standard_normal(2 * RATE)).astype(np.float32)
    assert through(made, clean, 4).tobytes() == through(made, clean, 4).tobytes()
    assert through(made, clean, 4).tobytes() != through(made, clean, 5).tobytes()


def test_effects_draw_from_streams_of_their_own() -> None:
    """Adding loss to a profile leaves its noise as it was: what is not concealed is the same."""
    clean = np.zeros(2 * RATE, np.float32)
    alone = through(noisy("white", 10.0), clean)
    both = through(noisy("white", 10.0).model_copy(update={"loss": Loss(rate=0.2)}), clean)
    same = [np.array_equal(alone[at : at + TICK], both[at : at + TICK]) for at in range(0, len(clean), TICK)]
    assert 0.4 < np.mean(same) < 0.9


def test_nothing_of_a_telephone_line_is_above_4_khz() -> None:
    heard = through(TELEPHONE, (0.1 * RANDOM.standard_normal(4 * RATE)).astype(np.float32))
    power = np.abs(np.fft.rfft(heard * np.hanning(len(heard)))) ** 2
    hz = np.fft.rfftfreq(len(heard), 1 / RATE)
    assert 10 * np.log10(power[hz > 4_000].max() / power[(hz > 400) & (hz < 3_300)].mean()) < -50
    assert 10 * np.log10(power[hz < 200].mean() / power[(hz > 400) & (hz < 3_300)].mean()) < -30


def test_a_tone_comes_through_the_telephone_later_and_otherwise_whole() -> None:
    """1 kHz at -20 dBFS: at least 35 dB above what the codec adds, the same pitch and level, and on time."""
    clean = (0.1 * np.sqrt(2) * np.sin(2 * np.pi * 1_000 * np.arange(2 * RATE) / RATE)).astype(np.float32)
    delay = line(TELEPHONE, 1).delay
    heard = through(TELEPHONE, clean)[RATE // 2 : RATE + RATE // 2]
    sent = clean[RATE // 2 - delay : RATE + RATE // 2 - delay]
    assert rms_db(sent) - rms_db(heard - sent) >= 35.0
    assert np.argmax(np.abs(np.fft.rfft(heard))) == 1_000


@pytest.mark.parametrize("band", [(300.0, 3_400.0), (50.0, 7_000.0)])
@pytest.mark.parametrize("codec", ["none", "mulaw"])
def test_speech_comes_out_by_the_delay_later(band: tuple[float, float], codec: str) -> None:
    profile = AudioProfile.model_validate({"id": "p", "title": "p", "band_hz": band, "codec": codec})
    clean = np.zeros(RATE // 2, np.float32)
    clean[4_800:7_200] = 0.1 * RANDOM.standard_normal(2_400)
    heard = through(profile, clean)
    echo = correlate(heard.astype(np.float64), clean.astype(np.float64), method="fft")
    assert np.argmax(np.abs(echo)) - (len(clean) - 1) == line(profile, 1).delay


@pytest.mark.parametrize("count", [0, 479, 500])
def test_anything_but_whole_ticks_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="whole ticks of 480"):
        line(TELEPHONE, 1).process(np.zeros(count, np.float32))


def test_several_ticks_at_once_are_the_same_as_one_by_one() -> None:
    clean = (0.1 * RANDOM.standard_normal(RATE)).astype(np.float32)
    profile = TELEPHONE.model_copy(update={"loss": Loss(rate=0.1)})
    at_once = line(profile, 3).process(clean)
    np.testing.assert_array_equal(at_once.wave, through(profile, clean, 3))
    assert 0 < len(at_once.happened) < 20
    assert {event.kind for event in at_once.happened} == {"lost"}
    assert all(event.at % TICK == 0 for event in at_once.happened)


def test_a_noise_file_is_played_as_a_loop(tmp_path: Path) -> None:
    path = tmp_path / "fan.wav"
    soundfile.write(path, 0.3 * RANDOM.standard_normal(8_000), 16_000)  # half a second
    heard = through(noisy("file", 10.0, str(path)), np.zeros(2 * RATE, np.float32))
    assert rms_db(heard) == pytest.approx(ACTIVE_LEVEL_DB - 10.0, abs=0.1)
    np.testing.assert_array_equal(heard[: RATE // 2], heard[RATE // 2 : RATE])


def test_a_noise_file_that_is_missing_silent_or_no_sound_is_refused_before_a_call(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "zeros.wav", np.zeros(RATE), RATE)
    (tmp_path / "text.wav").write_text("not a sound")
    for name, message in (
        ("none.wav", "there is no noise file"),
        ("zeros.wav", "holds only silence"),
        ("text.wav", "cannot be read"),
    ):
        with pytest.raises(CatalogueError, match=message) as caught:
            line(noisy("file", 10.0, str(tmp_path / name)), 1)
        assert name in str(caught.value)
        assert caught.value.key == "noise.path"
