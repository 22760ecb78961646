"""Events that a case or profile sets for one moment of a call, on exact time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from rig import AnsweringAgent, Rig, ScriptedAgent, ToneWorkers, spans

from voicesim.audio.samples import RATE, samples
from voicesim.caller.mind import PatientLine
from voicesim.catalog.scene import Scene
from voicesim.recording.events import CallerLine, SceneBegun
from voicesim.recording.read import open_recording
from voicesim.testing import ScriptedMind, make_call, run_virtual
from voicesim.transports.inprocess import InProcessAgent

LINE = PatientLine("One two three.")


def play(folder: Path, agent: InProcessAgent, *scenes: dict[str, Any], heard: tuple[str, ...] = ("Go on.",)) -> Rig:
    """A call in which the given scenes happen."""
    mind, workers = ScriptedMind([LINE] * 4), ToneWorkers(heard)
    made = make_call(
        folder,
        agent,
        mind=mind,
        workers=workers,
        scenes=tuple(Scene.model_validate(scene) for scene in scenes),
        max_duration=40.0,
    )
    manifest = run_virtual(made)
    return Rig(open_recording(folder), manifest, mind, workers)


def begun(rig: Rig) -> list[tuple[str, float]]:
    return [(event.what, round(event.t, 2)) for event in rig.recording.events if isinstance(event, SceneBegun)]


def said(rig: Rig) -> list[CallerLine]:
    return [event for event in rig.recording.events if isinstance(event, CallerLine)]


def test_on_hold_the_patient_is_away_and_comes_back(tmp_path: Path) -> None:
    agent = ScriptedAgent([(7.0, 8.0)])
    rig = play(tmp_path / "c", agent, {"at": 3.0, "hold": 10.0})
    assert begun(rig) == [("hold", 3.0)]
    away, back = [line for line in said(rig) if line.kind == "scene"]
    assert (away.t, away.text) == (3.0, "Could you hold on for a moment, please?")
    # Eight words of 0.3 s, and ten seconds; the agent, who speaks meanwhile, is not heard.
    assert back.t == pytest.approx(away.end + 10.0, abs=0.021)
    assert rig.workers.stretches == []


def test_a_relative_takes_the_phone_and_speaks_from_then_on(tmp_path: Path) -> None:
    scene = {"after_turn": 1, "hand_over": {"says": "Here is my son.", "greets": "Hello, I am her son."}}
    voices: list[tuple[str, str]] = []

    class Hearing(ToneWorkers):
        async def speak(self, line: PatientLine) -> Any:
            voices.extend((part.text, part.speaker) for part in line.parts)
            return await super().speak(line)

    mind = ScriptedMind([LINE] * 4)
    made = make_call(
        tmp_path / "c",
        AnsweringAgent(0.5),
        mind=mind,
        workers=Hearing(("Go on.",)),
        scenes=(Scene.model_validate(scene),),
        max_duration=20.0,
    )
    run_virtual(made)
    texts = [event.text for event in open_recording(tmp_path / "c").events if isinstance(event, CallerLine)]
    assert texts[1:4] == ["One two three.", "Here is my son.", "Hello, I am her son."]
    own, other = voices.index((LINE.text, "patient")), voices.index((LINE.text, "other"))
    assert own < other


def test_a_dropped_line_passes_nothing_either_way(tmp_path: Path) -> None:
    # The patient opens from 1.0 to 2.2; the line is dead from 1.5 to 3.5, and the agent speaks from 2.5 to 4.5.
    rig = play(tmp_path / "c", ScriptedAgent([(2.5, 4.5)]), {"at": 1.5, "drop": 2.0})
    assert spans(rig.recording.clean)[0] == (1.0, 1.5)
    assert spans(rig.recording.clean)[1][0] > 4.5
    # At 3.5 s the ear hears the tick from 3.44 on; an onset is taken to be 32 ms before its first window.
    assert rig.workers.stretches[0].start == samples(3.44 - 0.032)


def test_keys_are_tones_of_the_telephone(tmp_path: Path) -> None:
    rig = play(tmp_path / "c", ScriptedAgent([]), {"at": 3.0, "keys": "1#"})
    (line,) = [line for line in said(rig) if line.kind == "scene"]
    for place, tones in ((0.0, (697, 1209)), (0.2, (941, 1477))):
        first = samples(line.start + place + 0.01)
        sound = rig.recording.clean[first : first + samples(0.1)].astype(np.float64)
        power = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
        frequencies = np.fft.rfftfreq(len(sound), 1 / RATE)
        strongest = frequencies[np.argsort(power)[::-1][:6]]
        assert all(np.abs(strongest - tone).min() <= 10 for tone in tones)


@pytest.mark.parametrize(("taken", "asked"), [("", ""), ("Something else.", "Something else.")])
def test_what_is_misheard_is_what_the_mind_is_asked(tmp_path: Path, taken: str, asked: str) -> None:
    scene = {"on_word": ["metformin"], "mishears": taken}
    rig = play(tmp_path / "c", AnsweringAgent(0.5), scene, heard=("Go on.", "Take metformin.", "Go on."))
    assert rig.mind.asked[:3] == ["Go on.", asked, "Go on."]


def test_a_machine_answers_takes_a_message_and_hangs_up(tmp_path: Path) -> None:
    agent = ScriptedAgent([(6.0, 9.0)])
    rig = play(tmp_path / "c", agent, {"at": 0.0, "voicemail": "You have reached Andi. Leave a message."})
    assert [line.text for line in said(rig)] == ["You have reached Andi. Leave a message."]
    assert (rig.manifest.end_reason, rig.manifest.end_detail) == ("completed", "voicemail")
    # 2.5 s of silence after the message.
    assert rig.recording.duration == pytest.approx(11.5, abs=0.1)


def test_a_sound_beside_leaves_the_turn_to_the_agent(tmp_path: Path) -> None:
    rig = play(tmp_path / "c", ScriptedAgent([(3.0, 6.0)]), {"at": 4.0, "sound": "knock"})
    (knock,) = [line for line in said(rig) if line.kind == "scene"]
    assert (knock.t, knock.intent) == (4.0, "ignore")
    assert rig.mind.asked[0] == "Go on."


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"hold": 5.0}, "to say when happens; it has none"),
        ({"at": 1.0, "after_turn": 2, "hold": 5.0}, "at and after_turn"),
        ({"at": 1.0}, "to say what happens; it has none"),
        ({"at": 1.0, "hold": 5.0, "drop": 2.0}, "hold and drop"),
        ({"at": 1.0, "keys": "12a"}, "pattern"),
        ({"at": 1.0, "hold": 0.0}, "greater than 0"),
    ],
)
def test_a_scene_is_one_event_at_one_moment(written: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        Scene.model_validate(written)
