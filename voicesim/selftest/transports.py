"""The lines that the self-test goes through, and how exact each has to be. A further line is one more row."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.pcm_format import PcmFormat
from voicesim.selftest.agent import ScriptedAgent
from voicesim.selftest.socket_peer import served
from voicesim.transports.base import Transport
from voicesim.transports.inprocess import InProcess

Reach: TypeAlias = Callable[[ScriptedAgent], AbstractAsyncContextManager[Transport]]


@dataclass(frozen=True)
class TransportUnderTest:
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
async def _in_process(agent: ScriptedAgent) -> AsyncIterator[Transport]:
    yield InProcess(agent, "selftest")


@asynccontextmanager
async def _webrtc(agent: ScriptedAgent) -> AsyncIterator[Transport]:
    from voicesim.selftest.webrtc_peer import served_over_webrtc
    from voicesim.transports.smallwebrtc import SmallWebRTC

    async with served_over_webrtc(agent) as url:
        yield SmallWebRTC(url)


@asynccontextmanager
async def _openai(agent: ScriptedAgent) -> AsyncIterator[Transport]:
    from voicesim.selftest.dialects import OpenAI
    from voicesim.transports.openai_ws import OpenAIWebSocket

    async with served(agent, OpenAI()) as place:
        yield OpenAIWebSocket("selftest", base_url=f"http://{place}/v1", key="selftest")


@asynccontextmanager
async def _twilio(agent: ScriptedAgent) -> AsyncIterator[Transport]:
    from voicesim.selftest.dialects import TwilioStream
    from voicesim.transports.twilio import Twilio

    async with served(agent, TwilioStream()) as place:
        yield Twilio(f"ws://{place}{TwilioStream.path}")


@asynccontextmanager
async def _pcm(agent: ScriptedAgent) -> AsyncIterator[Transport]:
    from voicesim.selftest.dialects import CLEAR, Plain
    from voicesim.transports.pcm_ws import PcmSocket

    async with served(agent, Plain()) as place:
        url = f"ws://{place}{Plain.path}"
        yield PcmSocket(url, AgentFile(agent=f"pcm:{url}", pcm=PcmFormat(clear_when=CLEAR)))


TRANSPORTS = (
    TransportUnderTest("virtual", _in_process, "virtual", 0.005),
    TransportUnderTest("in-process", _in_process, "live", 0.005),
    TransportUnderTest("openai-websocket", _openai, "live", 0.005),
    TransportUnderTest("pcm", _pcm, "live", 0.005),
    TransportUnderTest("twilio", _twilio, "live", 0.005, calibrated=True),
    TransportUnderTest("webrtc", _webrtc, "live", 0.010, calibrated=True),
)
