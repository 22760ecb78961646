"""A language model as judge, on any server that speaks OpenAI's chat API with structured outputs."""

import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Self

from voicesim.cache import cache_folder
from voicesim.catalog.model import Check
from voicesim.errors import UsageError
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import decide
from voicesim.judge.evidence import can_prove
from voicesim.judge.llm import prompt
from voicesim.judge.llm.answer import judge, parse
from voicesim.judge.llm.cache import AnswerCache
from voicesim.judge.llm.chat import Chat, UnusableError
from voicesim.judge.llm.patience import TIMEOUT, Patience

if TYPE_CHECKING:
    from openai import OpenAI

ROOM = 1000
"""Tokens for the first attempt at an answer."""


@dataclass(frozen=True)
class OpenAIJudge:
    """One check, one question."""

    chat: Chat

    @classmethod
    def over(
        cls, model: str, client: "OpenAI", cache: AnswerCache | None = None, patience: Patience | None = None
    ) -> Self:
        """A judge that asks a model over a client."""
        return cls(Chat(f"openai:{model}", model, client, cache, patience or Patience()))

    @classmethod
    def from_environment(cls, model: str, timeout: float = TIMEOUT) -> Self:
        """A judge with OPENAI_API_KEY and, for another server, OPENAI_BASE_URL; answers are kept on disk.

        `timeout` is in seconds, for one answer. Raises UsageError when there is no key.
        """
        if not os.environ.get("OPENAI_API_KEY"):
            raise UsageError(
                f"judge openai:{model} needs a key in OPENAI_API_KEY (any text for a local server, "
                "with its address in OPENAI_BASE_URL)"
            )
        from openai import OpenAI

        return cls.over(model, OpenAI(timeout=timeout), AnswerCache(cache_folder() / "judge"))

    @property
    def name(self) -> str:
        return self.chat.name

    @property
    def version(self) -> str:
        """Version of the questions, and a hash of the instructions."""
        return f"{prompt.VERSION}-{sha256(prompt.SYSTEM.encode()).hexdigest()[:8]}"

    @property
    def models(self) -> tuple[str, ...]:
        """Which models answered, as the server names them; two when the name changed hands on the way."""
        return tuple(sorted(self.chat.seen))

    def find(self, check: Check, call: Call) -> Finding:
        """Ask about one check, with one turn to repair quotes that do not hold.

        An answer that stays unusable is the outcome `error`. Raises UsageError when the server refuses the
        key, the model or structured outputs, or cannot be reached.
        """
        if check.kind == "code" and check.rule is not None:
            return decide(check.rule, call)
        able = [one.id for one in can_prove(call.transcript)]
        if not able:
            return Finding("cannot_assess", reason="the agent said nothing")
        schema = prompt.schema(check, able)
        messages = prompt.messages(call, prompt.question(check))
        try:
            text, answer = self.chat.ask(messages, schema, lambda text: parse(check, text), ROOM, call.repeat)
            reading = judge(call, answer)
            if reading.refused is not None:
                messages += prompt.repair(text, reading.refused)
                _, answer = self.chat.ask(messages, schema, lambda text: parse(check, text), ROOM, call.repeat)
                reading = judge(call, answer)
        except UnusableError as error:
            return Finding("error", reason=str(error))
        return reading.finding
