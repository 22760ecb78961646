"""What a rule is, and how one is decided."""

from collections.abc import Sequence

from voicesim.catalog.rules import RuleSettings
from voicesim.judge.base import Call, Finding
from voicesim.tools.log import NO_LOG, ToolUse, tool_log


class Rule(RuleSettings):
    """A rule of code: its settings, as they stand in a case, and its decision.

    A subclass adds `type: Literal["its_name"] = "its_name"`, its settings as fields, and `decide`.
    """

    def decide(self, call: Call) -> Finding:
        """What the rule comes to. Missing data is `cannot_assess` with the reason, never a hit."""
        raise NotImplementedError


class ToolRule(Rule):
    """A rule about the tool log; without a log it is undecided."""

    def decide(self, call: Call) -> Finding:
        """See Rule."""
        log = tool_log(call.events)
        return Finding("cannot_assess", reason=NO_LOG) if log is None else self.by_log(log, call)

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """What the rule comes to by the uses of tools, in the order of their calls."""
        raise NotImplementedError


def decide(rule: RuleSettings, call: Call) -> Finding:
    """What a rule of a case comes to."""
    if not isinstance(rule, Rule):
        raise TypeError(f"the rule {rule.type} has no decision: it is no {Rule.__name__}")
    return rule.decide(call)
