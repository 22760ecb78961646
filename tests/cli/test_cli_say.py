"""`voicesim say`: any voice on any line, as a file."""

from pathlib import Path

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from voicesim.cli.app import build

pytestmark = pytest.mark.usefixtures("own_cache")
LINE = "I take 250 mg of it every day."


def say(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(build(), ["say", LINE, *arguments])
    return result.exit_code, result.output


def test_a_line_in_a_personas_voice_over_a_line(tmp_path: Path) -> None:
    out = tmp_path / "line.wav"
    code, told = say("--persona", "soft-spoken-elder", "--profile", "telephone", "-o", str(out))
    assert code == 0, told
    assert "two hundred fifty milligrams" in told
    wave, rate = soundfile.read(out)
    assert rate == 24_000
    assert 3.0 < len(wave) / rate < 8.0
    power = np.abs(np.fft.rfft(wave * np.hanning(len(wave)))) ** 2
    hz = np.fft.rfftfreq(len(wave), 1 / rate)
    assert power[hz > 4_050].max() < 1e-5 * power.max()


def test_another_voice_accent_and_pace(tmp_path: Path) -> None:
    files = [tmp_path / f"{n}.flac" for n in range(3)]
    for file, options in zip(
        files, ((), ("--voice", "pico:us", "--accent", "american"), ("--rate", "1.5")), strict=True
    ):
        assert say("-o", str(file), *options)[0] == 0
    plain, pico, fast = (soundfile.read(file)[0] for file in files)
    assert len(fast) < len(plain)
    assert len(plain) != len(pico)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--persona", "soft-spoken-eldr"), "Did you mean soft-spoken-elder"),
        (("--profile", "telefone"), "Did you mean telephone"),
        (("--voice", "hibari:micheal"), "Did you mean michael"),
        (("--voice", "hibary:heart"), "Did you mean hibari"),
        (("--voice", "heart"), "a voice is ENGINE:NAME"),
        (("--accent", "indiann"), "Did you mean indian"),
        (("--accent", "indian:2"), "less than or equal to 1"),
        (("--accent", "indian:strong"), "valid number"),
        (("-o", "line.mp3"), "must end in .wav, .flac or .ogg"),
        (("-o", "no/such/folder/line.wav"), "there is no folder"),
    ],
)
def test_what_cannot_be_is_told_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, told = say(*options)
    assert code == 2
    assert message in " ".join(told.split())
    assert list(tmp_path.iterdir()) == []
