"""The HTTP headers of an agent file, with what the environment holds for them."""

import os
from collections.abc import Mapping

from voicesim.catalog.agent_file import Header
from voicesim.errors import UsageError


def headers_of(headers: Mapping[str, Header], agent: str) -> dict[str, str]:
    """Ready to be sent.

    Raises UsageError when a variable is not set.
    """
    made = {}
    for name, header in headers.items():
        held = os.environ.get(header.env, "") if header.env else header.value or ""
        if header.env and not held:
            raise UsageError(f"the header {name} of the agent {agent} needs the environment variable {header.env}")
        made[name] = header.prefix + held
    return made
