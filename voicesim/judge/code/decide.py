"""What a rule is, and how one is decided."""

from collections.abc import Sequence

from voicesim.catalog.rules import Rule
from voicesim.judge.base import Call, Finding
from voicesim.tools.log import NO_LOG, ToolUse, tool_log


class CodeRule(Rule):
    """A rule with its decision."""

    def decide(self, call: Call) -> Finding:
        """What the rule comes to. Missing data is `cannot_assess` with the reason, never a hit."""
        raise NotImplementedError


class ToolRule(CodeRule):
    """A rule about the tool log; without a log it is undecided."""

    def decide(self, call: Call) -> Finding:
        """See CodeRule."""
        log = tool_log(call.events)
        return Finding("cannot_assess", reason=NO_LOG) if log is None else self.by_log(log, call)

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """What the rule comes to by the uses of tools, in the order of their calls."""
        raise NotImplementedError


def decide(rule: Rule, call: Call) -> Finding:
    """What a rule of a case comes to."""
    if not isinstance(rule, CodeRule):
        raise TypeError(f"the rule {rule.type} has no decision: it is no {CodeRule.__name__}")
    return rule.decide(call)
