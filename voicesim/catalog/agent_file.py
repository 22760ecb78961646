"""An agent file: the agent string, and all that a string has no room for. It never holds a key."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from voicesim.catalog.agent_names import REFERENCE, parse_agent
from voicesim.catalog.entry import Entry, Slug
from voicesim.catalog.pcm_format import PcmFormat
from voicesim.catalog.prices import Prices
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.redact import looks_like_key, looks_random

Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


def _without_key(text: str) -> str:
    if looks_like_key(text):
        raise ValueError("looks like a key; keys come from the environment only, as in {env: MY_TOKEN}")
    return text


Plain = Annotated[str, AfterValidator(_without_key)]
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


class KeyPress(Entry):
    """The caller presses a key of the telephone `at` so many seconds of the call: for a menu before the agent."""

    key: str = Field(pattern=r"^[0-9*#]$")
    at: float = Field(ge=0, le=600)


class TwilioStream(Entry):
    """What `<Parameter>` gives a Twilio stream (its customParameters), each like a header; and what is pressed."""

    parameters: dict[str, Header] = Field(default_factory=dict)
    press: tuple[KeyPress, ...] = ()


class AgentFile(Entry):
    """The whole file. `tools`: `case` offers the tools of the case where voicesim configures the session; `own`
    leaves the agent its own. `key_env` names the environment variable that holds the key. `brain` and `fault` are
    a reference agent's."""

    id: Slug | None = None
    title: Plain = ""
    agent: Plain = Field(min_length=1)
    instructions: Plain = Field(default="", max_length=50_000)
    voice: Plain = ""
    tools: Literal["case", "own"] = "case"
    turn_detection: TurnDetection | None = None
    base_url: Plain = ""
    key_env: Variable = "OPENAI_API_KEY"
    headers: dict[str, Header] = Field(default_factory=dict)
    limits: Limits = Limits()
    prices: Prices | None = None
    ice_servers: tuple[IceServer, ...] = ()
    pcm: PcmFormat | None = None
    twilio: TwilioStream | None = None
    brain: Plain = ""
    fault: Tag | None = None

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
        return url

    @field_validator("headers")
    @classmethod
    def _hold_no_key(cls, headers: dict[str, Header]) -> dict[str, Header]:
        for name, one in headers.items():
            if one.value is not None and (name.lower() in _BEARS_KEYS or looks_random(one.value)):
                raise ValueError(
                    f"the value of {name} is a key; keys come from the environment: {name}: {{env: MY_TOKEN}}"
                )
        return headers

    @model_validator(mode="after")
    def _belongs_to_the_agent(self) -> Self:
        for kind, part in (("pcm", self.pcm), ("twilio", self.twilio)):
            if part is not None and not self.agent.startswith(f"{kind}:"):
                raise ValueError(f"`{kind}` is for agents of the form {kind}:URL")
        return self

    @model_validator(mode="after")
    def _brain_is_for_reference_agents(self) -> Self:
        if (self.brain or self.fault) and parse_agent(self.agent).kind not in REFERENCE:
            raise ValueError(f"`brain` and `fault` are for the reference agents: {', '.join(REFERENCE)}")
        return self
