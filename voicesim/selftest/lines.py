"""The lines that the self-test goes through, and how exact each has to be. A further line is one more row."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from voicesim.lines.base import Line
from voicesim.lines.inprocess import InProcess
from voicesim.selftest.agent import ScriptedAgent

Reach: TypeAlias = Callable[[ScriptedAgent], AbstractAsyncContextManager[Line]]


@dataclass(frozen=True)
class LineUnderTest:
    """A line: how to get an unopened one to a scripted agent, on which clock, and its limits in seconds.

    `limit` is for the 99th percentile of the error's size. With `calibrated`, a first call finds the line's
    constant delay (the agent's own receiver, the codec), which is stated and taken out of the second.
    """

    name: str
    reach: Reach
    clock: Literal["live", "virtual"]
    limit: float
    calibrated: bool = False


@asynccontextmanager
async def _in_process(agent: ScriptedAgent) -> AsyncIterator[Line]:
    yield InProcess(agent, "selftest")


@asynccontextmanager
async def _webrtc(agent: ScriptedAgent) -> AsyncIterator[Line]:
    from voicesim.lines.smallwebrtc import SmallWebRTC
    from voicesim.selftest.peer import served

    async with served(agent) as url:
        yield SmallWebRTC(url)


@asynccontextmanager
async def _websocket(agent: ScriptedAgent) -> AsyncIterator[Line]:
    from voicesim.lines.openai_ws import OpenAIWebSocket
    from voicesim.selftest.socket_peer import served

    async with served(agent) as url:
        yield OpenAIWebSocket("selftest", base_url=url, key="selftest")


LINES = (
    LineUnderTest("virtual", _in_process, "virtual", 0.005),
    LineUnderTest("in-process", _in_process, "live", 0.005),
    LineUnderTest("openai-websocket", _websocket, "live", 0.005),
    LineUnderTest("webrtc", _webrtc, "live", 0.010, calibrated=True),
)
