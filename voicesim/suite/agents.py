"""From an agent string to lines: one line a call, and a reference agent started and stopped around them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, TypeAlias

from voicesim.backend.desk import Desk, make_desk
from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.lines.base import Line

NewLine: TypeAlias = Callable[[], Line]
Architecture: TypeAlias = Literal["realtime", "modular"]


@asynccontextmanager
async def reach(
    chosen: ChosenAgent, log: Path | None = None, brain: str | None = None, case: Case | None = None
) -> AsyncIterator[NewLine]:
    """Gives a maker of unopened lines to the agent; a reference agent runs while the context is open.

    `log` takes what a started agent writes. `brain` is a reference agent's; None takes the one that fits the
    case. Every line offers the tools of the case anew, where the line can and the agent file lets it.

    Raises LineError when a reference agent does not start, UsageError when the agent cannot be reached for want
    of a key, a module or a proper URL.
    """
    agent, settings = chosen.name, chosen.settings
    if agent.kind in {"realtime", "realtime-ws", "modular"}:
        from voicesim.reference.process import started

        books = agent.kind != "modular" and case is not None and case.backend is not None
        fitting = brain or ("booking" if books else "rules")
        architecture: Architecture = "modular" if agent.kind == "modular" else "realtime"
        async with started(architecture, brain=fitting, log=log) as url:
            yield lambda: _reference_line(agent.kind, url, settings, case)
    else:
        yield lambda: _own_line(chosen, case)


def _reference_line(kind: str, url: str, settings: AgentFile, case: Case | None) -> Line:
    if kind == "realtime":
        from voicesim.lines.openai_webrtc import OpenAIWebRTC

        desk = _desk(settings, case)
        return OpenAIWebRTC("reference", base_url=f"{url}/v1", key="local", settings=settings, desk=desk)
    if kind == "realtime-ws":
        from voicesim.lines.openai_ws import OpenAIWebSocket

        desk = _desk(settings, case)
        return OpenAIWebSocket("reference", base_url=f"{url}/v1", key="local", settings=settings, desk=desk)
    from voicesim.lines.smallwebrtc import SmallWebRTC

    return SmallWebRTC(url, settings)


def _own_line(chosen: ChosenAgent, case: Case | None) -> Line:
    agent, settings = chosen.name, chosen.settings
    if agent.kind == "openai":
        from voicesim.lines.openai_webrtc import OpenAIWebRTC

        return OpenAIWebRTC(agent.target, settings=settings, desk=_desk(settings, case))
    if agent.kind == "openai+ws":
        from voicesim.lines.openai_ws import make_line

        return make_line(agent.target, settings, _desk(settings, case))
    if agent.kind == "smallwebrtc":
        from voicesim.lines.smallwebrtc import SmallWebRTC

        return SmallWebRTC(agent.target, settings)
    if agent.kind == "twilio":
        from voicesim.lines.twilio import Twilio

        return Twilio(agent.target, settings)
    if agent.kind == "pcm":
        from voicesim.lines.pcm_ws import PcmSocket

        return PcmSocket(agent.target, settings)
    from voicesim.lines.inprocess import load_agent

    return load_agent(agent.target)


def _desk(settings: AgentFile, case: Case | None) -> Desk | None:
    """Whoever answers the tools in one call: a fresh copy of the case's backend, unless the agent has its own."""
    return make_desk(case) if case is not None and settings.tools == "case" else None
