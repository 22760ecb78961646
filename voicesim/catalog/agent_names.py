"""The agent string of the command line: which line it names, and what to."""

from dataclasses import dataclass
from typing import Literal, cast

from voicesim.errors import UsageError, near

Kind = Literal["realtime", "realtime-ws", "modular", "openai", "openai+ws", "smallwebrtc", "twilio", "pcm", "python"]

FORMS = {
    "realtime": "realtime",
    "realtime-ws": "realtime-ws",
    "modular": "modular",
    "openai": "openai:MODEL",
    "openai+ws": "openai+ws:MODEL",
    "smallwebrtc": "smallwebrtc:URL",
    "twilio": "twilio:ws://HOST/PATH",
    "pcm": "pcm:ws://HOST/PATH",
    "python": "python:module:factory",
}
"""Every kind of agent and how it is written."""
REFERENCE: tuple[Kind, ...] = ("realtime", "realtime-ws", "modular")
"""The agents that come with voicesim and are started for a call."""


@dataclass(frozen=True)
class AgentName:
    """An agent string taken apart: `openai:gpt-realtime` is kind openai, target gpt-realtime."""

    kind: Kind
    target: str
    text: str


def parse_agent(text: str) -> AgentName:
    """Read an agent string.

    Raises UsageError, with near names, for a kind that does not exist or a missing target.
    """
    kind, _, target = text.partition(":")
    if kind not in FORMS:
        raise UsageError(f"unknown agent {text!r}.{near(kind, FORMS)} An agent is one of: {', '.join(FORMS.values())}.")
    if bool(target) != (":" in FORMS[kind]):
        raise UsageError(f"the agent {text!r} is not of the form {FORMS[kind]}")
    return AgentName(cast(Kind, kind), target, text)
