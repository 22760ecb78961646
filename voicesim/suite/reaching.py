"""From an agent string to lines: one line a call, and a reference agent started and stopped around them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.agent_names import REFERENCE
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.catalog.tags import Tag
from voicesim.tools.dispatcher import ToolDispatcher, make_dispatcher
from voicesim.transports.base import Transport

NewTransport: TypeAlias = Callable[[], Transport]
Architecture: TypeAlias = Literal["realtime", "modular"]


def fitted(
    chosen: ChosenAgent, case: Case | None = None, brain: str | None = None, fault: Tag | None = None
) -> ChosenAgent:
    """A reference agent with its brain and its fault in its settings, which the recording keeps; others unchanged.

    Without a brain, here or in its file, it has the one that fits the case. Raises UsageError for a brain that
    there is not, and for a fault that the brain cannot have.
    """
    if chosen.name.kind not in REFERENCE:
        return chosen
    from voicesim.reference_agents.brains import check_brain, fitting

    brain, fault = brain or chosen.settings.brain or fitting(case), fault or chosen.settings.fault
    check_brain(brain, fault)
    return replace(chosen, settings=chosen.settings.model_copy(update={"brain": brain, "fault": fault}))


@asynccontextmanager
async def reach(chosen: ChosenAgent, log: Path | None = None, case: Case | None = None) -> AsyncIterator[NewTransport]:
    """Gives a maker of unopened lines to the agent; a reference agent (`fitted`) runs while the context is open.

    `log` takes what a started agent writes. Every line offers the tools of the case anew, where the line can and
    the agent file lets it; the modular agent has them itself.

    Raises TransportError when a reference agent does not start, UsageError when the agent cannot be reached for want
    of a key, a module or a proper URL.
    """
    agent, settings = chosen.name, chosen.settings
    if agent.kind in REFERENCE:
        from voicesim.reference_agents.process import started

        architecture: Architecture = "modular" if agent.kind == "modular" else "realtime"
        async with started(architecture, settings.brain, log, case, settings.fault) as url:
            yield lambda: _reference_transport(agent.kind, url, settings, case)
    else:
        yield lambda: _own_transport(chosen, case)


def _reference_transport(kind: str, url: str, settings: AgentFile, case: Case | None) -> Transport:
    if kind == "realtime":
        from voicesim.transports.openai_webrtc import OpenAIWebRTC

        dispatcher = _dispatcher(settings, case)
        return OpenAIWebRTC("reference", base_url=f"{url}/v1", key="local", settings=settings, dispatcher=dispatcher)
    if kind == "realtime-ws":
        from voicesim.transports.openai_ws import OpenAIWebSocket

        dispatcher = _dispatcher(settings, case)
        return OpenAIWebSocket("reference", base_url=f"{url}/v1", key="local", settings=settings, dispatcher=dispatcher)
    from voicesim.transports.smallwebrtc import SmallWebRTC

    return SmallWebRTC(url, settings)


def _own_transport(chosen: ChosenAgent, case: Case | None) -> Transport:
    agent, settings = chosen.name, chosen.settings
    if agent.kind == "openai":
        from voicesim.transports.openai_webrtc import OpenAIWebRTC

        return OpenAIWebRTC(agent.target, settings=settings, dispatcher=_dispatcher(settings, case))
    if agent.kind == "openai+ws":
        from voicesim.transports.openai_ws import make_line

        return make_line(agent.target, settings, _dispatcher(settings, case))
    if agent.kind == "smallwebrtc":
        from voicesim.transports.smallwebrtc import SmallWebRTC

        return SmallWebRTC(agent.target, settings)
    if agent.kind == "twilio":
        from voicesim.transports.twilio import Twilio

        return Twilio(agent.target, settings)
    if agent.kind == "pcm":
        from voicesim.transports.pcm_ws import PcmSocket

        return PcmSocket(agent.target, settings)
    from voicesim.transports.inprocess import load_agent

    return load_agent(agent.target)


def _dispatcher(settings: AgentFile, case: Case | None) -> ToolDispatcher | None:
    """Whoever answers the tools in one call: a fresh copy of the case's backend, unless the agent has its own."""
    return make_dispatcher(case) if settings.tools == "case" else None
