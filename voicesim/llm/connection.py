"""HTTP to a model's server with bounds: an exchange ends in time, in size, and where it was sent to.

The retries are the SDK's own: a busy server (408, 409, 429, 5xx) and a lost connection are tried again, after
`Retry-After` where it is at most two minutes, else after 0.5 s, doubled each time up to 8 s.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from functools import cache
from typing import Any

import httpx2
from openai import AsyncOpenAI, OpenAIError

from voicesim.llm.server import ModelServer

LARGEST = 2**20
"""Bytes of an answer in chat."""


CONNECT = 10.0
"""Seconds for a connection."""


class OutOfBoundsError(OpenAIError):
    """An answer that is late, larger than allowed, or compressed unasked. The SDK does not try again after it."""


def connect(server: ModelServer, seconds: float, retries: int, largest: int = LARGEST) -> AsyncOpenAI:
    """A client for a server, to be closed after use; each exchange takes `seconds` and `largest` bytes at most."""
    key = server.key()
    # The SDK wants a key and reads the rest from the environment; whose account it is concerns OpenAI alone.
    unsent = [] if key else ["Authorization"]
    unsent += [] if server.is_openai else ["OpenAI-Organization", "OpenAI-Project"]
    return AsyncOpenAI(
        api_key=key or "none",
        base_url=server.base_url,
        timeout=httpx2.Timeout(None, connect=min(CONNECT, seconds)),
        max_retries=retries,
        default_headers=server.header_values(),
        http_client=_BoundedClient(seconds, largest, unsent, encrypted=server.base_url.startswith("https:")),
    )


class _BoundedClient(httpx2.AsyncClient):
    def __init__(self, seconds: float, largest: int, unsent: Sequence[str], *, encrypted: bool) -> None:
        super().__init__(
            headers={"Accept-Encoding": "identity"},
            follow_redirects=False,
            verify=_certificates() if encrypted else False,
        )
        self._seconds, self._largest, self._unsent = seconds, largest, unsent

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """As httpx: but never to another address than the request's, and with the bounds of this client."""
        deadline = asyncio.get_running_loop().time() + self._seconds
        options["follow_redirects"] = False
        for name in self._unsent:
            request.headers.pop(name, None)
        try:
            async with asyncio.timeout_at(deadline):
                response = await super().send(request, stream=True, **options)
        except TimeoutError:
            raise _late(self._seconds) from None
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise OutOfBoundsError("the answer is compressed, which was not asked for")
        response.stream = _BoundedStream(response.stream, deadline, self._seconds, self._largest)
        if not stream:
            await response.aread()
        return response


class _BoundedStream(httpx2.AsyncByteStream):
    """A body that breaks off with an error at its deadline (loop time) and after so many bytes."""

    def __init__(self, stream: Any, deadline: float, seconds: float, largest: int) -> None:
        self._stream, self._largest = stream, largest
        self._deadline, self._seconds = deadline, seconds

    async def __aiter__(self) -> AsyncIterator[bytes]:
        chunks, size = aiter(self._stream), 0
        while True:
            try:
                async with asyncio.timeout_at(self._deadline):
                    chunk = await anext(chunks, None)
            except TimeoutError:
                raise _late(self._seconds) from None
            if chunk is None:
                return
            size += len(chunk)
            if size > self._largest:
                raise OutOfBoundsError(f"the answer is larger than {self._largest:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def _late(seconds: float) -> OutOfBoundsError:
    return OutOfBoundsError(f"no whole answer within {seconds:g} s")


@cache
def _certificates() -> ssl.SSLContext:
    """Loaded once a process: it takes longer than a connection."""
    return httpx2.create_ssl_context()
