"""One question to a language model: asked with bounds, answered in a given form, and kept.

Everything here is async; `ask` is the same for callers without an event loop of their own.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from voicesim.errors import UsageError
from voicesim.llm.answer_cache import AnswerCache, Known
from voicesim.llm.completion import Completion, read_completion
from voicesim.llm.errors import (
    NoAnswerError,
    ServerRefusedError,
    UnusableAnswerError,
    model_error,
    plain_words,
    words_of,
)
from voicesim.llm.reading import json_part, without_reasoning
from voicesim.llm.request import again, body, known_of, without
from voicesim.llm.server import ModelServer
from voicesim.llm.streaming import Grows, streamed

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Messages = Sequence[Mapping[str, Any]]
Schema = Mapping[str, Any]
Read = TypeVar("Read")


@dataclass
class ChatModel:
    """A model on a server. The key is read when a connection is opened; it is never kept, shown or logged here.

    `role` names who asks in messages, such as `judge`. An exchange takes `seconds` at most and is tried again
    `retries` times; an unusable answer is asked for again with the next of `rooms` (tokens). `seen` are the models
    that answered, as the server names them, `usages` what the server told of each answer's tokens. Used as an
    `async with`, its connections stay open until the end; else each answer has a connection of its own.
    """

    server: ModelServer
    role: str
    seconds: float
    retries: int = 2
    rooms: Sequence[int] = (1000, 2000, 4000)
    temperature: float | None = 0.0
    cache: AnswerCache | None = None
    seen: set[str] = field(default_factory=set)
    usages: list[Mapping[str, Any] | None] = field(default_factory=list)
    _known: Known = field(default_factory=Known)
    _open: "AsyncOpenAI | None" = None

    def __post_init__(self) -> None:
        """Raises UsageError when the key is missing."""
        self.server.check(self.role)
        recalled = self.cache.recall(self.server.base_url, self.server.model) if self.cache else None
        self._known = recalled or known_of(self.server)

    @property
    def name(self) -> str:
        """What people call the model."""
        return self.server.label

    async def __aenter__(self) -> Self:
        self._open = await self._connect().__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._open is not None:
            client, self._open = self._open, None
            await client.close()

    def warm(self) -> None:
        """Load what a first question needs; no connection is made."""
        import voicesim.llm.connection  # noqa: F401

    def ask(
        self, messages: Messages, read: Callable[[str], Read], schema: Schema | None = None, repeat: int = 0
    ) -> tuple[str, Read]:
        """As `answer`, blocking; also where an event loop runs already. Ctrl-C gives the question up."""
        from anyio.from_thread import start_blocking_portal

        with start_blocking_portal() as portal:
            return portal.call(lambda: self.answer(messages, read, schema, repeat))

    async def answer(
        self,
        messages: Messages,
        read: Callable[[str], Read],
        schema: Schema | None = None,
        repeat: int = 0,
        heard: Grows | None = None,
    ) -> tuple[str, Read]:
        """A usable answer as text, and as `read` makes of it (raising ValueError for one that does not fit).

        With a schema, `read` gets the answer's JSON object; else its text, which may end at the token limit if
        it has a line break by then. `heard` is told an answer's text as it grows, from a server that streams, and
        says when it has enough; what it is told may still turn out to be of no use. An answer that was kept is taken
        as it is. Raises UnusableAnswerError when no attempt gives one, ServerRefusedError or UnreachableError when it
        makes no sense to go on.
        """
        cached = self._kept(messages, schema, repeat)
        if cached is not None:
            try:
                answered = read(cached)
            except ValueError:
                pass  # kept by a version that took other answers
            else:
                self.seen.add(self._known.model)
                return cached, answered
        asked, problem = list(messages), ""
        for room in self.rooms:
            try:
                completion = await self.complete(asked, room, schema, heard=heard)
                raw = _whole(completion, schema)
            except NoAnswerError:
                raise
            except UnusableAnswerError as error:
                problem = str(error)
                continue
            try:
                text = raw if schema is None else json_part(raw, schema)
                answered = read(text)
            except ValueError as error:
                problem = f"not of the form asked for ({_short(error)})"
                asked = [*messages, *again(raw, problem, schema)]
            else:
                self._keep(messages, schema, repeat, completion.model or self.server.model, text)
                return text, answered
        raise UnusableAnswerError(f"no usable answer in {len(self.rooms)} attempts: {problem}")

    async def complete(
        self,
        messages: Messages,
        room: int | None = None,
        schema: Schema | None = None,
        tools: Sequence[Any] = (),
        heard: Grows | None = None,
    ) -> Completion:
        """One answer as it comes, in at most `room` tokens. Raises ModelError in one of its kinds."""
        import openai

        while True:
            request = body(self.server.model, messages, self._known, room, self.temperature, schema, tools)
            try:
                async with self._connection() as client:
                    if heard is None:
                        raw = await client.chat.completions.with_raw_response.create(**request)
                        completion = read_completion(raw.http_response.content)
                    else:
                        completion = await streamed(client, request, heard)
            except openai.BadRequestError as error:
                complaint = plain_words(words_of(error), self.server)
                known = without(self._known, complaint, self.temperature is not None, schema is not None)
                if known == self._known:
                    raise self._named(model_error(error, self.server)) from None
                self._known = known
            except openai.OpenAIError as error:
                raise self._named(model_error(error, self.server)) from None
            else:
                self.usages.append(completion.usage)
                return completion

    def _named(self, error: Exception) -> Exception:
        """An error that stops the work says who could not go on; and that nothing is lost, where that is so."""
        if not isinstance(error, UsageError):
            return error
        note = "; what it answered so far is kept, so that the same command goes on from there"
        tail = note if self.cache and self.seen and not isinstance(error, ServerRefusedError) else ""
        return type(error)(f"{self.role} {self.name}: {error}{tail}")

    def _connect(self) -> "AsyncOpenAI":
        from voicesim.llm.connection import connect

        return connect(self.server, self.server.timeout or self.seconds, self.retries)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator["AsyncOpenAI"]:
        if self._open is not None:
            yield self._open
            return
        async with self._connect() as client:
            yield client

    def _kept(self, messages: Messages, schema: Schema | None, repeat: int) -> str | None:
        # Until the model has answered once, nobody knows which model its name stands for.
        if self.cache is None or not self._known.model:
            return None
        return self.cache.get(self._question(messages, schema, repeat))

    def _keep(self, messages: Messages, schema: Schema | None, repeat: int, model: str, text: str) -> None:
        self.seen.add(model)
        self._known = replace(self._known, model=model)
        if self.cache is None:
            return
        if self.cache.recall(self.server.base_url, self.server.model) != self._known:
            self.cache.learn(self.server.base_url, self.server.model, self._known)
        self.cache.put(self._question(messages, schema, repeat), text)

    def _question(self, messages: Messages, schema: Schema | None, repeat: int) -> dict[str, Any]:
        """All that an answer hangs on. The room is no part of it: a whole answer is whole in any."""
        request = body(self._known.model, messages, self._known, None, self.temperature, schema)
        return {"server": self.server.base_url, "request": request, "repeat": repeat}


def _whole(completion: Completion, schema: Schema | None) -> str:
    """The text of an answer that was not cut off. Raises UnusableAnswerError."""
    text = (completion.text if schema is not None else without_reasoning(completion.text)).strip()
    if completion.cut and (schema is not None or "\n" not in text):
        raise UnusableAnswerError("the answer was cut off by the token limit")
    if not text:
        raise UnusableAnswerError("the answer was empty")
    return text


def _short(error: ValueError) -> str:
    return " ".join(str(error).split())[:160]
