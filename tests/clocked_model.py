"""A server of a language model on the loop of a call: it answers after exactly so many seconds of that loop's time."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from voicesim.llm.server import ModelServer


@dataclass
class ClockedModel:
    """`answer` makes an answer of a request; `decides` and `words` are the seconds before one, `apart` between words.

    `asked` are the moments (loop time) at which requests came in, `given_up` counts those whose client left.
    """

    answer: Callable[[dict[str, Any]], str]
    decides: float = 0.0
    words: float = 0.0
    apart: float = 0.0
    streams: bool = True
    asked: list[float] = field(default_factory=list)
    connections: int = 0
    given_up: int = 0
    url: str = ""

    def server(self) -> ModelServer:
        """The model as a mind is given it."""
        return ModelServer("openai:clocked", "clocked", self.url, "")

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request by request."""
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                (length,) = (line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
                request = json.loads(await reader.readexactly(int(length.split(b":")[1])))
                self.asked.append(asyncio.get_running_loop().time())
                await self._answer(request, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass  # the client has left, or the call is over
        finally:
            writer.close()

    async def _answer(
        self, request: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await asyncio.sleep(self.decides if "response_format" in request else self.words)
        if reader.at_eof():
            self.given_up += 1
        text = self.answer(request)
        if request.get("stream") and self.streams:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number, word in enumerate(text.split(" ")):
                await asyncio.sleep(self.apart if number else 0.0)
                _send(writer, {"delta": {"content": f" {word}" if number else word}, "finish_reason": None})
            _send(writer, {"delta": {}, "finish_reason": "stop"})
            _chunk(writer, b"data: [DONE]\n\n")
            writer.write(b"0\r\n\r\n")
        else:
            await asyncio.sleep(self.apart * text.count(" ") if "response_format" not in request else 0.0)
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            body = json.dumps({"model": "clocked", "choices": [choice]}).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
            writer.write(body)
        await writer.drain()


@asynccontextmanager
async def clocked_model(model: ClockedModel) -> AsyncIterator[ClockedModel]:
    """Serve it on a free local port of the running loop."""
    server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
    model.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield model
    finally:
        server.close()


def _send(writer: asyncio.StreamWriter, choice: dict[str, Any]) -> None:
    _chunk(writer, b"data: " + json.dumps({"model": "clocked", "choices": [{"index": 0, **choice}]}).encode() + b"\n\n")


def _chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(b"%x\r\n" % len(data) + data + b"\r\n")
