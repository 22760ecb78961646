"""The contract of a brain: it hears the caller's words and decides what the agent says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

GREETING = "Hello, this is the nurse line. How can I help?"
SAY_AGAIN = "Sorry, I didn't catch that. Could you say it again?"


@dataclass(frozen=True)
class ToolUse:
    """A tool that the agent wants to use before it goes on."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the agent says next, whether the call ends once it is said, and the tool it uses then, if any."""

    text: str
    done: bool = False
    use: ToolUse | None = None


class Brain(Protocol):
    """The mind of one call. A call has a brain of its own; calls share nothing."""

    def greet(self) -> str | None:
        """What is said first, or None to wait for the caller."""
        ...

    async def reply(self, heard: str) -> Reply:
        """The answer to what was understood of the caller's turn ("" when nothing was)."""
        ...

    def interrupted(self, spoken: str) -> None:
        """The caller cut the last reply off; `spoken` is the part of it that was played ("" for none)."""
        ...


@runtime_checkable
class ToolBrain(Protocol):
    """A brain that uses tools also has this."""

    async def took(self, result: Mapping[str, Any]) -> Reply:
        """How it goes on with the result of the tool that its last reply used."""
        ...


Functions = Sequence[Mapping[str, Any]]
"""Tools as models take them: each has a name, a description, and its parameters as a JSON schema."""


@runtime_checkable
class Equipped(Protocol):
    """A brain that has to be told which tools there are also has this."""

    def offered(self, functions: Functions) -> None:
        """From now on these can be used, and no others."""
        ...


class BrainMaker(Protocol):
    """Makes the brain of a new call."""

    def __call__(self) -> Brain: ...


def cut_sentences(text: str) -> list[str]:
    """A spoken text cut into its sentences, each with its end mark."""
    return [part.strip() for part in re.split(r"(?<=[.?!])\s+", text) if part.strip()]
