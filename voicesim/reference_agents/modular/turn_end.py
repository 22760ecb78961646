"""When the caller's turn is over: silence long enough, and every piece of it transcribed.

Pipecat's own strategy takes the first final transcript after a stop for the last one. With a transcriber
that needs a second for each piece, the transcript of an earlier piece would end the turn without its rest.
"""

import asyncio
from typing import Any

from pipecat.frames.frames import (
    Frame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.turns.types import ProcessFrameResult
from pipecat.turns.user_stop import BaseUserTurnStopStrategy


class WholeTurn(BaseUserTurnStopStrategy):  # type: ignore[no-untyped-call]
    """Ends a turn after `silence` seconds, when as many transcripts have come as pieces were spoken."""

    def __init__(self, silence: float, latest: float) -> None:
        """`latest`: seconds of silence after which a transcript is waited for no longer."""
        super().__init__()
        self._silence = silence
        self._latest = latest
        self._speaking = False
        self._pieces = 0
        self._waited = 0.0
        self._timer: asyncio.Task[Any] | None = None

    async def process_frame(self, frame: Frame) -> ProcessFrameResult:
        if isinstance(frame, VADUserStartedSpeakingFrame):
            self._speaking = True
            await self._stop_timer()
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            self._speaking = False
            self._pieces += 1
            await self._stop_timer()
            self._timer = self.create_task(self._count(frame.stop_secs), f"{self}::silence")
        elif isinstance(frame, TranscriptionFrame):
            self._pieces = max(0, self._pieces - 1)
            await self._maybe_end()
        return ProcessFrameResult.CONTINUE

    async def handle_user_turn_stopped(self) -> None:
        self._pieces = 0
        self._waited = 0.0

    async def cleanup(self) -> None:
        await super().cleanup()  # type: ignore[no-untyped-call]
        await self._stop_timer()

    async def _count(self, already: float) -> None:
        await asyncio.sleep(max(0.0, self._silence - already))
        self._waited = self._silence
        await self._maybe_end()
        if self._waited:
            await asyncio.sleep(self._latest - self._silence)
            self._waited = self._latest
            await self._maybe_end()

    async def _maybe_end(self) -> None:
        heard = not self._pieces and self._waited >= self._silence
        if not self._speaking and (heard or self._waited >= self._latest):
            await self.trigger_user_turn_stopped()

    async def _stop_timer(self) -> None:
        timer, self._timer = self._timer, None
        self._waited = 0.0
        if timer is not None and timer is not asyncio.current_task():
            await self.cancel_task(timer)
