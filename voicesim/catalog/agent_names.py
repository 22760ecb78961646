"""The agent string of the command line: which transport it names, and what to."""

from dataclasses import dataclass, field

from voicesim.catalog.addresses import shown_address
from voicesim.errors import UsageError, near
from voicesim.registry import TRANSPORTS


@dataclass(frozen=True)
class AgentName:
    """An agent string taken apart: `openai:gpt-realtime-2.1` is transport openai, target gpt-realtime.

    `text` is the string as it may be shown; only the target has the whole address.
    """

    transport: str
    target: str = field(repr=False)
    text: str


def parse_agent(text: str) -> AgentName:
    """Read an agent string.

    Raises UsageError, with near names, for a transport that does not exist or a missing target.
    """
    name, _, target = text.partition(":")
    shown = shown_address(text)
    if name not in TRANSPORTS:
        forms = ", ".join(TRANSPORTS.forms())
        raise UsageError(f"unknown agent {shown!r}.{near(name, TRANSPORTS)} An agent is one of: {forms}.")
    form = TRANSPORTS.row(name).form
    if form and bool(target) != (":" in form):
        raise UsageError(f"the agent {shown!r} is not of the form {form}")
    return AgentName(name, target, shown)
