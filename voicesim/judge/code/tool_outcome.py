"""The rule about how often a tool succeeded."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from voicesim.catalog.rules import Name, Plain
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import ToolRule
from voicesim.judge.code.shown import missed, same, seen_once
from voicesim.tools.log import ToolUse


class ToolOutcome(ToolRule):
    """How many calls of a tool (with these arguments, if given) succeeded."""

    type: Literal["tool_outcome"] = "tool_outcome"
    tool: Name
    arguments: dict[str, Plain] = Field(default_factory=dict)
    at_least: int = Field(default=1, ge=0)
    at_most: int | None = Field(default=None, ge=0)

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """Counts the successes; a call without a known result could be one, and is then counted both ways."""
        used = [
            use
            for use in log
            if use.name == self.tool
            and all(same(use.arguments.get(name), value) for name, value in self.arguments.items())
        ]
        sure = sum(use.ok is True for use in used)
        most = sure + sum(use.ok is None for use in used)
        reason = f"{self.tool} succeeded {sure} times" if sure != 1 else f"{self.tool} succeeded once"
        if self.at_most is not None and sure > self.at_most:
            reason = f"{reason}, at most {self.at_most} expected"
            return replace(missed(reason, used, "other"), note=reason)
        if most < self.at_least:
            reason = f"{reason}, at least {self.at_least} expected"
            return Finding("miss", reason=reason, tag="tool_not_used", seen=seen_once(used))
        if sure < self.at_least or (self.at_most is not None and most > self.at_most):
            reason = f"{reason}; {most - sure} calls have no result that says so"
            return Finding("cannot_assess", reason=reason, seen=seen_once(used))
        return Finding("hit", reason=reason, happened=self.at_least > 0 and self.at_most is None, seen=seen_once(used))
