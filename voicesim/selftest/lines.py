"""The lines that the self-test goes through, and how exact each has to be. A further line is one more row."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.pcm_format import PcmFormat
from voicesim.lines.base import Line
from voicesim.lines.inprocess import InProcess
from voicesim.selftest.agent import ScriptedAgent
from voicesim.selftest.socket_peer import served

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
    from voicesim.selftest.webrtc_peer import served_over_webrtc

    async with served_over_webrtc(agent) as url:
        yield SmallWebRTC(url)


@asynccontextmanager
async def _openai(agent: ScriptedAgent) -> AsyncIterator[Line]:
    from voicesim.lines.openai_ws import OpenAIWebSocket
    from voicesim.selftest.dialects import OpenAI

    async with served(agent, OpenAI()) as place:
        yield OpenAIWebSocket("selftest", base_url=f"http://{place}/v1", key="selftest")


@asynccontextmanager
async def _twilio(agent: ScriptedAgent) -> AsyncIterator[Line]:
    from voicesim.lines.twilio import Twilio
    from voicesim.selftest.dialects import TwilioStream

    async with served(agent, TwilioStream()) as place:
        yield Twilio(f"ws://{place}{TwilioStream.path}")


@asynccontextmanager
async def _pcm(agent: ScriptedAgent) -> AsyncIterator[Line]:
    from voicesim.lines.pcm_ws import PcmSocket
    from voicesim.selftest.dialects import CLEAR, Plain

    async with served(agent, Plain()) as place:
        url = f"ws://{place}{Plain.path}"
        yield PcmSocket(url, AgentFile(agent=f"pcm:{url}", pcm=PcmFormat(clear_when=CLEAR)))


LINES = (
    LineUnderTest("virtual", _in_process, "virtual", 0.005),
    LineUnderTest("in-process", _in_process, "live", 0.005),
    LineUnderTest("openai-websocket", _openai, "live", 0.005),
    LineUnderTest("pcm", _pcm, "live", 0.005),
    LineUnderTest("twilio", _twilio, "live", 0.005, calibrated=True),
    LineUnderTest("webrtc", _webrtc, "live", 0.010, calibrated=True),
)
