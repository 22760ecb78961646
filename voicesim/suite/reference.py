"""The agents that come with voicesim, as transports: started for the calls, and called over another's wire."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Literal, TypeAlias

from voicesim.catalog.agent_file import AgentFile, Plain
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.transports.base import Transport
from voicesim.transports.openai_live import LiveAgentFile
from voicesim.transports.spec import Destination, TransportSpec, transport_spec

_REFERENCE = "the agents realtime, realtime-ws, modular and duplex"
Architecture: TypeAlias = Literal["realtime", "modular", "duplex"]


class ReferenceAgentFile(AgentFile):
    """An agent file with what thinks in a reference agent, and the fault that is planted in it."""

    brain: Plain = ""
    fault: Tag | None = None


def fitted(
    chosen: ChosenAgent, case: Case | None = None, brain: str | None = None, fault: Tag | None = None
) -> ChosenAgent:
    """A reference agent with its brain and its fault in its settings, which the recording keeps.

    Without a brain, here or in its file, it has the one that fits the case. Raises UsageError for a brain that
    there is not, for a fault that the brain cannot have, and for either with another agent.
    """
    settings = chosen.settings
    if not isinstance(settings, ReferenceAgentFile):
        if brain or fault:
            raise UsageError(f"{chosen.label} has no brain of voicesim's; brain and fault are for {_REFERENCE}")
        return chosen
    from voicesim.reference_agents.brains import check_brain, fitting

    brain, fault = brain or settings.brain or fitting(case), fault or settings.fault
    check_brain(brain, fault)
    return replace(chosen, settings=settings.model_copy(update={"brain": brain, "fault": fault}))


def _spec(
    architecture: Architecture, wire: str, over: Callable[[Destination], Destination], settings: frozenset[str]
) -> TransportSpec:
    """The spec of an architecture that is called over `wire`, at a destination made from the address it serves."""

    @asynccontextmanager
    async def running(destination: Destination) -> AsyncIterator[str]:
        from voicesim.reference_agents.process import started

        chosen = ReferenceAgentFile.model_validate(destination.settings, from_attributes=True)
        brain = chosen.brain or "rules"
        async with started(architecture, brain, destination.log, destination.case, chosen.fault) as url:
            yield url

    def make(destination: Destination) -> Transport:
        return transport_spec(wire).make(over(destination))

    return TransportSpec(make, ReferenceAgentFile, running, wire, settings=settings)


def _live_at(destination: Destination) -> Destination:
    """As `_openai_at`, in an agent file of that wire."""
    place = _openai_at(destination)
    limits, base_url = place.settings.limits, place.settings.base_url
    # The agent has tools of its own, so nothing is delegated to voicesim.
    return replace(place, settings=LiveAgentFile(agent="duplex", tools="own", limits=limits, base_url=base_url))


def _openai_at(destination: Destination) -> Destination:
    """Any model at the address where the agent is served; any key will do."""
    settings = destination.settings.model_copy(update={"base_url": f"{destination.target}/v1"})
    return replace(destination, target="reference", settings=settings)


_SESSION = frozenset({"tools", "turn_detection"})
REALTIME = _spec("realtime", "openai", _openai_at, _SESSION)
REALTIME_WS = _spec("realtime", "openai+ws", _openai_at, _SESSION)
MODULAR = _spec("modular", "smallwebrtc", lambda destination: destination, frozenset())
DUPLEX = _spec("duplex", "openai-live", _live_at, frozenset())
