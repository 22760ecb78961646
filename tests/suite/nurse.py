"""A plain Pipecat bot, as anybody would write it: it answers each turn of the caller with its next sentence.

It knows nothing of voicesim. The sentences are recorded with a local voice beforehand.
"""

from typing import Any

import numpy as np
from hibari import Hibari
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    EndWorkerFrame,
    Frame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSAudioRawFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.transports.base_transport import BaseTransport
from pipecat.workers.runner import WorkerRunner

SENTENCES = (
    "Hello, this is the nurse line. How can I help you?",
    "Do you have any trouble breathing?",
    "Please drink plenty of water and get some rest. Goodbye.",
)
RATE = 24_000


def recorded() -> dict[str, bytes]:
    """Each sentence with its sound: 16 bits, 24,000 Hz."""
    voice = Hibari(voice="heart", threads=1)
    return {text: (np.asarray(voice(text, seed=0)) * 32_767).astype("<i2").tobytes() for text in SENTENCES}


class Nurse(FrameProcessor):
    """Says the next sentence when the caller stops; falls silent when the caller starts; ends after the last."""

    def __init__(self, spoken: dict[str, bytes]) -> None:
        super().__init__()
        self._left = list(spoken.items())

    async def say(self) -> None:
        if self._left:
            text, sound = self._left.pop(0)
            await self.push_frame(LLMFullResponseStartFrame())
            await self.push_frame(LLMTextFrame(text))
            await self.push_frame(LLMFullResponseEndFrame())
            await self.push_frame(TTSAudioRawFrame(audio=sound, sample_rate=RATE, num_channels=1))

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, VADUserStartedSpeakingFrame):
            await self.broadcast_interruption()  # type: ignore[no-untyped-call]
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            await self.say()
        await self.push_frame(frame, direction)
        if isinstance(frame, BotStoppedSpeakingFrame) and not self._left:
            await self.push_frame(EndWorkerFrame())


async def take_call(transport: BaseTransport, spoken: dict[str, bytes], rate: int) -> None:
    """One call over a transport at a rate (Hz), until either side hangs up."""
    nurse = Nurse(spoken)
    vad = VADProcessor(vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=0.8)))
    worker = PipelineWorker(
        Pipeline([transport.input(), vad, nurse, transport.output()]),
        params=PipelineParams(audio_in_sample_rate=min(rate, 16_000), audio_out_sample_rate=rate),
    )

    async def connected(*_: Any) -> None:
        await nurse.say()

    async def disconnected(*_: Any) -> None:
        await worker.cancel()

    transport.add_event_handler("on_client_connected", connected)
    transport.add_event_handler("on_client_disconnected", disconnected)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()
