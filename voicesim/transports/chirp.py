"""CHIRP, the channel of Rasa assistants for automated voice testing: 16-bit PCM at 16,000 Hz both ways.

Documented at https://rasa.com/docs/reference/channels/chirp (Rasa Pro 3.17). It says nothing of how a reply is taken
back, so what the agent sent is played to its end.
"""

import base64
import os
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, Pcm
from voicesim.catalog.agent_file import AgentFile, Plain, Variable
from voicesim.catalog.entry import Entry
from voicesim.errors import UsageError
from voicesim.recording.events import AgentMetric
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.pcm_format import PcmFormat
from voicesim.transports.pcm_ws import PcmSocket, Tell, pack, unpack
from voicesim.transports.spec import SelfTest, TransportSpec
from voicesim.transports.websocket import Message

PATH = "/webhooks/chirp/websocket"
"""Where a Rasa server takes calls; added to an address without a path."""
FORM = PcmFormat(rate=16_000)
EVENTS = ("speech.started", "speech.completed")
"""The text messages of the protocol: a turn begins, a turn is over."""


class ChirpLogin(Entry):
    """The user of HTTP Basic Authentication, and the environment variable with the password."""

    username: Plain = ""
    password_env: Variable | None = None


class ChirpAgentFile(AgentFile):
    """An agent file with who is calling."""

    chirp: ChirpLogin = ChirpLogin()

    def variables(self) -> Iterator[str]:
        yield from super().variables()
        if self.chirp.password_env:
            yield self.chirp.password_env


class Chirp(PcmSocket):
    """A Rasa assistant, or whatever speaks the protocol of its channel."""

    kind = "chirp"

    def __init__(self, url: str, settings: AgentFile | None = None) -> None:
        """Raises UsageError as `WebSocketClient` does, and when the password's environment variable is not set."""
        if urlsplit(url).path in ("", "/"):
            url = url.rstrip("/") + PATH
        login = settings.chirp if isinstance(settings, ChirpAgentFile) else ChirpLogin()
        super().__init__(url, settings, form=FORM, headers=_authorization(login, self.kind))

    def _teller(self, inbox: BoundedInbox) -> Tell:
        def tell(content: Mapping[str, Any]) -> None:
            name, data, stamp = content.get("type"), content.get("data"), content.get("ts_ms")
            if name not in EVENTS:
                inbox.warn("the agent sent a message that CHIRP does not have", str(name)[:80])
                return
            utterance = str(data.get("utterance_id", ""))[:80] if isinstance(data, dict) else ""
            number = isinstance(stamp, int | float) and not isinstance(stamp, bool) and abs(stamp) < 1e15
            value = float(stamp) / 1000 if number and stamp is not None else inbox.now()
            inbox.event(AgentMetric(t=inbox.now(), name=name, value=value, detail=utterance))

        return tell


def _authorization(login: ChirpLogin, kind: str) -> dict[str, str]:
    if not login.username and login.password_env is None:
        return {}
    password = os.environ.get(login.password_env, "") if login.password_env else ""
    if login.password_env and not password:
        raise UsageError(f"the password of the {kind} agent needs the environment variable {login.password_env}")
    both = f"{login.username}:{password}".encode()
    return {"Authorization": f"Basic {base64.b64encode(both).decode('ascii')}"}


class ChirpServer:
    """The agent's end. It cannot take sound back, so it sends at the pace at which it is heard."""

    path = PATH

    def __init__(self) -> None:
        self._up, self._down = StreamResampler(FORM.rate, RATE), StreamResampler(RATE, FORM.rate)

    def greeting(self) -> list[Message]:
        return []

    def decode(self, message: Message) -> Pcm:
        return self._up.feed(unpack(message, FORM)) if isinstance(message, bytes) else np.zeros(0, np.int16)

    def encode(self, pcm: Pcm) -> Iterator[Message]:
        yield pack(self._down.feed(pcm), FORM)

    def clear(self) -> None:
        return None


SPEC = TransportSpec(
    make=lambda destination: Chirp(destination.target, destination.settings),
    agent_file=ChirpAgentFile,
    settings=frozenset({"headers"}),
    selftest=SelfTest(
        lambda place: ChirpAgentFile(agent=f"chirp:ws://{place}"), limit=0.005, protocol=ChirpServer, calibrated=True
    ),
)
