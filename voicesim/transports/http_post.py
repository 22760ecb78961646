"""One POST to an agent's server, bounded in every way: time, size, compression, and where it goes."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voicesim.catalog.addresses import shown_address
from voicesim.errors import TransportError

if TYPE_CHECKING:
    from aiohttp import ClientResponse

ANSWER_LIMIT = 1_000_000
"""Bytes of an answer, as it comes and once it is unpacked."""
_PACKED = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS
"""Window sizes that zlib takes for gzip and deflate."""


@dataclass(frozen=True)
class Answer:
    """An answer over HTTP."""

    status: int
    body: bytes


async def post(url: str, shown: str, limit: float, headers: Mapping[str, str], **content: Any) -> Answer:
    """Send `json` or `data`, and read the answer. `shown` is the address as it may be told; `limit` in seconds.

    Redirects are not followed: headers, keys and the offer are for this address. Raises TransportError when nobody
    answers in time, for a redirect, and for an answer of more than ANSWER_LIMIT bytes.
    """
    import aiohttp

    timeout = aiohttp.ClientTimeout(total=limit)
    asked = {"Accept-Encoding": "identity", **headers}
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, auto_decompress=False) as session,
            session.post(url, headers=asked, allow_redirects=False, **content) as response,
        ):
            if 300 <= response.status < 400:
                raise TransportError(f"the agent at {shown} redirects (HTTP {response.status}), which is not followed")
            return Answer(response.status, await _body(response, shown))
    except TimeoutError as error:
        raise TransportError(f"the agent at {shown} did not answer within {limit:g} s") from error
    except (aiohttp.ClientError, ValueError) as error:
        raise TransportError(
            f"no agent answers at {shown}: {shown_address(str(error)) or type(error).__name__}"
        ) from None


async def _body(response: "ClientResponse", shown: str) -> bytes:
    body = b""
    async for part in response.content.iter_any():
        body += part
        if len(body) > ANSWER_LIMIT:
            raise TransportError(f"the agent at {shown} answered more than {ANSWER_LIMIT:,} bytes")
    if response.headers.get("Content-Encoding", "identity") in ("identity", ""):
        return body
    for window in _PACKED:
        try:
            unpacked = zlib.decompressobj(window).decompress(body, ANSWER_LIMIT + 1)
        except zlib.error:
            continue
        if len(unpacked) > ANSWER_LIMIT:
            raise TransportError(f"the agent at {shown} answered more than {ANSWER_LIMIT:,} bytes, packed into less")
        return unpacked
    raise TransportError(f"the agent at {shown} packed its answer in a way that was not asked for")
