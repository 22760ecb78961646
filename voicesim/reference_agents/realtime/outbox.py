"""Server events on their way to the client: numbered, kept until the channel opens, dropped when it is shut."""

import json
from collections import deque
from typing import Any

_WAITING = 200


class Outbox:
    """The sending side of the `oai-events` data channel, or of a WebSocket."""

    def __init__(self) -> None:
        self._channel: Any = None
        self._waiting: deque[str] = deque(maxlen=_WAITING)
        self._count = 0

    @property
    def attached(self) -> bool:
        return self._channel is not None

    def attach(self, channel: Any) -> None:
        """Sends what has waited; `channel` is an open aiortc data channel, or has its `send` and `readyState`."""
        self._channel = channel
        while self._waiting:
            self._put(self._waiting.popleft())

    def send(self, type_: str, **fields: Any) -> None:
        """One server event; its event_id is added."""
        self._count += 1
        text = json.dumps({"type": type_, "event_id": f"event_{self._count:06d}", **fields})
        if self._channel is None:
            self._waiting.append(text)
        else:
            self._put(text)

    def _put(self, text: str) -> None:
        if self._channel.readyState == "open":
            self._channel.send(text)
