"""From an agent string to transports: one a call, and a reference agent started and stopped around them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeAlias

from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.llm.known_models import model_end
from voicesim.llm.server import ModelServer, default_address
from voicesim.transports.base import Transport
from voicesim.transports.spec import Destination, transport_spec

NewTransport: TypeAlias = Callable[[], Transport]


@asynccontextmanager
async def reach(chosen: ChosenAgent, log: Path | None = None, case: Case | None = None) -> AsyncIterator[NewTransport]:
    """Gives a maker of unopened transports to the agent; an agent that has to be started runs inside the context.

    `log` takes what a started agent writes. Every transport offers the tools of the case anew, where it can and
    the agent file lets it.

    Raises TransportError when a started agent does not become ready, UsageError when the agent cannot be reached
    for want of a key, a module or a proper URL.
    """
    async with served(chosen, log, case) as target:
        yield lambda: transport_to(chosen, case, target)


@asynccontextmanager
async def served(chosen: ChosenAgent, log: Path | None, case: Case | None) -> AsyncIterator[str]:
    """The target to call; an agent that has to be started runs inside the context. Raises as `reach`."""
    spec = transport_spec(chosen.name.transport)
    if spec.started is None:
        yield chosen.name.target
        return
    async with spec.started(Destination(chosen.name.target, chosen.settings, case, log)) as target:
        yield target


def transport_to(chosen: ChosenAgent, case: Case | None, target: str) -> Transport:
    """An unopened transport to an agent at a target that `served` gave, in this process or in another."""
    spec = transport_spec(chosen.name.transport)
    return spec.make(replace(Destination(chosen.name.target, chosen.settings, case), target=target))


async def end_of_model(chosen: ChosenAgent) -> str:
    """That the model behind an `openai:` agent is shut down, and when; "" for other agents and where nobody knows."""
    if not chosen.name.transport.startswith("openai"):
        return ""
    settings = chosen.settings
    address = settings.base_url or default_address()
    if address.startswith("ws"):  # ws:// and wss:// are http:// and https:// for questions about the model
        address = address.replace("ws", "http", 1)
    server = ModelServer(
        chosen.label,
        chosen.name.target.partition("?")[0],
        address,
        settings.key_variable or "",
        {name: (header.env, header.prefix) for name, header in settings.headers.items() if header.env},
    )
    return await model_end(server, date.today())
