"""The rule about the order of tools."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from voicesim.catalog.entry import Words
from voicesim.catalog.rules import Name
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import ToolRule
from voicesim.judge.code.shown import missed, same, seen_once
from voicesim.tools.log import ToolUse


class ToolOrder(ToolRule):
    """Every call of a tool in `then` comes after a successful call of `first`.

    `same` ties the two together: an argument of the later call must equal that value of the result.
    """

    type: Literal["tool_order"] = "tool_order"
    first: Name
    then: Words = Field(min_length=1)
    same: dict[str, str] = Field(default_factory=dict)

    def by_log(self, log: Sequence[ToolUse], call: Call) -> Finding:
        """Missed by the first call of `then` without a success of `first` before it; calls that failed are let be.

        Without a call of `then` nothing is to be ordered: not applicable.
        """
        acts = [use for use in log if use.name in self.then and use.ok is not False]
        if not acts:
            return Finding("not_applicable", reason=f"no {' or '.join(self.then)} succeeded")
        shown: list[ToolUse] = []
        for act in acts:
            earlier = (use for use in log if use.name == self.first and use.answered is not None)
            before = [use for use in earlier if (use.answered or 0.0) <= act.t]
            done = [use for use in before if use.ok]
            if not done:
                if any(use.ok is None for use in before):
                    reason = f"{self.first} before {act.told} does not say if it succeeded"
                    return Finding("cannot_assess", reason=reason)
                return missed(f"{act.told} without a successful {self.first} before it", (*before, act), "wrong_order")
            if not all(_has(use, path) for use in done for path in self.same.values()):
                reason = f"the result of {self.first} lacks {', '.join(self.same.values())}"
                return Finding("cannot_assess", reason=reason)
            tied = [use for use in done if _tied(self.same, act, use)]
            if not tied:
                reason = f"{act.told} is about another {', '.join(self.same)} than {self.first} was"
                return missed(reason, (*done, act), "wrong_order")
            shown += [tied[0], act]
        reason = f"{self.first} succeeded before {', '.join(act.told for act in acts)}"
        return Finding("hit", reason=reason, seen=seen_once(shown))


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
