"""`turn_detection: none`: one commit and one request for a response for each line that wants an answer."""

from pathlib import Path
from typing import Any

import pytest
from rig import PLAIN, Rig, ToneWorkers, call, spans
from scripted_realtime import Script, ScriptedServer, tone

from voicesim.caller.mind import PatientLine
from voicesim.catalog.agent_file import AgentFile, TurnDetection
from voicesim.catalog.find import Catalogue
from voicesim.catalog.turn_taking import ReplyGap
from voicesim.recording.events import CallerLine, Warning_
from voicesim.tools.dispatcher import make_dispatcher

MANUAL = AgentFile(agent="openai+ws:m", turn_detection=TurnDetection(type="none"))
COMMIT, CREATE = "input_audio_buffer.commit", "response.create"
# A word of the patient is 0.3 s of tone.


class Turns:
    """A server that answers each request after `delay` seconds with `length` seconds, and refuses a second at once."""

    def __init__(self, length: float = 1.5, delay: float = 0.3, answers: int = 99) -> None:
        self.length, self.delay, self.answers = length, delay, answers
        self.active = False
        self.refused = 0

    async def script(self, server: ScriptedServer) -> None:
        for turn in range(1, self.answers + 1):
            at = await server.sent(CREATE, turn)
            server.emit("response.created", response={"id": f"r{turn}"})
            await server.at(at + self.delay)
            server.delta(tone(self.length), item=f"i{turn}", response=f"r{turn}")
            await server.at(at + self.delay + self.length)
            server.done(f"r{turn}")


def talk(folder: Path, script: Script, **options: Any) -> tuple[Rig, ScriptedServer]:
    server = ScriptedServer(script)
    return call(folder / "c", server.line(settings=MANUAL), **options), server


def order(server: ScriptedServer) -> list[str]:
    return [event["type"] for _, event in server.events if event["type"] in (COMMIT, CREATE)]


def follows(server: ScriptedServer, rig: Rig) -> bool:
    """Each commit comes in the tick that ends a line, or within 0.15 s of it, with at least 100 ms buffered."""
    ends = [end for _, end in spans(rig.recording.caller)]
    near = all(any(end <= at + 0.02 + 1e-6 <= end + 0.15 for end in ends) for at, _ in server.commits)
    return near and all(buffered >= 0.0999 for _, buffered in server.commits)


def test_one_line_is_one_commit_and_one_request(tmp_path: Path) -> None:
    rig, server = talk(tmp_path, Turns(answers=1).script, opening="a b c d e f", max_duration=4.5)
    assert order(server) == [COMMIT, CREATE]
    assert follows(server, rig)
    # The line of 1.8 s begins at 1.0 and is the whole of what was committed.
    assert server.commits[0] == pytest.approx((2.8, 1.8), abs=0.03)
    assert len(spans(rig.recording.agent)) == 1


def test_three_lines_are_committed_and_answered_in_turn(tmp_path: Path) -> None:
    lines = [PatientLine("a b c d e f g h"), PatientLine("a b c")]
    rig, server = talk(tmp_path, Turns().script, opening="a b c", lines=lines, heard=["Go on."], max_duration=18.0)
    assert order(server)[:6] == [COMMIT, CREATE] * 3
    assert follows(server, rig)
    assert len(spans(rig.recording.agent)) >= 3


class Short(ToneWorkers):
    """Voices every line as 80 ms of tone."""

    async def speak(self, line: PatientLine) -> Any:
        speech = await super().speak(PatientLine("one"))
        return type(speech)(speech.wave[: 24 * 80], line.text, line.text)


def test_a_very_short_line_is_filled_up_with_silence(tmp_path: Path) -> None:
    rig, server = talk(tmp_path, Turns(answers=1).script, workers=Short([]), max_duration=4.0)
    assert order(server) == [COMMIT, CREATE]
    assert follows(server, rig)


class Halting(ToneWorkers):
    """Voices every line as 0.8 s, a pause of 0.9 s, and 0.8 s."""

    async def speak(self, line: PatientLine) -> Any:
        speech = await super().speak(PatientLine("a b c d e f g h i"))
        wave = speech.wave[: 24 * 2500].copy()
        wave[24 * 800 : 24 * 1700] = 0
        return type(speech)(wave, line.text, line.text)


def test_a_pause_inside_a_line_ends_nothing(tmp_path: Path) -> None:
    rig, server = talk(tmp_path, Turns(answers=1).script, workers=Halting([]), max_duration=6.0)
    assert order(server) == [COMMIT, CREATE]
    assert follows(server, rig)


async def never_ending(server: ScriptedServer) -> None:
    """Answers the first line for ever; a cancelled response is done a little later."""
    await server.sent(CREATE)
    server.emit("response.created", response={"id": "r1"})
    for _ in range(6):
        server.delta(tone(5.0), item="i1", response="r1")
    at = await server.sent("response.cancel")
    await server.at(at + 1.6)
    server.done("r1", "cancelled")
    await server.sent(CREATE, 2)
    server.emit("response.created", response={"id": "r2"})
    server.delta(tone(1.0), item="i2", response="r2")
    server.done("r2")


def test_an_interruption_is_answered_once_the_response_it_cuts_is_over(tmp_path: Path) -> None:
    turn_taking = PLAIN.model_copy(update={"barge_in": 1.0, "barge_in_after": 2.0, "end_of_turn": 3.0})
    rig, server = talk(tmp_path, never_ending, turn_taking=turn_taking, heard=["Go on."], max_duration=9.0)
    assert order(server)[:4] == [COMMIT, CREATE, COMMIT, CREATE]
    (cancelled,) = server.times("response.cancel")
    lines = [event for event in rig.recording.events if isinstance(event, CallerLine)]
    start = next(line.t for line in lines if line.kind == "interruption")
    assert cancelled == pytest.approx(start, abs=0.03)
    assert server.times(CREATE)[1] == pytest.approx(cancelled + 1.6, abs=0.03)
    assert follows(server, rig)
    # What was sent ahead is cut off where the patient began, and told.
    assert spans(rig.recording.agent)[0][1] == pytest.approx(start, abs=0.03)
    assert [item for _, item, _ in server.truncations()] == ["i1"]


async def greets(server: ScriptedServer) -> None:
    await server.at(0.5)
    server.emit("response.created", response={"id": "r0"})
    server.delta(tone(2.0), item="i0", response="r0")
    server.done("r0")


def test_nothing_is_committed_while_the_patient_says_nothing(tmp_path: Path) -> None:
    turn_taking = PLAIN.model_copy(
        update={"reply_gap": ReplyGap(between=(8.0, 8.0)), "opening_wait": 30.0, "patience": 30.0}
    )
    _, server = talk(tmp_path, greets, turn_taking=turn_taking, max_duration=10.0)
    assert order(server) == []
    assert server.times("input_audio_buffer.clear") == []


def test_a_cough_asks_for_nothing_and_cancels_nothing(tmp_path: Path) -> None:
    turn_taking = PLAIN.model_copy(update={"cough": 1.0})
    turns = Turns(length=8.0, answers=1)
    rig, server = talk(tmp_path, turns.script, turn_taking=turn_taking, heard=["Go on."], max_duration=9.5)
    assert "(coughs)" in [text for _, text in rig.lines()]
    assert order(server) == [COMMIT, CREATE]
    assert server.times("response.cancel") == []
    assert len(spans(rig.recording.agent)) == 1


async def with_a_tool(server: ScriptedServer) -> None:
    await server.sent(CREATE)
    server.emit("response.created", response={"id": "r1"})
    item = {"type": "function_call", "id": "f1", "call_id": "c1", "name": "list_slots", "arguments": "{}"}
    server.emit("response.output_item.done", response_id="r1", item=item)
    server.emit("response.done", response={"id": "r1", "status": "completed", "output": [item]})
    await server.sent(CREATE, 2)
    server.emit("response.created", response={"id": "r2"})
    server.delta(tone(1.0), item="i2", response="r2")
    server.done("r2")


def test_a_tools_result_is_asked_for_once_and_is_no_line(tmp_path: Path) -> None:
    server = ScriptedServer(with_a_tool)
    dispatcher = make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking"))
    call(tmp_path / "c", server.line(settings=MANUAL, dispatcher=dispatcher), max_duration=4.0)
    assert order(server) == [COMMIT, CREATE, CREATE]


async def silent(server: ScriptedServer) -> None:
    await server.at(100.0)


def test_a_follow_up_is_a_line_of_its_own(tmp_path: Path) -> None:
    turn_taking = PLAIN.model_copy(update={"patience": 15.0})
    _, server = talk(tmp_path, Turns(answers=0).script, turn_taking=turn_taking, max_duration=20.0)
    # The first request was never taken up, so the second waits behind it.
    assert order(server) == [COMMIT, CREATE, COMMIT]
    taken = Turns(length=0.0)
    (tmp_path / "b").mkdir()
    _, server = talk(tmp_path / "b", taken.script, turn_taking=turn_taking, max_duration=20.0)
    assert order(server) == [COMMIT, CREATE] * 2


def test_a_server_that_detects_turns_is_told_nothing(tmp_path: Path) -> None:
    server = ScriptedServer(silent)
    call(tmp_path / "c", server.line(), max_duration=5.0)
    assert {event["type"] for _, event in server.events} == {"session.update"}


@pytest.mark.parametrize("session", [{"audio": {"input": {"turn_detection": None}}}])
def test_a_session_that_others_configured_says_itself_that_it_waits(tmp_path: Path, session: Any) -> None:
    async def script(server: ScriptedServer) -> None:
        server.emit("session.updated", session=session)
        await Turns(answers=1).script(server)

    server = ScriptedServer(script)
    call(tmp_path / "c", server.line(), max_duration=4.0)
    assert order(server) == [COMMIT, CREATE]


def test_no_warning_comes_of_any_of_this(tmp_path: Path) -> None:
    rig, _ = talk(tmp_path, Turns().script, lines=[PatientLine("a b")] * 3, heard=["Go on."], max_duration=20.0)
    assert [event for event in rig.recording.events if isinstance(event, Warning_)] == []
