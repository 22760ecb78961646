"""Whole calls with a Realtime agent over WebSocket, on exact time: what it sends early is heard at its own pace."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from rig import PLAIN, call, spans
from scripted_realtime import ScriptedServer, tone

from voicesim.audio.samples import seconds
from voicesim.caller.mind import PatientLine
from voicesim.recording.events import FIRST_BYTE, AgentHeard, AgentMetric, AgentSaid, Event, Unheard, Warning_

THREE = PatientLine("One two three.")
TEN_WORDS = "one two three four five six seven eight nine ten"


T = TypeVar("T")


def of(kind: type[T], events: Sequence[Event]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


async def ten_seconds_at_once(server: ScriptedServer) -> None:
    await server.at(0.5)
    for _ in range(100):  # 100 ms each, 4 ms apart: 10 s in 0.4 s
        server.delta(tone(0.1))
        await asyncio.sleep(0.004)
    server.said("A long speech.")
    server.done()


def test_ten_seconds_sent_at_once_are_heard_for_ten_seconds(tmp_path: Path) -> None:
    server = ScriptedServer(ten_seconds_at_once)
    rig = call(tmp_path / "c", server.line(), heard=["A long speech."], max_duration=14.0)
    assert spans(rig.recording.agent) == [(0.5, 10.5)]
    start, _ = rig.lines()[0]
    assert 11.5 <= start <= 11.7  # 1 s of silence ends the turn at 11.5
    assert server.truncations() == []
    assert not of(Unheard, rig.recording.events)


async def answers_after_700_ms(server: ScriptedServer) -> None:
    turn = 0
    while True:
        ended = await server.speech_end()
        await server.at(ended + 0.7)
        turn += 1
        for _ in range(20):  # 2 s of speech, ten times as fast as it is heard
            server.delta(tone(0.1), item=f"i{turn}", response=f"r{turn}")
            await asyncio.sleep(0.01)
        server.done(f"r{turn}")


def test_latency_is_the_same_on_every_turn_however_fast_the_sound_comes(tmp_path: Path) -> None:
    server = ScriptedServer(answers_after_700_ms)
    rig = call(tmp_path / "c", server.line(), lines=[THREE] * 19, heard=["Go on."], max_turns=40, max_duration=300.0)
    asked, answered = spans(rig.recording.caller), spans(rig.recording.agent)
    assert len(asked) >= 20
    latencies = [reply[0] - line[1] for line, reply in zip(asked, answered, strict=False)][:20]
    assert latencies == pytest.approx([0.7] * 20, abs=0.0002)
    assert [end - start for start, end in answered[:20]] == pytest.approx([2.0] * 20, abs=0.0002)
    arrived = [one for one in of(AgentMetric, rig.recording.events) if one.name == FIRST_BYTE]
    assert [one.value for one in arrived] == pytest.approx([start for start, _ in answered], abs=0.0002)


async def one_long_reply(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.delta(tone(10.0))
    server.said(TEN_WORDS)
    server.done()


def test_what_the_caller_does_not_wait_for_was_never_heard(tmp_path: Path) -> None:
    server = ScriptedServer(one_long_reply)
    rig = call(tmp_path / "c", server.line(), max_duration=3.5)
    assert rig.manifest.end_reason == "max_duration"
    (unheard,) = of(Unheard, rig.recording.events)
    # From 0.5 s to 3.5 s three of ten seconds are heard (one tick less or more), and so are three of ten words.
    assert unheard.text == "four five six seven eight nine ten"
    assert unheard.seconds == pytest.approx(7.0, abs=0.021)
    assert [event.type for event in rig.recording.events][-2:] == ["unheard", "hangup"]


async def interrupted_after_three_seconds(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.delta(tone(10.0))
    server.said(TEN_WORDS)
    server.done()
    await server.at(3.505)
    server.emit("input_audio_buffer.speech_started", item_id="u1", audio_start_ms=3400)
    server.delta(tone(1.0))  # on its way when the agent was interrupted
    await server.at(5.0)
    server.delta(tone(0.5), item="i2", response="r2")


def test_what_is_taken_back_was_never_heard(tmp_path: Path) -> None:
    server = ScriptedServer(interrupted_after_three_seconds)
    rig = call(tmp_path / "c", server.line(), heard=["A long speech."], max_duration=6.0)
    assert spans(rig.recording.agent) == [(0.5, 3.505), (5.0, 5.5)]
    assert server.truncations() == [(3.505, "i1", 3005)]
    unheard = of(Unheard, rig.recording.events)
    # 7 of 10 s were not heard: of ten words, the first three were. What still came of it was not, either.
    assert unheard == [
        Unheard(t=3.505, text="four five six seven eight nine ten", seconds=6.995, response_id="r1"),
        Unheard(t=5.99, text="", seconds=1.0, response_id="r1"),
    ]
    assert of(AgentSaid, rig.recording.events) == [AgentSaid(t=0.5, text=TEN_WORDS, response_id="r1")]


async def text_before_sound(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.emit("response.output_audio_transcript.delta", item_id="i1", response_id="r1", delta="Hello.")
    server.said("Hello.")
    await server.at(1.5)
    server.delta(tone(0.4))
    server.done()


def test_order_follows_the_sound_not_the_text(tmp_path: Path) -> None:
    turn_taking = PLAIN.model_copy(update={"opening_wait": 5.0})
    rig = call(tmp_path / "c", ScriptedServer(text_before_sound).line(), turn_taking=turn_taking, max_duration=4.0)
    assert spans(rig.recording.agent) == [(1.5, 1.9)]
    assert rig.lines()[0][0] > 2.8  # after the sound, a second of silence


async def beta(server: ScriptedServer) -> None:
    await server.at(1.0)
    server.emit("response.audio_transcript.delta", delta="Hi")
    server.emit("response.audio.delta", delta="AAAA")


def test_an_agent_that_speaks_the_retired_beta_fails_the_call_by_the_names_it_used(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(beta).line())
    assert rig.manifest.end_reason == "line_lost"
    assert "response.audio_transcript.delta (now response.output_audio_transcript.delta)" in rig.manifest.end_detail
    assert "response.audio.delta (now response.output_audio.delta)" in rig.manifest.end_detail


async def session_limit(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.delta(tone(1.0))
    server.done()
    await server.at(2.0)
    problem = {"code": "session_expired", "message": "Your session hit the maximum duration of 60 minutes."}
    server.emit("error", error=problem)
    server.close_now(1001, "session expired")


def test_a_session_that_expires_is_a_lost_line_with_the_servers_reason(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(session_limit).line())
    assert rig.manifest.end_reason == "line_lost"
    assert "closed with code 1001: session expired" in rig.manifest.end_detail
    assert "maximum duration of 60 minutes" in rig.manifest.end_detail
    assert spans(rig.recording.agent) == [(0.5, 1.5)]
    assert rig.recording.duration == pytest.approx(2.02, abs=0.03)


async def says_goodbye(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.delta(tone(4.0))
    server.done()
    server.close_now(1000)


def test_an_agent_that_hangs_up_early_is_heard_to_its_end(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(says_goodbye).line())
    assert rig.manifest.end_reason == "agent_hung_up"
    assert spans(rig.recording.agent) == [(0.5, 4.5)]
    assert rig.recording.duration == pytest.approx(4.52, abs=0.03)


async def vanishes_while_speaking(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.delta(tone(4.0))
    await server.at(2.0)
    server.close_now(1006, "the connection broke without a goodbye")


def test_a_lost_line_is_silent_at_once(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(vanishes_while_speaking).line())
    assert rig.manifest.end_reason == "line_lost"
    assert spans(rig.recording.agent) == [(0.5, 2.0)]
    assert of(Unheard, rig.recording.events) == [Unheard(t=2.0, text="", seconds=2.5, response_id="r1")]


async def hears_german(server: ScriptedServer) -> None:
    await server.at(1.1)
    server.emit("input_audio_buffer.speech_started", item_id="u1", audio_start_ms=900)
    await server.at(2.7)
    server.emit("input_audio_buffer.speech_stopped", item_id="u1", audio_end_ms=2700)
    await server.at(3.0)
    kind = "conversation.item.input_audio_transcription.completed"
    server.emit(kind, item_id="u1", content_index=0, transcript="Ich habe eine Erkältung.")


def test_the_callers_line_stays_what_was_said_whatever_the_agent_heard(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(hears_german).line(), max_duration=4.0)
    assert rig.lines()[0][1] == "I have a cold."
    heard = of(AgentHeard, rig.recording.events)
    assert heard == [AgentHeard(t=3.0, text="Ich habe eine Erkältung.", start=1.1, end=2.7)]


async def never_stops(server: ScriptedServer) -> None:
    await server.at(0.5)
    for _ in range(300):
        server.delta(tone(1.0))
    server.emit("rate_limits.updated")


def test_sound_too_far_ahead_is_refused_and_told_once(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(never_stops).line(), max_duration=130.0)
    # 120 of the 300 s sent at 0.5 s are heard.
    assert spans(rig.recording.agent) == [(0.5, 120.5)]
    warnings = [event.message for event in of(Warning_, rig.recording.events)]
    assert warnings == ["agent audio more than 120 s ahead of the call was refused"]


async def floods(server: ScriptedServer) -> None:
    await server.at(0.5)
    for number in range(50_000):
        server.emit("error", error={"message": f"{number:05d}" + "x" * 250})


def test_a_flood_of_messages_ends_the_call_and_fills_nothing(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(floods).line())
    assert rig.manifest.end_reason == "line_lost"
    assert rig.manifest.end_detail == "the agent sends more than 1,000 messages a second"
    assert (tmp_path / "c" / "events.jsonl").stat().st_size < 1_100_000


async def stops_reading(server: ScriptedServer) -> None:
    await server.at(3.0)
    server.reading = False


def test_an_agent_that_stops_reading_does_not_hold_up_the_call(tmp_path: Path) -> None:
    server = ScriptedServer(stops_reading)
    rig = call(tmp_path / "c", server.line(), max_duration=10.0)
    assert rig.recording.duration == 10.0
    assert any("takes nothing" in event.message for event in of(Warning_, rig.recording.events))
    assert server.closed


async def keeps_talking(server: ScriptedServer) -> None:
    await server.at(0.5)
    while True:
        server.delta(tone(0.02))
        await asyncio.sleep(0.02)


def test_sound_that_comes_after_the_recording_is_closed_does_no_harm(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedServer(keeps_talking).line(), max_duration=3.0)
    assert rig.manifest.end_reason == "max_duration"
    assert seconds(len(rig.recording.agent)) == 3.0
