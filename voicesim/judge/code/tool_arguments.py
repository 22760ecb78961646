"""The rule about the values that a tool is given."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from voicesim.catalog.rules import Name
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.before import NO_STATE, state_before
from voicesim.judge.code.decide import ToolRule
from voicesim.judge.code.shown import FromState, missed, same, seen_once
from voicesim.tools.log import ToolUse


class ToolArguments(ToolRule):
    """Every successful call of a tool names, in each of these arguments, something of the state."""

    type: Literal["tool_arguments"] = "tool_arguments"
    tool: Name
    arguments: dict[str, FromState] = Field(min_length=1)

    def lists(self) -> tuple[str, ...]:
        """See Rule."""
        return tuple(values.of for values in self.arguments.values())

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """Missed by any success with a value that the state before the call does not offer, and without a success."""
        state = state_before(call)
        lost = [name for name in self.lists() if state is None or not isinstance(state.get(name), list)]
        if state is None or lost:
            return Finding("cannot_assess", reason=NO_STATE if state is None else f"the state has no list {lost[0]!r}")
        used = [use for use in log if use.name == self.tool]
        done = [use for use in used if use.ok]
        for use in done:
            for name, wanted in self.arguments.items():
                given, offered = use.arguments.get(name), wanted.offered(state)
                if not any(same(given, value) for value in offered):
                    fit = ", ".join(map(str, offered)) or "nothing"
                    reason = f"{use.told} with {name} {given!r}; {fit} would have been right"
                    return missed(reason, [use], "wrong_arguments")
        if done:
            reason = f"{', '.join(use.told for use in done)} with the right values"
            return Finding("hit", reason=reason, seen=seen_once(done))
        if any(use.ok is None for use in used):
            return Finding(
                "cannot_assess", reason=f"no result of {self.tool} says if it succeeded", seen=seen_once(used)
            )
        return Finding("miss", reason=f"no {self.tool} succeeded", tag="tool_not_used", seen=seen_once(used))
