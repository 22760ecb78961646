"""The realtime agent's turns and events, without WebRTC: real voice activity, scripted ear, brain and voice."""

import asyncio
import json
import typing
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from openai.types.realtime import RealtimeServerEvent
from pydantic import BaseModel, TypeAdapter
from speechlike import placed

from voicesim.errors import SpeechError
from voicesim.reference.brain import Functions, Reply, ToolUse
from voicesim.reference.realtime.dialogue import Dialogue, Parts
from voicesim.reference.realtime.playout import WIRE_RATE
from voicesim.reference.realtime.session import Session, updated
from voicesim.sound import TICK, Pcm, Wave, samples, to_pcm

TRANSCRIBE = {"type": "realtime", "audio": {"input": {"transcription": {"model": "whisper-1"}}}}
SENTENCE_SECONDS = 2.0


class ScriptedBrain:
    """Says the next line; remembers what it heard and what of its lines was cut off."""

    def __init__(self) -> None:
        self.lines = ["First line. Second line. Third line.", "Another line.", "Goodbye."]
        self.heard: list[str] = []
        self.cut: list[str] = []

    def greet(self) -> str | None:
        return "Hello there."

    async def reply(self, heard: str) -> Reply:
        self.heard.append(heard)
        text = self.lines.pop(0)
        return Reply(text, done=text == "Goodbye.")

    def interrupted(self, spoken: str) -> None:
        self.cut.append(spoken)


class Desk:
    """A dialogue whose sound is consumed and whose events are read by the test."""

    readyState = "open"  # noqa: N815

    def __init__(self, workers: ThreadPoolExecutor, brain: ScriptedBrain) -> None:
        self.workers, self.brain = workers, brain
        self.texts = ["words one", "words two", "words three"]
        self.events: list[dict[str, Any]] = []
        self.over = False
        self.tasks: set[asyncio.Task[None]] = set()
        self.broken = False
        parts = Parts(lambda: self.brain, self._hear, self._say, workers, workers)
        self.dialogue = Dialogue("t", parts, updated(Session(), TRANSCRIBE), self._spawn, self._end)
        self.dialogue.outbox.attach(self)

    def send(self, text: str) -> None:
        self.events.append(json.loads(text))

    def tell(self, **event: Any) -> None:
        self.dialogue.message(json.dumps(event))

    def hear(self, wave: Wave) -> None:
        pcm = to_pcm(wave)
        for first in range(0, len(pcm), TICK):
            self.dialogue.hear(pcm[first : first + TICK])

    async def settle(self) -> None:
        """Lets threads and tasks do all they can without a sample being played.

        The one worker takes jobs in order, so an empty job behind the others tells that they are done.
        """
        for _ in range(6):
            await asyncio.get_running_loop().run_in_executor(self.workers, int)
            for _ in range(4):
                await asyncio.sleep(0)

    async def play(self, seconds: float) -> Pcm:
        """Plays so much of the agent's sound, at any pace."""
        blocks = []
        for tick in range(round(seconds * 50)):
            blocks.append(self.dialogue.playout.take())
            await asyncio.sleep(0)
            if tick % 10 == 9:
                await self.settle()
        await self.settle()
        return np.concatenate(blocks)

    def types(self, since: int = 0) -> list[str]:
        return [event["type"] for event in self.events[since:]]

    def of(self, type_: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == type_]

    def _hear(self, _: Wave) -> str:
        return self.texts.pop(0)

    def _say(self, sentence: str) -> Pcm:
        if self.broken:
            raise SpeechError(f"no sound of {sentence!r}")
        return np.full(round(SENTENCE_SECONDS * WIRE_RATE), 1000, np.int16)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        return task

    def _end(self) -> None:
        self.over = True


@asynccontextmanager
async def served(brain: ScriptedBrain) -> AsyncIterator[Desk]:
    with ThreadPoolExecutor(1) as workers:
        made = Desk(workers, brain)
        yield made
        for task in made.tasks:
            task.cancel()
        results = await asyncio.gather(*made.tasks, return_exceptions=True)
        assert [one for one in results if one is not None and not isinstance(one, asyncio.CancelledError)] == []


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with served(ScriptedBrain()) as made:
        yield made


QUESTION = placed(2.6, (0.4, 1.4))
"""One second of speech, and silence enough to end the turn (0.9 s)."""


async def test_a_turn_goes_through_the_events_of_the_protocol_in_order(desk: Desk) -> None:
    desk.brain.lines = ["One line."]
    desk.hear(QUESTION)
    await desk.settle()
    await desk.play(SENTENCE_SECONDS + 0.1)
    assert desk.types() == [
        "session.created",
        "input_audio_buffer.speech_started",
        "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "conversation.item.added",
        "conversation.item.done",
        "response.created",
        "conversation.item.input_audio_transcription.completed",
        "response.output_item.added",
        "conversation.item.added",
        "response.content_part.added",
        "response.output_audio_transcript.delta",
        "output_audio_buffer.started",
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
        "output_audio_buffer.stopped",
    ]
    assert desk.brain.heard == ["words one"]


async def test_the_edges_of_a_turn_are_positions_in_the_callers_sound(desk: Desk) -> None:
    desk.hear(QUESTION)
    start = desk.of("input_audio_buffer.speech_started")[0]["audio_start_ms"]
    end = desk.of("input_audio_buffer.speech_stopped")[0]["audio_end_ms"]
    # Speech lies from 400 to 1400 ms; 300 ms of padding before, 900 ms of silence after, windows of 32 ms.
    assert start == pytest.approx(100, abs=70)
    assert end == pytest.approx(2300, abs=100)


async def test_items_follow_one_another_and_ids_tie_events_together(desk: Desk) -> None:
    desk.brain.lines = ["One line."]
    desk.hear(QUESTION)
    await desk.settle()
    caller, agent = desk.of("conversation.item.added")
    assert caller["previous_item_id"] is None
    assert agent["previous_item_id"] == caller["item"]["id"]
    started = desk.of("input_audio_buffer.speech_started")[0]
    assert started["item_id"] == caller["item"]["id"]
    created = desk.of("response.created")[0]["response"]
    done = desk.of("response.done")[0]["response"]
    assert created["id"] == done["id"]
    assert created["status"] == "in_progress"
    assert (done["status"], done["output"][0]["id"]) == ("completed", agent["item"]["id"])
    assert done["output"][0]["content"] == [{"type": "output_audio", "transcript": "One line."}]


async def test_usage_counts_the_callers_sound_once_and_then_as_cached(desk: Desk) -> None:
    desk.brain.lines = ["One line.", "Two line."]
    for _ in range(2):
        desk.hear(QUESTION)
        await desk.settle()
        await desk.play(SENTENCE_SECONDS + 0.1)
    first, second = (event["response"]["usage"] for event in desk.of("response.done"))
    # 2.0 s spoken at 20 tokens a second; 9 letters are 3 text tokens.
    assert first["output_token_details"] == {"text_tokens": 3, "audio_tokens": 40}
    # The turn lasted about 2.2 s at 10 tokens a second.
    heard = first["input_token_details"]["audio_tokens"]
    assert heard == pytest.approx(22, abs=2)
    assert first["total_tokens"] == heard + 43
    assert second["input_token_details"]["cached_tokens"] == heard + 43
    assert second["input_tokens"] == pytest.approx(2 * heard + 43, abs=2)


async def test_sound_is_made_sentence_by_sentence_a_little_ahead(desk: Desk) -> None:
    desk.hear(QUESTION)
    await desk.settle()
    # Three sentences of 2 s: with the first one waiting, more than a second is there, so no second yet.
    assert len(desk.of("response.output_audio_transcript.delta")) == 1
    await desk.play(1.1)
    assert len(desk.of("response.output_audio_transcript.delta")) == 2
    assert not desk.of("response.done")
    await desk.play(4.0)
    assert desk.of("response.output_audio_transcript.done")[0]["transcript"] == "First line. Second line. Third line."


async def test_a_caller_who_speaks_into_a_reply_stops_it(desk: Desk) -> None:
    desk.hear(QUESTION)
    await desk.settle()
    await desk.play(2.5)
    mark = len(desk.events)
    desk.hear(placed(0.8, (0.1, 0.8)))
    assert desk.types(mark) == [
        "input_audio_buffer.speech_started",
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
        "output_audio_buffer.cleared",
        "conversation.item.truncated",
    ]
    done = desk.of("response.done")[0]["response"]
    assert done["status"] == "cancelled"
    assert done["status_details"] == {"type": "cancelled", "reason": "turn_detected"}
    assert desk.of("conversation.item.truncated")[0]["audio_end_ms"] == 2500
    assert desk.brain.cut == ["First line."]
    assert not (await desk.play(0.5)).any()


async def test_a_reply_that_is_made_but_not_played_can_still_be_stopped(desk: Desk) -> None:
    desk.brain.lines = ["One line."]
    desk.hear(QUESTION)
    await desk.settle()
    assert desk.of("response.done")[0]["response"]["status"] == "completed"
    await desk.play(0.5)
    desk.hear(placed(0.8, (0.1, 0.8)))
    assert desk.types()[-2:] == ["output_audio_buffer.cleared", "conversation.item.truncated"]
    assert len(desk.of("response.done")) == 1
    assert desk.brain.cut == [""]


async def test_a_caller_who_goes_on_before_the_reply_is_answered_for_all_of_it(desk: Desk) -> None:
    desk.hear(placed(4.6, (0.4, 1.4), (2.4, 3.4)))
    await desk.settle()
    assert [event["response"]["status"] for event in desk.of("response.done")][:1] == ["cancelled"]
    assert desk.brain.heard == ["words one words two"]
    assert desk.brain.cut == []


async def test_a_long_turn_is_transcribed_at_its_pauses(desk: Desk) -> None:
    desk.brain.lines = ["One line."]
    # A pause of 0.5 s ends no turn (0.9 s), but what was said before it (2 s) goes to the transcriber.
    wave = placed(5.2, (0.2, 2.2), (2.7, 3.7))
    desk.hear(wave[: samples(2.6)])
    await desk.settle()
    assert desk.texts == ["words two", "words three"]
    desk.hear(wave[samples(2.6) :])
    await desk.settle()
    assert len(desk.of("input_audio_buffer.committed")) == 1
    assert desk.brain.heard == ["words one words two"]


async def test_sound_without_words_is_answered_too(desk: Desk) -> None:
    desk.texts = [""]
    desk.hear(QUESTION)
    await desk.settle()
    assert desk.brain.heard == [""]


async def test_the_greeting_is_said_once_and_not_over_a_caller(desk: Desk) -> None:
    desk.dialogue.greet()
    await desk.settle()
    desk.dialogue.greet()
    await desk.settle()
    assert [event["delta"] for event in desk.of("response.output_audio_transcript.delta")] == ["Hello there."]


async def test_no_greeting_when_the_caller_speaks_first(desk: Desk) -> None:
    desk.hear(placed(1.0, (0.2, 1.0)))
    desk.dialogue.greet()
    await desk.settle()
    assert not desk.of("response.created")


async def test_the_goodbye_is_played_to_its_end_before_the_call_is_over(desk: Desk) -> None:
    desk.brain.lines = ["Goodbye."]
    desk.hear(QUESTION)
    await desk.settle()
    await desk.play(SENTENCE_SECONDS - 0.1)
    assert not desk.over
    await desk.play(0.2)
    assert desk.over
    assert desk.types()[-1] == "output_audio_buffer.stopped"
    desk.hear(QUESTION)
    await desk.settle()
    assert desk.brain.heard == ["words one"]


async def test_a_voice_that_fails_fails_the_response_and_not_the_call(desk: Desk) -> None:
    desk.broken = True
    desk.hear(QUESTION)
    await desk.settle()
    failed = desk.of("response.done")[0]["response"]
    assert failed["status"] == "failed"
    assert "no sound of 'First line.'" in failed["status_details"]["error"]["message"]
    desk.broken = False
    desk.hear(QUESTION)
    await desk.settle()
    assert desk.of("output_audio_buffer.started")


async def test_without_turn_detection_the_client_commits_and_asks(desk: Desk) -> None:
    desk.tell(type="session.update", session={"type": "realtime", "audio": {"input": {"turn_detection": None}}})
    desk.hear(QUESTION)
    await desk.settle()
    assert not desk.of("input_audio_buffer.speech_started")
    desk.tell(type="input_audio_buffer.commit")
    desk.tell(type="response.create", response={"metadata": {"a": "b"}})
    await desk.settle()
    assert desk.brain.heard == ["words one"]
    assert desk.of("response.created")[0]["response"]["metadata"] == {"a": "b"}


async def test_interruption_can_be_switched_off(desk: Desk) -> None:
    detection = {"type": "server_vad", "interrupt_response": False}
    desk.tell(type="session.update", session={"type": "realtime", "audio": {"input": {"turn_detection": detection}}})
    desk.hear(QUESTION)
    await desk.settle()
    desk.hear(placed(0.8, (0.1, 0.8)))
    assert not desk.of("output_audio_buffer.cleared")
    assert desk.brain.cut == []


async def test_typed_words_reach_the_brain(desk: Desk) -> None:
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "I have a cold"}]}
    desk.tell(type="conversation.item.create", item=item)
    desk.tell(type="response.create")
    await desk.settle()
    assert desk.brain.heard == ["I have a cold"]


async def test_the_first_response_a_client_asks_for_is_the_greeting(desk: Desk) -> None:
    desk.tell(type="response.create")
    await desk.settle()
    assert desk.of("response.output_audio_transcript.delta")[0]["delta"] == "Hello there."
    assert desk.brain.heard == []


async def test_a_client_can_cancel_and_clear(desk: Desk) -> None:
    desk.hear(QUESTION)
    await desk.settle()
    desk.tell(type="response.cancel")
    done = desk.of("response.done")[0]["response"]
    assert done["status_details"] == {"type": "cancelled", "reason": "client_cancelled"}
    assert desk.of("output_audio_buffer.cleared")
    mark = len(desk.events)
    desk.tell(type="output_audio_buffer.clear")
    assert desk.types(mark) == []


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"type": "response.cancel"}, "response_cancel_not_active"),
        ({"type": "input_audio_buffer.commit"}, "input_audio_buffer_commit_empty"),
        ({"type": "session.update", "session": {"type": "realtime", "model": "other"}}, "invalid_value"),
        ({"type": "session.update", "session": {"type": "realtime", "voice": "alloy"}}, "unknown_parameter"),
        ({"type": "nonsense"}, "invalid_value"),
    ],
)
async def test_what_is_refused_comes_back_as_an_error_with_the_clients_id(
    desk: Desk, event: dict[str, Any], code: str
) -> None:
    desk.tell(**event, event_id="mine")
    error = desk.events[-1]
    assert error["type"] == "error"
    assert (error["error"]["code"], error["error"]["event_id"]) == (code, "mine")
    assert len(desk.events) == 2


async def test_a_second_response_at_once_is_refused(desk: Desk) -> None:
    desk.tell(type="response.create")
    desk.tell(type="response.create")
    assert desk.events[-1]["error"]["code"] == "conversation_already_has_active_response"


def shapes() -> dict[str, type[BaseModel]]:
    """The openai package's model of every server event, by type."""
    union = typing.get_args(RealtimeServerEvent)[0]
    return {typing.get_args(one.model_fields["type"].annotation)[0]: one for one in typing.get_args(union)}


async def test_every_event_has_the_published_shape_and_no_other_field(desk: Desk) -> None:
    known = shapes()
    desk.tell(type="session.update", session={"type": "realtime", "instructions": "x"})
    desk.tell(type="nonsense")
    desk.dialogue.greet()
    await desk.play(SENTENCE_SECONDS + 0.2)
    desk.hear(QUESTION)
    await desk.play(2.5)
    desk.hear(placed(2.6, (0.1, 0.8)))
    await desk.play(SENTENCE_SECONDS + 1.0)
    desk.tell(type="input_audio_buffer.clear")
    assert set(desk.types()) >= {
        "error",
        "session.updated",
        "output_audio_buffer.cleared",
        "output_audio_buffer.stopped",
        "conversation.item.truncated",
        "input_audio_buffer.cleared",
    }
    for event in desk.events:
        model = known[event["type"]]
        model.model_validate(event)
        assert set(event) <= set(model.model_fields), event["type"]
    ids = [event["event_id"] for event in desk.events]
    assert len(set(ids)) == len(ids)


class LookingUp(ScriptedBrain):
    """Says that it looks something up, and then what it found."""

    async def reply(self, heard: str) -> Reply:
        return Reply("One moment.", use=ToolUse("list_slots", {"day": "friday"}))

    def offered(self, functions: Functions) -> None:
        self.tools = [one["name"] for one in functions]

    async def took(self, result: typing.Mapping[str, Any]) -> Reply:
        return Reply(f"I found {result['found']}.")


@pytest.fixture
async def looking_up() -> AsyncIterator[Desk]:
    async with served(LookingUp()) as made:
        yield made


async def test_a_tool_is_a_function_call_that_the_client_answers_before_the_agent_goes_on(looking_up: Desk) -> None:
    desk = looking_up
    desk.hear(QUESTION)
    await desk.settle()
    await desk.play(SENTENCE_SECONDS + 0.1)
    (made,) = desk.of("response.function_call_arguments.done")
    assert (made["name"], json.loads(made["arguments"])) == ("list_slots", {"day": "friday"})
    done = desk.of("response.done")[0]["response"]
    assert [item["type"] for item in done["output"]] == ["message", "function_call"]
    output = {"type": "function_call_output", "call_id": made["call_id"], "output": '{"found": 2}'}
    desk.tell(type="conversation.item.create", item=output)
    assert desk.of("conversation.item.added")[-1]["item"]["call_id"] == made["call_id"]
    desk.tell(type="response.create")
    await desk.settle()
    assert desk.of("response.output_audio_transcript.done")[-1]["transcript"] == "I found 2."
    for event in desk.events:
        assert TypeAdapter(RealtimeServerEvent).validate_python(event)


async def test_the_brain_knows_which_tools_the_client_offers(looking_up: Desk) -> None:
    tool = {"type": "function", "name": "list_slots", "description": "Lists.", "parameters": {}}
    looking_up.tell(type="session.update", session={"type": "realtime", "tools": [tool]})
    assert isinstance(looking_up.brain, LookingUp)
    assert looking_up.brain.tools == ["list_slots"]
    looking_up.tell(type="session.update", session={"type": "realtime", "tool_choice": "none"})
    assert looking_up.brain.tools == []


async def test_an_output_for_a_call_that_was_never_made_is_refused(desk: Desk) -> None:
    output = {"type": "function_call_output", "call_id": "call_x", "output": "{}"}
    desk.tell(type="conversation.item.create", item=output)
    assert desk.of("error")[0]["error"]["code"] == "invalid_call_id"
