"""One call from the first ring to a finished recording."""

import asyncio
import gc
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np

from voicesim.audio.samples import TICK, TICK_SECONDS, Quantized, Wave, quantize, samples, seconds, to_wave
from voicesim.call.agent_leg import AgentLeg
from voicesim.call.clock import LATE, CallClock, Pacer
from voicesim.call.hanging_up import hang_up
from voicesim.call.inbox import CallInbox, End
from voicesim.call.loop import exits_told
from voicesim.call.priority import pacing_first
from voicesim.call.recorder import Recorder
from voicesim.call.replaying import RecordedLine
from voicesim.call.timeline import Timeline
from voicesim.call.utterance_edges import UtteranceEdges
from voicesim.caller.clocked_patient import ClockedPatient
from voicesim.caller.mind import MindError
from voicesim.caller.patient import SimulatedPatient
from voicesim.caller.speaking_person import SpeakingPerson
from voicesim.channel.channel import Channel
from voicesim.channel.effect import Happened
from voicesim.errors import SpeechError, WriteError
from voicesim.recording.events import Connected, Effect, Hangup, Late, Warning_
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Lateness, Manifest, Validity
from voicesim.redact import redact
from voicesim.transports.base import SendsAhead, Transport
from voicesim.transports.bounded_inbox import BoundedInbox

T = TypeVar("T")

LATE_LIMIT = 0.020
"""Validity: the 99th percentile of tick lateness (seconds) above which the harness spoiled the call."""
HELD_SHARE = 0.01
"""Share of a call for which the agent must have held up the loop to be the reason for late ticks: as many of them as
may be late."""
EXCESS_LIMIT = 5.0
"""Seconds by which a reply of the patient may exceed the silence that its persona leaves; an agent that is kept
waiting longer asks again, or takes the caller for gone."""
BY_HAND = "played_by_hand"
"""Validity: the reason of a call whose patient was a person at the terminal."""
EAR_DELAY = 2 * TICK
"""Samples the ear stays behind the line, so that a packet a little late is still heard in its place."""
STOP_LIMIT = 5.0
"""Seconds that hanging up may take, whatever the agent does and however often the call is cancelled."""


@dataclass(frozen=True)
class Ready:
    """A tick of the caller that waits for its deadline: the clean voice, and what leaves the channel."""

    clean: Wave
    sent: Quantized
    happened: tuple[Happened, ...] = ()


class LiveCall:
    """Everything of one call that lives while it lasts."""

    def __init__(
        self,
        *,
        transport: Transport,
        channel: Channel | RecordedLine,
        agent_leg: AgentLeg | None = None,
        clock: CallClock,
        timeline: Timeline,
        inbox: CallInbox,
        patient: SimulatedPatient | ClockedPatient | SpeakingPerson,
        max_duration: float,
        by_hand: bool = False,
    ) -> None:
        """`by_hand`: a person types the patient's lines, so that nothing about it may be averaged."""
        self._transport, self._channel, self._clock = transport, channel, clock
        self._timeline, self._inbox, self._patient = timeline, inbox, patient
        self._max_ticks = round(max_duration / TICK_SECONDS)
        self._ear_delay = EAR_DELAY + samples(transport.receive_delay)
        self._leg = agent_leg
        # What the agent's leg takes to do its work is waited for in whole ticks.
        self._leg_delay = -(-agent_leg.behind // TICK) * TICK if agent_leg else 0
        self._pacer = Pacer(clock)
        self._bounded = BoundedInbox(inbox)
        self._edges = UtteranceEdges(transport, channel.delay)
        self._by_hand = by_hand

    async def run(self, live: LiveRecording) -> Manifest:
        """Connect, talk, hang up, and make the recording whole.

        Raises TransportError when no call came about (nothing is left on disk then), and WriteError when the
        recording could not be written (what was written stays loadable). Cancelling hangs up as the caller.
        """
        # The folder first: what is wrong with it is known before the agent is called.
        with live, exits_told(self._agent_left):
            await _or_discard(live, self._patient.prepare())
            with _collector_at_rest():
                set_up = await _or_discard(live, self._connect())
                return await self._run(live, set_up)

    def _agent_left(self, error: SystemExit) -> None:
        """A task that the agent began in our process wants to end it."""
        self._inbox.ended("line", f"a task of the agent's ended with SystemExit: {error}")

    async def _connect(self) -> float:
        """Open the transport; returns how many seconds it took."""
        begun = asyncio.get_running_loop().time()
        await self._transport.open(self._bounded)
        return asyncio.get_running_loop().time() - begun

    async def _run(self, live: LiveRecording, set_up: float) -> Manifest:
        stopped = False
        try:
            recorder = Recorder(live, self._timeline, self._channel.delay, self._leg is not None)
            self._inbox.start(recorder)
            self._inbox.event(Connected(t=0.0, setup_seconds=round(set_up, 4), line=self._transport.name))
            try:
                with _going_first():
                    end = await self._talk(recorder)
            except (asyncio.CancelledError, KeyboardInterrupt):
                stopped, end = True, End("caller_hung_up", "caller", "stopped by the user", "stopped")
            if isinstance(self._transport, SendsAhead):
                self._transport.stop()
            manifest = self._close(live, recorder, end, set_up)
        finally:
            self._inbox.stop()
            over = await hang_up(self._hang_up(), STOP_LIMIT)
        if over.problem:
            message = redact(f"the agent's end did not close: {over.problem}")
            live.event(Warning_(t=manifest.duration or 0.0, message=message))
        if stopped or over.cancelled:
            raise asyncio.CancelledError
        return manifest

    async def _hang_up(self) -> None:
        await self._patient.close()
        await self._transport.close()

    async def _talk(self, recorder: Recorder) -> End:
        """The ticks of the call, until somebody ends it; every fault becomes an end with its cause.

        At its deadline a tick is only sent. What takes time is done in the middle between two deadlines.
        """
        try:
            ready = self._prepare(recorder, 0)
            async for tick in self._pacer.ticks():
                self._edges.before_sending()
                self._transport.send(ready.sent.pcm)
                self._edges.after_sending()
                await self._pacer.middle()
                self._record(recorder, ready)
                if (end := self._end_of(tick)) is not None:
                    return end
                ready = self._prepare(recorder, tick * TICK)
        except MindError as error:
            return End("harness_error", "harness", str(error), error.reason)
        except SpeechError as error:
            return End("harness_error", "harness", str(error), "tts_failed")
        except WriteError:
            raise
        except Exception as error:  # noqa: BLE001  (the call must end as invalid with its cause, whatever it was)
            return End("harness_error", "harness", f"{type(error).__name__}: {error}", "harness_error")
        raise AssertionError("the pacer never ends")

    def _prepare(self, recorder: Recorder, now: int) -> Ready:
        """The caller's next tick, by what its ear has heard at a sample of the call."""
        end = now - self._ear_delay - self._leg_delay
        self._hear(recorder, now - self._ear_delay)
        track = self._leg or self._timeline
        heard = track.read(end - TICK, end) if end > 0 else np.zeros(0, np.int16)
        clean = self._patient.tick(heard)
        self._edges.add(self._patient.starts, self._patient.stops)
        passed = self._channel.process(clean, to_wave(heard) if len(heard) else None)
        return Ready(clean, quantize(passed.wave), passed.happened)

    def _hear(self, recorder: Recorder, limit: int) -> None:
        """Let the agent's sound through its leg, up to a sample, and record what the patient hears of it."""
        if self._leg is None:
            return
        for heard in self._leg.advance(limit):
            recorder.heard(heard.start, heard.pcm)
            self._log_effects(heard.happened, "agent", seconds(heard.start))

    def _record(self, recorder: Recorder, ready: Ready) -> None:
        recorder.tick(ready.clean, ready.sent.pcm)
        if self._pacer.late > LATE:
            self._inbox.event(Late(t=self._clock.now(), what="tick", seconds=round(self._pacer.late, 4)))
        self._log_effects(ready.happened, "caller", self._clock.now())
        if ready.sent.clipped:
            self._log_effects((Happened("clipped", ready.sent.clipped),), "caller", self._clock.now())

    def _log_effects(self, happened: tuple[Happened, ...], leg: Literal["caller", "agent"], tick: float) -> None:
        for effect in happened:
            at = round(tick + seconds(effect.at), 4)
            self._inbox.event(Effect(t=at, kind=effect.kind, amount=effect.amount, leg=leg))

    def _end_of(self, tick: int) -> End | None:
        if (end := self._inbox.end) is not None:
            # An agent that hangs up on a goodbye, before the patient does, has completed the call as well.
            done = end.reason == "agent_hung_up" and self._patient.said_goodbye
            return replace(end, reason="completed") if done else end
        if (ending := self._patient.ending) is not None:
            silenced = ending.reason == "agent_silent" and self._bounded.failure
            return End(ending.reason, "caller", f"{ending.detail}; {silenced}" if silenced else ending.detail)
        if tick + 1 >= self._max_ticks:
            return End("max_duration", "caller", f"{self._max_ticks * TICK_SECONDS:g} s")
        return None

    def _close(self, live: LiveRecording, recorder: Recorder, end: End, set_up: float) -> Manifest:
        lateness = self._pacer.lateness()
        work = self._bounded.work
        held_up = lateness.p99 > LATE_LIMIT and work.held > HELD_SHARE * lateness.ticks * TICK_SECONDS
        if held_up and end.reason not in ("line_lost", "harness_error"):
            work_held = f"{work.held:.1f} s of work, up to {work.longest:.2f} s at a time"
            end = End("line_lost", "agent", f"what the agent sent held up the call: {work_held}")
        excess = None if self._by_hand else 0.0 if held_up else self._patient.slowest
        validity = _validity(end, lateness, excess, excused=held_up)
        if recorder.clipped:
            live.event(Warning_(t=self._clock.now(), message=f"{recorder.clipped} clean samples clipped"))
        live.event(Hangup(t=self._clock.now(), by=end.by, reason=end.reason, detail=redact(end.detail)))

        def update(manifest: Manifest, duration: float) -> Manifest:
            return manifest.model_copy(
                update={
                    "setup_seconds": round(set_up, 4),
                    "duration": duration,
                    "end_reason": end.reason,
                    "end_detail": redact(end.detail),
                    "validity": validity,
                    "lateness": lateness,
                    "drift_ppm": self._timeline.transit.drift_ppm(),
                }
            )

        return live.finish(update)


async def _or_discard(live: LiveRecording, step: Awaitable[T]) -> T:
    """A step before the call: when it fails, nothing of the call is left on disk."""
    try:
        return await step
    except BaseException:
        live.discard()
        raise


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector away from what is loaded already: a full sweep of it takes several ticks."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _going_first() -> Iterator[None]:
    """Keep time before all other work of the machine; on virtual time there is none to keep."""
    if not getattr(asyncio.get_running_loop(), "real_time", True):
        yield
        return
    with pacing_first():
        yield


def _validity(end: End, lateness: Lateness, excess: float | None, *, excused: bool) -> Validity:
    """`excess` is the slowest reply beyond its silence in seconds; None where a person typed the replies.

    `excused`: the agent is the reason why ticks were late.
    """
    if end.invalid:
        return Validity(valid=False, reason=end.invalid, detail=redact(end.detail))
    if lateness.p99 > LATE_LIMIT and not excused:
        detail = f"99 % of ticks were up to {lateness.p99 * 1000:.0f} ms late; the limit is {LATE_LIMIT * 1000:.0f} ms"
        return Validity(valid=False, reason="late_harness", detail=detail)
    if excess is None:
        return Validity(valid=False, reason=BY_HAND, detail="a person played the patient; never averaged")
    if excess > EXCESS_LIMIT:
        detail = f"the patient answered {excess:.1f} s later than its persona does; the limit is {EXCESS_LIMIT:g} s"
        return Validity(valid=False, reason="late_harness", detail=detail)
    return Validity(valid=True)
