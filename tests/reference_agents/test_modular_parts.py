"""The modular agent's own pieces inside Pipecat: the end of a turn, the brain's place, the shared Whisper."""

import asyncio
import threading
import time
import warnings
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from voicesim.catalog.find import Catalogue
from voicesim.reference_agents.brain import Functions, Reply, ToolUse
from voicesim.tools.dispatcher import make_dispatcher

with warnings.catch_warnings():
    # Pipecat imports audioop, which Python 3.11 and 3.12 warn about.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pipecat.frames.frames import (
        BotStoppedSpeakingFrame,
        FunctionCallInProgressFrame,
        FunctionCallResultFrame,
        FunctionCallsStartedFrame,
        InterruptionFrame,
        LLMContextFrame,
        LLMFullResponseEndFrame,
        LLMFullResponseStartFrame,
        LLMTextFrame,
        TranscriptionFrame,
        VADUserStartedSpeakingFrame,
        VADUserStoppedSpeakingFrame,
    )
    from pipecat.processors.aggregators.llm_context import LLMContext
    from pipecat.tests.utils import SleepFrame, run_test
    from pipecat.utils.asyncio.task_manager import TaskManager

    from voicesim.reference_agents.modular.services import OneAtATime
    from voicesim.reference_agents.modular.thinker import Thinker
    from voicesim.reference_agents.modular.turn_end import WholeTurn


def transcript(text: str) -> TranscriptionFrame:
    return TranscriptionFrame(text, "", "now")


class Ends:
    """A strategy with a silence of 0.1 s and a limit of 0.4 s, and how often it ended a turn."""

    def __init__(self) -> None:
        self.strategy = WholeTurn(0.1, 0.4)
        self.count = 0
        self.strategy.add_event_handler("on_user_turn_stopped", self._ended)

    async def __aenter__(self) -> "Ends":
        setup: Any = SimpleNamespace(task_manager=TaskManager())
        await self.strategy.setup(setup)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.strategy.cleanup()

    async def feed(self, *frames: Any) -> None:
        for frame in frames:
            await self.strategy.process_frame(frame)

    async def _ended(self, *_: object) -> None:
        self.count += 1
        await self.strategy.handle_user_turn_stopped()


START = VADUserStartedSpeakingFrame(start_secs=0.2)
STOP = VADUserStoppedSpeakingFrame(stop_secs=0.0)


async def test_a_turn_ends_when_silence_and_transcript_are_both_there() -> None:
    async with Ends() as ends:
        await ends.feed(START, STOP, transcript("words"))
        assert ends.count == 0
        await asyncio.sleep(0.2)
        assert ends.count == 1
        await asyncio.sleep(0.4)
        assert ends.count == 1


async def test_a_late_transcript_of_an_earlier_piece_does_not_end_the_turn() -> None:
    async with Ends() as ends:
        await ends.feed(START, STOP, START, transcript("first piece"), STOP)
        await asyncio.sleep(0.2)
        assert ends.count == 0
        await ends.feed(transcript("second piece"))
        assert ends.count == 1


async def test_a_transcript_that_never_comes_holds_the_turn_only_for_a_time() -> None:
    async with Ends() as ends:
        await ends.feed(START, STOP)
        await asyncio.sleep(0.2)
        assert ends.count == 0
        await asyncio.sleep(0.35)
        assert ends.count == 1


async def test_speech_that_goes_on_stops_the_clock() -> None:
    async with Ends() as ends:
        await ends.feed(START, STOP, transcript("words"))
        await asyncio.sleep(0.05)
        await ends.feed(START)
        await asyncio.sleep(0.5)
        assert ends.count == 0


class ScriptedBrain:
    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.heard: list[str] = []
        self.cut: list[str] = []

    def greet(self) -> str | None:
        return "Hello."

    async def reply(self, heard: str) -> Reply:
        self.heard.append(heard)
        return self.replies.pop(0)

    def interrupted(self, spoken: str) -> None:
        self.cut.append(spoken)


def context(*messages: tuple[str, str]) -> LLMContextFrame:
    return LLMContextFrame(LLMContext([{"role": role, "content": text} for role, text in messages]))  # type: ignore[misc]


LINE = [LLMFullResponseStartFrame, LLMTextFrame, LLMFullResponseEndFrame]


async def test_the_brain_gets_every_word_since_its_last_line_and_answers_as_a_model_would() -> None:
    brain = ScriptedBrain(Reply("One."), Reply("Two."))
    first = context(("user", "I have a"), ("user", " cold "))
    second = context(("user", "I have a"), ("user", " cold "), ("assistant", "One."), ("user", "for a week"))
    down, _ = await run_test(
        Thinker(brain, lambda: None), frames_to_send=[first, second], expected_down_frames=[*LINE, *LINE]
    )
    assert brain.heard == ["I have a cold", "for a week"]
    assert brain.cut == []
    assert [frame.text for frame in down if isinstance(frame, LLMTextFrame)] == ["One.", "Two."]


async def test_the_brain_is_told_what_was_spoken_of_a_line_that_was_cut_off() -> None:
    brain = ScriptedBrain(Reply("One. Two. Three."), Reply("Four."))
    first = context(("user", "hello"))
    second = context(("user", "hello"), ("assistant", "One."), ("user", "wait"))
    await run_test(Thinker(brain, lambda: None), frames_to_send=[first, second], expected_down_frames=[*LINE, *LINE])
    assert brain.cut == ["One."]


async def test_a_turn_without_words_reaches_the_brain_as_nothing() -> None:
    brain = ScriptedBrain(Reply("Pardon?"))
    noise = context(("developer", "The caller made a sound that was not understood."))
    await run_test(Thinker(brain, lambda: None), frames_to_send=[noise], expected_down_frames=LINE)
    assert brain.heard == [""]


class BookingBrain(ScriptedBrain):
    """Looks the free slots up, and says how many there are."""

    def offered(self, functions: Functions) -> None:
        self.tools = [one["name"] for one in functions]

    async def took(self, result: Mapping[str, Any]) -> Reply:
        return Reply(f"I have {len(result['slots'])}.")


USE = [FunctionCallsStartedFrame, FunctionCallInProgressFrame, FunctionCallResultFrame]


async def test_tools_are_the_agents_own_and_every_use_goes_down_the_pipeline() -> None:
    brain = BookingBrain(Reply("One moment.", use=ToolUse("list_slots", {"day": "thursday"})), Reply("Bye."))
    thinker = Thinker(brain, lambda: None, make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking")))
    assert brain.tools == ["verify_patient", "list_slots", "book"]
    asked = context(("user", "thursday?"))
    answered = context(("user", "thursday?"), ("assistant", "One moment."), ("assistant", "I have 1."), ("user", "ok"))
    down, _ = await run_test(
        thinker, frames_to_send=[asked, answered], expected_down_frames=[*LINE, *USE, *LINE, *LINE]
    )
    assert [frame.text for frame in down if isinstance(frame, LLMTextFrame)] == ["One moment.", "I have 1.", "Bye."]
    (used,) = (frame for frame in down if isinstance(frame, FunctionCallResultFrame))
    assert (used.function_name, used.arguments) == ("list_slots", {"day": "thursday"})
    assert [slot["slot_id"] for slot in used.result["slots"]] == ["s-02"]
    assert brain.cut == []


async def test_the_call_is_over_once_the_goodbye_has_been_played() -> None:
    over: list[float] = []
    thinker = Thinker(ScriptedBrain(Reply("Goodbye.", done=True)), lambda: over.append(time.monotonic()))
    sent = [
        context(("user", "bye")),
        SleepFrame(0.1),
        BotStoppedSpeakingFrame(),
        context(("user", "bye"), ("user", "bye")),
    ]
    await run_test(thinker, frames_to_send=sent, expected_down_frames=[*LINE, BotStoppedSpeakingFrame])
    assert len(over) == 1


async def test_an_interrupted_goodbye_does_not_end_the_call() -> None:
    over: list[bool] = []
    thinker = Thinker(ScriptedBrain(Reply("Goodbye.", done=True)), lambda: over.append(True))
    sent = [context(("user", "bye")), SleepFrame(0.1), InterruptionFrame(), SleepFrame(0.1), BotStoppedSpeakingFrame()]
    await run_test(
        thinker, frames_to_send=sent, expected_down_frames=[*LINE, InterruptionFrame, BotStoppedSpeakingFrame]
    )
    assert over == []


def test_two_calls_are_never_inside_the_shared_whisper_at_once() -> None:
    class Engine:
        inside = most = 0

        def transcribe(self, audio: str, **options: Any) -> tuple[Any, None]:
            assert options["beam_size"] == 1
            return self._decode(audio), None

        def _decode(self, audio: str) -> Any:
            self.inside += 1
            self.most = max(self.most, self.inside)
            time.sleep(0.02)
            yield audio
            self.inside -= 1

    engine = Engine()
    shared = OneAtATime(engine)
    heard: list[Any] = []
    threads = [threading.Thread(target=lambda n=n: heard.append(shared.transcribe(n))) for n in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(heard) == [(["a"], None), (["b"], None), (["c"], None), (["d"], None)]
    assert engine.most == 1
