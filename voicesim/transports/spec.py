"""What a row of the table of transports points at: how a transport is made, and what belongs to it alone."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from voicesim.audio.samples import Pcm
from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.model import Case
from voicesim.errors import UsageError
from voicesim.registry import TRANSPORTS
from voicesim.tools.dispatcher import ToolDispatcher, make_dispatcher
from voicesim.transports.base import Transport


@dataclass(frozen=True)
class Destination:
    """What a transport is made from. `target` is the agent string after its first colon.

    `case` is the one that is called with, if any; `log` takes what a started agent writes.
    """

    target: str = field(repr=False)
    settings: AgentFile
    case: Case | None = None
    log: Path | None = None

    def dispatcher(self) -> ToolDispatcher | None:
        """Whoever answers the tools of one call: a fresh copy of the case's backend, unless the agent has its own."""
        return make_dispatcher(self.case) if self.settings.tools == "case" else None


class ServerProtocol(Protocol):
    """The agent's end of a WebSocket, as the scripted agent of the self-test speaks it in one call."""

    path: str
    """Where on the server it is spoken."""

    def greeting(self) -> Iterable[str | bytes]:
        """The messages that are sent as soon as somebody calls."""
        ...

    def decode(self, message: str | bytes) -> Pcm:
        """The caller's sound in a message: 480 samples (int16, 24,000 Hz), or none."""
        ...

    def encode(self, pcm: Pcm) -> Iterator[str | bytes]:
        """A whole reply (int16, 24,000 Hz) as messages."""
        ...

    def clear(self) -> str | bytes | None:
        """The message that takes back what of the reply has not been played.

        None where there is none: such an agent sends all its sound, 20 ms at a time, at the pace at which it is heard.
        """
        ...


@dataclass(frozen=True)
class SelfTest:
    """How the self-test calls its scripted agent over a wire.

    `agent_file` makes an agent file from the `HOST:PORT` of a server on this machine. `protocol` is what that
    server speaks on a WebSocket; without it, `signalling` says what it is. `limit` is for the 99th percentile of the
    error's size (seconds). With `calibrated`, the wire has a constant delay, which is measured first, stated and taken
    out.
    """

    agent_file: Callable[[str], AgentFile]
    limit: float
    protocol: Callable[[], ServerProtocol] | None = None
    calibrated: bool = False
    signalling: Literal["webrtc", "sip"] = "webrtc"


@dataclass(frozen=True)
class TransportSpec:
    """A transport as the rest of voicesim needs to know it.

    `make` gives an unopened transport for one call. `agent_file` is the class of its agent files: a subclass of
    AgentFile where it has settings of its own. `settings` are the keys of AgentFile that it uses, beyond those for
    all agents; a file with any other is refused. None allows all. `started` runs an agent around all calls and yields
    the target to call. `wire` names the transport whose wire it uses, if not one of its own. An agent `in_process`
    needs no real time.
    """

    make: Callable[[Destination], Transport]
    agent_file: type[AgentFile] = AgentFile
    started: Callable[[Destination], AbstractAsyncContextManager[str]] | None = None
    wire: str = ""
    selftest: SelfTest | None = None
    in_process: bool = False
    settings: frozenset[str] | None = None


def transport_spec(name: str) -> TransportSpec:
    """The spec of a transport by name; a part that is a plain function is one that makes a transport.

    Raises UsageError as `Registry.load` does, and for a part that is neither.
    """
    part = TRANSPORTS.load(name)
    if isinstance(part, TransportSpec):
        return part
    if not callable(part):
        target = TRANSPORTS.row(name).target
        raise UsageError(
            f"the agent {name!r}: {target} is neither a TransportSpec nor a function that makes a transport"
        )
    return TransportSpec(part)
