"""Where an agent is reached: its checked URL, its HTTP headers, and which of their values are secret."""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from voicesim.catalog.agent_file import AgentFile, Header
from voicesim.errors import UsageError

EXAMPLES = {"http": "http://localhost:7860", "ws": "ws://localhost:8765/ws"}


def check_url(url: str, kind: str, scheme: str) -> str:
    """The URL as it may be shown: without user, password and query, where secrets are.

    Raises UsageError when it is none of the scheme (http or ws), with or without TLS.
    """
    parts = urlsplit(url)
    if parts.scheme not in {scheme, f"{scheme}s"} or not parts.hostname:
        example = f"{kind}:{EXAMPLES[scheme]}"
        raise UsageError(f"{kind}: the agent needs a {scheme} or {scheme}s URL, such as {example}")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def header_values(headers: Mapping[str, Header], agent: str) -> dict[str, str]:
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
