"""Answers of language models on disk, so that no question is paid for twice and a killed judge can go on."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from voicesim.recording.files import write_text

_FORM = 1


@dataclass(frozen=True)
class Known:
    """What is known of a model that was asked before: its name as the server tells it, and what it takes.

    `lengths` is whether its server takes bounds on strings (`maxLength`) in the form of an answer.
    """

    model: str
    sampling: Mapping[str, Any]
    lengths: bool = True


class AnswerCache:
    """One file an answer; whoever writes puts only answers in that were usable.

    A cache that cannot be read or written is no failure: the model is simply asked again. It may be deleted
    at any time, and two judges may use it at once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, question: Mapping[str, Any]) -> str | None:
        """The answer to a question; None when there is no whole, undamaged one."""
        kept = _read(self._answer_file(question))
        answer = kept.get("answer")
        return answer if isinstance(answer, str) and kept.get("sha256") == _digest(answer) else None

    def put(self, question: Mapping[str, Any], answer: str) -> None:
        """Keep a usable answer; a process that is killed meanwhile leaves the old entry or none."""
        _write(self._answer_file(question), {"answer": answer, "sha256": _digest(answer)})

    def recall(self, server: str, model: str) -> Known | None:
        """What was learned of a model under the name it is asked for at a server."""
        kept = _read(self._model_file(server, model))
        name, sampling = kept.get("model"), kept.get("sampling")
        if not isinstance(name, str) or not isinstance(sampling, dict):
            return None
        return Known(name, sampling, kept.get("lengths") is not False)

    def learn(self, server: str, model: str, known: Known) -> None:
        """Remember what a model is; where the name now stands for another one, that holds from here on."""
        _write(self._model_file(server, model), asdict(known))

    def _answer_file(self, question: Mapping[str, Any]) -> Path:
        name = _digest(json.dumps({"form": _FORM, **question}, sort_keys=True))
        return self._folder / "answers" / name[:2] / f"{name[2:42]}.json"

    def _model_file(self, server: str, model: str) -> Path:
        return self._folder / "models" / f"{_digest(json.dumps([server, model]))[:40]}.json"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _read(file: Path) -> dict[str, Any]:
    try:
        kept = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _write(file: Path, content: Mapping[str, Any]) -> None:
    try:
        write_text(file, json.dumps(content) + "\n")
    except OSError:
        return
