"""From an agent string to lines: one line a call, and a reference agent started and stopped around them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from voicesim.catalog.agents import AgentName
from voicesim.lines.base import Line

NewLine: TypeAlias = Callable[[], Line]


@asynccontextmanager
async def reach(agent: AgentName, log: Path | None = None, brain: str = "rules") -> AsyncIterator[NewLine]:
    """Gives a maker of unopened lines to the agent; a reference agent runs while the context is open.

    `log` takes what a started agent writes. Raises LineError when it does not start, UsageError when the
    agent cannot be reached for want of a key, a module or a proper URL.
    """
    if agent.kind in {"realtime", "realtime-ws", "modular"}:
        from voicesim.reference.process import started

        async with started("modular" if agent.kind == "modular" else "realtime", brain=brain, log=log) as url:
            yield lambda: _reference_line(agent.kind, url)
    else:
        yield lambda: _own_line(agent)


def _reference_line(kind: str, url: str) -> Line:
    if kind == "realtime":
        from voicesim.lines.openai_webrtc import OpenAIWebRTC

        return OpenAIWebRTC("reference", base_url=f"{url}/v1", key="local")
    if kind == "realtime-ws":
        from voicesim.lines.openai_ws import OpenAIWebSocket

        return OpenAIWebSocket("reference", base_url=f"{url}/v1", key="local")
    from voicesim.lines.smallwebrtc import SmallWebRTC

    return SmallWebRTC(url)


def _own_line(agent: AgentName) -> Line:
    if agent.kind == "openai":
        from voicesim.lines.openai_webrtc import OpenAIWebRTC

        return OpenAIWebRTC(agent.target)
    if agent.kind == "openai+ws":
        from voicesim.lines.openai_ws import make_line

        return make_line(agent.target)
    if agent.kind == "smallwebrtc":
        from voicesim.lines.smallwebrtc import SmallWebRTC

        return SmallWebRTC(agent.target)
    from voicesim.lines.inprocess import load_agent

    return load_agent(agent.target)
