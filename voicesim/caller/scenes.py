"""What happens once in a call besides talking: each scene of a case or profile, as steps that the patient takes."""

from dataclasses import dataclass, replace

from voicesim.caller.mind import Part, PatientLine, Speaker
from voicesim.caller.phrases import phrases_of
from voicesim.caller.sounds import KEYS
from voicesim.catalog.scene import Scene
from voicesim.language.cues import cue_in

MESSAGE_PAUSE = 2.5
"""Seconds of silence after which an agent's message to a machine is over, ..."""
LONGEST_MESSAGE = 30.0
"""... and how long the machine records at most."""


@dataclass(frozen=True)
class Say:
    """A line, to its end."""

    line: PatientLine


@dataclass(frozen=True)
class Away:
    """So many seconds in which the patient hears nothing and says nothing."""

    seconds: float


@dataclass(frozen=True)
class Takes:
    """Who speaks from now on."""

    speaker: Speaker


@dataclass(frozen=True)
class Records:
    """A machine takes a message, and hangs up."""


Step = Say | Away | Takes | Records


@dataclass(frozen=True)
class SceneMoment:
    """What decides whether a scene begins: seconds of the call, the agent's turns answered, words just understood."""

    now: float
    turns: int
    words: str


def begins(scene: Scene, moment: SceneMoment, language: str = "en") -> bool:
    """Whether a scene's moment has come."""
    if scene.at is not None:
        return moment.now >= scene.at
    if scene.after_turn is not None:
        return moment.turns >= scene.after_turn
    return any(cue_in(cue, moment.words, language) for cue in scene.on_word)


def steps_of(scene: Scene, language: str = "en") -> tuple[Step, ...]:
    """What the patient does in a scene, one after the other; nothing for what happens to the line alone."""
    phrases = phrases_of(language)
    if scene.hold is not None:
        return Say(_line(phrases["hold"])), Away(scene.hold), Say(_line(phrases["back"]))
    if scene.hand_over is not None:
        greeting = replace(_line(scene.hand_over.greets), parts=(Part(scene.hand_over.greets, speaker="other"),))
        return Say(_line(scene.hand_over.says)), Away(1.0), Takes("other"), Say(greeting)
    if scene.sound is not None:
        return (Say(_aside(f"({scene.sound})", Part(sound=scene.sound, aside=scene.sound == "knock"))),)
    if scene.side_talk is not None:
        return (Say(_side_talk(*scene.side_talk)),)
    if scene.keys is not None:
        return (Say(replace(_line(f"(presses {scene.keys})"), parts=(Part(sound=KEYS + scene.keys),))),)
    if scene.voicemail is not None:
        parts = (Part(scene.voicemail), Part(sound="beep", pause=0.5))
        return Say(replace(_line(scene.voicemail), parts=parts)), Records()
    return ()


def _line(text: str) -> PatientLine:
    return PatientLine(text, kind="scene")


def _aside(text: str, *parts: Part) -> PatientLine:
    return PatientLine(text, intent="ignore", kind="scene", parts=parts)


def _side_talk(other: str, own: str) -> PatientLine:
    return _aside(f"{other} {own}", Part(other, speaker="other", aside=True), Part(own, pause=0.3, aside=True))
