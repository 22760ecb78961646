"""Calls from outside become recordings; what is odd is told, and what cannot be taken leaves nothing."""

from pathlib import Path

import numpy as np
import pytest
from sound_files import stereo_pcm, wav_bytes
from speechlike import placed

from voicesim.audio.samples import Pcm, Wave, samples, to_pcm
from voicesim.catalog.find import Catalogue
from voicesim.errors import RecordingError, UsageError
from voicesim.recording.import_call import ImportOrder, import_call
from voicesim.recording.read import open_recording

CASE = Catalogue.here().case("cold-01-andi")
PATIENT = placed(8.0, (2.0, 3.5), (6.0, 7.0))
AGENT = placed(8.0, (0.5, 1.5), (4.0, 5.5))


def order(tmp_path: Path, *sound: Pcm, **changes: object) -> ImportOrder:
    paths = []
    for number, pcm in enumerate(sound):
        paths.append(tmp_path / f"sound-{number}.wav")
        paths[-1].write_bytes(wav_bytes(pcm))
    return ImportOrder(sound=tuple(paths), case=CASE, folder=tmp_path / "out" / "call", **changes)  # type: ignore[arg-type]


def notes(tmp_path: Path, left: Wave, right: Wave) -> str:
    manifest = import_call(order(tmp_path, stereo_pcm(left, right)))
    assert manifest.imported is not None
    return "; ".join(manifest.imported.notes)


def noise(level: float, seconds: float = 8.0, seed: int = 1) -> Wave:
    return np.random.default_rng(seed).normal(0, level, samples(seconds)).astype(np.float32)


def test_a_stereo_file_becomes_a_recording_that_opens_like_any_other(tmp_path: Path) -> None:
    manifest = import_call(order(tmp_path, stereo_pcm(PATIENT, AGENT), started="2026-03-01T10:00:00+00:00"))
    recording = open_recording(tmp_path / "out" / "call")
    assert recording.manifest == manifest
    np.testing.assert_array_equal(recording.caller, to_pcm(PATIENT))
    np.testing.assert_array_equal(recording.agent, to_pcm(AGENT))
    assert not recording.has_clean
    assert manifest.imported is not None
    assert (manifest.imported.notes, manifest.imported.files[0].name) == ((), "sound-0.wav")
    assert (manifest.started_at, manifest.case.id) == ("2026-03-01T10:00:00+00:00", "cold-01-andi")
    assert sorted(path.name for path in recording.folder.iterdir()) == ["audio.flac", "call.json", "events.jsonl"]


def test_the_patient_may_be_in_the_right_channel_and_each_side_in_a_file(tmp_path: Path) -> None:
    import_call(order(tmp_path, stereo_pcm(AGENT, PATIENT), caller="right"))
    np.testing.assert_array_equal(open_recording(tmp_path / "out" / "call").caller, to_pcm(PATIENT))
    two = tmp_path / "two"
    two.mkdir()
    import_call(order(two, to_pcm(PATIENT)[:, None], to_pcm(AGENT[: samples(6.0)])[:, None], later=(0.0, 0.25)))
    recording = open_recording(two / "out" / "call")
    np.testing.assert_array_equal(recording.caller, to_pcm(PATIENT))
    assert recording.duration == 8.0  # the agent's file is shorter and ends in silence
    np.testing.assert_array_equal(recording.agent[samples(0.25) : samples(6.25)], to_pcm(AGENT[: samples(6.0)]))


@pytest.mark.parametrize("gain", [1.0, 0.5])
def test_a_mix_is_refused_also_when_it_is_in_both_channels(gain: float, tmp_path: Path) -> None:
    mix = PATIENT + AGENT
    with pytest.raises(RecordingError, match="two channels hold the same sound: both sides are in one channel"):
        import_call(order(tmp_path, stereo_pcm(mix, np.asarray(gain * mix, np.float32))))
    with pytest.raises(RecordingError, match=r"both sides are in one channel.*--split-speakers"):
        import_call(order(tmp_path, to_pcm(mix)[:, None]))
    assert not (tmp_path / "out").exists()


def test_clipping_direct_current_and_silence_are_told(tmp_path: Path) -> None:
    loud = np.clip(PATIENT * 12, -1, 1).astype(np.float32)
    told = notes(tmp_path, loud, np.asarray(AGENT + np.float32(0.02), np.float32))
    assert "the patient's channel is clipped" in told
    assert "the agent's channel has a direct current of +2.0% of full scale; it is taken out" in told
    agent = open_recording(tmp_path / "out" / "call").agent
    assert abs(float(np.mean(agent))) < 30  # 2 % were 655
    other = tmp_path / "silent"
    other.mkdir()
    assert notes(other, PATIENT, np.zeros_like(PATIENT)) == "the agent's channel is silent"


def test_gaps_are_told_and_pauses_are_not(tmp_path: Path) -> None:
    steady = np.asarray(AGENT + noise(0.02), np.float32)
    steady[samples(4.5) : samples(4.6)] = 0.0
    told = notes(tmp_path, PATIENT, steady)
    assert told.startswith("the agent's channel has gaps in its sound (1): at 4.50 s")


def test_crosstalk_is_told_with_its_level_and_its_lag(tmp_path: Path) -> None:
    agent = np.tile(AGENT, 4)
    patient = np.tile(placed(8.0, (2.0, 3.5)), 4)
    leaked = np.roll(agent, samples(0.12)) * np.float32(0.05)  # 20 log 0.05 = -26 dB, 120 ms
    told = notes(tmp_path, np.asarray(patient + leaked + noise(1e-4, 32.0), np.float32), agent)
    assert "what is said in the agent's channel is heard in the patient's channel, too: 26 dB quieter and" in told
    assert "120 ms later" in told
    imported = open_recording(tmp_path / "out" / "call").manifest.imported
    assert imported is not None
    assert imported.crosstalk


def test_two_clocks_that_drift_apart_are_told(tmp_path: Path) -> None:
    agent = np.tile(AGENT, 16)  # 128 s
    places = np.arange(len(agent)) * (1 + 2e-4)  # 200 ppm
    heard = np.interp(places, np.arange(len(agent)), agent).astype(np.float32) * np.float32(0.1)
    quiet = np.asarray(heard + noise(1e-4, 128.0), np.float32)
    told = notes(tmp_path, quiet, agent)
    ppm = int(told.split("drift apart by ")[1].split(" ppm")[0])
    assert ppm == pytest.approx(200, abs=30)
    two = tmp_path / "two"
    two.mkdir()
    manifest = import_call(order(two, to_pcm(PATIENT)[:, None], to_pcm(AGENT[: samples(7.0)])[:, None]))
    assert manifest.imported is not None
    assert "the two files differ by 1.00 s in length" in manifest.imported.notes[0]


def test_a_mix_is_split_where_asked_and_marked_uncertain(tmp_path: Path) -> None:
    from spoken_agent import spoken

    plain = spoken("Do you have any fever, or any pain when you swallow?").astype(np.float64)
    deep = np.interp(np.arange(0, len(plain) - 1, 0.75), np.arange(len(plain)), plain)
    low, high = deep.astype(np.int16), spoken("I have had a cough for three days, and I feel tired.")
    parts: list[Pcm] = []
    truth: list[tuple[int, int, bool]] = []
    for voice in (low, high) * 3:
        truth.append((sum(len(part) for part in parts), len(voice), voice is high))
        parts += [voice, np.zeros(samples(1.0), np.int16)]
    mix = np.concatenate(parts)
    manifest = import_call(order(tmp_path, mix[:, None], split=True))
    assert manifest.imported is not None
    assert manifest.imported.uncertain
    assert "uncertain" in manifest.imported.notes[-1]
    recording = open_recording(tmp_path / "out" / "call")
    for start, length, patient in truth:
        stretch = slice(start, start + length)
        tracks = (recording.caller[stretch], recording.agent[stretch])
        caller, agent = (float(np.sum(np.square(track, dtype=np.float64))) for track in tracks)
        assert (caller > agent) == patient


def test_nothing_is_written_over_and_nothing_half_written_stays(tmp_path: Path) -> None:
    good = order(tmp_path, stereo_pcm(PATIENT, AGENT))
    import_call(good)
    with pytest.raises(UsageError, match="never written over"):
        import_call(good)
    events = tmp_path / "events.json"
    events.write_text('{"type": "no such event"}\n')
    bad = order(tmp_path, stereo_pcm(PATIENT, AGENT), events=events)
    with pytest.raises(RecordingError, match=r"events.json:1"):
        import_call(ImportOrder(sound=bad.sound, case=CASE, folder=tmp_path / "other" / "call", events=events))
    assert not (tmp_path / "other").exists()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["call"]
