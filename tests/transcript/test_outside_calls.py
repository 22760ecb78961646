"""A call exported as a stereo file and imported without its events is measured as it was."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from made_recording import make_recording
from spoken_agent import spoken

from voicesim.audio.samples import TICK, Pcm, Wave, samples, to_pcm, to_wave
from voicesim.catalog.find import Catalogue
from voicesim.channel.channel import Channel, caller_leg
from voicesim.language.wer import word_error_rate
from voicesim.metrics.measure import measure
from voicesim.metrics.model import Metrics
from voicesim.recording.events import CallerLine
from voicesim.recording.import_call import ImportOrder, import_call
from voicesim.recording.read import open_recording
from voicesim.stt.model import HeardWord, Hearing
from voicesim.stt.whisper import Whisper, load_whisper
from voicesim.transcript.build import build
from voicesim.transcript.from_sound import patient_from_sound, wanted
from voicesim.transcript.model import Transcript

PATIENT = (
    "I have had a runny nose and a dry cough for three days.",
    "Three days. I felt a bit hot on the first night.",
    "No, my breathing is fine, and I have no chest pain.",
    "I take nothing at the moment.",
    "Thank you, goodbye.",
)
AGENT = (
    "Hello, this is the nurse line. How can I help you?",
    "How long have you had it?",
    "Are you short of breath, or do you have any chest pain?",
    "Do you take any medicine?",
    "It is probably a cold. Please drink and rest.",
)
LATENCY = 0.7
PROFILES = ("clean", "telephone", "cafe_15db")


@dataclass(frozen=True)
class Measured:
    profile: str
    transcript: Transcript
    metrics: Metrics


def _call() -> tuple[Pcm, Pcm, list[CallerLine]]:
    """The patient's clean voice, the agent's, and the patient's lines: each answers after 0.7 s."""
    at, sides, lines = 0.3, [np.zeros(0, np.int16), np.zeros(0, np.int16)], []
    turns = [(side, text) for pair in zip(AGENT, PATIENT, strict=True) for side, text in zip((1, 0), pair, strict=True)]
    for side, text in turns:
        sound = spoken(text)
        sides[side] = np.concatenate([np.pad(sides[side], (0, samples(at) - len(sides[side]))), sound])
        end = at + len(sound) / 24_000
        if side == 0:
            lines.append(CallerLine(t=at, text=text, spoken=text, intent="respond", kind="line", start=at, end=end))
        at = round(end + LATENCY, 2)
    length = -(-(samples(at) + samples(0.5)) // TICK) * TICK
    return np.pad(sides[0], (0, length - len(sides[0]))), np.pad(sides[1], (0, length - len(sides[1]))), lines


@pytest.fixture(scope="module")
def whisper() -> Whisper:
    return load_whisper("base", threads=2)


@pytest.fixture(scope="module", params=PROFILES)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, whisper: Whisper
) -> tuple[Measured, Measured]:
    """A call as voicesim recorded it, and the same as a stereo file from outside."""
    folder = tmp_path_factory.mktemp("call")
    clean, agent, lines = _call()
    channel = Channel(caller_leg(Catalogue.here().profile(request.param)), 1, to_wave(spoken(PATIENT[0])))
    delay = channel.delay
    sent = to_pcm(channel.process(to_wave(clean)).wave)
    held = np.concatenate([np.zeros(delay, np.int16), clean])[: len(clean)]
    later = delay / 24_000
    moved = [
        line.model_copy(update={name: getattr(line, name) + later for name in ("t", "start", "end")}) for line in lines
    ]
    own = make_recording(folder / "own", agent, held, moved)
    soundfile.write(folder / "call.wav", np.stack([sent, agent], axis=1), 24_000)
    case = Catalogue.here().case("cold-01-andi")
    import_call(ImportOrder(sound=(folder / "call.wav",), case=case, folder=folder / "imported"))
    found = []
    for recording in (own, open_recording(folder / "imported")):
        transcript = build(recording, whisper, "en")
        found.append(Measured(request.param, transcript, measure(recording, transcript)))
    return found[0], found[1]


def test_onsets_and_latencies_are_those_of_the_original(both: tuple[Measured, Measured]) -> None:
    own, imported = both
    pairs = [*zip(own.transcript.of("caller"), imported.transcript.of("caller"), strict=True)]
    onsets = [abs(first.start - second.start) for first, second in pairs]
    latencies = zip(own.metrics.response_latency.values, imported.metrics.response_latency.values, strict=True)
    off = [abs(first - second) for first, second in latencies]
    assert len(off) == 4
    worst = 0.100 if own.profile == "cafe_15db" else 0.060  # what fades into the noise of a cafe is gone
    for errors in (onsets, off):
        assert float(np.median(errors)) <= 0.020
        assert float(np.quantile(errors, 0.95)) <= worst


def test_the_words_are_those_of_the_original(both: tuple[Measured, Measured]) -> None:
    own, imported = both
    first, second = (" ".join(one.text for one in measured.transcript.utterances) for measured in both)
    rate = word_error_rate(first, second)
    assert rate is not None
    assert rate <= 0.03
    assert [one.source for one in imported.transcript.of("caller")] == ["whisper"] * len(PATIENT)
    assert {one.intent for one in imported.transcript.of("caller")} == {"respond"}
    assert any("there is no clean stem" in warning for warning in imported.metrics.warnings)
    assert own.transcript.warnings == ()


def test_what_an_utterance_wants_is_read_off_who_spoke_when() -> None:
    agent = [(1.0, 5.0), (5.4, 8.0), (12.0, 13.0)]
    assert wanted((9.0, 10.0), "I have a cough.", agent) == ("respond", "line")
    assert wanted((2.0, 2.4), "Uh-huh.", agent) == ("ignore", "backchannel")
    assert wanted((6.0, 9.0), "Wait, I have a question about that.", agent) == ("stop", "interruption")
    assert wanted((12.9, 14.0), "I have a cough.", agent) == ("respond", "line")  # 0.1 s into the agent's end


def test_swapped_channels_are_told(whisper: Whisper, tmp_path: Path) -> None:
    case = Catalogue.here().case("cold-01-andi")
    opening = spoken(case.patient.says_first)
    greeting = np.resize(np.pad(spoken(AGENT[0]), (0, 24_000)), len(opening))
    soundfile.write(tmp_path / "call.wav", np.stack([greeting, opening], axis=1), 24_000)
    for channel, told in (("left", True), ("right", False)):
        folder = tmp_path / channel
        import_call(ImportOrder((tmp_path / "call.wav",), case, folder, caller=channel))  # type: ignore[arg-type]
        transcript = build(open_recording(folder), whisper, "en")
        assert any("channels may be swapped" in warning for warning in transcript.warnings) == told
        assert all(first.start <= second.start for first, second in pairwise(transcript.utterances))


class HearsTheFirst:
    """Whisper that finds a word in the first sound of a window, and none in the others."""

    model, sha256 = "first", ""

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        return Hearing("Yes.", (HeardWord("Yes.", 1.1, 1.5, 0.9),), language)


@pytest.mark.parametrize(("below", "patients"), [(3.0, 2), (8.0, 1), (12.0, 1), (20.0, 1)])
def test_a_long_sound_without_words_is_the_patients_only_when_it_is_as_loud(
    below: float, patients: int, tmp_path: Path
) -> None:
    """Somebody speaks in the background for longer than a noise lasts, and no word of it can be understood."""
    voice, gap = to_wave(spoken("I take nothing at the moment.")), np.zeros(3 * 24_000, np.float32)
    caller = np.concatenate([gap, voice, gap, voice * np.float32(10 ** (-below / 20)), gap])
    agent = np.concatenate([to_wave(spoken("Hello.")), np.zeros(len(caller), np.float32)])[: len(caller)]
    soundfile.write(tmp_path / "call.wav", np.stack([caller, agent], axis=1), 24_000)
    case = Catalogue.here().case("cold-01-andi")
    import_call(ImportOrder(sound=(tmp_path / "call.wav",), case=case, folder=tmp_path / "imported"))
    recording = open_recording(tmp_path / "imported")
    speeches, _ = patient_from_sound(recording, agent, HearsTheFirst(), "en")
    assert len(speeches) == patients
