"""Rules about the tool log: order, outcome, arguments, forbidden tools."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from voicesim.catalog.rules import FromState, Plain, ToolArguments, ToolForbidden, ToolOrder, ToolOutcome
from voicesim.catalog.tags import Tag
from voicesim.judge.base import Finding
from voicesim.judge.code.before import NO_STATE
from voicesim.judge.model import Seen
from voicesim.language.fold import fold
from voicesim.tools.log import ToolUse


def order(rule: ToolOrder, log: Sequence[ToolUse]) -> Finding:
    """Missed by the first call of `then` without a success of `first` before it; calls that failed are let be.

    Without a call of `then` nothing is to be ordered: not applicable.
    """
    acts = [one for one in log if one.name in rule.then and one.ok is not False]
    if not acts:
        return Finding("not_applicable", reason=f"no {' or '.join(rule.then)} succeeded")
    shown: list[ToolUse] = []
    for act in acts:
        before = [one for one in log if one.name == rule.first and one.answered is not None and one.answered <= act.t]
        done = [one for one in before if one.ok]
        if not done:
            if any(one.ok is None for one in before):
                return Finding("cannot_assess", reason=f"{rule.first} before {act.told} does not say if it succeeded")
            return _miss(f"{act.told} without a successful {rule.first} before it", (*before, act), "wrong_order")
        if not all(_has(one, path) for one in done for path in rule.same.values()):
            return Finding("cannot_assess", reason=f"the result of {rule.first} lacks {', '.join(rule.same.values())}")
        tied = [one for one in done if _tied(rule.same, act, one)]
        if not tied:
            told = f"{act.told} is about another {', '.join(rule.same)} than {rule.first} was"
            return _miss(told, (*done, act), "wrong_order")
        shown += [tied[0], act]
    told = f"{rule.first} succeeded before {', '.join(one.told for one in acts)}"
    return Finding("hit", reason=told, seen=_seen(shown))


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
        told = f"{told}, at most {rule.at_most} expected"
        return replace(_miss(told, used, "other"), note=told)
    if most < rule.at_least:
        told = f"{told}, at least {rule.at_least} expected"
        return Finding("miss", reason=told, tag="tool_not_used", seen=_seen(used))
    if sure < rule.at_least or (rule.at_most is not None and most > rule.at_most):
        told = f"{told}; {most - sure} calls have no result that says so"
        return Finding("cannot_assess", reason=told, seen=_seen(used))
    return Finding("hit", reason=told, happened=rule.at_least > 0 and rule.at_most is None, seen=_seen(used))


def arguments(rule: ToolArguments, log: Sequence[ToolUse], state: Mapping[str, Any] | None) -> Finding:
    """Missed by any success with a value that the state before the call does not offer, and without a success."""
    lost = [one.of for one in rule.arguments.values() if state is None or not isinstance(state.get(one.of), list)]
    if state is None or lost:
        return Finding("cannot_assess", reason=NO_STATE if state is None else f"the state has no list {lost[0]!r}")
    used = [one for one in log if one.name == rule.tool]
    done = [one for one in used if one.ok]
    for use in done:
        for name, wanted in rule.arguments.items():
            given, offered = use.arguments.get(name), _offered(wanted, state)
            if not any(same(given, value) for value in offered):
                fit = ", ".join(map(str, offered)) or "nothing"
                told = f"{use.told} with {name} {given!r}; {fit} would have been right"
                return _miss(told, [use], "wrong_arguments")
    if done:
        told = f"{', '.join(one.told for one in done)} with the right values"
        return Finding("hit", reason=told, seen=_seen(done))
    if any(one.ok is None for one in used):
        return Finding("cannot_assess", reason=f"no result of {rule.tool} says if it succeeded", seen=_seen(used))
    return Finding("miss", reason=f"no {rule.tool} succeeded", tag="tool_not_used", seen=_seen(used))


def forbidden(rule: ToolForbidden, log: Sequence[ToolUse]) -> Finding:
    """Missed by any call of one of them, also one that failed."""
    used = [one for one in log if one.name in rule.tools]
    if used:
        return _miss(", ".join(one.told for one in used), used, "wrong_tool")
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


def _seen(uses: Iterable[ToolUse]) -> tuple[Seen, ...]:
    """Uses of tools as evidence, each once."""
    return tuple(dict.fromkeys(seen_of(use) for use in uses))


def _miss(reason: str, uses: Iterable[ToolUse], tag: Tag) -> Finding:
    return Finding("miss", reason=reason, happened=True, seen=_seen(uses), tag=tag)


def seen_of(use: ToolUse) -> Seen:
    """A tool use as evidence, over the seconds from its call to its result."""
    return Seen(what=use.summary, start=use.t, end=use.t if use.answered is None else use.answered)
