"""A function that is offered to an agent."""

from typing import Any

from pydantic import Field

from voicesim.catalog.entry import Entry


class Tool(Entry):
    """`parameters` is a JSON schema. In a case, a description or parameters that are empty are the backend's."""

    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
