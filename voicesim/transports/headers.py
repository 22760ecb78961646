"""What an agent file takes from the environment: the values of headers and parameters, and which of them are secret."""

import os
from collections.abc import Mapping

from voicesim.catalog.agent_file import AgentFile, Header
from voicesim.errors import UsageError


def values_of(headers: Mapping[str, Header], agent: str) -> dict[str, str]:
    """Headers, or what is written as they are, ready to be sent.

    Raises UsageError when a variable is not set.
    """
    made = {}
    for name, header in headers.items():
        held = os.environ.get(header.env, "") if header.env else header.value or ""
        if header.env and not held:
            raise UsageError(f"{name} of the agent {agent} needs the environment variable {header.env}")
        made[name] = header.prefix + held
    return made


def secrets_of(settings: AgentFile) -> tuple[str, ...]:
    """The values of all environment variables that an agent file names; none of them may be told."""
    return tuple(os.environ[name] for name in settings.variables() if name in os.environ)
