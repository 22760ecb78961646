"""The transports that the self-test calls over, and how exact each has to be; the table of transports names them."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from voicesim.catalog.agent_names import parse_agent
from voicesim.registry import TRANSPORTS
from voicesim.selftest.agent import TimedAgent
from voicesim.transports.base import Transport
from voicesim.transports.inprocess import InProcess
from voicesim.transports.spec import Destination, SelfTest, TransportSpec, transport_spec

Reach: TypeAlias = Callable[[TimedAgent], AbstractAsyncContextManager[Transport]]
IN_PROCESS_LIMIT = 0.005
"""Seconds: the 99th percentile of the error's size where there is no wire."""


@dataclass(frozen=True)
class TransportUnderTest:
    """A transport: how to get an unopened one to a timed agent, on which clock, and its limits in seconds.

    `limit` is for the 99th percentile of the error's size. With `calibrated`, a first call finds the constant
    delay of the wire (the agent's own receiver, the codec), which is stated and taken out of the second.
    """

    name: str
    reach: Reach
    clock: Literal["live", "virtual"]
    limit: float
    calibrated: bool = False


def transports_under_test() -> Iterator[TransportUnderTest]:
    """An agent in the same process on both clocks, then every transport of the table that has a wire of its own."""
    yield TransportUnderTest("virtual", _in_process, "virtual", IN_PROCESS_LIMIT)
    yield TransportUnderTest("in-process", _in_process, "live", IN_PROCESS_LIMIT)
    for name in TRANSPORTS:
        spec = transport_spec(name)
        if spec.selftest is not None:
            test = spec.selftest
            yield TransportUnderTest(name, _over(spec, test), "live", test.limit, test.calibrated)


@asynccontextmanager
async def _in_process(agent: TimedAgent) -> AsyncIterator[Transport]:
    yield InProcess(agent, "selftest")


def _over(spec: TransportSpec, test: SelfTest) -> Reach:
    """Calls of a transport to a server on this machine that the agent is behind."""

    @asynccontextmanager
    async def reach(agent: TimedAgent) -> AsyncIterator[Transport]:
        async with _served(test, agent) as place:
            settings = test.agent_file(place)
            yield spec.make(Destination(parse_agent(settings.agent).target, settings))

    return reach


def _served(test: SelfTest, agent: TimedAgent) -> AbstractAsyncContextManager[str]:
    if test.signalling == "sip":
        from voicesim.selftest.sip_server import reached_over_sip

        return reached_over_sip(agent)
    if test.protocol is None:
        from voicesim.selftest.webrtc_server import served_over_webrtc

        return served_over_webrtc(agent)
    from voicesim.selftest.websocket_server import served_over_websocket

    return served_over_websocket(agent, test.protocol())
