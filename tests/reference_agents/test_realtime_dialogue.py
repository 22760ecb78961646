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

from voicesim.audio.samples import TICK, Pcm, Wave, samples, to_pcm
from voicesim.errors import SpeechError
from voicesim.reference_agents.brain import Functions, Reply, ToolUse
from voicesim.reference_agents.realtime.dialogue import Dialogue, Parts
from voicesim.reference_agents.realtime.playout import WIRE_RATE
from voicesim.reference_agents.realtime.session import Session, updated

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


class DialogueRig:
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
async def served(brain: ScriptedBrain) -> AsyncIterator[DialogueRig]:
    with ThreadPoolExecutor(1) as workers:
        made = DialogueRig(workers, brain)
        yield made
        for task in made.tasks:
            task.cancel()
        results = await asyncio.gather(*made.tasks, return_exceptions=True)
        assert [one for one in results if one is not None and not isinstance(one, asyncio.CancelledError)] == []


@pytest.fixture
async def rig() -> AsyncIterator[DialogueRig]:
    async with served(ScriptedBrain()) as made:
        yield made


QUESTION = placed(2.6, (0.4, 1.4))
"""One second of speech, and silence enough to end the turn (0.9 s)."""


async def test_a_turn_goes_through_the_events_of_the_protocol_in_order(rig: DialogueRig) -> None:
    rig.brain.lines = ["One line."]
    rig.hear(QUESTION)
    await rig.settle()
    await rig.play(SENTENCE_SECONDS + 0.1)
    assert rig.types() == [
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
    assert rig.brain.heard == ["words one"]


async def test_the_edges_of_a_turn_are_positions_in_the_callers_sound(rig: DialogueRig) -> None:
    rig.hear(QUESTION)
    start = rig.of("input_audio_buffer.speech_started")[0]["audio_start_ms"]
    end = rig.of("input_audio_buffer.speech_stopped")[0]["audio_end_ms"]
    # Speech lies from 400 to 1400 ms; 300 ms of padding before, 900 ms of silence after, windows of 32 ms.
    assert start == pytest.approx(100, abs=70)
    assert end == pytest.approx(2300, abs=100)


async def test_items_follow_one_another_and_ids_tie_events_together(rig: DialogueRig) -> None:
    rig.brain.lines = ["One line."]
    rig.hear(QUESTION)
    await rig.settle()
    caller, agent = rig.of("conversation.item.added")
    assert caller["previous_item_id"] is None
    assert agent["previous_item_id"] == caller["item"]["id"]
    started = rig.of("input_audio_buffer.speech_started")[0]
    assert started["item_id"] == caller["item"]["id"]
    created = rig.of("response.created")[0]["response"]
    done = rig.of("response.done")[0]["response"]
    assert created["id"] == done["id"]
    assert created["status"] == "in_progress"
    assert (done["status"], done["output"][0]["id"]) == ("completed", agent["item"]["id"])
    assert done["output"][0]["content"] == [{"type": "output_audio", "transcript": "One line."}]


async def test_usage_counts_the_callers_sound_once_and_then_as_cached(rig: DialogueRig) -> None:
    rig.brain.lines = ["One line.", "Two line."]
    for _ in range(2):
        rig.hear(QUESTION)
        await rig.settle()
        await rig.play(SENTENCE_SECONDS + 0.1)
    first, second = (event["response"]["usage"] for event in rig.of("response.done"))
    # 2.0 s spoken at 20 tokens a second; 9 letters are 3 text tokens.
    assert first["output_token_details"] == {"text_tokens": 3, "audio_tokens": 40}
    # The turn lasted about 2.2 s at 10 tokens a second.
    heard = first["input_token_details"]["audio_tokens"]
    assert heard == pytest.approx(22, abs=2)
    assert first["total_tokens"] == heard + 43
    assert second["input_token_details"]["cached_tokens"] == heard + 43
    assert second["input_tokens"] == pytest.approx(2 * heard + 43, abs=2)


async def test_sound_is_made_sentence_by_sentence_a_little_ahead(rig: DialogueRig) -> None:
    rig.hear(QUESTION)
    await rig.settle()
    # Three sentences of 2 s: with the first one waiting, more than a second is there, so no second yet.
    assert len(rig.of("response.output_audio_transcript.delta")) == 1
    await rig.play(1.1)
    assert len(rig.of("response.output_audio_transcript.delta")) == 2
    assert not rig.of("response.done")
    await rig.play(4.0)
    assert rig.of("response.output_audio_transcript.done")[0]["transcript"] == "First line. Second line. Third line."


async def test_a_caller_who_speaks_into_a_reply_stops_it(rig: DialogueRig) -> None:
    rig.hear(QUESTION)
    await rig.settle()
    await rig.play(2.5)
    mark = len(rig.events)
    rig.hear(placed(0.8, (0.1, 0.8)))
    assert rig.types(mark) == [
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
    done = rig.of("response.done")[0]["response"]
    assert done["status"] == "cancelled"
    assert done["status_details"] == {"type": "cancelled", "reason": "turn_detected"}
    assert rig.of("conversation.item.truncated")[0]["audio_end_ms"] == 2500
    assert rig.brain.cut == ["First line."]
    assert not (await rig.play(0.5)).any()


async def test_a_reply_that_is_made_but_not_played_can_still_be_stopped(rig: DialogueRig) -> None:
    rig.brain.lines = ["One line."]
    rig.hear(QUESTION)
    await rig.settle()
    assert rig.of("response.done")[0]["response"]["status"] == "completed"
    await rig.play(0.5)
    rig.hear(placed(0.8, (0.1, 0.8)))
    assert rig.types()[-2:] == ["output_audio_buffer.cleared", "conversation.item.truncated"]
    assert len(rig.of("response.done")) == 1
    assert rig.brain.cut == [""]


async def test_a_caller_who_goes_on_before_the_reply_is_answered_for_all_of_it(rig: DialogueRig) -> None:
    rig.hear(placed(4.6, (0.4, 1.4), (2.4, 3.4)))
    await rig.settle()
    assert [event["response"]["status"] for event in rig.of("response.done")][:1] == ["cancelled"]
    assert rig.brain.heard == ["words one words two"]
    assert rig.brain.cut == []


async def test_a_long_turn_is_transcribed_at_its_pauses(rig: DialogueRig) -> None:
    rig.brain.lines = ["One line."]
    # A pause of 0.5 s ends no turn (0.9 s), but what was said before it (2 s) goes to the transcriber.
    wave = placed(5.2, (0.2, 2.2), (2.7, 3.7))
    rig.hear(wave[: samples(2.6)])
    await rig.settle()
    assert rig.texts == ["words two", "words three"]
    rig.hear(wave[samples(2.6) :])
    await rig.settle()
    assert len(rig.of("input_audio_buffer.committed")) == 1
    assert rig.brain.heard == ["words one words two"]


async def test_sound_without_words_is_answered_too(rig: DialogueRig) -> None:
    rig.texts = [""]
    rig.hear(QUESTION)
    await rig.settle()
    assert rig.brain.heard == [""]


async def test_the_greeting_is_said_once_and_not_over_a_caller(rig: DialogueRig) -> None:
    rig.dialogue.greet()
    await rig.settle()
    rig.dialogue.greet()
    await rig.settle()
    assert [event["delta"] for event in rig.of("response.output_audio_transcript.delta")] == ["Hello there."]


async def test_no_greeting_when_the_caller_speaks_first(rig: DialogueRig) -> None:
    rig.hear(placed(1.0, (0.2, 1.0)))
    rig.dialogue.greet()
    await rig.settle()
    assert not rig.of("response.created")


async def test_the_goodbye_is_played_to_its_end_before_the_call_is_over(rig: DialogueRig) -> None:
    rig.brain.lines = ["Goodbye."]
    rig.hear(QUESTION)
    await rig.settle()
    await rig.play(SENTENCE_SECONDS - 0.1)
    assert not rig.over
    await rig.play(0.2)
    assert rig.over
    assert rig.types()[-1] == "output_audio_buffer.stopped"
    rig.hear(QUESTION)
    await rig.settle()
    assert rig.brain.heard == ["words one"]


async def test_a_voice_that_fails_fails_the_response_and_not_the_call(rig: DialogueRig) -> None:
    rig.broken = True
    rig.hear(QUESTION)
    await rig.settle()
    failed = rig.of("response.done")[0]["response"]
    assert failed["status"] == "failed"
    assert "no sound of 'First line.'" in failed["status_details"]["error"]["message"]
    rig.broken = False
    rig.hear(QUESTION)
    await rig.settle()
    assert rig.of("output_audio_buffer.started")


async def test_without_turn_detection_the_client_commits_and_asks(rig: DialogueRig) -> None:
    rig.tell(type="session.update", session={"type": "realtime", "audio": {"input": {"turn_detection": None}}})
    rig.hear(QUESTION)
    await rig.settle()
    assert not rig.of("input_audio_buffer.speech_started")
    rig.tell(type="input_audio_buffer.commit")
    rig.tell(type="response.create", response={"metadata": {"a": "b"}})
    await rig.settle()
    assert rig.brain.heard == ["words one"]
    assert rig.of("response.created")[0]["response"]["metadata"] == {"a": "b"}


async def test_interruption_can_be_switched_off(rig: DialogueRig) -> None:
    detection = {"type": "server_vad", "interrupt_response": False}
    rig.tell(type="session.update", session={"type": "realtime", "audio": {"input": {"turn_detection": detection}}})
    rig.hear(QUESTION)
    await rig.settle()
    rig.hear(placed(0.8, (0.1, 0.8)))
    assert not rig.of("output_audio_buffer.cleared")
    assert rig.brain.cut == []


async def test_typed_words_reach_the_brain(rig: DialogueRig) -> None:
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "I have a cold"}]}
    rig.tell(type="conversation.item.create", item=item)
    rig.tell(type="response.create")
    await rig.settle()
    assert rig.brain.heard == ["I have a cold"]


async def test_the_first_response_a_client_asks_for_is_the_greeting(rig: DialogueRig) -> None:
    rig.tell(type="response.create")
    await rig.settle()
    assert rig.of("response.output_audio_transcript.delta")[0]["delta"] == "Hello there."
    assert rig.brain.heard == []


async def test_a_client_can_cancel_and_clear(rig: DialogueRig) -> None:
    rig.hear(QUESTION)
    await rig.settle()
    rig.tell(type="response.cancel")
    done = rig.of("response.done")[0]["response"]
    assert done["status_details"] == {"type": "cancelled", "reason": "client_cancelled"}
    assert rig.of("output_audio_buffer.cleared")
    mark = len(rig.events)
    rig.tell(type="output_audio_buffer.clear")
    assert rig.types(mark) == []


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
    rig: DialogueRig, event: dict[str, Any], code: str
) -> None:
    rig.tell(**event, event_id="mine")
    error = rig.events[-1]
    assert error["type"] == "error"
    assert (error["error"]["code"], error["error"]["event_id"]) == (code, "mine")
    assert len(rig.events) == 2


async def test_a_second_response_at_once_is_refused(rig: DialogueRig) -> None:
    rig.tell(type="response.create")
    rig.tell(type="response.create")
    assert rig.events[-1]["error"]["code"] == "conversation_already_has_active_response"


def shapes() -> dict[str, type[BaseModel]]:
    """The openai package's model of every server event, by type."""
    union = typing.get_args(RealtimeServerEvent)[0]
    return {typing.get_args(one.model_fields["type"].annotation)[0]: one for one in typing.get_args(union)}


async def test_every_event_has_the_published_shape_and_no_other_field(rig: DialogueRig) -> None:
    known = shapes()
    rig.tell(type="session.update", session={"type": "realtime", "instructions": "x"})
    rig.tell(type="nonsense")
    rig.dialogue.greet()
    await rig.play(SENTENCE_SECONDS + 0.2)
    rig.hear(QUESTION)
    await rig.play(2.5)
    rig.hear(placed(2.6, (0.1, 0.8)))
    await rig.play(SENTENCE_SECONDS + 1.0)
    rig.tell(type="input_audio_buffer.clear")
    assert set(rig.types()) >= {
        "error",
        "session.updated",
        "output_audio_buffer.cleared",
        "output_audio_buffer.stopped",
        "conversation.item.truncated",
        "input_audio_buffer.cleared",
    }
    for event in rig.events:
        model = known[event["type"]]
        model.model_validate(event)
        assert set(event) <= set(model.model_fields), event["type"]
    ids = [event["event_id"] for event in rig.events]
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
async def looking_up() -> AsyncIterator[DialogueRig]:
    async with served(LookingUp()) as made:
        yield made


async def test_a_tool_is_a_function_call_that_the_client_answers_before_the_agent_goes_on(
    looking_up: DialogueRig,
) -> None:
    rig = looking_up
    rig.hear(QUESTION)
    await rig.settle()
    await rig.play(SENTENCE_SECONDS + 0.1)
    (made,) = rig.of("response.function_call_arguments.done")
    assert (made["name"], json.loads(made["arguments"])) == ("list_slots", {"day": "friday"})
    done = rig.of("response.done")[0]["response"]
    assert [item["type"] for item in done["output"]] == ["message", "function_call"]
    output = {"type": "function_call_output", "call_id": made["call_id"], "output": '{"found": 2}'}
    rig.tell(type="conversation.item.create", item=output)
    assert rig.of("conversation.item.added")[-1]["item"]["call_id"] == made["call_id"]
    rig.tell(type="response.create")
    await rig.settle()
    assert rig.of("response.output_audio_transcript.done")[-1]["transcript"] == "I found 2."
    for event in rig.events:
        assert TypeAdapter(RealtimeServerEvent).validate_python(event)


async def test_the_brain_knows_which_tools_the_client_offers(looking_up: DialogueRig) -> None:
    tool = {"type": "function", "name": "list_slots", "description": "Lists.", "parameters": {}}
    looking_up.tell(type="session.update", session={"type": "realtime", "tools": [tool]})
    assert isinstance(looking_up.brain, LookingUp)
    assert looking_up.brain.tools == ["list_slots"]
    looking_up.tell(type="session.update", session={"type": "realtime", "tool_choice": "none"})
    assert looking_up.brain.tools == []


async def test_an_output_for_a_call_that_was_never_made_is_refused(rig: DialogueRig) -> None:
    output = {"type": "function_call_output", "call_id": "call_x", "output": "{}"}
    rig.tell(type="conversation.item.create", item=output)
    assert rig.of("error")[0]["error"]["code"] == "invalid_call_id"
