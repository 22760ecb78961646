"""The self-test on exact time: it passes where the measures are right, and fails where a transport is not."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from voicesim.audio.samples import TICK, Pcm, samples, to_pcm
from voicesim.cli.app import build
from voicesim.errors import UsageError
from voicesim.recording.manifest import Validity
from voicesim.selftest import timing
from voicesim.selftest.agent import Action, Kind, TimedAgent, Truth
from voicesim.selftest.call import make_call
from voicesim.selftest.measurements import Measurement, Measurements, measure_call
from voicesim.selftest.sound import even_speech
from voicesim.selftest.timing import Delay, Instant, Result, calibrated, chosen, examine, pair, script, too_busy
from voicesim.selftest.transports import TransportUnderTest, transports_under_test
from voicesim.testing import ScriptedAgent, run_virtual
from voicesim.transports.base import Transport
from voicesim.transports.inprocess import InProcess

COMMANDS = (("selftest", "voicesim.cli.selftest:app", ""), ("check", "voicesim.cli.check:check", ""))


class Slow:
    """An agent on a transport that holds its sound back by two ticks."""

    def __init__(self, agent: TimedAgent) -> None:
        self._agent = agent
        self._held: list[Pcm] = [np.zeros(TICK, np.int16)] * 2

    def tick(self, caller: Pcm) -> Pcm:
        self._held.append(self._agent.tick(caller))
        return self._held.pop(0)


@asynccontextmanager
async def slow(agent: TimedAgent) -> AsyncIterator[Transport]:
    yield InProcess(Slow(agent))


def test_a_transport_that_holds_sound_back_fails_and_passes_once_that_is_taken_out() -> None:
    late = examine(TransportUnderTest("slow", slow, "virtual", 0.005), 4)
    assert not late.passed
    # two ticks of 20 ms
    assert late.errors("latency") == pytest.approx([0.04] * len(late.errors("latency")), abs=0.001)
    stated = examine(TransportUnderTest("slow", slow, "virtual", 0.005, calibrated=True), 4)
    assert stated.passed
    assert stated.delay.onset == pytest.approx(0.04, abs=0.001)


def test_the_agent_does_what_its_script_says_to_the_sample() -> None:
    agent = TimedAgent([Action("latency", 0.3001), Action("cut_in", 0.5)])
    caller = np.concatenate(
        [to_pcm(even_speech(1.0)), np.zeros(samples(1.5), np.int16), to_pcm(even_speech(1.0)), np.zeros(TICK, np.int16)]
    )
    said = np.concatenate([agent.tick(caller[at : at + TICK]) for at in range(0, len(caller) - TICK + 1, TICK)])
    loud = np.flatnonzero(np.abs(caller.astype(np.int32)) > 300)
    last = loud[loud < samples(1.5)][-1] + 1
    first = loud[loud > samples(1.5)][0]
    sounding = np.flatnonzero(said)
    assert sounding[0] == pytest.approx(last + samples(0.3001), abs=3)  # the clip's own first samples may be 0
    assert sounding[sounding > samples(2.4)][0] == pytest.approx(first + samples(0.5), abs=3)
    assert agent.truths == [Truth("latency", samples(0.3001) / 24_000), Truth("cut_in", 0.5)]


def test_a_call_that_broke_off_says_why(tmp_path: Path) -> None:
    run_virtual(make_call(InProcess(ScriptedAgent(fail_at=3.0)), 4, tmp_path / "broken"))
    assert "the agent caught fire" in measure_call(tmp_path / "broken").broken_off
    assert measure_call(tmp_path / "broken").broken_off.startswith("line_lost: ")


def test_an_instant_that_was_not_measured_is_missed_and_never_passed() -> None:
    measured = Measurements(
        {"latency": [Measurement(0.4), Measurement(None)], "yield": [], "cut_in": []}, Validity(valid=True)
    )
    truths = [Truth("latency", 0.4), Truth("latency", 0.7), Truth("yield", 0.3)]
    found = pair(truths, measured)
    assert [one.measured for one in found] == [0.4, None, None]
    result = Result("x", 0.005, Delay(), found)
    assert (result.missed, result.passed) == (2, False)
    assert not Result("x", 0.005, Delay(), ()).passed
    assert not Result("x", 0.005, Delay(), found[:1], spoiled="late_harness").passed
    assert Result("x", 0.005, Delay(), found[:1]).passed


def test_an_instant_that_was_held_up_is_neither_missed_nor_judged() -> None:
    figures: dict[Kind, list[Measurement]] = {
        "latency": [Measurement(0.4), Measurement(None, True)],
        "yield": [],
        "cut_in": [],
    }
    measured = Measurements(figures, Validity(valid=True))
    found = pair([Truth("latency", 0.4), Truth("latency", 0.7)], measured)
    result = Result("x", 0.005, Delay(), found)
    assert (result.missed, result.harness_late, result.passed) == (0, 1, True)


@pytest.mark.parametrize(
    ("figures", "validity", "late", "told"),
    [
        ([Measurement(0.4)], Validity(valid=True), 0.004, ""),
        (
            [Measurement(0.4)],
            Validity(valid=True),
            0.006,
            "late_harness: one tick in a hundred was 6.0 ms late or more",
        ),
        ([Measurement(None, True)], Validity(valid=True), 0.004, "late_harness: every figure was held up"),
        ([Measurement(0.4)], Validity(valid=False, reason="tts_failed", detail="x"), 0.0, "tts_failed: x"),
    ],
)
def test_a_call_of_a_machine_that_was_too_busy_shows_nothing(
    figures: list[Measurement], validity: Validity, late: float, told: str
) -> None:
    assert too_busy(Measurements({"latency": figures}, validity, late), 0.005) == told


def test_onsets_and_ends_are_calibrated_apart() -> None:
    found = (
        Instant("latency", 0.4, 0.49),
        Instant("cut_in", 0.5, 0.591),
        Instant("latency", 0.4, 0.492),
        Instant("yield", 0.3, 0.4),
    )
    # medians of 0.09, 0.091, 0.092 and of 0.1
    assert calibrated(found) == Delay(onset=0.091, end=0.1)
    assert calibrated(()) == Delay()


def test_a_script_holds_every_kind_and_grows_with_the_turns() -> None:
    assert [one.kind for one in script(5)] == ["latency", "latency", "yield", "cut_in", "latency"]


def test_an_unknown_transport_is_refused_with_the_near_names() -> None:
    with pytest.raises(UsageError, match="Did you mean smallwebrtc"):
        chosen(["smallwebrt"])
    assert [one.name for one in chosen([])] == [one.name for one in transports_under_test()]


@pytest.mark.parametrize(("limit", "spoiled", "code"), [(0.005, "", 0), (0.0, "", 1), (0.005, "late_harness: x", 3)])
def test_the_command_prints_errors_and_ends_by_them(
    monkeypatch: pytest.MonkeyPatch, limit: float, spoiled: str, code: int
) -> None:
    found = (Instant("latency", 0.4, 0.401), Instant("yield", 0.3, 0.302))
    monkeypatch.setattr(
        timing, "examine", lambda transport, turns: Result(transport.name, limit, Delay(), found, spoiled)
    )
    done = CliRunner().invoke(build(COMMANDS), ["selftest", "timing", "--transport", "virtual", "--each"])
    assert done.exit_code == code
    assert "402" not in done.stdout
    assert "+1.0" in done.stdout


@pytest.mark.parametrize("name", ["virtual", "openai+ws", "pcm", "twilio"])
def test_the_same_agent_is_as_quick_behind_every_transport_on_exact_time(name: str) -> None:
    (transport,) = chosen([name])
    result = examine(replace(transport, clock="virtual"), 4)
    assert (result.spoiled, result.missed) == ("", 0)
    assert {one.kind for one in result.instants} == {"latency", "yield", "cut_in"}
    assert max(abs(one) for one in result.errors()) < 0.001
    # Even with what is constant: mu-law's filters, 1.8 ms each, are passed twice on either way.
    assert result.delay.onset == pytest.approx(0.0072 if name == "twilio" else 0.0, abs=0.001)


@pytest.mark.live
@pytest.mark.parametrize(("name", "turns"), [("in-process", 2), ("smallwebrtc", 4), ("openai", 4)])
def test_the_same_agent_is_as_quick_behind_a_transport_of_this_machine_or_it_cannot_tell(name: str, turns: int) -> None:
    (transport,) = chosen([name])
    result = examine(transport, turns)
    if not result.spoiled:
        assert result.missed == 0
        # How exact is for the self-test itself, on a machine that does nothing else.
        assert max(abs(one) for one in result.errors()) < 0.02
