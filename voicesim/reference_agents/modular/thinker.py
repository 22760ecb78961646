"""The brain's place in the pipeline: a finished turn of the caller in, sentences out."""

import asyncio
import uuid
from collections.abc import Callable

from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    Frame,
    FunctionCallFromLLM,
    FunctionCallInProgressFrame,
    FunctionCallResultFrame,
    FunctionCallResultProperties,
    FunctionCallsStartedFrame,
    InterruptionFrame,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    UserStartedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from voicesim.reference_agents.brain import Brain, Equipped, Reply, ToolBrain, ToolUse
from voicesim.tools.dispatcher import ToolDispatcher


class Thinker(FrameProcessor):
    """Stands where a pipeline has its language model; keeps no history but the pipeline's own context."""

    def __init__(self, brain: Brain, on_over: Callable[[], None], dispatcher: ToolDispatcher | None = None) -> None:
        """`on_over` is called once the goodbye has been played. The dispatcher has the agent's own tools, if any."""
        super().__init__()
        self._brain = brain
        self._dispatcher = dispatcher
        if dispatcher is not None and isinstance(brain, Equipped):
            brain.offered([tool.model_dump() for tool in dispatcher.tools])
        self._on_over = on_over
        self._read = 0
        self._reply = Reply("")
        self._begun = self._leaving = self._over = False

    def can_generate_metrics(self) -> bool:
        return True

    async def greet(self) -> None:
        """Says the greeting, unless the caller has spoken first."""
        greeting = self._brain.greet()
        if greeting and not self._begun:
            await self._say(Reply(greeting))

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMContextFrame):
            await self._answer(frame.context)
            return
        if isinstance(frame, UserStartedSpeakingFrame):
            self._begun = True
        elif isinstance(frame, InterruptionFrame) and not self._over:
            self._leaving = False
        elif isinstance(frame, BotStoppedSpeakingFrame) and self._leaving:
            self._end()
        await self.push_frame(frame, direction)

    async def _answer(self, context: LLMContext) -> None:
        fresh = [message for message in context.messages[self._read :] if isinstance(message, dict)]
        self._read = len(context.messages)
        if self._over:
            return
        spoken = " ".join(str(text.get("content", "")) for text in fresh if text.get("role") == "assistant")
        if _folded(self._reply.text) not in _folded(spoken):
            self._brain.interrupted(_prefix(self._reply.text, spoken))
        heard = [str(text.get("content", "")).strip() for text in fresh if text.get("role") == "user"]
        await self.start_ttfb_metrics()
        reply = await self._brain.reply(" ".join(text for text in heard if text))
        await self.stop_ttfb_metrics()
        await self._say(reply)
        while reply.use is not None and self._dispatcher is not None and isinstance(self._brain, ToolBrain):
            # A tool that has begun is brought to its end, also when the caller interrupts.
            reply = await asyncio.shield(self.create_task(self._use(reply.use, self._dispatcher, self._brain)))
            await self._say(reply, before=self._reply.text)

    async def _say(self, reply: Reply, before: str = "") -> None:
        """Says a reply, or what follows on what was said `before` in the same turn."""
        self._reply, self._leaving = Reply(f"{before} {reply.text}".strip(), reply.done), reply.done
        if not reply.text:
            if reply.done:
                self._end()
            return
        await self.push_frame(LLMFullResponseStartFrame())
        await self.push_frame(LLMTextFrame(reply.text))
        await self.push_frame(LLMFullResponseEndFrame())

    async def _use(self, use: ToolUse, dispatcher: ToolDispatcher, brain: ToolBrain) -> Reply:
        """Uses a tool, and lets the pipeline (and so RTVI) know as Pipecat's own models do."""
        name, arguments, call_id = use.name, dict(use.arguments), uuid.uuid4().hex
        call = FunctionCallFromLLM(function_name=name, tool_call_id=call_id, arguments=arguments, context=None)
        await self.push_frame(FunctionCallsStartedFrame([call]))
        await self.push_frame(FunctionCallInProgressFrame(name, call_id, arguments, cancel_on_interruption=True))
        result = dispatcher.call(name, arguments).result
        # It is this processor, not the aggregator behind the voice, that goes on with the result.
        goes_on = FunctionCallResultProperties(run_llm=False)
        await self.push_frame(FunctionCallResultFrame(name, call_id, arguments, result, properties=goes_on))
        return await brain.took(result)

    def _end(self) -> None:
        if not self._over:
            self._over, self._leaving = True, False
            self._on_over()


def _folded(text: str) -> str:
    return " ".join(text.split())


def _prefix(text: str, spoken: str) -> str:
    """What was spoken, if it is indeed how the text begins."""
    said = _folded(spoken)
    return said if _folded(text).startswith(said) else ""
