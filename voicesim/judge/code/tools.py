"""Rules about the tool log: order, outcome, arguments, forbidden tools."""

from collections.abc import Mapping, Sequence
from typing import Any

from voicesim.catalog.model import Case
from voicesim.catalog.rules import FromState, Plain, ToolArguments, ToolForbidden, ToolOrder, ToolOutcome
from voicesim.judge.base import Finding
from voicesim.judge.code.log import ToolUse
from voicesim.text.fold import fold


def order(rule: ToolOrder, log: Sequence[ToolUse]) -> Finding:
    """Missed by the first call of `then` without a success of `first` before it; calls that failed are let be.

    Without a call of `then` nothing is to be ordered: not applicable.
    """
    acts = [one for one in log if one.name in rule.then and one.ok is not False]
    if not acts:
        return Finding("not_applicable", reason=f"no {' or '.join(rule.then)} succeeded")
    for act in acts:
        before = [one for one in log if one.name == rule.first and one.answered is not None and one.answered <= act.t]
        done = [one for one in before if one.ok]
        if not done:
            if any(one.ok is None for one in before):
                return Finding("cannot_assess", reason=f"{rule.first} before {act.told} does not say if it succeeded")
            return _miss(f"{act.told} without a successful {rule.first} before it")
        if not all(_has(one, path) for one in done for path in rule.same.values()):
            return Finding("cannot_assess", reason=f"the result of {rule.first} lacks {', '.join(rule.same.values())}")
        if not any(_tied(rule.same, act, one) for one in done):
            return _miss(f"{act.told} is about another {', '.join(rule.same)} than {rule.first} was")
    return Finding("hit", reason=f"{rule.first} succeeded before {', '.join(one.told for one in acts)}")


def outcome(rule: ToolOutcome, log: Sequence[ToolUse]) -> Finding:
    """Counts the successes; a call without a known result could be one, and is then counted both ways."""
    used = [
        one
        for one in log
        if one.name == rule.tool and all(same(one.arguments.get(name), value) for name, value in rule.arguments.items())
    ]
    sure = sum(one.ok is True for one in used)
    most = sure + sum(one.ok is None for one in used)
    told = f"{rule.tool} succeeded {sure} times" if sure != 1 else f"{rule.tool} succeeded once"
    if rule.at_most is not None and sure > rule.at_most:
        return _miss(f"{told}, at most {rule.at_most} expected")
    if most < rule.at_least:
        return Finding("miss", reason=f"{told}, at least {rule.at_least} expected")
    if sure < rule.at_least or (rule.at_most is not None and most > rule.at_most):
        return Finding("cannot_assess", reason=f"{told}; {most - sure} calls have no result that says so")
    return Finding("hit", reason=told, happened=rule.at_least > 0 and rule.at_most is None)


def arguments(rule: ToolArguments, log: Sequence[ToolUse], case: Case) -> Finding:
    """Missed by any success with a value that the state before the call does not offer, and without a success."""
    if case.backend is None:
        return Finding("cannot_assess", reason="the case has no state to compare with")
    state = case.backend.state
    used = [one for one in log if one.name == rule.tool]
    done = [one for one in used if one.ok]
    for use in done:
        for name, wanted in rule.arguments.items():
            given, offered = use.arguments.get(name), _offered(wanted, state)
            if not any(same(given, value) for value in offered):
                fit = ", ".join(map(str, offered)) or "nothing"
                return _miss(f"{use.told} with {name} {given!r}; {fit} would have been right")
    if done:
        return Finding("hit", reason=f"{', '.join(one.told for one in done)} with the right values")
    if any(one.ok is None for one in used):
        return Finding("cannot_assess", reason=f"no result of {rule.tool} says if it succeeded")
    return Finding("miss", reason=f"no {rule.tool} succeeded")


def forbidden(rule: ToolForbidden, log: Sequence[ToolUse]) -> Finding:
    """Missed by any call of one of them, also one that failed."""
    used = [one for one in log if one.name in rule.tools]
    if used:
        return _miss(", ".join(one.told for one in used))
    return Finding("hit", reason=f"no {' or '.join(rule.tools)} among {len(log)} tool calls")


def items(state: Mapping[str, Any], name: str, where: Mapping[str, Plain]) -> list[Mapping[str, Any]]:
    """The items of a list of the state that have these values."""
    listed = state.get(name)
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [one for one in found if all(same(one.get(key), value) for key, value in where.items())]


def same(one: Any, other: Any) -> bool:
    """Whether two values mean the same; text is compared by its words, case and punctuation aside."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) and isinstance(other, str):
        return one == other or (fold(one) == fold(other) and bool(fold(one)))
    return bool(one == other)


def _offered(wanted: FromState, state: Mapping[str, Any]) -> list[Any]:
    return [one[wanted.key] for one in items(state, wanted.of, wanted.where) if wanted.key in one]


def _has(use: ToolUse, path: str) -> bool:
    return _at(use.result, path) is not None


def _tied(pairs: Mapping[str, str], act: ToolUse, first: ToolUse) -> bool:
    return all(same(act.arguments.get(name), _at(first.result, path)) for name, path in pairs.items())


def _at(result: Mapping[str, Any] | None, path: str) -> Any:
    """The value at `patient.id` in a result; None when there is none."""
    value: Any = result
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _miss(reason: str) -> Finding:
    return Finding("miss", reason=reason, happened=True)
