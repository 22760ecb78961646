"""One question to a language model: asked with patience, answered in a given form, and kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from voicesim.errors import UsageError
from voicesim.judge.llm.cache import AnswerCache, Known
from voicesim.judge.llm.patience import GaveUpError, Patience

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

ATTEMPTS = 3

Messages = Sequence[Mapping[str, str]]
Read = TypeVar("Read")


class UnusableError(Exception):
    """An answer that is cut off, empty, refused or not of the form asked for; or none at all."""


@dataclass
class Chat:
    """A model on a server; `client` is an openai.OpenAI. The key is never kept, shown or logged here.

    `seen` are the models that answered, as the server names them.
    """

    name: str
    model: str
    client: "OpenAI"
    cache: AnswerCache | None = None
    patience: Patience = field(default_factory=Patience)
    seen: set[str] = field(default_factory=set)
    _sampling: Mapping[str, Any] = field(default_factory=lambda: {"temperature": 0.0})
    _lengths: bool = True
    _resolved: str = ""

    def __post_init__(self) -> None:
        known = self.cache.recall(self._server, self.model) if self.cache else None
        if known is not None:
            self._resolved, self._sampling, self._lengths = known.model, known.sampling, known.lengths

    def ask(
        self, messages: Messages, schema: Mapping[str, Any], read: Callable[[str], Read], room: int, repeat: int
    ) -> tuple[str, Read]:
        """A usable answer as text, and as `read` makes of it (raising ValueError for one that does not fit).

        `room` is in tokens for the first attempt; each further one has twice as many. An answer that was kept
        is taken as it is. Raises UnusableError when no attempt gives one or the server stays busy, UsageError
        when it refuses the key, the model or structured outputs, or cannot be reached.
        """
        kept = self._kept(messages, schema, repeat)
        if kept is not None:
            try:
                answer = read(kept)
            except ValueError:
                pass  # written by a version that took other answers
            else:
                self.seen.add(self._resolved)
                return kept, answer
        problem = ""
        for attempt in range(ATTEMPTS):
            completion = self._complete(messages, schema, room * 2**attempt)
            try:
                text = _text(completion)
                answer = read(text)
            except ValueError as error:
                problem = f"not of the form asked for ({_short(error)})"
            except UnusableError as error:
                problem = str(error)
            else:
                self._keep(messages, schema, repeat, completion.model or self.model, text)
                return text, answer
        raise UnusableError(f"no usable answer in {ATTEMPTS} attempts: {problem}")

    @property
    def _server(self) -> str:
        return f"{self.client.base_url.host}:{self.client.base_url.port or ''}{self.client.base_url.path}"

    def _kept(self, messages: Messages, schema: Mapping[str, Any], repeat: int) -> str | None:
        # Until the model has answered once, nobody knows which model its name stands for.
        if self.cache is None or not self._resolved:
            return None
        return self.cache.get(self._question(messages, schema, repeat))

    def _keep(self, messages: Messages, schema: Mapping[str, Any], repeat: int, model: str, text: str) -> None:
        self.seen.add(model)
        if self.cache is None:
            return
        known = Known(model, self._sampling, self._lengths)
        if model != self._resolved or self.cache.recall(self._server, self.model) != known:
            self._resolved = model
            self.cache.learn(self._server, self.model, known)
        self.cache.put(self._question(messages, schema, repeat), text)

    def _question(self, messages: Messages, schema: Mapping[str, Any], repeat: int) -> dict[str, Any]:
        """All that an answer hangs on. The room is no part of it: a whole answer is whole in any."""
        return {
            "server": self._server,
            "model": self._resolved,
            "messages": list(messages),
            "schema": self._taken(schema),
            "sampling": dict(self._sampling),
            "repeat": repeat,
        }

    def _complete(self, messages: Messages, schema: Mapping[str, Any], room: int) -> "ChatCompletion":
        import openai

        try:
            return self.patience.ask(lambda: self._request(messages, schema, room))
        except GaveUpError as error:
            raise UnusableError(f"the server gave no answer: {error}") from None
        except openai.BadRequestError as error:
            if not self._does_without(_message(error, self.client.api_key)):
                raise self._refused(error) from None
            return self._complete(messages, schema, room)
        except openai.APIConnectionError:
            kept = "; what it answered so far is kept, so that the same command goes on from there"
            reached = kept if self.cache and self.seen else ""
            raise UsageError(f"judge {self.name}: cannot reach {self.client.base_url.host}{reached}") from None
        except openai.APIStatusError as error:
            raise self._refused(error) from None

    def _does_without(self, complaint: str) -> bool:
        """Whether something the server complains of can be left out: a temperature, or bounds on strings."""
        if "temperature" in self._sampling and "temperature" in complaint:
            self._sampling = {}
        elif self._lengths and "maxLength" in complaint:
            self._lengths = False
        else:
            return False
        return True

    def _taken(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        return schema if self._lengths else _unbounded(schema)

    def _request(self, messages: Messages, schema: Mapping[str, Any], room: int) -> "ChatCompletion":
        # Servers of others know max_tokens; OpenAI's own newer models refuse it.
        limit = "max_completion_tokens" if self.client.base_url.host.endswith("openai.com") else "max_tokens"
        form = {"name": "verdict", "strict": True, "schema": self._taken(schema)}
        body: dict[str, Any] = {
            "model": self.model,
            "messages": list(messages),
            "response_format": {"type": "json_schema", "json_schema": form},
            limit: room,
            **self._sampling,
        }
        answer: ChatCompletion = self.client.with_options(max_retries=0).chat.completions.create(**body)
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


def _unbounded(schema: Any) -> Any:
    """A schema without bounds on its strings; no field of an answer is called `maxLength`."""
    if isinstance(schema, dict):
        return {key: _unbounded(value) for key, value in schema.items() if key != "maxLength"}
    return [_unbounded(one) for one in schema] if isinstance(schema, list) else schema


def _message(error: Any, key: str) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    said = str(body.get("message") or error.message)
    return " ".join((said.replace(key, "[key]") if key else said).split())[:300]


def _short(error: ValueError) -> str:
    return " ".join(str(error).split())[:160]
