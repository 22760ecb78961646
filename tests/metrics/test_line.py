"""What the line did to the patient's voice, measured from a recording."""

from pathlib import Path

import numpy as np
import pytest

from voicesim.audio.levels import ACTIVE_LEVEL_DB
from voicesim.audio.samples import RATE, TICK, Pcm, Wave, to_pcm
from voicesim.catalog.model import AudioProfile, Persona
from voicesim.channel.channel import Channel, caller_leg
from voicesim.metrics.line import line_quality
from voicesim.recording.events import Effect
from voicesim.registry import BACKGROUNDS
from voicesim.tts.synthesize import synthesize

LINES = (
    "Hello, I have had a cold for four days and it hurts when I swallow.",
    "No, I have not taken anything, and I am not allergic to any medicine.",
    "I am fifty four years old, and I have high blood pressure.",
)


@pytest.fixture(scope="module")
def clean() -> Wave:
    """Three lines, each with silence before and behind it, 30 s in all."""
    waves = [synthesize(line, Persona(id="p", title="p"), 1).wave for line in LINES]
    track = np.zeros(30 * RATE, np.float32)
    for number, wave in enumerate(waves):
        track[(2 + 9 * number) * RATE :][: len(wave)] = wave
    return track


def sent(profile: AudioProfile, clean: Wave, seed: int = 3) -> tuple[Pcm, Pcm, list[Effect]]:
    """The clean stem as a recording has it, held back as the channel holds the voice back; what was sent; the log."""
    channel = Channel(caller_leg(profile), seed, voice=clean)
    passed = channel.process(clean)
    stem = np.concatenate([np.zeros(channel.delay, np.float32), clean])[: len(clean)]
    log = [Effect(t=event.at / RATE, kind=event.kind, amount=event.amount) for event in passed.happened]
    return to_pcm(stem), to_pcm(passed.wave), log


@pytest.mark.parametrize(
    ("kind", "snr"), [*((kind, 10) for kind in BACKGROUNDS), ("white", 20), ("car", 5), ("cafe", 0)]
)
def test_the_measured_snr_is_the_asked_one(kind: str, snr: float, clean: Wave) -> None:
    """Noise that comes and goes is not the same while nobody speaks as under the words: at 0 dB that shows more."""
    profile = AudioProfile.model_validate({"id": "p", "title": "p", "noise": {"kind": kind, "snr_db": snr}})
    stem, caller, log = sent(profile, clean)
    quality = line_quality(stem, caller, log, profile.model_dump(mode="json"))
    assert quality is not None
    assert quality.asked_snr_db == snr
    assert quality.snr_db == pytest.approx(snr, abs=0.5 if snr == 10 else 1.0)
    assert quality.level_db == pytest.approx(ACTIVE_LEVEL_DB, abs=1.0)


@pytest.mark.parametrize("codec", ["mulaw", "amr", "opus"])
def test_behind_a_telephone_line_too(codec: str, clean: Wave) -> None:
    chain = [{"background": {"kind": "cafe", "snr_db": 10}}, {"band": {}}, {"codec": codec}, {"loss": 0.05}]
    profile = AudioProfile.model_validate({"id": "p", "title": "p", "chain": chain})
    stem, caller, log = sent(profile, clean)
    quality = line_quality(stem, caller, log, profile.model_dump(mode="json"))
    assert quality is not None
    assert quality.snr_db == pytest.approx(10.0, abs=1.0)
    assert (quality.asked_snr_db, quality.asked_loss) == (10.0, 0.05)
    assert quality.lost.n == len(clean) // TICK == 1_500
    assert quality.lost.share == pytest.approx(0.05, abs=0.025)


def test_two_backgrounds_add_up_to_what_is_asked() -> None:
    # Two of 10 dB are 10 - 10 log10(2) = 6.99 dB; two losses of 10 % leave 0.9 x 0.9.
    chain = [{"background": {"kind": kind, "snr_db": 10}} for kind in ("white", "pink")]
    profile = AudioProfile.model_validate({"id": "p", "title": "p", "chain": [*chain, {"loss": 0.1}, {"loss": 0.1}]})
    silence = np.ones(3 * RATE, np.int16) * 1_000
    quality = line_quality(silence, silence, (), profile.model_dump(mode="json"))
    assert quality is not None
    assert (quality.asked_snr_db, quality.asked_loss) == (6.99, 0.19)


def test_a_clean_line_has_a_level_and_no_noise(clean: Wave) -> None:
    quality = line_quality(to_pcm(clean), to_pcm(clean), ())
    assert quality is not None
    assert (quality.noise_db, quality.snr_db, quality.asked_snr_db, quality.lost.share) == (None, None, None, 0.0)
    assert quality.level_db == pytest.approx(ACTIVE_LEVEL_DB, abs=0.5)


def test_a_call_without_speech_has_none(tmp_path: Path) -> None:
    assert line_quality(np.zeros(9 * RATE, np.int16), np.zeros(9 * RATE, np.int16), ()) is None
