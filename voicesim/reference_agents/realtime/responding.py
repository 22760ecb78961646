"""One response at a time: what the brain says, spoken sentence by sentence, and cut off when it must be."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Literal

from voicesim.audio.samples import Pcm
from voicesim.errors import VoicesimError
from voicesim.reference_agents.brain import Reply, ToolUse, cut_sentences
from voicesim.reference_agents.realtime.conversation import Conversation
from voicesim.reference_agents.realtime.outbox import Outbox
from voicesim.reference_agents.realtime.playout import WIRE_RATE, Mouth
from voicesim.reference_agents.voice import PAUSE

KEPT = 20
"""Responses that can still be truncated; older ones are forgotten."""

Status = Literal["in_progress", "completed", "cancelled", "failed"]
Reason = Literal["turn_detected", "client_cancelled"]
Think = Callable[[], Awaitable[Reply]]
Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""Starts a task of the call; the call ends when one of its tasks fails."""


@dataclass
class _Response:
    id: str
    item: str
    metadata: dict[str, str] | None
    status: Status = "in_progress"
    reply: Reply | None = None
    said: list[tuple[str, float]] = field(default_factory=list)
    call: dict[str, Any] | None = None

    @property
    def transcript(self) -> str:
        return " ".join(text for text, _ in self.said)

    @property
    def seconds(self) -> float:
        return self.said[-1][1] if self.said else 0.0

    def heard(self, played: float) -> str:
        """The sentences that were played to their end; the pause after them does not count."""
        return " ".join(text for text, end in self.said if end - PAUSE <= played)


class Responder:
    """Speaks, and sends the events of a response in the protocol's order."""

    def __init__(
        self,
        outbox: Outbox,
        playout: Mouth,
        conversation: Conversation,
        say: Callable[[str], Pcm],
        workers: Executor,
        spawn: Spawn,
        on_done: Callable[[], None],
    ) -> None:
        """`say` makes int16 mono at 48,000 Hz of a sentence, blocking; `on_done` follows the last goodbye."""
        self._outbox, self._playout, self._conversation = outbox, playout, conversation
        self._say, self._workers, self._spawn, self._on_done = say, workers, spawn, on_done
        self.calls: set[str] = set()
        self._response: _Response | None = None
        self._task: asyncio.Task[None] | None = None
        self._spoken: dict[str, _Response] = {}

    @property
    def thinking(self) -> bool:
        """True while a response is in progress; its last sound may be played later still."""
        return self._response is not None and self._response.status == "in_progress"

    def start(self, think: Think, metadata: dict[str, str] | None = None) -> None:
        """Begins a response; none may be in progress."""
        response = _Response(self._conversation.new_id("resp"), self._conversation.new_id("item"), metadata)
        self._response = response
        self._outbox.send("response.created", response=self._resource(response))
        self._task = self._spawn(self._run(response, think))

    def interrupt(self, reason: Reason) -> str | None:
        """Stops thinking and speaking.

        Returns what was played of the reply, or None when no reply was cut off.
        """
        response, self._response = self._response, None
        if response is None or (response.status != "in_progress" and not self._playout.waiting):
            self._response = response
            return None
        if self._task is not None:
            self._task.cancel()
        played = self._playout.played
        self._playout.clear()
        if response.status == "in_progress":
            self._close(response, "cancelled", {"type": "cancelled", "reason": reason})
        if response.said and not self._playout.remote:
            self._outbox.send("output_audio_buffer.cleared", response_id=response.id)
            self._truncated(response, round(1000 * min(played, response.seconds)))
        return response.heard(played) if response.reply is not None else None

    def truncate(self, item: str, audio_end_ms: int) -> str | None:
        """The client played so much of an item and no more.

        Returns what was heard of the latest reply, or None when an older one was meant. Raises ValueError
        when there is no such item, or it is shorter than that.
        """
        response = self._spoken.get(item)
        if response is None:
            raise ValueError(f"There is no item {item[:80]!r} with sound.")
        if audio_end_ms > round(1000 * response.seconds):
            raise ValueError(f"The item has {round(1000 * response.seconds)} ms of sound, not {audio_end_ms}.")
        self._truncated(response, audio_end_ms)
        latest = response is list(self._spoken.values())[-1]
        return response.heard(audio_end_ms / 1000) if latest else None

    async def _run(self, response: _Response, think: Think) -> None:
        try:
            response.reply = await think()
            await self._speak(response, response.reply.text)
            if response.reply.use is not None:
                self._call(response, response.reply.use)
        except VoicesimError as error:
            logging.getLogger(__name__).warning("response failed: %s", error)
            problem = {"type": "server_error", "code": "brain_or_voice", "message": str(error)}
            self._close(response, "failed", {"type": "failed", "error": problem})
            return
        self._close(response, "completed", None)
        await self._playout.until(0.0)
        if response.said and not self._playout.remote:
            self._outbox.send("output_audio_buffer.stopped", response_id=response.id)
        if response.reply.done:
            self._on_done()

    async def _speak(self, response: _Response, text: str) -> None:
        loop = asyncio.get_running_loop()
        for sentence in cut_sentences(text):
            first = not response.said
            if not first:
                await self._playout.until(self._playout.ahead)
            pcm = await loop.run_in_executor(self._workers, self._say, sentence)
            if first:
                await self._playout.until(0.0)
                self._playout.begin()
                self._open(response)
            for sound in self._playout.put(pcm):
                self._outbox.send("response.output_audio.delta", **self._where(response), delta=sound)
            delta = sentence if first else f" {sentence}"
            response.said.append((sentence, response.seconds + len(pcm) / WIRE_RATE))
            self._outbox.send("response.output_audio_transcript.delta", **self._where(response), delta=delta)
            if first and not self._playout.remote:
                self._outbox.send("output_audio_buffer.started", response_id=response.id)

    def _call(self, response: _Response, use: ToolUse) -> None:
        """The events of a function call, which the client is to answer."""
        arguments, call_id = json.dumps(use.arguments), self._conversation.new_id("call")
        self.calls.add(call_id)
        item = {
            "id": self._conversation.new_id("item"),
            "object": "realtime.item",
            "type": "function_call",
            "status": "completed",
            "call_id": call_id,
            "name": use.name,
            "arguments": arguments,
        }
        where = {"response_id": response.id, "output_index": 1 if response.said else 0}
        begun = {**item, "status": "in_progress", "arguments": ""}
        self._outbox.send("response.output_item.added", **where, item=begun)
        self._conversation.added(begun)
        details = {"item_id": item["id"], "call_id": call_id, "name": use.name, "arguments": arguments}
        self._outbox.send("response.function_call_arguments.done", **where, **details)
        self._outbox.send("response.output_item.done", **where, item=item)
        self._conversation.done(item)
        response.call = item

    def _where(self, response: _Response) -> dict[str, Any]:
        return {"response_id": response.id, "item_id": response.item, "output_index": 0, "content_index": 0}

    def _truncated(self, response: _Response, audio_end_ms: int) -> None:
        self._outbox.send(
            "conversation.item.truncated", item_id=response.item, content_index=0, audio_end_ms=audio_end_ms
        )

    def _open(self, response: _Response) -> None:
        self._spoken[response.item] = response
        if len(self._spoken) > KEPT:
            del self._spoken[next(iter(self._spoken))]
        item = self._item(response, "in_progress")
        self._outbox.send("response.output_item.added", response_id=response.id, output_index=0, item=item)
        self._conversation.added(item)
        part = {"type": "audio", "transcript": ""}
        self._outbox.send("response.content_part.added", **self._where(response), part=part)

    def _close(self, response: _Response, status: Status, details: dict[str, Any] | None) -> None:
        response.status = status
        if response.said:
            where = self._where(response)
            self._outbox.send("response.output_audio.done", **where)
            self._outbox.send("response.output_audio_transcript.done", **where, transcript=response.transcript)
            part = {"type": "audio", "transcript": response.transcript}
            self._outbox.send("response.content_part.done", **where, part=part)
            item = self._item(response, "completed" if status == "completed" else "incomplete")
            self._outbox.send("response.output_item.done", response_id=response.id, output_index=0, item=item)
            self._conversation.done(item)
        usage = self._conversation.count_response(response.transcript, response.seconds)
        self._outbox.send("response.done", response=self._resource(response, details, usage))

    def _item(self, response: _Response, status: str) -> dict[str, Any]:
        content = [{"type": "output_audio", "transcript": response.transcript}]
        return {
            "id": response.item,
            "object": "realtime.item",
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": content if response.said else [],
        }

    def _output(self, response: _Response, status: str) -> list[dict[str, Any]]:
        spoken = [self._item(response, status)] if response.said else []
        return spoken + ([response.call] if response.call else [])

    def _resource(
        self,
        response: _Response,
        details: dict[str, Any] | None = None,
        usage: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        ended = response.status != "in_progress"
        item_status = "completed" if response.status == "completed" else "incomplete"
        return {
            "object": "realtime.response",
            "id": response.id,
            "status": response.status,
            "status_details": details,
            "output": self._output(response, item_status) if ended else [],
            "conversation_id": self._conversation.id,
            "output_modalities": ["audio"],
            "max_output_tokens": "inf",
            "audio": {"output": {"format": {"type": "audio/pcm", "rate": 24000}, "voice": "heart"}},
            "usage": usage,
            "metadata": response.metadata,
        }
