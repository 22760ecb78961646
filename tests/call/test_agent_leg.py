"""Calls in which the patient hears the agent through a chain of effects of its own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rig import AnsweringAgent, ScriptedAgent, call, spans

from voicesim.audio.samples import RATE, TICK, Pcm, to_wave
from voicesim.catalog.model import AudioProfile


class Buzzing(ScriptedAgent):
    """Sounds a square wave of 1 kHz instead of a steady value, which no loudspeaker can play."""

    def tick(self, caller: Pcm) -> Pcm | None:
        block = super().tick(caller)
        return None if block is None else np.where(np.arange(TICK) // 12 % 2, block, -block).astype(np.int16)


def profile(*agent_leg: dict[str, Any], chain: tuple[dict[str, Any], ...] = ()) -> AudioProfile:
    return AudioProfile.model_validate({"id": "p", "title": "p", "chain": chain, "agent_leg": agent_leg})


def test_what_filters_take_is_taken_out_of_the_agents_times(tmp_path: Path) -> None:
    clean = call(tmp_path / "a", ScriptedAgent([(3.0, 4.0)])).recording
    heard = call(tmp_path / "b", ScriptedAgent([(3.0, 4.0)]), profile=profile({"codec": "mulaw"})).recording
    assert spans(clean.agent)[0] == (3.0, 4.0)
    # A step becomes a ramp around its place: half its height is where it was, to the sample.
    loud = np.flatnonzero(heard.agent > clean.agent.max() / 2)
    assert abs(loud[0] - 3 * RATE) <= 1
    assert abs(loud[-1] + 1 - 4 * RATE) <= 1
    assert not np.array_equal(clean.agent, heard.agent)
    assert len(heard.agent) == len(heard.caller) == len(heard.clean)


def test_a_delay_that_was_asked_for_is_heard(tmp_path: Path) -> None:
    recording = call(tmp_path / "c", ScriptedAgent([(3.0, 4.0)]), profile=profile({"delay": 300})).recording
    assert spans(recording.agent)[0] == (3.3, 4.3)


def test_the_patient_waits_for_what_it_hears_not_for_what_was_sent(tmp_path: Path) -> None:
    """The agent answers 0.8 s after the opening; with 500 ms on its leg the patient's next line is 500 ms later."""
    plain = call(tmp_path / "a", AnsweringAgent(0.8), heard=["How long?"])
    late = call(tmp_path / "b", AnsweringAgent(0.8), heard=["How long?"], profile=profile({"delay": 500}))
    assert late.lines()[1][0] - plain.lines()[1][0] == pytest.approx(0.5, abs=0.1)


def test_effects_of_the_agents_leg_are_events_of_that_leg_on_the_call_clock(tmp_path: Path) -> None:
    leg = profile({"loss": {"rate": 0.2}}, chain=({"loss": {"rate": 0.1}},))
    recording = call(tmp_path / "c", ScriptedAgent([(3.0, 9.0)]), profile=leg).recording
    effects = [event for event in recording.events if event.type == "effect" and event.kind == "lost"]
    ticks = len(recording.agent) / TICK
    count = {name: sum(event.leg == name for event in effects) for name in ("caller", "agent")}
    assert 0.1 < count["agent"] / ticks < 0.3
    assert 0.05 < count["caller"] / ticks < 0.2
    # A packet lost while the agent spoke, after one that came, begins as its repetition: the tick is not as sent.
    at = next(event.t for event in effects if event.leg == "agent" and 4.0 < event.t < 8.0)
    assert round(at * RATE) % TICK == 0


def test_the_agents_own_voice_comes_back_as_echo(tmp_path: Path) -> None:
    echo = profile(chain=({"echo": {"loss_db": 20, "delay_ms": 100}},))
    recording = call(tmp_path / "c", Buzzing([(3.0, 4.0)]), profile=echo).recording
    plain = call(tmp_path / "d", Buzzing([(3.0, 4.0)])).recording
    # The patient hears the agent 60 ms after it arrived, and the microphone picks that up 100 ms later.
    start, end = round(3.2 * RATE), round(4.1 * RATE)
    assert np.abs(to_wave(recording.caller[start:end])).max() > 0.001
    assert np.abs(to_wave(plain.caller[start:end])).max() == 0.0


def test_the_same_call_twice_is_the_same_bytes(tmp_path: Path) -> None:
    noisy = profile({"loss": {"rate": 0.2}}, {"background": {"kind": "pink", "snr_db": 15}})
    first, again = (
        call(tmp_path / name, AnsweringAgent(0.8), profile=noisy).recording.agent.tobytes() for name in ("a", "b")
    )
    assert first == again
