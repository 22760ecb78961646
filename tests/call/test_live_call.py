"""Whole calls on exact time: who speaks when, how calls end, what faults become."""

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rig import PLAIN, AnsweringAgent, ScriptedAgent, ToneWorkers, call, spans

from voicesim.audio.samples import Pcm
from voicesim.call.virtual import VirtualLoop
from voicesim.caller.ear import AgentTurn, Stretch
from voicesim.caller.habits import HabitualMind
from voicesim.caller.mind import MindError, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.caller.understanding import Understood
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Habits, ReplyGap
from voicesim.channel.channel import Channel, caller_leg
from voicesim.errors import SpeechError, TransportError
from voicesim.testing import run_call
from voicesim.transcript.patient import patient_speech
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.inprocess import InProcess
from voicesim.tts.base import Speech

THREE = PatientLine("One two three.")


def test_the_patient_opens_when_nobody_greets(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", AnsweringAgent(0.8))
    # One second of opening_wait, then four words of 0.3 s; the agent answers 0.8 s later for 1 s.
    assert spans(rig.recording.clean)[0] == (1.0, 2.2)
    assert spans(rig.recording.agent)[0] == (3.0, 4.0)


def test_the_patient_lets_a_greeting_end_before_opening(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(0.5, 2.0)]), heard=["Hello, how can I help?"])
    start, text = rig.lines()[0]
    # A question is over after 0.6 s of silence from 2.0 on; the ear is 40 ms behind, and a tick goes by.
    assert text == "I have a cold."
    assert 2.64 <= start <= 2.68


def test_a_reply_of_two_sentences_is_one_reply(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 4.0), (4.7, 5.7)])  # 700 ms between the sentences
    rig = call(tmp_path / "c", agent, heard=["Two sentences."], lines=[THREE])
    assert [text for _, text in rig.lines()][:2] == ["I have a cold.", "One two three."]
    assert rig.lines()[1][0] > 6.7
    assert len(rig.mind.asked) >= 1
    # In the pause the patient understands the first sentence, and after the second that one alone.
    assert [stretch.end for stretch in rig.workers.stretches] == [4 * 24_000, 5.7 * 24_000]
    first, second = rig.workers.stretches
    assert 0 <= 3 * 24_000 - first.start <= 768  # a window of the detector early at most
    assert 0 <= 4.7 * 24_000 - second.start <= 768
    assert first.sound_end <= second.sound_start < second.start
    assert rig.mind.asked[-1] == "Two sentences. Two sentences."


def test_an_agent_that_goes_on_while_the_patient_thinks_is_not_interrupted(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 4.0), (5.2, 6.0)])  # goes on while the answer waits for its reply gap
    slow = PLAIN.model_copy(update={"reply_gap": ReplyGap(between=(1.5, 1.5))})
    rig = call(tmp_path / "c", agent, heard=["First.", "First and second."], lines=[THREE, THREE], turn_taking=slow)
    replies = [start for start, text in rig.lines() if text == "One two three."]
    assert replies[0] > 7.0
    assert rig.mind.asked[-1] != "First."


def test_an_agent_that_never_speaks_gets_two_follow_ups(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent())
    assert rig.manifest.end_reason == "agent_silent"
    assert [text for _, text in rig.lines()] == ["I have a cold.", "Hello? Are you there?", "Hello? Can you hear me?"]
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.valid
    assert rig.recording.events[-1].type == "hangup"


def test_the_call_is_completed_after_the_goodbye_is_answered(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", AnsweringAgent(0.5), heard=["Yes?"], lines=[THREE])
    assert rig.manifest.end_reason == "completed"
    assert [text for _, text in rig.lines()] == ["I have a cold.", "One two three.", "Goodbye."]
    assert len(spans(rig.recording.agent)) == 3  # the goodbye got its answer before the hang-up


def test_a_goodbye_without_answer_hangs_up_after_eight_seconds(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(3.0, 4.0)]), heard=["That is all."])
    start, text = rig.lines()[-1]
    assert text == "Goodbye."
    assert rig.recording.duration == pytest.approx(start + 0.3 + 8.0, abs=0.05)


def test_a_goodbye_that_answers_one_does_not_wait_for_a_third(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(3.0, 4.0)]), heard=["Goodbye then."])
    start, _ = rig.lines()[-1]
    assert rig.recording.duration == pytest.approx(start + 0.3 + 2.5, abs=0.05)
    assert rig.manifest.end_reason == "completed"


def test_an_agent_that_goes_on_after_a_wish_is_heard_out(tmp_path: Path) -> None:
    # "Get well soon", two seconds of nothing, then more: the patient thanks in between, and stays.
    agent = ScriptedAgent([(3.0, 4.0), (7.0, 8.0), (10.0, 11.0)])
    words = ["Get well soon.", "Take two tablets a day.", "Goodbye."]
    rig = call(tmp_path / "c", agent, heard=words, lines=[PatientLine("Thank you."), THREE])
    assert [text for _, text in rig.lines()] == ["I have a cold.", "Thank you.", "One two three.", "Goodbye."]
    assert rig.manifest.end_reason == "completed"


def test_silence_after_a_wish_was_the_agents_goodbye(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(3.0, 4.0)]), heard=["Take care."], lines=[PatientLine("Thank you.")])
    lines = rig.lines()
    assert [text for _, text in lines] == ["I have a cold.", "Thank you.", "Thank you. Goodbye."]
    # Two words of 0.3 s, then the patience of 4 s.
    assert lines[2][0] == pytest.approx(lines[1][0] + 0.6 + 4.0, abs=0.05)
    assert rig.manifest.end_reason == "completed"


class DoubtfulEar(ToneWorkers):
    """Doubts the first so many stretches that it understands."""

    def __init__(self, heard: list[str], doubts: int) -> None:
        super().__init__(heard)
        self._doubts = doubts

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        return replace(await super().hear(turn, stretch, before), confidence=0.2 if self._doubts_now() else 0.9)

    def _doubts_now(self) -> bool:
        return len(self.stretches) <= self._doubts


def test_a_patient_that_doubts_what_it_heard_asks_twice_and_then_answers(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 4.0), (8.0, 9.0), (13.0, 14.0), (18.0, 19.0)])
    ear = DoubtfulEar(["Any allergies?", "Any allergies?", "Any allergies?", "Goodbye."], doubts=3)
    case = Catalogue.here().case("cold-01-andi")
    mind = HabitualMind(make_mind("cues", case), Habits(), seed=1)
    done = run_call(tmp_path / "c", agent, mind=mind, workers=ear, opening=case.patient.says_first)
    lines = [text for _, text in done.lines()][1:]
    assert [text.startswith("Sorry") for text in lines] == [True, True, False, False]
    assert lines[2] == "No allergies."
    assert done.manifest.end_reason == "completed"
    heard = [event.confidence for event in done.recording.events if event.type == "heard"]
    assert heard == [0.2, 0.2, 0.2, 0.9]


def test_an_agent_that_hangs_up_ends_the_call(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(3.0, 4.0)], hang_up=5.0))
    assert rig.manifest.end_reason == "agent_hung_up"
    assert rig.recording.duration == pytest.approx(5.02, abs=0.03)


@pytest.mark.parametrize("hang_up", [7.0, 5.2])  # after the goodbye, and in the middle of it
def test_an_agent_that_hangs_up_on_the_goodbye_has_completed_the_call(tmp_path: Path, hang_up: float) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(3.0, 4.0)], hang_up=hang_up), heard=["Bye."])
    assert [text for _, text in rig.lines()] == ["I have a cold.", "Goodbye."]
    assert rig.manifest.end_reason == "completed"
    hangup = rig.recording.events[-1]
    assert hangup.type == "hangup"
    assert hangup.by == "agent"


def test_an_agent_that_hangs_up_at_once_leaves_a_recording(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent(hang_up=0.0))
    assert rig.manifest.end_reason == "agent_hung_up"
    assert rig.recording.duration == pytest.approx(0.02)


def test_an_agent_that_breaks_down_is_a_lost_line_with_its_cause(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", ScriptedAgent([(2.0, 3.0)], fail_at=4.0))
    assert rig.manifest.end_reason == "line_lost"
    assert "RuntimeError: the agent caught fire" in rig.manifest.end_detail
    assert spans(rig.recording.agent) == [(2.0, 3.0)]


class LineThatBreaks(InProcess):
    """Can send no more from the 200th tick on."""

    def __init__(self) -> None:
        super().__init__(ScriptedAgent([(2.0, 3.0)]))
        self._left = 200

    def send(self, pcm: Pcm) -> None:
        self._left -= 1
        if self._left < 0:
            raise RuntimeError("the wire caught fire")
        super().send(pcm)


def test_a_fault_in_the_line_is_a_harness_error_with_its_cause(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", LineThatBreaks())
    assert rig.manifest.end_reason == "harness_error"
    assert rig.manifest.end_detail == "RuntimeError: the wire caught fire"
    assert rig.manifest.validity is not None
    assert not rig.manifest.validity.valid
    assert spans(rig.recording.agent) == [(2.0, 3.0)]


class LineThatHoldsUp(InProcess):
    """Keeps the loop for half a second at each of some ticks; `own`: with its agent's bytes, not by our own doing."""

    def __init__(self, own: bool) -> None:
        super().__init__(ScriptedAgent([(2.0, 3.0)], hang_up=8.0))
        self._own, self._sent = own, 0

    async def open(self, inbox: BoundedInbox) -> None:
        await super().open(inbox)
        self._work = inbox.work

    def send(self, pcm: Pcm) -> None:
        self._sent += 1
        if self._sent in (100, 200, 300):
            loop = asyncio.get_running_loop()
            assert isinstance(loop, VirtualLoop)
            loop.skip(0.5)
            self._work.add(0.5 if self._own else 0.0)
        super().send(pcm)


def test_an_agent_that_holds_up_the_call_has_lost_the_line_and_spoils_nothing(tmp_path: Path) -> None:
    # 1.5 s of 8 are late: some 75 of 400 ticks, where 4 may be.
    rig = call(tmp_path / "c", LineThatHoldsUp(own=True))
    assert rig.manifest.end_reason == "line_lost"
    assert rig.manifest.end_detail == "what the agent sent held up the call: 1.5 s of work, up to 0.50 s at a time"
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.valid


def test_a_harness_that_holds_up_the_call_has_spoiled_it(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", LineThatHoldsUp(own=False))
    assert rig.manifest.end_reason != "line_lost"
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.reason == "late_harness"


class LineThatFails:
    """Opens, and reports after two seconds that reading it failed."""

    name = "failing"
    receive_delay = 0.0

    def __init__(self) -> None:
        self._ticks = 0

    async def open(self, inbox: BoundedInbox) -> None:
        self._inbox = inbox

    def send(self, pcm: Pcm) -> None:
        self._ticks += 1
        if self._ticks == 100:
            self._inbox.ended("harness", "reading the agent's audio failed: ValueError: no such codec")

    async def close(self) -> None:
        self._ticks = 0


def test_a_failing_reader_never_looks_like_a_short_normal_call(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", LineThatFails())
    assert rig.manifest.end_reason == "harness_error"
    assert "no such codec" in rig.manifest.end_detail
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.reason == "harness_error"


class RefusingLine(LineThatFails):
    async def open(self, inbox: BoundedInbox) -> None:
        raise TransportError("no agent answers")


def test_a_refused_connection_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(TransportError, match="no agent answers"):
        call(tmp_path / "c", RefusingLine())
    assert not (tmp_path / "c").exists()


class SilentVoice(ToneWorkers):
    """Voices the opener, and fails from then on."""

    async def speak(self, line: PatientLine) -> Speech:
        if line.text == "One two three.":
            raise SpeechError(f"no sound for {line.text!r}")
        return await super().speak(line)


def test_a_failed_voice_makes_the_call_invalid_not_the_agent_guilty(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", AnsweringAgent(0.5), lines=[THREE], workers=SilentVoice(["Yes?"]))
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.reason == "tts_failed"
    assert "One two three." in rig.manifest.validity.detail


class SlowWorkers(ToneWorkers):
    """Needs so many seconds to understand the last of its turns."""

    def __init__(self, took: float) -> None:
        super().__init__(["Yes?", "And?"])
        self._took = took

    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        understood = await super().hear(turn, stretch, before)
        await asyncio.sleep(self._took if understood.text == "And?" else 0.0)
        return understood


@pytest.mark.parametrize(("took", "reason"), [(4.5, ""), (5.5, "late_harness")])
def test_a_patient_who_needs_too_long_for_an_answer_has_spoiled_the_call(
    tmp_path: Path, took: float, reason: str
) -> None:
    rig = call(tmp_path / "c", AnsweringAgent(0.5), lines=[THREE], workers=SlowWorkers(took))
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.reason == reason


class LeakingWorkers(ToneWorkers):
    async def hear(self, turn: AgentTurn, stretch: Stretch, before: str) -> Understood:
        raise MindError("caller_leaked_fact", "said something it was not asked")


def test_a_mind_that_misbehaves_makes_the_call_invalid(tmp_path: Path) -> None:
    rig = call(tmp_path / "c", AnsweringAgent(0.5), workers=LeakingWorkers(()))
    assert rig.manifest.validity is not None
    assert rig.manifest.validity.reason == "caller_leaked_fact"


def test_talked_over_the_patient_stops_and_the_cut_is_told(tmp_path: Path) -> None:
    long = PatientLine("one two three four five six seven eight nine ten")  # 3 s
    agent = ScriptedAgent([(3.0, 4.0), (6.0, 8.0)])
    rig = call(tmp_path / "c", agent, heard=["Go on."], lines=[long])
    start = rig.lines()[1][0]
    cut = [event for event in rig.recording.events if event.type == "effect" and event.kind == "line_cut"]
    assert len(cut) == 1
    # The agent comes in at 6.0; 0.6 s of talk-over, 40 ms of ear and the fade later the patient is silent.
    assert 6.6 < cut[0].t < 6.72
    spoken = next(span for span in spans(rig.recording.clean) if span[0] == start)
    assert spoken[1] == pytest.approx(cut[0].t, abs=0.001)


def test_a_patient_who_never_yields_talks_on(tmp_path: Path) -> None:
    long = PatientLine("one two three four five six seven eight nine ten")
    agent = ScriptedAgent([(3.0, 4.0), (6.0, 8.0)])
    turn_taking = PLAIN.model_copy(update={"yields_after": None})
    rig = call(tmp_path / "c", agent, heard=["Go on."], lines=[long], turn_taking=turn_taking)
    start = rig.lines()[1][0]
    assert (start, round(start + 3.0, 3)) in [(a, round(b, 3)) for a, b in spans(rig.recording.clean)]


def test_a_long_turn_is_interrupted_as_the_persona_says(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 20.0)])
    eager = PLAIN.model_copy(update={"barge_in": 1.0, "barge_in_after": 8.0})
    rig = call(tmp_path / "barge", agent, turn_taking=eager, heard=["A long speech."])
    event = [one for one in rig.recording.events if one.type == "caller_line" and one.intent == "stop"]
    assert len(event) == 1
    assert 11.0 <= event[0].t <= 11.1


def test_a_small_chance_of_a_backchannel_does_not_take_the_place_of_an_interruption(tmp_path: Path) -> None:
    both = PLAIN.model_copy(update={"backchannel": 0.01, "barge_in": 1.0})
    rig = call(tmp_path / "c", ScriptedAgent([(3.0, 20.0)]), turn_taking=both, heard=["A long speech."])
    stops = [event.t for event in rig.recording.events if event.type == "caller_line" and event.intent == "stop"]
    assert len(stops) == 1
    assert 11.0 <= stops[0] <= 11.1


def test_turns_and_time_are_limited(tmp_path: Path) -> None:
    rig = call(tmp_path / "turns", AnsweringAgent(0.5), lines=[THREE] * 9, heard=["Go on."], max_turns=3)
    assert rig.manifest.end_reason == "max_turns"
    assert len(rig.lines()) == 3
    rig = call(tmp_path / "time", AnsweringAgent(0.5), lines=[THREE] * 99, heard=["Go on."], max_duration=10.0)
    assert rig.manifest.end_reason == "max_duration"
    assert rig.recording.duration == 10.0


def test_all_channels_have_one_length_and_the_agent_hears_what_is_recorded(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 4.0)])
    rig = call(tmp_path / "c", agent)
    recording = rig.recording
    assert len(recording.caller) == len(recording.agent) == len(recording.clean)
    assert np.array_equal(np.concatenate(agent.heard), recording.caller)


def test_a_line_lies_where_it_sounds_behind_a_channel_that_holds_it_back(tmp_path: Path) -> None:
    telephone = Catalogue.here().profile("telephone")
    delay = Channel(caller_leg(telephone), 0).delay
    assert delay == 600  # 25 ms: the filters of the band and of the codec
    rig = call(tmp_path / "c", ScriptedAgent([(4.0, 5.0)]), profile=telephone)
    line = next(event for event in rig.recording.events if event.type == "caller_line")
    # One second of opening_wait, and four words of 0.3 s.
    assert (line.start, line.end) == spans(rig.recording.clean)[0] == (1.025, 2.225)
    (said, *_), _ = patient_speech(rig.recording.events, rig.recording.clean)
    assert said.voiced == ((1.025, 2.225),)


def test_a_line_cut_short_behind_such_a_channel_ends_where_it_was_cut(tmp_path: Path) -> None:
    long = PatientLine("one two three four five six seven eight nine ten")
    agent = ScriptedAgent([(3.0, 4.0), (6.0, 8.0)])
    telephone = Catalogue.here().profile("telephone")
    rig = call(tmp_path / "c", agent, heard=["Go on."], lines=[long], profile=telephone)
    (cut,) = [event for event in rig.recording.events if event.type == "effect" and event.kind == "line_cut"]
    assert cut.t == pytest.approx(spans(rig.recording.clean)[1][1], abs=0.001)


def test_the_same_call_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        call(tmp_path / name / "c", AnsweringAgent(0.7), lines=[THREE, THREE], heard=["Go on."])
    for file in ("audio.flac", "caller_clean.flac", "events.jsonl", "call.json"):
        assert (tmp_path / "a" / "c" / file).read_bytes() == (tmp_path / "b" / "c" / file).read_bytes()


@pytest.mark.parametrize(("murmur", "asked"), [("I see.", ["How long?"]), ("How old?", ["How old?", "How long?"])])
def test_a_murmur_into_the_patients_own_line_wants_no_answer(tmp_path: Path, murmur: str, asked: list[str]) -> None:
    # The patient opens at 1.0 with a line that lasts longer than the murmur; the question comes after it.
    agent = ScriptedAgent([(1.4, 1.8), (8.0, 9.0)])
    opening = "I have had a cold for three days, and a cough that gets worse at night, and my head hurts."
    rig = call(tmp_path / "c", agent, heard=[murmur, "How long?"], opening=opening, lines=[PatientLine("Yes.")] * 3)
    assert rig.mind.asked == asked
