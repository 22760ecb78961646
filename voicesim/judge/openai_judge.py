"""A language model as judge, on any server that speaks OpenAI's chat API with structured outputs."""

import os
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from voicesim.catalog.model import Check
from voicesim.errors import UsageError
from voicesim.judge import prompt
from voicesim.judge.answer import judge, parse
from voicesim.judge.base import Call, Finding
from voicesim.judge.evidence import can_prove

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

ROOM = 1000
"""Tokens for the first attempt at an answer; each further one gets twice as many."""
ATTEMPTS = 3
_RETRIES = 4
"""Of a request that met 408, 409, 429, 5xx or a lost connection; the client waits longer each time."""


class UnusableError(Exception):
    """An answer that is cut off, empty, refused or not of the form asked for."""


@dataclass
class OpenAIJudge:
    """One check, one question; `client` is an openai.OpenAI. The key is never kept, shown or logged here."""

    model: str
    client: "OpenAI"
    _sampling: dict[str, Any] = field(default_factory=lambda: {"temperature": 0.0})

    @classmethod
    def from_environment(cls, model: str) -> "OpenAIJudge":
        """A judge with OPENAI_API_KEY and, for another server, OPENAI_BASE_URL.

        Raises UsageError when there is no key.
        """
        if not os.environ.get("OPENAI_API_KEY"):
            raise UsageError(
                f"judge openai:{model} needs a key in OPENAI_API_KEY (any text for a local server, "
                "with its address in OPENAI_BASE_URL)"
            )
        from openai import OpenAI

        return cls(model, OpenAI(max_retries=_RETRIES, timeout=300.0))

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    @property
    def version(self) -> str:
        """Version of the questions, and a hash of the instructions."""
        return f"{prompt.VERSION}-{sha256(prompt.SYSTEM.encode()).hexdigest()[:8]}"

    def find(self, check: Check, call: Call) -> Finding:
        """Ask about one check, with one turn to repair quotes that do not hold.

        An answer that stays unusable is the outcome `error`. Raises UsageError when the server refuses the
        key, the model or structured outputs, or cannot be reached.
        """
        able = [one.id for one in can_prove(call.transcript)]
        if not able:
            return Finding("cannot_assess", reason="the agent said nothing")
        schema = prompt.schema(check, able)
        messages = [
            {"role": "system", "content": prompt.SYSTEM},
            {"role": "user", "content": f"{prompt.transcript_block(call)}\n\n{prompt.question(check)}"},
        ]
        try:
            text, answer = self._answer(check, messages, schema)
            reading = judge(call, answer)
            if reading.refused is not None:
                messages += [
                    {"role": "assistant", "content": text},
                    {"role": "user", "content": prompt.repair(reading.refused)},
                ]
                _, answer = self._answer(check, messages, schema)
                reading = judge(call, answer)
        except UnusableError as error:
            return Finding("error", reason=str(error))
        return reading.finding

    def _answer(self, check: Check, messages: list[dict[str, str]], schema: dict[str, Any]) -> tuple[str, Any]:
        """A usable answer as text and as read; each attempt has twice the room of the one before."""
        problem = ""
        for attempt in range(ATTEMPTS):
            try:
                text = _text(self._complete(messages, schema, ROOM * 2**attempt))
                return text, parse(check, text)
            except ValueError as error:
                problem = f"not of the form asked for ({_short(error)})"
            except UnusableError as error:
                problem = str(error)
        raise UnusableError(f"no usable answer in {ATTEMPTS} attempts: {problem}")

    def _complete(self, messages: list[dict[str, str]], schema: dict[str, Any], room: int) -> "ChatCompletion":
        import openai

        try:
            return self._request(messages, schema, room)
        except openai.BadRequestError as error:
            if "temperature" not in self._sampling or "temperature" not in _message(error, self.client.api_key):
                raise self._refused(error) from None
            # Some models take no temperature but their own.
            self._sampling = {}
            return self._complete(messages, schema, room)
        except (openai.RateLimitError, openai.InternalServerError, openai.APITimeoutError) as error:
            raise UnusableError(f"the server gave no answer ({type(error).__name__})") from None
        except openai.APIConnectionError:
            raise UsageError(f"judge {self.name}: cannot reach {self.client.base_url.host}") from None
        except openai.APIStatusError as error:
            raise self._refused(error) from None

    def _request(self, messages: list[dict[str, str]], schema: dict[str, Any], room: int) -> "ChatCompletion":
        # Servers of others know max_tokens; OpenAI's own newer models refuse it.
        limit = "max_completion_tokens" if self.client.base_url.host.endswith("openai.com") else "max_tokens"
        form = {"name": "verdict", "strict": True, "schema": schema}
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "response_format": {"type": "json_schema", "json_schema": form},
            limit: room,
            **self._sampling,
        }
        answer: ChatCompletion = self.client.chat.completions.create(**body)
        return answer

    def _refused(self, error: Any) -> UsageError:
        """What the server said, never with the key; on 401 servers repeat parts of it, so there not at all."""
        if error.status_code == 401:
            return UsageError(f"judge {self.name}: the server refused the key in OPENAI_API_KEY")
        said = _message(error, self.client.api_key)
        hint = " (this judge needs structured outputs: response_format json_schema)" if error.status_code == 400 else ""
        return UsageError(f"judge {self.name}: the server refused the question with {error.status_code}: {said}{hint}")


def _text(answer: "ChatCompletion") -> str:
    # The client hands on whatever came: the page of a web server has no choices at all.
    if not getattr(answer, "choices", None):
        raise UnusableError("the server's answer was none of a chat model")
    choice = answer.choices[0]
    if choice.finish_reason == "length":
        raise UnusableError("the answer was cut off by the token limit")
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise UnusableError("the model refused to answer")
    if not choice.message.content:
        raise UnusableError("the answer was empty")
    return choice.message.content


def _message(error: Any, key: str) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    said = str(body.get("message") or error.message)
    return " ".join((said.replace(key, "[key]") if key else said).split())[:300]


def _short(error: ValueError) -> str:
    return " ".join(str(error).split())[:160]
