"""Recordings with sound at known samples, and a transcriber that says what it is told to."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from made_recording import line, make_recording
from speechlike import placed_pcm

from voicesim.audio.samples import RATE, Wave
from voicesim.metrics.measure import measure
from voicesim.recording.events import AgentSaid
from voicesim.stt.model import HeardWord, Hearing
from voicesim.transcript.build import build


@dataclass
class Scripted:
    """Hears the same words in every window; notes what it was given."""

    words: tuple[HeardWord, ...] = (HeardWord("Yes.", 0.2, 0.5, 0.9),)
    model: str = "scripted"
    sha256: str = "0" * 64
    sounds: str | None = None
    given: list[tuple[float, str]] = field(default_factory=list)

    def transcribe(self, wave: Wave, language: str) -> Hearing:
        self.given.append((len(wave) / RATE, language))
        return Hearing(" ".join(word.text for word in self.words), self.words, language)


class Linguist(Scripted):
    def detect_language(self, wave: Wave) -> str:
        return self.sounds or "en"


def test_response_latency_is_read_from_the_sound(tmp_path: Path) -> None:
    recording = make_recording(
        tmp_path / "r", placed_pcm(5.0, (2.8, 3.5)), placed_pcm(5.0, (1.0, 2.0)), [line(1.0, 2.3)]
    )
    transcript = build(recording, Scripted(), "en")
    assert [one.id for one in transcript.utterances] == ["P1", "A1"]
    (turn,) = measure(recording, transcript).turns
    assert turn.latency == pytest.approx(0.8, abs=0.005)


def test_an_agent_that_stops_350_ms_into_an_interruption_yields_in_350_ms(tmp_path: Path) -> None:
    recording = make_recording(
        tmp_path / "r",
        placed_pcm(6.0, (1.0, 2.35), (2.6, 2.66)),
        placed_pcm(6.0, (2.0, 3.0)),
        [line(2.0, 3.0, "stop")],
    )
    transcript = build(recording, Scripted(), "en")
    (agent,) = transcript.of("agent")
    assert agent.cut
    metrics = measure(recording, transcript)
    (one,) = metrics.interruptions
    assert one.yield_time == pytest.approx(0.35, abs=0.005)
    assert one.overlap == pytest.approx(0.35, abs=0.005)


def test_an_agent_without_a_caller_has_its_utterances_where_they_sound(tmp_path: Path) -> None:
    recording = make_recording(tmp_path / "r", placed_pcm(17.0, (0.0, 1.0), (8.0, 9.0), (16.0, 17.0)))
    scripted = Scripted()
    transcript = build(recording, scripted, "en")
    assert [one.start for one in transcript.utterances] == pytest.approx([0.0, 8.0, 16.0], abs=0.001)
    assert transcript.duration == 17.0
    assert [one.cut for one in transcript.utterances] == [False, False, True]
    # three seconds of speech with little around it, not 17 s
    assert [(round(length), language) for length, language in scripted.given] == [(5, "en")]


def test_a_caller_longer_than_the_agent_loses_nothing(tmp_path: Path) -> None:
    recording = make_recording(
        tmp_path / "r", placed_pcm(2.0, (0.5, 1.5)), placed_pcm(5.0, (2.0, 5.0)), [line(2.0, 5.0)]
    )
    transcript = build(recording, Scripted(), "en")
    assert (transcript.duration, transcript.utterances[-1].end) == (5.0, 5.0)


def test_the_order_of_utterances_follows_the_sound_and_not_the_agents_text(tmp_path: Path) -> None:
    # the agent's text of both replies is done before the first of its sound arrives
    told = [AgentSaid(t=0.2, text="Second."), AgentSaid(t=0.1, text="First.")]
    recording = make_recording(
        tmp_path / "r", placed_pcm(9.0, (1.0, 2.0), (6.0, 7.0)), placed_pcm(9.0, (3.0, 4.0)), [*told, line(3.0, 4.0)]
    )
    transcript = build(recording, Scripted(), "en")
    assert [one.id for one in transcript.utterances] == ["A1", "P1", "A2"]
    assert [one.start for one in transcript.utterances] == pytest.approx([1.0, 3.0, 6.0], abs=0.005)
    (turn,) = measure(recording, transcript).turns
    assert turn.latency == pytest.approx(2.0, abs=0.005)


def test_silence_is_never_transcribed(tmp_path: Path) -> None:
    scripted = Scripted()
    transcript = build(make_recording(tmp_path / "r", placed_pcm(30.0)), scripted, "en")
    assert (transcript.utterances, scripted.given) == ((), [])


def test_a_sound_too_short_for_a_word_is_an_utterance_without_text(tmp_path: Path) -> None:
    scripted = Scripted()
    transcript = build(make_recording(tmp_path / "r", placed_pcm(4.0, (1.0, 1.1))), scripted, "en")
    assert [one.text for one in transcript.utterances] == [""]
    assert scripted.given == []


def test_an_utterance_ends_with_its_sound_whatever_the_word_times_say(tmp_path: Path) -> None:
    recording = make_recording(tmp_path / "r", placed_pcm(39.0, (2.0, 4.0), (36.0, 38.0)))
    transcript = build(recording, Scripted((HeardWord("Well.", 0.15, 34.0, 0.5),)), "en")
    first, second = transcript.utterances
    assert first.end <= 4.005
    assert first.words[-1].end <= 4.005
    assert (first.text, second.text) == ("Well.", "")


def test_another_language_is_reported_and_the_told_one_is_used(tmp_path: Path) -> None:
    recording = make_recording(tmp_path / "r", placed_pcm(4.0, (1.0, 3.0)))
    linguist = Linguist(sounds="cy")
    transcript = build(recording, linguist, "en")
    assert (transcript.language, transcript.detected_language) == ("en", "cy")
    assert [language for _, language in linguist.given] == ["en"]
    assert transcript.warnings == ("the agent sounds like 'cy'; the case is in 'en'",)


def test_a_loop_of_the_transcriber_is_kept_once_and_told(tmp_path: Path) -> None:
    looping = tuple(HeardWord("no", 0.15 + n * 0.025, 0.175 + n * 0.025, 0.5) for n in range(12))
    transcript = build(make_recording(tmp_path / "r", placed_pcm(3.0, (1.0, 1.4))), Scripted(looping), "en")
    assert transcript.utterances[0].text == "no"
    assert transcript.warnings == ("A1: 'no' came 12 times over 0.30 s of sound; kept once",)


def test_the_same_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    recording = make_recording(
        tmp_path / "r", placed_pcm(5.0, (2.8, 3.5)), placed_pcm(5.0, (1.0, 2.0)), [line(1.0, 2.0)]
    )
    first, second = (build(recording, Scripted(), "en").model_dump_json() for _ in range(2))
    assert first == second
