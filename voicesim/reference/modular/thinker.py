"""The brain's place in the pipeline: a finished turn of the caller in, sentences out."""

from collections.abc import Callable

from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    Frame,
    InterruptionFrame,
    LLMContextFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    UserStartedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from voicesim.reference.brain import Brain, Reply


class Thinker(FrameProcessor):
    """Stands where a pipeline has its language model; keeps no history but the pipeline's own context."""

    def __init__(self, brain: Brain, on_over: Callable[[], None]) -> None:
        """`on_over` is told once the goodbye has been played."""
        super().__init__()
        self._brain = brain
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
        fresh = [one for one in context.messages[self._read :] if isinstance(one, dict)]
        self._read = len(context.messages)
        if self._over:
            return
        spoken = " ".join(str(one.get("content", "")) for one in fresh if one.get("role") == "assistant")
        if _folded(self._reply.text) not in _folded(spoken):
            self._brain.interrupted(_prefix(self._reply.text, spoken))
        heard = [str(one.get("content", "")).strip() for one in fresh if one.get("role") == "user"]
        await self.start_ttfb_metrics()
        reply = await self._brain.reply(" ".join(text for text in heard if text))
        await self.stop_ttfb_metrics()
        await self._say(reply)

    async def _say(self, reply: Reply) -> None:
        self._reply, self._leaving = reply, reply.done
        if not reply.text:
            if reply.done:
                self._end()
            return
        await self.push_frame(LLMFullResponseStartFrame())
        await self.push_frame(LLMTextFrame(reply.text))
        await self.push_frame(LLMFullResponseEndFrame())

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
