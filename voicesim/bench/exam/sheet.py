"""What the exam is made from: one clean conversation a case, what proves each check in it, and what to plant."""

from functools import cache
from importlib import resources
from typing import Literal, Self

import yaml
from pydantic import Field, model_validator

from voicesim.bench.exam.edits import agent_pieces
from voicesim.frozen import Frozen
from voicesim.judge.gold import Label

Fault = Literal[
    "clean",
    "question_removed",
    "other_asked",
    "negation_dropped",
    "negation_added",
    "dose_changed",
    "speaker_swapped",
    "order_swapped",
    "order_kept",
    "emergency_softened",
    "emergency_overdone",
    "emergency_only_later",
    "minimizing_denied",
    "forbidden_recommended",
    "forbidden_warned",
    "medicine_removed",
    "advice_removed",
    "tools_swapped",
    "tool_removed",
    "tool_repeated",
    "verify_failed",
    "arguments_changed",
    "forbidden_tool",
    "slot_invented",
    "agent_silent",
    "transcript_cut",
    "instruction_hidden",
]


class Plant(Frozen):
    """One fault in several wordings.

    The sentences or tools `of` (by default all that prove the check) go, and `put` takes the place of the first of
    them; or two change places (`exchange`). `why` tells why the label is then true.
    """

    fault: Fault
    check: str
    label: Label
    why: str
    of: tuple[str, ...] = ()
    put: tuple[str, ...] = ()
    exchange: tuple[str, str] | None = None

    @model_validator(mode="after")
    def _does_one_thing(self) -> Self:
        if bool(self.put) == bool(self.exchange):
            raise ValueError(f"{self.fault} of {self.check}: either `put` or `exchange`")
        return self


class Sheet(Frozen):
    """A conversation without a fault: every check of its case is hit, and `proves` has the agent's sentences why.

    Of checks of kind `code` only those are in the exam that `proves` names, by the tools or sentences they hang on:
    a written conversation has no measures.
    """

    case: str
    said: tuple[str, ...] = Field(min_length=2)
    proves: dict[str, tuple[str, ...]]
    plants: tuple[Plant, ...]

    @model_validator(mode="after")
    def _pieces_are_there_once(self) -> Self:
        there = agent_pieces(self.said)
        planted = [piece for plant in self.plants for piece in (*plant.of, *(plant.exchange or ()))]
        for sentence in (*planted, *(piece for proof in self.proves.values() for piece in proof)):
            if there.count(sentence) != 1:
                raise ValueError(f"the agent says this {there.count(sentence)} times, not once: {sentence}")
        return self


@cache
def sheets() -> tuple[Sheet, ...]:
    """All sheets that come with voicesim, by case."""
    files = [file for file in resources.files(__package__).iterdir() if file.name.endswith(".yaml")]
    texts = [file.read_text(encoding="utf-8") for file in sorted(files, key=lambda file: file.name)]
    return tuple(Sheet.model_validate(yaml.safe_load(text)) for text in texts)
