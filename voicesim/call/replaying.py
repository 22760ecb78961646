"""The parts of a call in which a recorded patient calls again."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from voicesim.audio.samples import Wave, samples
from voicesim.call.agent_leg import Track
from voicesim.caller.clocked_patient import ClockedPatient
from voicesim.caller.ear import Ear
from voicesim.caller.meaning import FitByMeaning
from voicesim.caller.mind import Mind
from voicesim.caller.patient import SimulatedPatient
from voicesim.caller.recorded import Replay, ReplayMind, ReplayWorkers, wave_of
from voicesim.caller.workers import Workers
from voicesim.catalog.model import Case
from voicesim.channel.channel import Channel, Passed
from voicesim.channel.effect import Happened
from voicesim.recording.events import Event
from voicesim.recording.manifest import Replayed


@dataclass(frozen=True)
class Replaying:
    """What a replay puts in the place of a call's own parts."""

    replay: Replay
    mind: ReplayMind
    live: Mind

    @property
    def acting(self) -> Mind:
        """The mind of the patient that is there for turns, or for what comes after handing over."""
        return self.mind if self.replay.mode == "turns" else self.live

    @property
    def opening(self) -> str:
        """The text of the recorded opening line."""
        return self.replay.turns[0].event.text

    @property
    def voice(self) -> Wave:
        """The recorded opening line, against which noise is set."""
        return self.replay.sound_of(self.replay.turns[0].event)

    def workers(self, make: Callable[[Track], Workers]) -> Callable[[Track], Workers]:
        """Workers that give recorded lines their recorded sound."""
        return lambda track: ReplayWorkers(self.replay, make(track))

    def patient(
        self, live: SimulatedPatient, ear: Ear, workers: Workers, log: Callable[[Event], None], delay: int
    ) -> SimulatedPatient | ClockedPatient:
        """Who calls: the live patient's turn-taking with recorded lines, or the recorded clock."""
        if self.replay.mode == "turns":
            return live
        return ClockedPatient(self.replay, self.mind, ear, workers.hear, live, log, delay)

    def channel(self, own: Channel, patient: SimulatedPatient | ClockedPatient) -> "Channel | RecordedLine":
        """The line: byte by byte the recorded one where that was asked for."""
        if self.replay.mode != "exact" or not isinstance(patient, ClockedPatient):
            return own
        return RecordedLine(self.replay, own, patient)


def replaying(replay: Replay, case: Case, live: Mind) -> Replaying:
    """The parts of a replay; `live` is the mind that goes on where it hands over.

    Raises UsageError when the model that tells divergence is not there or lacks its key.
    """
    judge = FitByMeaning(replay.meaning, case) if replay.meaning else None
    return Replaying(replay, ReplayMind(replay, case, live, judge), live)


def kept_of(replay: Replay) -> Replayed:
    """What the manifest keeps of a replay."""
    return Replayed(call_id=replay.call_id, mode=replay.mode, on_divergence=replay.on_divergence, sound=replay.sound)


class RecordedLine:
    """A channel out of which comes what the recorded line delivered, until a live patient has the phone."""

    def __init__(self, replay: Replay, own: Channel, patient: ClockedPatient) -> None:
        self._sent, self._own, self._patient = wave_of(replay.sent), own, patient
        self._effects = [effect for effect in replay.effects if effect.leg == "caller" and effect.kind != "line_cut"]
        self._at = 0
        self.delay = own.delay

    def process(self, clean: Wave, far: Wave | None = None) -> Passed:
        """See Channel.process."""
        start, stop = self._at, self._at + len(clean)
        self._at = stop
        if self._patient.handed_over:
            return self._own.process(clean, far)
        happened = tuple(
            Happened(effect.kind, effect.amount, samples(effect.t) - start)
            for effect in self._effects
            if start <= samples(effect.t) < stop
        )
        block = self._sent[start:stop]
        return Passed(np.pad(block, (0, len(clean) - len(block))).astype(np.float32), happened)
