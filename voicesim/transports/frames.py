"""WebSocket connections that follow no redirect, and whose peer cannot keep the call busy with tiny frames."""

from typing import TYPE_CHECKING

from voicesim.transports.bucket import Bucket
from voicesim.transports.work import Work

if TYPE_CHECKING:
    from websockets.asyncio.client import connect

PIECE = 2_048
"""Bytes that are read in one go: a thousand of the smallest frames."""
CONTROLS_AT_ONCE, CONTROL_RATE = 200, 20
"""Pings and pongs taken at once, and each second from then on; who keeps a connection alive sends one in seconds."""
FRAMES_AT_ONCE, FRAME_RATE = 20_000, 2_000
"""Pieces of messages, in the same way; a message is sent whole, or in pieces of some thousand bytes."""


def connector(work: Work) -> "type[connect]":
    """What connects a WebSocket. It follows no redirect: headers and keys are for this address alone.

    A connection with too many frames is aborted, and `flooded` of it says why. What reading them took goes to `work`.
    """
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.frames import Frame, Opcode

    class Counted(ClientConnection):
        flooded = ""

        def connection_made(self, transport: object) -> None:
            now = self.loop.time
            self._controls = Bucket(CONTROLS_AT_ONCE, CONTROL_RATE, now)
            self._frames = Bucket(FRAMES_AT_ONCE, FRAME_RATE, now)
            super().connection_made(transport)  # type: ignore[arg-type]

        def data_received(self, data: bytes) -> None:
            with work.measured():
                for at in range(0, len(data), PIECE):
                    if not self.flooded:
                        super().data_received(data[at : at + PIECE])

        def process_event(self, event: object) -> None:
            if isinstance(event, Frame) and not self.flooded:
                if event.opcode in (Opcode.PING, Opcode.PONG):
                    flood = f"more than {CONTROL_RATE} pings or pongs"
                    allowed = self._controls.spend()
                else:
                    flood, allowed = f"more than {FRAME_RATE:,} pieces of messages", self._frames.spend()
                if not allowed:
                    self.flooded = f"the agent sends {flood} a second"
                    self.transport.abort()
            if not self.flooded:
                super().process_event(event)  # type: ignore[arg-type]

    class Connect(connect):
        def __init__(self, *args: object, **settings: object) -> None:
            super().__init__(*args, create_connection=Counted, **settings)  # type: ignore[arg-type]

        def process_redirect(self, exc: Exception) -> Exception:
            return exc

    return Connect
