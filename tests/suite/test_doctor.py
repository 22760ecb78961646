"""The doctor on exact time: what it measures, what it says is missing, and when the agent is not well."""

import numpy as np

from voicesim.audio.samples import RATE, TICK, Pcm, samples
from voicesim.call.virtual import run_virtual
from voicesim.catalog.agent_file import AgentFile
from voicesim.errors import TransportError
from voicesim.recording.events import AgentSaid, Usage
from voicesim.suite.doctor import Examination, examine
from voicesim.transports.base import ConnectionStats
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.inprocess import InProcess

SETTINGS = AgentFile(agent="python:x:y")
SPEECH: Pcm = np.full(2 * RATE, 5000, np.int16)


class Agent:
    """Greets from 0.5 to 1.5 s and answers `delay` seconds after the caller's last sound; or is mute."""

    def __init__(self, delay: float | None = 0.7, hang_up: float | None = None) -> None:
        self._delay, self._hang_up = delay, hang_up
        self._now = 0
        self._last = 0

    def tick(self, caller: Pcm) -> Pcm | None:
        if self._hang_up is not None and self._now >= samples(self._hang_up):
            return None
        sounding = np.flatnonzero(caller)
        if len(sounding):
            self._last = self._now + int(sounding[-1]) + 1
        n = np.arange(self._now, self._now + TICK)
        self._now += TICK
        if self._delay is None:
            return np.zeros(TICK, np.int16)
        loud = (n >= samples(0.5)) & (n < samples(1.5))
        if self._last:
            first = self._last + samples(self._delay)
            loud |= (n >= first) & (n < first + RATE)
        return np.where(loud, 8000, 0).astype(np.int16)


def examined(agent: Agent) -> Examination:
    return run_virtual(examine("mine", InProcess(agent), SETTINGS, SPEECH))


def test_first_sound_and_answer_are_measured_to_the_sample() -> None:
    found = examined(Agent(0.7))
    assert found.well
    assert (found.first_sound, found.answer) == (0.5, 0.7)
    assert found.stats == ConnectionStats(codec="none (in process)", wire_rate=RATE)


def test_what_the_agent_does_not_tell_is_missing() -> None:
    missing = " ".join(examined(Agent()).missing)
    for one in ("transcript", "usage", "tool calls"):
        assert one in missing
    assert "an answer" not in missing


def test_an_agent_that_is_never_heard_is_not_well() -> None:
    found = examined(Agent(delay=None))
    assert not found.well
    assert found.problem == "the agent was not heard"
    assert (found.first_sound, found.answer) == (None, None)
    assert "an answer to what was said" in found.missing


def test_an_agent_that_hangs_up_before_it_answers_is_not_well() -> None:
    found = examined(Agent(hang_up=2.0))
    assert found.problem == "the call ended early: the agent hung up"


class Telling(InProcess):
    """A line that also tells of itself."""

    async def open(self, inbox: BoundedInbox) -> None:
        await super().open(inbox)
        inbox.event(AgentSaid(t=0.0, text="Hello."))
        inbox.event(Usage(t=0.0, response_id="r", usage={}))
        inbox.event(Usage(t=0.0, response_id="s", usage={}))


def test_events_are_counted_and_usage_without_prices_is_named() -> None:
    found = run_virtual(examine("mine", Telling(Agent()), SETTINGS, SPEECH))
    assert found.events == {"agent_said": 1, "usage": 2}
    assert found.missing[0] == "prices in an agent file: the cost will be unknown"


class Nobody(InProcess):
    async def open(self, inbox: BoundedInbox) -> None:
        raise TransportError("no agent answers at that address")


def test_a_line_that_cannot_be_opened_is_a_finding() -> None:
    found = run_virtual(examine("mine", Nobody(Agent()), SETTINGS, SPEECH))
    assert (found.well, found.problem, found.setup) == (False, "no agent answers at that address", None)


class Gone(InProcess):
    """A line that cannot be asked any more once the agent has left."""

    async def stats(self) -> ConnectionStats:
        raise TransportError("the agent is gone")


def test_an_agent_that_answers_and_hangs_up_is_well() -> None:
    found = run_virtual(examine("mine", Gone(Agent(hang_up=5.9)), SETTINGS, SPEECH))
    assert (found.well, found.answer, found.stats) == (True, 0.7, None)
