"""A tool system: what a case can put behind an agent's tools, one object a system."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import ValidationError

from voicesim.catalog.entry import Entry
from voicesim.catalog.explain import faults_of
from voicesim.catalog.model import Case
from voicesim.catalog.tools import Tool
from voicesim.catalog.yaml_tree import Fault, Loc
from voicesim.errors import near

Result = dict[str, Any]
"""What a tool gives back: a JSON object with `ok`, and `error` where that is false."""


class Backend(Protocol):
    """One call's own copy of a system, with its state."""

    @property
    def state(self) -> dict[str, Any]:
        """What is in the system now, as plain data in the form of the case."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        """Do what a tool does. The same calls in the same order give the same results."""
        ...


@dataclass(frozen=True)
class ToolSystem:
    """`state` is the model that a case's state has to fit; `start` makes a fresh backend from such a state."""

    name: str
    tools: tuple[Tool, ...]
    state: type[Entry]
    start: Callable[[Mapping[str, Any]], Backend]

    def faults(self, case: Case) -> Iterator[Fault]:
        """What is wrong with the state of a case's backend and with the tools it names, each with its place."""
        known = [tool.name for tool in self.tools]
        for index, tool in enumerate(case.tools):
            if tool.name not in known:
                yield ("tools", index, "name"), f"{self.name} has no tool {tool.name!r}.{near(tool.name, known)}"
        state = case.backend.state if case.backend else {}
        place: Loc = ("backend", "state")
        try:
            self.state.model_validate(state)
        except ValidationError as error:
            yield from ((place + loc, message) for loc, message in faults_of(error, self.state, state))
            return
        for name, items in state.items():
            ids = [item.get("id") for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []
            twice = sorted({str(id_) for id_ in ids if id_ is not None and ids.count(id_) > 1})
            if twice:
                yield (*place, name), f"id used twice: {', '.join(twice)}"

    def offered(self, case: Case) -> tuple[Tool, ...]:
        """The tools a case offers: all of them, or those it names, in its own words where it has some."""
        if not case.tools:
            return self.tools
        usual = {tool.name: tool for tool in self.tools}
        return tuple(
            Tool(
                name=tool.name,
                description=tool.description or usual[tool.name].description,
                parameters=tool.parameters or usual[tool.name].parameters,
            )
            for tool in case.tools
            if tool.name in usual
        )
