"""Where a language model is: its name, the address of its server, and which environment variable holds the key."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from voicesim.errors import UsageError

OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
ADDRESS = "OPENAI_BASE_URL"
TIMEOUT = 300.0
"""Seconds that a model has for one answer where nobody waits on the telephone."""


@dataclass(frozen=True)
class ModelServer:
    """A model on a server that speaks OpenAI's API.

    `label` is what people call it: `openai:gpt-6.1-sol`, or the id of a model file. `base_url` ends in `/v1`.
    `key_env` names the environment variable with the key; "" sends none. `headers` maps names of HTTP headers
    to environment variables and what stands before their value. `timeout` is the time of one answer in seconds;
    None leaves it to whoever asks. `prices` are per million tokens, by the names of an agent file.
    """

    label: str
    model: str
    base_url: str
    key_env: str = KEY
    headers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    timeout: float | None = None
    prices: Mapping[str, Any] | None = None

    @property
    def host(self) -> str:
        """The server's name and port, without a path, a user or a password."""
        parts = urlsplit(self.base_url)
        name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        return f"{name}:{parts.port}" if parts.port else name

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own."""
        return is_openai(self.base_url)

    def check(self, role: str) -> None:
        """Raises UsageError when the key or a header is missing in the environment; `role` such as `judge`."""
        for name in (self.key_env, *(variable for variable, _ in self.headers.values())):
            if name and not os.environ.get(name):
                hint = f" (any text for a local server, with its address in {ADDRESS})" if name == KEY else ""
                raise UsageError(f"{role} {self.label} needs a key in {name}{hint}")

    def key(self) -> str:
        """The key as the environment has it now; "" where none is sent."""
        return os.environ.get(self.key_env, "") if self.key_env else ""

    def secrets(self) -> tuple[str, ...]:
        """What the environment variables of this server hold; none of it may be told."""
        variables = (self.key_env, *(variable for variable, _ in self.headers.values()))
        return tuple(value for variable in variables if variable and (value := os.environ.get(variable)))

    def header_values(self) -> dict[str, str]:
        """HTTP headers with their values out of the environment."""
        return {name: before + os.environ.get(variable, "") for name, (variable, before) in self.headers.items()}


def is_openai(base_url: str) -> bool:
    """Whether an address is OpenAI's own, to which alone its key goes unasked.

    >>> is_openai("https://api.openai.com/v1"), is_openai("https://openai.com.example.org/v1")
    (True, False)
    """
    parts = urlsplit(base_url)
    name = parts.hostname or ""
    return parts.scheme == "https" and (name == "openai.com" or name.endswith(".openai.com"))


def default_address() -> str:
    """OPENAI_BASE_URL, or OpenAI's own address. Raises UsageError when it is no http(s) URL."""
    url = os.environ.get(ADDRESS) or OPENAI
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"{ADDRESS} is no http or https URL; it is like http://localhost:8080/v1")
    return url


def named_model(model: str) -> ModelServer:
    """The model of that name at OPENAI_BASE_URL, or at OpenAI itself, with the key in OPENAI_API_KEY."""
    return ModelServer(f"openai:{model}", model, default_address())
