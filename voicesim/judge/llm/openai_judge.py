"""A language model as judge, on any server that speaks OpenAI's chat API."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from voicesim.cache import cache_folder
from voicesim.catalog.model import Check
from voicesim.catalog.model_names import resolve_model
from voicesim.catalog.tags import Tag
from voicesim.judge.base import Call, Finding, Judge
from voicesim.judge.code.decide import decide
from voicesim.judge.evidence import can_prove
from voicesim.judge.judges import Options
from voicesim.judge.llm import prompt, whole_call
from voicesim.judge.llm.answer import judge, parse
from voicesim.judge.model import Failure
from voicesim.llm.answer_cache import AnswerCache
from voicesim.llm.client import ChatModel
from voicesim.llm.errors import UnusableAnswerError
from voicesim.llm.server import ModelServer

ROOM = 1000
"""Tokens for the first attempt at an answer."""
ATTEMPTS = 3
RETRIES = 4


def chat_model(server: ModelServer, timeout: float, role: str = "judge") -> ChatModel:
    """A model whose answers are kept on disk. `timeout` is in seconds, for one answer, unless its file has one.

    Raises UsageError when its key is missing.
    """
    cache = AnswerCache(cache_folder() / "judge")
    return ChatModel(server, role, timeout, RETRIES, rooms(ROOM), cache=cache)


def rooms(first: int) -> tuple[int, ...]:
    """Tokens for each attempt at an answer, twice as many each time."""
    return tuple(first * 2**attempt for attempt in range(ATTEMPTS))


def make(target: str, options: Options) -> Judge:
    """The judge of a model's name or file. Raises UsageError and CatalogueError as `resolve_model` does."""
    from voicesim.judge.llm.batch_judge import BatchJudge

    kind = BatchJudge if options.batch else OpenAIJudge
    return kind(chat_model(resolve_model(target), options.timeout))


@dataclass(frozen=True)
class OpenAIJudge:
    """One check, one question."""

    chat: ChatModel

    @property
    def name(self) -> str:
        return self.chat.name

    @property
    def version(self) -> str:
        """Version of the questions, and a hash of the instructions."""
        return f"{prompt.VERSION}-{sha256(prompt.SYSTEM.encode()).hexdigest()[:8]}"

    @property
    def server(self) -> ModelServer:
        """Where the model is."""
        return self.chat.server

    @property
    def usages(self) -> Sequence[Mapping[str, Any] | None]:
        """The tokens of each answer so far, as the server tells them."""
        return self.chat.usages

    @property
    def models(self) -> tuple[str, ...]:
        """Which models answered, as the server names them; two when the name changed hands on the way."""
        return tuple(sorted(self.chat.seen))

    def find(self, check: Check, call: Call) -> Finding:
        """Ask about one check, with one turn to repair quotes that do not hold.

        An answer that stays unusable is the outcome `error`. Raises UsageError when the server refuses the
        key or the model, or cannot be reached.
        """
        if check.kind == "code" and check.rule is not None:
            return decide(check.rule, call)
        able = [utterance.id for utterance in can_prove(call.transcript)]
        if not able:
            return Finding("cannot_assess", reason="the agent said nothing")
        schema = prompt.schema(check, able)
        messages = prompt.messages(call, prompt.question(check), prompt.lists_for(check))
        try:
            text, answer = self.chat.ask(messages, lambda text: parse(check, text), schema, call.repeat)
            reading = judge(call, answer)
            if reading.refused is not None:
                messages += prompt.repair(text, reading.refused)
                _, answer = self.chat.ask(messages, lambda text: parse(check, text), schema, call.repeat)
                reading = judge(call, answer)
        except UnusableAnswerError as error:
            return Finding("error", reason=str(error))
        return reading.finding

    def failures(self, call: Call, named: Collection[Tag]) -> tuple[Failure, ...]:
        """Ask once about the whole call, for failures that no check names. Raises as `find` does.

        Raises UnusableAnswerError when no answer can be used; a quote that does not hold is no failure.
        """
        if not can_prove(call.transcript):
            return ()
        messages = prompt.messages(call, whole_call.question(named))
        _, answer = self.chat.ask(messages, whole_call.parse, whole_call.schema(call))
        return whole_call.failures(call, answer, named)
