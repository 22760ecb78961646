"""A model file: a language model, the server it is on, and what it costs. It never holds a key."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from voicesim.catalog.agent_file import Plain, Variable
from voicesim.catalog.entry import Entry, Slug
from voicesim.catalog.prices import Prices
from voicesim.llm.server import KEY, ModelServer, default_address, is_openai


class FromEnvironment(Entry):
    """An HTTP header whose value is `prefix` and what the environment variable `env` holds."""

    env: Variable
    prefix: Plain = ""


class ModelFile(Entry):
    """The whole file. `base_url` ends in `/v1`; without it the model is at OPENAI_BASE_URL, or at OpenAI itself.

    `key_env` names the environment variable that holds the key. Without it OPENAI_API_KEY goes where a name such as
    `openai:gpt-6.1-sol` would be asked, and to nobody else. `timeout` is in seconds, for one answer.
    """

    id: Slug | None = None
    title: Plain = ""
    model: Plain = Field(min_length=1)
    base_url: Plain = ""
    key_env: Variable | None = None
    headers: dict[str, FromEnvironment] = Field(default_factory=dict)
    timeout: Annotated[float, Field(ge=1, le=86_400)] | None = None
    prices: Prices | None = None

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        if not url:
            return url
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("is no http or https URL; it is like http://localhost:8080/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("holds more than an address; a key comes from the environment, named by `key_env`")
        return url

    def server(self, name: str) -> ModelServer:
        """The model as it is asked; `name` is what people call it."""
        address = self.base_url or default_address()
        openais = not self.base_url or is_openai(address) or address == default_address()
        return ModelServer(
            label=name,
            model=self.model,
            base_url=address,
            key_env=self.key_env or (KEY if openais else ""),
            headers={header: (value.env, value.prefix) for header, value in self.headers.items()},
            timeout=self.timeout,
            prices=self.prices.model_dump() if self.prices else None,
        )
