"""An answer in chat that comes word by word (server-sent events), read with the same care as a whole one."""

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from voicesim.llm.completion import Completion, read_completion
from voicesim.llm.errors import UnusableAnswerError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_DONE = "[DONE]"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Delta(_Part):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Part):
    delta: _Delta = _Delta()
    finish_reason: str | None = None


class _Chunk(_Part):
    choices: tuple[_Choice, ...] = ()
    model: str | None = None
    usage: dict[str, Any] | None = Field(default=None)


Grows = Callable[[str], bool]
"""Told the text of an answer each time that it has grown; whether that is enough, so that no more is read."""


async def streamed(client: "AsyncOpenAI", request: dict[str, Any], heard: Grows) -> Completion:
    """Ask for an answer word by word. A server that sends it whole all the same is understood.

    Raises the SDK's errors, and UnusableAnswerError.
    """
    import httpx2

    asking = client.chat.completions.with_streaming_response.create(**request, stream=True)
    try:
        async with asking as response:
            if "text/event-stream" not in response.headers.get("Content-Type", ""):
                return read_completion(await response.read())
            return await read_stream(response.iter_lines(), heard)
    except httpx2.TransportError:
        raise UnusableAnswerError("the answer broke off") from None


async def read_stream(lines: AsyncIterator[str], heard: Grows) -> Completion:
    """The answer of some lines, up to where `heard` has enough of it.

    Raises UnusableAnswerError for what is no stream of a chat model, breaks off, or refuses to answer.
    """
    text, model, finish, refused = "", "", "", False
    usage: dict[str, Any] | None = None
    async for line in lines:
        field, _, data = line.partition(":")
        if field != "data" or data.strip() == _DONE:
            continue
        try:
            chunk = _Chunk.model_validate_json(data)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]["msg"]
            raise UnusableAnswerError(f"the server's answer is none of a chat model ({problem})") from None
        model, usage = chunk.model or model, chunk.usage or usage
        for choice in chunk.choices[:1]:
            finish = choice.finish_reason or finish
            refused |= bool(choice.delta.refusal)
            if choice.delta.content:
                text += choice.delta.content
                if heard(text):
                    return Completion(text, model, usage=usage)
    if refused or finish == "content_filter":
        raise UnusableAnswerError("the model refused to answer")
    if not finish:
        raise UnusableAnswerError("the answer broke off")
    return Completion(text, model, finish == "length", usage=usage)
