"""Answers of language models on disk, so that no question is paid for twice and a killed judge can go on."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from voicesim.cache import DiskCache

_FORM = 2


@dataclass(frozen=True)
class Known:
    """What is known of a model from asking it: its name as the server tells it, and what its server takes.

    `temperature`, bounds on strings (`lengths`, JSON schema's maxLength) and a `form` of the answer
    (response_format) are left out where the server refuses them; `limit` is its name for the token limit.
    """

    model: str = ""
    temperature: bool = True
    lengths: bool = True
    form: bool = True
    limit: str = "max_tokens"


class AnswerCache:
    """Usable answers by all that they hang on, and what is known of models by server and name."""

    def __init__(self, folder: Path) -> None:
        self._answers = DiskCache(folder / "answers", ".txt")
        self._models = DiskCache(folder / "models", ".json")

    def get(self, question: Mapping[str, Any]) -> str | None:
        """The answer to a question, or None."""
        content = self._answers.get([_FORM, dict(question)])
        return None if content is None else content.decode("utf-8", "replace")

    def put(self, question: Mapping[str, Any], answer: str) -> None:
        """Keep a usable answer."""
        self._answers.put([_FORM, dict(question)], answer.encode("utf-8", "replace"))

    def recall(self, server: str, model: str) -> Known | None:
        """What was learned of a model under the name it is asked for at a server."""
        content = self._models.get([_FORM, server, model])
        return None if content is None else Known(**json.loads(content))

    def learn(self, server: str, model: str, known: Known) -> None:
        """Remember what a model is; where the name now stands for another one, that holds from here on."""
        self._models.put([_FORM, server, model], json.dumps(asdict(known)).encode())
