"""A plain Pipecat bot for a Twilio number, as anybody would write it: it answers each turn with its next sentence.

Run as a process of its own; prints `ready URL`. The sentences are recorded with a local voice when it starts.
"""

import asyncio
import json
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np
import uvicorn
from fastapi import FastAPI, WebSocket
from hibari import Hibari
from loguru import logger
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    EndFrame,
    Frame,
    TTSAudioRawFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport
from pipecat.workers.runner import WorkerRunner

SENTENCES = (
    "Hello, this is the nurse line. How can I help you?",
    "Do you have any trouble breathing?",
    "Please drink plenty of water and get some rest. Goodbye.",
)


class Nurse(FrameProcessor):
    """Says the next sentence when the caller stops; falls silent when the caller starts; ends after the last."""

    def __init__(self, recorded: list[bytes], over: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._left = list(recorded)
        self._over = over

    async def say(self) -> None:
        if self._left:
            sound = self._left.pop(0)
            await self.push_frame(TTSAudioRawFrame(audio=sound, sample_rate=24_000, num_channels=1))

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, VADUserStartedSpeakingFrame):
            await self.broadcast_interruption()  # type: ignore[no-untyped-call]
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            await self.say()
        elif isinstance(frame, BotStoppedSpeakingFrame) and not self._left:
            await self._over()
        await self.push_frame(frame, direction)


def make_app(recorded: list[bytes]) -> FastAPI:
    app = FastAPI()

    async def call(websocket: WebSocket) -> None:
        await websocket.accept()
        messages = websocket.iter_text()
        await anext(messages)  # connected
        start = json.loads(await anext(messages))["start"]
        serializer = TwilioFrameSerializer(
            start["streamSid"], start["callSid"], params=TwilioFrameSerializer.InputParams(auto_hang_up=False)
        )
        transport = FastAPIWebsocketTransport(
            websocket,
            FastAPIWebsocketParams(audio_in_enabled=True, audio_out_enabled=True, serializer=serializer),
        )

        async def over() -> None:
            await worker.queue_frame(EndFrame())

        nurse = Nurse(recorded, over)
        vad = VADProcessor(vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=0.8)))
        worker = PipelineWorker(
            Pipeline([transport.input(), vad, nurse, transport.output()]),
            params=PipelineParams(audio_in_sample_rate=8_000, audio_out_sample_rate=8_000),
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

    app.add_api_websocket_route("/ws", call)
    return app


def main() -> None:
    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    voice = Hibari(voice="heart", threads=1)
    recorded = [(np.asarray(voice(text, seed=0)) * 32_767).astype("<i2").tobytes() for text in SENTENCES]
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        print(f"ready ws://127.0.0.1:{bound.getsockname()[1]}/ws", flush=True)
        server = uvicorn.Server(uvicorn.Config(make_app(recorded), log_level="warning"))
        asyncio.run(server.serve(sockets=[bound]))


if __name__ == "__main__":
    main()
