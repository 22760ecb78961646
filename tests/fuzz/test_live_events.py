"""Whatever a GPT-Live server sends as events: the call goes on, or it ends as the agent's doing."""

import asyncio
import base64
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from inboxes import Heard, tone

from fuzz.odd import CHANGES, FUZZ, PLACES, VALUES, as_json, changed
from voicesim.recording.events import EVENT
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_live_ws import LiveWebSocket
from voicesim.transports.openai_socket import Address, SocketClosedError

SOUND = base64.b64encode(tone(24_000, 0.1).astype("<i2").tobytes()).decode()
EVENTS: tuple[dict[str, Any], ...] = (
    {"type": "session.output_audio.delta", "delta": SOUND},
    {"type": "session.output_transcript.delta", "delta": "Hello.", "start_ms": 0, "end_ms": 400},
    {"type": "session.input_transcript.delta", "delta": "A cold.", "start_ms": 0, "end_ms": 400},
    {"type": "session.delegation.created", "delegation": {"id": "d", "type": "delegation", "target": "client"}},
    {"type": "session.usage.updated", "usage": {"seconds": 3, "active_seconds": 2, "paused_seconds": 1}},
    {"type": "session.closed", "reason": "expired", "usage": {"seconds": 3}, "session": {"id": "s"}},
    {"type": "error", "error": {"type": "server_error", "code": "x", "message": "no", "param": None}},
    {"type": "tool_call", "call_id": "1", "name": "book", "arguments": {}},
)
ODD = st.one_of(
    st.binary(max_size=200),
    VALUES.map(lambda value: as_json(value).encode("utf-8", "replace")),
    st.builds(
        lambda *change: as_json(changed(*change)).encode("utf-8", "replace"),
        st.sampled_from(EVENTS),
        PLACES,
        CHANGES,
        VALUES,
    ),
)


class Socket:
    """Starts the session, says what it is given, and closes."""

    def __init__(self, messages: list[bytes]) -> None:
        self._messages = [b'{"type": "session.started", "session": {}}', *messages]

    async def connect(self, _: Address) -> "Socket":
        return self

    async def send(self, event: Mapping[str, Any]) -> None:
        as_json(event)

    async def recv(self) -> bytes:
        if not self._messages:
            raise SocketClosedError(1000, "")
        return self._messages.pop(0)

    async def ping(self) -> float:
        return 0.0

    async def close(self) -> None:
        """Nothing is left to do."""


@FUZZ
@given(messages=st.lists(ODD, max_size=8))
def test_events_of_a_live_session(messages: list[bytes]) -> None:
    async def call() -> Heard:
        transport, inbox = LiveWebSocket("m", key="any", connect=Socket(messages).connect), Heard()
        await transport.open(BoundedInbox(inbox))
        for _ in range(5):
            transport.send(np.zeros(480, np.int16))
            await asyncio.sleep(0.001)
        transport.stop()
        await transport.close()
        return inbox

    inbox = asyncio.run(call())
    assert all(by != "harness" for by, _ in inbox.over), inbox.over
    assert not any("cannot be read" in why for _, why in inbox.over), inbox.over
    for event in inbox.events:
        assert EVENT.validate_json(event.model_dump_json()).type == event.type
