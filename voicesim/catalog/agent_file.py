"""An agent file: the agent string, and all that a string has no room for. It never holds a key."""

import os
from collections.abc import Iterator
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from voicesim.catalog.addresses import shown_address
from voicesim.catalog.agent_names import parse_agent
from voicesim.catalog.entry import Entry, Slug
from voicesim.catalog.prices import Prices
from voicesim.errors import UsageError
from voicesim.redact import looks_like_key, looks_random
from voicesim.registry import TRANSPORTS

Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


def _without_key(text: str) -> str:
    if looks_like_key(text):
        raise ValueError("looks like a key; keys come from the environment only, as in {env: MY_TOKEN}")
    return text


Plain = Annotated[str, AfterValidator(_without_key)]
FOR_ALL = frozenset({"id", "title", "agent", "limits", "prices"})
"""Keys of an agent file that every kind of agent may have; a transport names which of the others it uses."""
OPENAI_KEY = "OPENAI_API_KEY"
_BEARS_KEYS = frozenset({"authorization", "proxy-authorization", "api-key", "x-api-key", "cookie"})


class Header(Entry):
    """An HTTP header: `value` as it stands, or `prefix` and the value of the environment variable `env`."""

    model_config = ConfigDict(str_strip_whitespace=False)  # the blank of "Bearer " counts

    env: Variable | None = None
    prefix: Plain = ""
    value: Plain | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.env is None) == (self.value is None):
            raise ValueError("needs either `env`, the environment variable that holds it, or a plain `value`")
        if self.prefix and self.env is None:
            raise ValueError("`prefix` goes before the value of an `env`; there is none")
        return self


class TurnDetection(Entry):
    """How the server tells that the caller has finished, in its own units; what is left out is its default."""

    type: Literal["server_vad", "semantic_vad", "none"] = "server_vad"
    threshold: float | None = Field(default=None, gt=0, lt=1)
    prefix_padding_ms: int | None = Field(default=None, ge=0, le=10_000)
    silence_duration_ms: int | None = Field(default=None, ge=10, le=10_000)
    eagerness: Literal["low", "medium", "high", "auto"] | None = None

    @model_validator(mode="after")
    def _belongs_to_the_type(self) -> Self:
        silence = ("threshold", "prefix_padding_ms", "silence_duration_ms")
        known = {"server_vad": silence, "semantic_vad": ("eagerness",), "none": ()}[self.type]
        for name in (*silence, "eagerness"):
            if getattr(self, name) is not None and name not in known:
                raise ValueError(f"`{name}` does not belong to {self.type}")
        return self


class Limits(Entry):
    """Seconds that connecting and a whole call may take. A call's own limit on the command line may be shorter."""

    connect: float = Field(default=20.0, ge=1, le=300)
    call: float | None = Field(default=None, ge=5, le=7200)


class IceServer(Entry):
    """A STUN or TURN server. The credential of a TURN server comes from the environment."""

    url: str = Field(pattern=r"^(?:stun|stuns|turn|turns):\S+$")
    username: Plain = ""
    credential_env: Variable | None = None


class AgentFile(Entry):
    """What every agent file may hold; a transport with settings of its own has a subclass.

    `tools`: `case` offers the tools of the case where voicesim configures the session; `own` leaves the agent its
    own. `key_env` names the environment variable that holds the key.
    """

    id: Slug | None = None
    title: Plain = ""
    agent: Plain = Field(min_length=1)
    instructions: Plain = Field(default="", max_length=50_000)
    voice: Plain = ""
    tools: Literal["case", "own"] = "case"
    turn_detection: TurnDetection | None = None
    base_url: Plain = ""
    key_env: Variable | None = None
    headers: dict[str, Header] = Field(default_factory=dict)
    limits: Limits = Limits()
    prices: Prices | None = None
    ice_servers: tuple[IceServer, ...] = ()

    def variables(self) -> Iterator[str]:
        """The environment variables that this file takes values from; what they hold is secret."""
        headers = (header.env for header in self.headers.values())
        ice_servers = (server.credential_env for server in self.ice_servers)
        yield from (variable for variable in (self.key_variable, *headers, *ice_servers) if variable)

    @property
    def key_variable(self) -> str | None:
        """The environment variable with the key: the one that is named, else OpenAI's.

        None for a server of somebody else that names none: OpenAI's key is not for it.
        """
        return self.key_env or (OPENAI_KEY if _is_openais(self.base_url) else None)

    @field_validator("agent")
    @classmethod
    def _names_an_agent(cls, agent: str) -> str:
        try:
            parse_agent(agent)
        except UsageError as error:
            raise ValueError(str(error)) from error
        return agent

    @field_validator("base_url")
    @classmethod
    def _is_a_url(cls, url: str) -> str:
        if url and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).netloc):
            raise ValueError("is no http or https URL")
        if url != shown_address(url):
            raise ValueError(
                "must have no user, password or query; what is secret comes as a header from the environment"
            )
        return url

    @field_validator("headers")
    @classmethod
    def _hold_no_key(cls, headers: dict[str, Header]) -> dict[str, Header]:
        for name, header in headers.items():
            if header.value is not None and (name.lower() in _BEARS_KEYS or looks_random(header.value)):
                raise ValueError(
                    f"the value of {name} is a key; keys come from the environment: {name}: {{env: MY_TOKEN}}"
                )
        return headers


def _is_openais(base_url: str) -> bool:
    """Whether OpenAI's key may go to an address: to OpenAI itself, and to the server that the environment names."""
    if not base_url:
        return True
    address, own = urlsplit(base_url), urlsplit(os.environ.get("OPENAI_BASE_URL", ""))
    if (address.scheme, address.netloc) == (own.scheme, own.netloc):
        return True
    host = address.hostname or ""
    return address.scheme == "https" and (host == "api.openai.com" or host.endswith(".api.openai.com"))


def agent_file_type(agent: object) -> type[AgentFile]:
    """The class of the agent files of an agent string; AgentFile itself for what names no transport."""
    name = agent.partition(":")[0] if isinstance(agent, str) else ""
    if name not in TRANSPORTS:
        return AgentFile
    model: type[AgentFile] = getattr(TRANSPORTS.load(name), "agent_file", AgentFile)
    return model


def keys_of(transport: str) -> frozenset[str]:
    """The keys that agent files of a transport may have: those for all agents, those it uses, and its own.

    A transport that does not tell what it uses may have them all. Raises UsageError when it cannot be loaded.
    """
    used: frozenset[str] | None = getattr(TRANSPORTS.load(transport), "settings", None)
    shared = frozenset(AgentFile.model_fields) if used is None else FOR_ALL | used
    return shared | (set(agent_file_type(transport).model_fields) - set(AgentFile.model_fields))


def owners_of(key: str) -> list[str]:
    """The forms of the agents whose files may have a key."""
    return [form for name, form in zip(TRANSPORTS, TRANSPORTS.forms(), strict=True) if key in _keys_if_loaded(name)]


def _keys_if_loaded(transport: str) -> frozenset[str]:
    try:
        return keys_of(transport)
    except UsageError:  # another package's transport that cannot be loaded
        return frozenset()
