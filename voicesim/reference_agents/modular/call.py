"""One call: a Pipecat pipeline from its transport to its transport."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.frames.frames import EndFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frameworks.rtvi import RTVIFunctionCallReportLevel, RTVIObserverParams
from pipecat.transports.base_transport import TransportParams
from pipecat.transports.smallwebrtc.connection import SmallWebRTCConnection
from pipecat.transports.smallwebrtc.transport import SmallWebRTCTransport
from pipecat.turns.empty_user_turn import EmptyUserTurnConfig
from pipecat.turns.user_start import VADUserTurnStartStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

from voicesim.audio.samples import RATE
from voicesim.reference_agents.brain import BrainMaker
from voicesim.reference_agents.modular.services import HibariTTS, OneAtATime, SharedWhisper
from voicesim.reference_agents.modular.thinker import Thinker
from voicesim.reference_agents.modular.turn_end import WholeTurn
from voicesim.reference_agents.voice import AgentVoice
from voicesim.tools.dispatcher import ToolDispatcher

CONNECT_LIMIT = 20.0
"""Seconds a peer may take to connect; Pipecat itself waits for ever for one that never tries."""
GREET_AFTER = 0.4
"""Seconds from the connection to the greeting."""
LINGER = 8.0
"""Seconds the call stays open after the agent's goodbye."""
PAUSE = 0.3
"""Seconds of silence after which what was said so far is transcribed."""
SILENCE = 0.9
"""Seconds of silence that end the caller's turn."""
LATEST_TRANSCRIPT = 6.0
"""Seconds of silence after which a transcript is waited for no longer."""
_HEAR_RATE = 16_000
_NOTHING_HEARD = "The caller made a sound that was not understood."


@dataclass(frozen=True)
class Parts:
    """What all calls of a process share."""

    make_brain: BrainMaker
    make_dispatcher: Callable[[], ToolDispatcher | None]
    whisper: OneAtATime
    whisper_name: str
    voice: AgentVoice
    voices: Executor


class ModularCall:
    """Runs the pipeline of one connection until the peer leaves or the brain ends the call."""

    def __init__(self, connection: SmallWebRTCConnection, parts: Parts) -> None:
        self._connection = connection
        self._transport = SmallWebRTCTransport(
            webrtc_connection=connection,
            params=TransportParams(
                audio_in_enabled=True,
                audio_out_enabled=True,
                audio_out_10ms_chunks=2,
                audio_out_end_silence_secs=0,
            ),
        )
        dispatcher = parts.make_dispatcher()
        self._state = dispatcher.state if dispatcher else None
        self._thinker = Thinker(parts.make_brain(), lambda: self._later(LINGER, self._leave), dispatcher)
        self._worker = PipelineWorker(
            Pipeline(self._processors(parts)),
            params=PipelineParams(audio_in_sample_rate=_HEAR_RATE, audio_out_sample_rate=RATE, enable_metrics=True),
            enable_turn_tracking=False,
            rtvi_observer_params=RTVIObserverParams(function_call_report_level={"*": RTVIFunctionCallReportLevel.FULL}),
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._worker.rtvi.add_event_handler("on_client_ready", self._tell_state)
        self._transport.add_event_handler("on_client_connected", self._connected)
        self._transport.add_event_handler("on_client_disconnected", self._disconnected)

    async def run(self) -> None:
        """Returns when the call is over; nothing of it is left then."""
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self._worker)
        self._later(CONNECT_LIMIT, self._give_up)
        try:
            await runner.run()
        finally:
            await self._connection.disconnect()  # type: ignore[no-untyped-call]
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def hang_up(self) -> None:
        """Ends the pipeline at once."""
        await self._worker.cancel()

    def _processors(self, parts: Parts) -> list[Any]:
        aggregators = LLMContextAggregatorPair(
            LLMContext(),
            user_params=LLMUserAggregatorParams(
                vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=PAUSE)),
                user_turn_strategies=UserTurnStrategies(
                    start=[VADUserTurnStartStrategy()], stop=[WholeTurn(SILENCE, LATEST_TRANSCRIPT)]
                ),
                user_turn_stop_timeout=LATEST_TRANSCRIPT + 1.0,
                empty_user_turn=EmptyUserTurnConfig(
                    interrupted_prompt=_NOTHING_HEARD, idle_prompt=_NOTHING_HEARD, max_consecutive_recoveries=3
                ),
            ),
        )
        return [
            self._transport.input(),
            SharedWhisper(parts.whisper, parts.whisper_name),
            aggregators.user(),
            self._thinker,
            HibariTTS(parts.voice, parts.voices),
            self._transport.output(),
            aggregators.assistant(),
        ]

    async def _connected(self, _transport: Any, _connection: Any) -> None:
        self._later(GREET_AFTER, self._thinker.greet)

    async def _tell_state(self, rtvi: Any) -> None:
        """What its clinic held before the call: whoever judges it can then tell what it could know."""
        if self._state is not None:
            await rtvi.send_server_message({"type": "tool_state", "state": self._state})

    async def _disconnected(self, _transport: Any, _connection: Any) -> None:
        await self._worker.cancel()

    async def _give_up(self) -> None:
        """Somebody took an answer and never came: nothing of the call is kept for them."""
        if self._connection.pc.connectionState != "connected":
            await self._worker.cancel()

    async def _leave(self) -> None:
        await self._worker.queue_frame(EndFrame())

    def _later(self, delay: float, work: Any) -> None:
        async def wait() -> None:
            await asyncio.sleep(delay)
            await work()

        task = asyncio.get_running_loop().create_task(wait())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
