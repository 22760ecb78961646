"""A server's answer in chat, read with care: whatever it sends is one of our types or one of our errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from voicesim.llm.errors import UnusableAnswerError


@dataclass(frozen=True)
class FunctionCall:
    """A function that the model wants called; `arguments` is JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Completion:
    """One answer. `model` is the server's name for what answered, `cut` whether the token limit ended it."""

    text: str
    model: str
    cut: bool = False
    calls: tuple[FunctionCall, ...] = ()
    usage: Mapping[str, Any] | None = None


class _AnswerPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Function(_AnswerPart):
    name: str
    arguments: str | None = None


class _ToolCall(_AnswerPart):
    id: str
    type: Literal["function"] = "function"
    function: _Function


class _Message(_AnswerPart):
    content: str | None = None
    refusal: str | None = None
    tool_calls: tuple[_ToolCall, ...] | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _joined(cls, content: Any) -> Any:
        """Some servers send text as a list of parts."""
        if not isinstance(content, list):
            return content
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))


class _Choice(_AnswerPart):
    message: _Message
    finish_reason: str | None = None


class _Body(_AnswerPart):
    choices: tuple[_Choice, ...] = Field(min_length=1)
    model: str | None = None
    usage: Any = None


def read_completion(body: bytes) -> Completion:
    """The first choice of an answer's body.

    Raises UnusableAnswerError when the body is none of a chat model, and when the model refused to answer.
    """
    try:
        answer = _Body.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise UnusableAnswerError(
            f"the server's answer is none of a chat model ({place + ': ' if place else ''}{first['msg']})"
        ) from None
    choice = answer.choices[0]
    message = choice.message
    if message.refusal or choice.finish_reason == "content_filter":
        raise UnusableAnswerError("the model refused to answer")
    calls = tuple(
        FunctionCall(call.id, call.function.name, call.function.arguments or "{}") for call in message.tool_calls or ()
    )
    usage = answer.usage if isinstance(answer.usage, dict) else None
    return Completion(message.content or "", answer.model or "", choice.finish_reason == "length", calls, usage)
