"""What the patient says while the agent speaks, on exact time: when it comes, and what comes of the call then."""

from pathlib import Path

import numpy as np
import pytest
from rig import PLAIN, Rig, ScriptedAgent, ToneWorkers, call, spans

from voicesim.audio.samples import samples
from voicesim.caller.mind import PatientLine
from voicesim.recording.events import CallerLine, LineKind

ANSWER = PatientLine("One two three.")


def lines_of(rig: Rig, kind: LineKind) -> list[CallerLine]:
    return [event for event in rig.recording.events if isinstance(event, CallerLine) and event.kind == kind]


def talk(folder: Path, agent: ScriptedAgent, *heard: str, **numbers: float) -> Rig:
    """A call with an agent that says the given words, one for each of its stretches."""
    turn_taking = PLAIN.model_copy(update=numbers)
    return call(folder, agent, heard=heard, lines=[ANSWER] * 5, turn_taking=turn_taking, max_duration=30.0)


def test_a_backchannel_comes_as_the_agent_goes_on_behind_a_phrase(tmp_path: Path) -> None:
    # The patient opens at 1.0. Phrases of 3 s with pauses of 0.4 s; after the last one the turn is over.
    agent = ScriptedAgent([(3.0, 6.0), (6.4, 9.4), (9.8, 12.8)])
    rig = talk(tmp_path / "c", agent, "A phrase.", backchannel=1.0)
    found = lines_of(rig, "backchannel")
    # Two ticks of the ear, one to begin, and two windows of speech after 6.4 and 9.8.
    assert [round(line.t, 1) for line in found] == [6.5, 9.9]
    assert {line.intent for line in found} == {"ignore"}


def test_a_turn_of_one_phrase_gets_no_backchannel(tmp_path: Path) -> None:
    rig = talk(tmp_path / "c", ScriptedAgent([(3.0, 15.0)]), "A phrase.", backchannel=1.0)
    assert lines_of(rig, "backchannel") == []


def test_a_backchannel_leaves_the_turn_to_the_agent(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 6.0), (6.4, 9.4)])
    rig = talk(tmp_path / "c", agent, "First.", "Second.", backchannel=1.0)
    assert rig.mind.asked[-1] == "First. Second." or rig.mind.asked[0] == "First. Second."


def test_a_new_medicine_is_asked_about_once(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 5.0), (5.4, 12.0)])
    rig = talk(tmp_path / "c", agent, "You could take ibuprofen.", "Ibuprofen helps.", barge_in_on_word=1.0)
    (line,) = lines_of(rig, "interruption")
    assert "ibuprofen" in line.text
    # It is understood in the pause from 5.0 on, and said when the agent speaks again.
    assert 5.4 <= line.t <= 5.6


def test_a_fact_told_wrong_is_put_right_in_the_patients_words(tmp_path: Path) -> None:
    opening = "I have had a cough for two weeks."
    agent = ScriptedAgent([(5.0, 7.0), (7.4, 12.0)])
    turn_taking = PLAIN.model_copy(update={"barge_in_on_mistake": 1.0})
    rig = call(
        tmp_path / "c",
        agent,
        heard=["So you have had the cough for three weeks.", "And so on."],
        turn_taking=turn_taking,
        opening=opening,
        max_duration=30.0,
    )
    (line,) = lines_of(rig, "interruption")
    assert "two weeks" in line.text
    assert line.intent == "stop"


def test_an_interruption_that_says_it_all_waits_for_its_answer(tmp_path: Path) -> None:
    # The agent yields in the interruption, and answers it from 9.0 to 10.0.
    agent = ScriptedAgent([(3.0, 5.0), (5.4, 6.4), (9.0, 10.0)])
    rig = talk(tmp_path / "c", agent, "Take ibuprofen.", "and", "It is for pain.", barge_in_on_word=1.0)
    (stop,) = lines_of(rig, "interruption")
    after = [line for line in lines_of(rig, "line") if line.t > stop.t]
    # Nothing is said to the rest of the interrupted turn; the answer is what the mind is asked about.
    assert after[0].t > 10.0
    assert rig.mind.asked[-1] == "It is for pain."


@pytest.mark.parametrize(("number", "kind"), [("cough", "cough"), ("side_talk", "side_talk")])
def test_a_cough_and_side_talk_come_once_in_a_turn(tmp_path: Path, number: str, kind: LineKind) -> None:
    rig = talk(tmp_path / "c", ScriptedAgent([(3.0, 14.0)]), "A long speech.", **{number: 1.0})
    (line,) = lines_of(rig, kind)
    assert line.intent == "ignore"
    # Between one and five seconds into the turn, and a little for the ear.
    assert 4.0 <= line.t <= 8.1


def test_side_talk_is_away_from_the_phone(tmp_path: Path) -> None:
    rig = talk(tmp_path / "c", ScriptedAgent([(3.0, 14.0)]), "A long speech.", side_talk=1.0)
    (line,) = lines_of(rig, "side_talk")
    said = rig.recording.clean[samples(line.start) : samples(line.end)]
    # The voice is a constant of 0.25; 12 dB softer it is 0.063 of full scale.
    assert abs(int(said[len(said) // 10])) == pytest.approx(0.25 * 10 ** (-12 / 20) * 32768, rel=0.02)


def test_a_patient_that_holds_the_floor_talks_on(tmp_path: Path) -> None:
    long = PatientLine("one two three four five six seven eight nine ten")
    for chance, cut in ((0.0, True), (1.0, False)):
        agent = ScriptedAgent([(3.0, 4.0), (6.0, 8.0)])
        turn_taking = PLAIN.model_copy(update={"holds_floor": chance})
        rig = call(tmp_path / f"c{chance}", agent, heard=["Go on."], lines=[long], turn_taking=turn_taking)
        assert any(event.type == "effect" for event in rig.recording.events) is cut


def test_an_early_patient_does_not_wait_for_what_comes_after_the_question(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 5.0), (5.5, 9.0)])
    gap = PLAIN.reply_gap.model_copy(update={"early": 1.0, "between": None, "mode": 0.2})
    turn_taking = PLAIN.model_copy(update={"reply_gap": gap})
    workers = ToneWorkers(["Do you have a fever?", "And so on."])
    rig = call(tmp_path / "c", agent, lines=[ANSWER], turn_taking=turn_taking, workers=workers, max_duration=20.0)
    line = next(line for line in lines_of(rig, "line") if line.text == ANSWER.text)
    assert line.early
    assert 5.2 <= line.t <= 5.6


def test_a_fact_that_was_cut_off_was_not_told(tmp_path: Path) -> None:
    fact = PatientLine("one two three four five six seven eight nine ten", facts=("fever",))
    # The answer of 3 s begins at about 4.7 (a statement is over after 1 s); the agent speaks over it from 5.5 on.
    agent = ScriptedAgent([(3.0, 3.7), (5.5, 7.0)])

    released: list[frozenset[str]] = []

    class Mind:
        name = "watching"

        async def reply(self, heard: str, memory: object) -> PatientLine:
            released.append(frozenset(memory.released))  # type: ignore[attr-defined]
            return fact

    from voicesim.testing import run_call

    run_call(tmp_path / "c", agent, mind=Mind(), workers=ToneWorkers(["Go on."]), max_duration=12.0)
    assert released[-1] == frozenset()


def test_hesitation_breath_and_fillers_are_in_the_line(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 4.0)])
    turn_taking = PLAIN.model_copy(update={"hesitation": 1.0, "filler": 1.0, "breath": 1.0})
    line = PatientLine("It hurts here, and it does not stop.")
    rig = call(tmp_path / "c", agent, heard=["Go on."], lines=[line], turn_taking=turn_taking, max_duration=20.0)
    said = next(line for line in lines_of(rig, "line") if "hurts" in line.text)
    assert said.text != line.text
    assert [word for word in line.text.lower().split() if word not in said.text.lower().split()] == []
    sound = rig.recording.clean[samples(said.start) : samples(said.end)]
    # Words are a constant of 0.25; a breath is much softer.
    first, second = spans(np.where(np.abs(sound.astype(np.int32)) > 8000, sound, 0))
    assert 0 < np.abs(sound[: samples(first[0])]).max() < 2000
    assert 0.3 - 1e-3 <= second[0] - first[1] <= 0.6 + 1e-3
