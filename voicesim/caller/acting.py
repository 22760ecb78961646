"""Plays the scenes of a call: begins those whose moment has come, and takes their steps one after the other."""

from collections import deque
from collections.abc import Callable, Sequence

from voicesim.audio.samples import samples, seconds
from voicesim.caller.mind import PatientLine, Speaker
from voicesim.caller.scenes import Away, Records, Say, SceneMoment, Step, Takes, begins, steps_of
from voicesim.catalog.scene import Scene
from voicesim.recording.events import Event, SceneBegun


class Acting:
    """`log` takes the beginning of every scene."""

    def __init__(self, scenes: Sequence[Scene], language: str, log: Callable[[Event], None]) -> None:
        self._left = [(scene, steps_of(scene, language)) for scene in scenes]
        self._log, self._language = log, language
        self._steps: deque[Step] = deque()
        self._deaf_until = self._away_until = 0
        self.speaker: Speaker = "patient"
        """Who has the phone."""
        self.misheard: str | None = None
        """What the running turn is taken for; None for what it is."""
        self.records = False
        """Whether the patient turned out to be a machine that takes a message."""

    def stock(self) -> list[PatientLine]:
        """The lines of all scenes, which are voiced before the call."""
        return [step.line for _, steps in self._left for step in steps if isinstance(step, Say)]

    def look(self, now: int, turns: int, words: str) -> None:
        """Begin the scenes whose moment has come; called once a tick. `now` is a sample of the call."""
        moment = SceneMoment(seconds(now), turns, words)
        for scene, steps in [(scene, steps) for scene, steps in self._left if begins(scene, moment, self._language)]:
            self._left.remove((scene, steps))
            self._log(SceneBegun(t=seconds(now), what=scene.what))
            self._steps.extend(steps)
            self._deaf_until = now + samples(scene.drop) if scene.drop is not None else self._deaf_until
            self.misheard = scene.mishears if scene.mishears is not None else self.misheard

    @property
    def pending(self) -> bool:
        """Whether there are steps to take."""
        return bool(self._steps)

    def cut_off(self, now: int) -> bool:
        """Whether nothing passes the line, either way."""
        return now < self._deaf_until

    def away(self, now: int) -> bool:
        """Whether the patient is not at the phone."""
        return now < self._away_until

    def next_line(self, now: int) -> PatientLine | None:
        """Take steps up to the next line, which is to be said; None when the patient is away, or there is no more."""
        while self._steps and not self.away(now):
            match self._steps.popleft():
                case Say(line):
                    return line
                case Away(length):
                    self._away_until = now + samples(length)
                case Takes(speaker):
                    self.speaker = speaker
                case Records():
                    self.records = True
        return None
