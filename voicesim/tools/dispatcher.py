"""Answers the tool calls of one call: the backend of the case, behind the tools the case offers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voicesim.catalog.model import Case
from voicesim.catalog.tools import Tool
from voicesim.registry import TOOL_SYSTEMS
from voicesim.tools.system import Backend, Result, ToolSystem

CALLS_LIMIT = 200
"""Tool calls of one call that are answered; an agent that asks for more is going round in circles."""

SHOWN = 80
"""Characters of what an error repeats of a call."""


@dataclass(frozen=True)
class Answer:
    """A tool call as it was understood, and what came of it."""

    arguments: dict[str, Any]
    result: Result


class ToolDispatcher:
    """Offers `tools` and answers their calls. Takes no time worth speaking of, so it may run on any loop."""

    def __init__(self, backend: Backend, tools: tuple[Tool, ...]) -> None:
        self.tools = tools
        self._backend = backend
        self._calls = 0

    @property
    def state(self) -> dict[str, Any]:
        """What is behind the tools now, as plain data."""
        return self._backend.state

    def call(self, name: str, arguments: object) -> Answer:
        """Answer a call; `arguments` is an object, or the JSON text of one as models write it."""
        self._calls += 1
        read = read_arguments(arguments)
        if read is None:
            return Answer({}, {"ok": False, "error": f"the arguments are no JSON object: {str(arguments)[:SHOWN]}"})
        if self._calls > CALLS_LIMIT:
            return Answer(read, {"ok": False, "error": f"more than {CALLS_LIMIT} tool calls in one call"})
        if name not in {tool.name for tool in self.tools}:
            return Answer(read, {"ok": False, "error": f"there is no tool {name[:SHOWN]!r}"})
        return Answer(read, self._backend.call(name, read))


def make_dispatcher(case: Case | None) -> ToolDispatcher | None:
    """A dispatcher with a fresh copy of the case's backend; None without a case, or for one that has none.

    Raises UsageError when the state of the backend is wrong.
    """
    if case is None or case.backend is None:
        return None
    system: ToolSystem = TOOL_SYSTEMS.load(case.backend.kind)
    return ToolDispatcher(system.start(case.backend.state), system.offered(case))


def read_arguments(value: object) -> dict[str, Any] | None:
    """The arguments of a call: an object, or the JSON text of one as models write it; None for what is neither.

    Nothing, empty text and null are a call without arguments.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else {}
        except (ValueError, RecursionError):
            return None
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else None
