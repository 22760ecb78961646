"""The rule about tools that must not be called."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from voicesim.catalog.entry import Words
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import ToolRule
from voicesim.judge.code.shown import missed
from voicesim.tools.log import ToolUse


class ToolForbidden(ToolRule):
    """None of these tools is called, successfully or not."""

    type: Literal["tool_forbidden"] = "tool_forbidden"
    tools: Words = Field(min_length=1)

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """Missed by any call of one of them, also one that failed."""
        used = [use for use in log if use.name in self.tools]
        if used:
            return missed(", ".join(use.told for use in used), used, "wrong_tool")
        return Finding("hit", reason=f"no {' or '.join(self.tools)} among {len(log)} tool calls")
