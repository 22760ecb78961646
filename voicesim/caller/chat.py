"""One question to a model on any server that speaks OpenAI's chat completions."""

import os
from collections.abc import Sequence
from typing import Any

from voicesim.caller.mind import MindError
from voicesim.errors import UsageError

Message = dict[str, str]
TIMEOUT = 20.0
"""Seconds; a patient that thinks longer than this has lost the thread of the call."""
ROOM = (400, 2000)
"""Tokens for an answer, and for the second try when the first was cut off."""


class Chat:
    """Key and address come from OPENAI_API_KEY and OPENAI_BASE_URL."""

    def __init__(self, model: str) -> None:
        """Raises UsageError when there is no key."""
        if not os.environ.get("OPENAI_API_KEY"):
            raise UsageError(f"mind openai:{model} needs a key in OPENAI_API_KEY (any text for a local server)")
        from openai import AsyncOpenAI

        self._model = model
        # No connection outlives its answer, so that a mind needs no closing when its call ends.
        once = {"Connection": "close"}
        self._client = AsyncOpenAI(timeout=TIMEOUT, max_retries=1, default_headers=once)
        self._settings: dict[str, Any] = {"temperature": 0}

    async def ask(self, messages: Sequence[Message], schema: dict[str, Any] | None = None) -> str:
        """The model's answer, held to a JSON schema if one is given.

        Raises MindError with reason mind_failed when the server cannot be reached, refuses, or gives no whole
        answer in two tries.
        """
        shape: dict[str, Any] = {}
        if schema is not None:
            named = {"name": "answer", "strict": True, "schema": schema}
            shape["response_format"] = {"type": "json_schema", "json_schema": named}
        for room in ROOM:
            choice = await self._choice(messages, {**shape, "max_completion_tokens": room})
            text: str = choice.message.content or ""
            if choice.finish_reason == "content_filter" or getattr(choice.message, "refusal", None):
                raise MindError("mind_failed", f"the model {self._model} refused to answer")
            if choice.finish_reason != "length" and text.strip():
                return text
            # A line of speech that was cut off is still whole up to its first line break.
            if schema is None and "\n" in text.strip():
                return text
        raise MindError("mind_failed", f"the model {self._model} gave no whole answer in {ROOM[-1]} tokens")

    async def _choice(self, messages: Sequence[Message], options: dict[str, Any]) -> Any:
        from openai import BadRequestError, OpenAIError

        try:
            try:
                answer = await self._create(messages, options)
            except BadRequestError as error:
                # Reasoning models take no temperature.
                if "temperature" not in str(error) or not self._settings:
                    raise
                self._settings = {}
                answer = await self._create(messages, options)
        except OpenAIError as error:
            raise MindError("mind_failed", f"the model {self._model} cannot be asked: {_told(error)}") from None
        if not answer.choices:
            raise MindError("mind_failed", f"the model {self._model} gave no answer")
        return answer.choices[0]

    async def _create(self, messages: Sequence[Message], options: dict[str, Any]) -> Any:
        return await self._client.chat.completions.create(
            model=self._model,
            messages=list(messages),  # type: ignore[arg-type]
            **self._settings,
            **options,
        )


def _told(error: Exception) -> str:
    """An error in a line, without the key, which some servers repeat."""
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text.replace(os.environ.get('OPENAI_API_KEY') or '-', '***')}"
