"""The rule that no tool call fails."""

from collections.abc import Sequence
from typing import Literal

from voicesim.catalog.entry import Words
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import ToolRule
from voicesim.judge.code.shown import missed, seen_once
from voicesim.tools.log import ToolUse


class ToolsSucceeded(ToolRule):
    """Every call of these tools succeeded; of all tools, where none is named."""

    type: Literal["tools_succeeded"] = "tools_succeeded"
    tools: Words = ()

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """Missed by the first refusal, also where a later try succeeded; not applicable without a call."""
        uses = [use for use in log if not self.tools or use.name in self.tools]
        if not uses:
            return Finding("not_applicable", reason=f"no {' or '.join(self.tools) or 'tool'} was called")
        refused = [use for use in uses if use.ok is False]
        if refused:
            reason = "; ".join(f"{use.told} {use.outcome}" for use in refused)
            return missed(reason, refused, "tool_not_used")
        silent = [use for use in uses if use.ok is None]
        if silent:
            reason = f"no result says if {silent[0].told} succeeded"
            return Finding("cannot_assess", reason=reason, seen=seen_once(silent))
        return Finding("hit", reason=f"all {len(uses)} tool calls succeeded", seen=seen_once(uses))
