"""Audio profiles: the short form, chains of effects, and what is wrong with them."""

import json
from pathlib import Path

import pytest
import soundfile

from voicesim.catalog.find import Catalogue
from voicesim.catalog.load import load_profile
from voicesim.catalog.model import AudioProfile
from voicesim.channel.channel import Channel, caller_leg
from voicesim.errors import CatalogueError, UsageError


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(f"id: p\ntitle: P\n{text}")
    return path


CHAIN = """chain:
  - background: {kind: cafe, snr_db: 15}
  - microphone
  - codec: mulaw
  - loss: 0.05
agent_leg:
  - delay: 100
"""


def test_a_chain_is_read_with_its_short_values(tmp_path: Path) -> None:
    profile = load_profile(written(tmp_path, CHAIN))
    assert [effect.key for effect in profile.chain] == ["background", "microphone", "codec", "loss"]
    assert profile.model_dump(mode="json")["chain"][2:] == [
        {"codec": {"kind": "mulaw", "bitrate": None}},
        {"loss": {"rate": 0.05, "burst": 1.0}},
    ]
    assert profile.model_dump(mode="json")["agent_leg"] == [{"delay": {"ms": 100.0}}]


def test_what_a_recording_keeps_of_a_profile_is_read_again_as_the_same(tmp_path: Path) -> None:
    profile = load_profile(written(tmp_path, CHAIN))
    again = AudioProfile.model_validate_json(json.dumps(profile.model_dump(mode="json")), strict=True)
    assert again == profile


@pytest.mark.parametrize(
    ("text", "line", "key", "message"),
    [
        ("chain:\n  - bakground: {kind: cafe, snr_db: 5}\n", 4, "chain", "unknown channel effect 'bakground'"),
        ("chain:\n  - background: {kind: cafee, snr_db: 5}\n", 4, "chain.0.background.kind", "Did you mean cafe"),
        ("chain:\n  - background: {kind: cafe}\n", 4, "chain.0.background.snr_db", "is missing"),
        ("chain:\n  - background: {kind: cafe, snr: 5}\n", 4, "chain.0.background.snr", "Did you mean snr_db"),
        ("chain:\n  - codec: {kind: opuss}\n", 4, "chain.0.codec.kind", "Did you mean opus"),
        ("chain:\n  - codec: opus\n  - loss: 1.5\n", 5, "chain.1.loss.rate", "less than 1"),
        ("chain:\n  - loss: {rate: '0.1'}\n", 4, "chain.0.loss.rate", "valid number"),
        ("chain:\n  - room: {rt60_s: 9}\n", 4, "chain.0.room.rt60_s", "less than or equal to 3"),
        ("chain:\n  - band: {low_hz: 4000}\n", 4, "chain.0.band", "`low_hz` must lie below `high_hz`"),
        ("chain:\n  - dropouts: {per_minute: 1, seconds: [2, 1]}\n", 4, "chain.0.dropouts", "shortest <= longest"),
        ("chain:\n  - background: {kind: file, snr_db: 5}\n", 4, "chain.0.background", "needs `path`"),
        ("chain:\n  - {codec: opus, loss: 0.1}\n", 4, "chain", "one effect and its settings"),
        ("chain:\n  - room: 3\n", 4, "chain", "needs its settings as keys: size_m"),
        ("chain:\n  - codec: opus\nloss: {rate: 0.1}\n", 3, "chain", "do not go together"),
        ("agent_leg:\n  - echoo\n", 4, "agent_leg", "Did you mean echo"),
        ("codec: mulow\n", 3, "codec", "Did you mean mulaw"),
        ("noise: {kind: ward, snr_db: 100}\n", 3, "noise.snr_db", "less than or equal to 60"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_near_names(
    tmp_path: Path, text: str, line: int, key: str, message: str
) -> None:
    with pytest.raises(CatalogueError) as caught:
        load_profile(written(tmp_path, text))
    told = str(caught.value)
    assert f"p.yaml:{line}: {key}" in told
    assert message in told


@pytest.mark.parametrize("effect", ["background: {kind: file, snr_db: 5,", "bursts: {kind: file,"])
def test_a_sound_of_ones_own_lies_beside_the_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effect: str
) -> None:
    path = written(tmp_path, f"chain:\n  - {effect} path: fan.wav}}\n")
    with pytest.raises(CatalogueError, match=r"path: there is no noise file .*fan\.wav"):
        load_profile(path)
    soundfile.write(tmp_path / "fan.wav", [0.1, -0.1] * 5_000, 16_000)
    monkeypatch.chdir("/")
    assert Channel(caller_leg(load_profile(path)), 1).delay == 0


def test_every_shipped_profile_can_be_built() -> None:
    catalogue = Catalogue.here()
    for name in catalogue.ids("profile"):
        profile = catalogue.profile(name)
        for leg in (caller_leg(profile), profile.agent_leg):
            assert 0 <= Channel(leg, 1).delay < 24_000


def test_an_effect_that_no_table_has_cannot_slip_in() -> None:
    with pytest.raises((ValueError, UsageError)):
        AudioProfile.model_validate({"id": "p", "title": "p", "chain": [3]})
