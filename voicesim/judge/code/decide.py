"""One rule of a case, decided."""

from voicesim.catalog.rules import (
    Latency,
    Rule,
    SaidTimes,
    TalkOver,
    ToolArguments,
    ToolForbidden,
    ToolOrder,
    ToolOutcome,
    WordsNear,
    Yield,
)
from voicesim.judge.base import Call, Finding
from voicesim.judge.code import spoken, times, timing, tools
from voicesim.judge.code.before import state_before
from voicesim.tools.log import NO_LOG, tool_log


def decide(rule: Rule, call: Call) -> Finding:
    """What the rule comes to. Missing data is `cannot_assess` with the reason, never a hit."""
    match rule:
        case Latency():
            return timing.latency(rule, call)
        case Yield():
            return timing.yields(rule, call)
        case TalkOver():
            return timing.talk_over(rule, call)
        case WordsNear():
            return spoken.near(rule, call)
        case SaidTimes():
            return times.known(rule, call)
        case _:
            return _by_the_log(rule, call)


def _by_the_log(rule: ToolOrder | ToolOutcome | ToolArguments | ToolForbidden, call: Call) -> Finding:
    log = tool_log(call.events)
    if log is None:
        return Finding("cannot_assess", reason=NO_LOG)
    match rule:
        case ToolOrder():
            return tools.order(rule, log)
        case ToolOutcome():
            return tools.outcome(rule, log)
        case ToolArguments():
            return tools.arguments(rule, log, state_before(call))
        case ToolForbidden():
            return tools.forbidden(rule, log)
