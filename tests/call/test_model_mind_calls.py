"""A model's mind in calls on an exact clock: it thinks ahead, gives up what is outdated, keeps its connection."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clocked_model import ClockedModel, clocked_model
from model_server import FakeServer, Says, model_server
from rig import PLAIN, ScriptedAgent, ToneWorkers, make_call, spans

from voicesim.call.server_mind import ServerMind
from voicesim.call.virtual import run_virtual
from voicesim.caller.mind import Memory, PatientLine, Said
from voicesim.caller.mind_openai import OpenAIMind
from voicesim.caller.minds import GuardedMind
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import ReplyGap
from voicesim.recording.read import Recording, open_recording

Answer = Callable[[dict[str, Any]], str]
CASE = Catalogue.here().case("cold-01-andi")
QUICK = PLAIN.model_copy(update={"reply_gap": ReplyGap(between=(0.2, 0.2))})


def begun() -> Memory:
    return Memory([Said("caller", CASE.patient.says_first)])


def answer(request: dict[str, Any]) -> str:
    """Decides on the fact that the words name, and words it as the case does."""
    data = json.loads(request["messages"][1]["content"])
    if "response_format" not in request:
        return " ".join(data["tell_now"]) or "Okay."
    heard = data["agent_just_said"].lower()
    asked = [name for name, cue in (("allergies", "allerg"), ("fever", "fever")) if cue in heard]
    return json.dumps({"asked": asked, "declines": False, "over": "bye" in heard})


class Ahead(GuardedMind):
    """A model's mind on the loop of the call."""

    def __init__(self, model: ClockedModel, *, thinks_ahead: bool) -> None:
        super().__init__(OpenAIMind(CASE, model.server()), CASE)
        self.thinks_ahead = thinks_ahead


def called(
    folder: Path, model: ClockedModel, agent: ScriptedAgent, heard: list[str], ahead: bool, first: Answer | None = None
) -> Recording:
    async def run() -> None:
        async with clocked_model(model):
            mind = Ahead(model, thinks_ahead=ahead)
            await mind.open()
            # The first line of a call is read to its end, to see whether the model reasons aloud.
            asked, model.answer = model.answer, first or answer
            await mind.reply("How are you?", begun())
            model.answer = asked
            await make_call(folder, agent, mind=mind, workers=ToneWorkers(heard), turn_taking=QUICK, max_duration=20.0)
            await mind.aclose()

    run_virtual(run())
    return open_recording(folder)


def reply_to(recording: Recording, text: str) -> float:
    return next(event.t for event in recording.events if event.type == "caller_line" and event.text == text)


@pytest.mark.parametrize(("ahead", "start"), [(True, 5.9), (False, 6.95)])
def test_what_is_understood_is_thought_about_while_the_agent_still_speaks(
    tmp_path: Path, ahead: bool, start: float
) -> None:
    # The question is over at 4.0 s and understood 0.2 s later; the agent coughs from 4.24 to 5.3 s. The model
    # takes 0.8 s to decide and 0.6 s to word. Ahead, it is done at 5.6 s, before the turn is over (5.9 s); else it
    # begins when the cough was understood to be no words (5.5 s), and is done 1.4 s later.
    model = ClockedModel(answer, decides=0.8, words=0.6)
    agent = ScriptedAgent([(3.0, 4.0), (4.24, 5.3)])
    recording = called(tmp_path / "c", model, agent, ["Any allergies?", "", "Goodbye."], ahead)
    assert reply_to(recording, "No allergies.") == pytest.approx(start, abs=0.1)
    assert model.connections == 1


def test_an_agent_that_goes_on_is_thought_about_anew(tmp_path: Path) -> None:
    model = ClockedModel(answer, decides=0.8, words=0.6)
    agent = ScriptedAgent([(3.0, 4.0), (4.24, 5.3)])
    recording = called(tmp_path / "c", model, agent, ["Any allergies?", "And any fever?", "Goodbye."], True)
    lines = [event for event in recording.events if event.type == "caller_line"]
    assert lines[1].facts == ("allergies", "fever")
    # The first thought began at 4.2 s and was given up 1.3 s later, as the second question was understood.
    assert model.given_up == 1


TWO = " ".join(
    fact.says for name in ("allergies", "fever") for fact in CASE.patient.reveal_only_if_asked if fact.id == name
)
WORDS = len(TWO.split())


@pytest.mark.parametrize(("streams", "later"), [(True, 0.3 + 2 * 0.2), (False, 0.3 + (WORDS - 1) * 0.2)])
def test_the_patient_begins_with_the_first_sentence_of_a_line_that_is_still_written(
    tmp_path: Path, streams: bool, later: float
) -> None:
    # 0.3 s to the first word, 0.2 s from word to word: the third one shows that the first sentence is over.
    model = ClockedModel(answer, words=0.3, apart=0.2, streams=streams)
    agent = ScriptedAgent([(3.0, 4.0)])
    recording = called(tmp_path / "c", model, agent, ["Any allergies, and any fever?"], True)
    line = next(event for event in recording.events if event.type == "caller_line" and event.facts)
    # Understood at 4.2 s; the turn is over at 4.6 s at the earliest.
    assert line.t == pytest.approx(max(4.65, 4.2 + later), abs=0.1)
    assert (line.text, line.facts) == (TWO, ("allergies", "fever"))
    sounds = spans(recording.clean)
    if streams:
        # Two words of 0.3 s; the others come when the last of them was written.
        whole = 4.2 + 0.3 + (WORDS - 1) * 0.2
        assert sounds[1] == pytest.approx((line.t, line.t + 0.6), abs=0.03)
        assert sounds[2] == pytest.approx((whole, whole + (WORDS - 2) * 0.3), abs=0.15)
        assert line.end == pytest.approx(sounds[2][1], abs=0.03)
    else:
        assert sounds[1] == pytest.approx((line.t, line.t + WORDS * 0.3), abs=0.03)


def test_of_a_line_that_goes_wrong_the_rest_is_left_away(tmp_path: Path) -> None:
    def strays(request: dict[str, Any]) -> str:
        if "response_format" in request:
            return answer(request)
        return "No allergies. I also take ibuprofen every day."

    model = ClockedModel(strays, words=0.3, apart=0.2)
    recording = called(tmp_path / "c", model, ScriptedAgent([(3.0, 4.0)]), ["Any allergies, and any fever?"], True)
    line = next(event for event in recording.events if event.type == "caller_line" and event.facts)
    assert (line.text, line.facts) == ("No allergies.", ("allergies",))
    validity = recording.manifest.validity
    assert validity is not None
    assert validity.valid


def test_a_server_that_does_not_stream_is_understood_and_one_that_breaks_off_is_asked_again(tmp_path: Path) -> None:
    broken = b'data: {"choices": [{"delta": {"content": "No al"}}]}\n\n'
    stream = {"Content-Type": "text/event-stream"}
    with model_server() as server:
        mind = OpenAIMind(CASE, server.model())
        server.decides("allergies").says("No allergies. None at all.")
        begun: list[PatientLine] = []
        line = asyncio.run(mind.begin("Any allergies?", Memory(), begun.append))
        assert (line.text, begun) == ("No allergies. None at all.", [])
        server.decides("allergies").says(body=broken, text="", headers=stream).says("No allergies.")
        assert asyncio.run(mind.begin("Any allergies?", Memory(), begun.append)).text == "No allergies."


def test_what_a_model_writes_below_its_line_is_not_waited_for(tmp_path: Path) -> None:
    def chatters(request: dict[str, Any]) -> str:
        return answer(request) if "response_format" in request else "No allergies.\n" + "And here is why. " * 20

    # The line is over with the second word: 0.3 s and once 0.2 s; all of it would take 16 s.
    model = ClockedModel(chatters, words=0.3, apart=0.2)
    recording = called(tmp_path / "c", model, ScriptedAgent([(3.0, 4.0)]), ["Any allergies?", "Goodbye."], True)
    assert reply_to(recording, "No allergies.") < 5.0


def test_reasoning_without_its_opening_mark_is_not_spoken(tmp_path: Path) -> None:
    def reasons(request: dict[str, Any]) -> str:
        thinks = "" if "response_format" in request else "They ask something. So I answer.\nYes.</think>"
        return thinks + answer(request)

    model = ClockedModel(reasons, words=0.3, apart=0.2)
    recording = called(
        tmp_path / "c", model, ScriptedAgent([(3.0, 4.0)]), ["Any allergies?", "Goodbye."], True, reasons
    )
    assert [event.text for event in recording.events if event.type == "caller_line"][1] == "No allergies."


@pytest.fixture
def slow() -> Any:
    def answer_slowly(request: dict[str, Any]) -> Says:
        if "fever" in request["messages"][1]["content"].split('"agent_just_said"')[1]:
            time.sleep(1.5)
        return Says(answer(request))

    with model_server(answer_slowly) as server:
        yield server


async def test_connections_stay_open_and_a_thought_that_is_given_up_holds_up_no_other(slow: FakeServer) -> None:
    mind = ServerMind(GuardedMind(OpenAIMind(CASE, slow.model()), CASE), hurried=True)
    await mind.warm()
    try:
        for _ in range(2):
            assert await mind.reply("Any allergies?", Memory()) == PatientLine("No allergies.", facts=("allergies",))
        assert len(set(slow.ports)) == 1  # four requests, one connection
        dropped = asyncio.ensure_future(mind.reply("Any fever?", Memory()))
        await asyncio.sleep(0.1)
        dropped.cancel()
        begun = time.monotonic()
        assert (await mind.reply("Any allergies?", Memory())).facts == ("allergies",)
        assert time.monotonic() - begun < 1.0
    finally:
        mind.close()
