"""Planted faults: which there are, and what the two that every brain can have do to it."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from voicesim.errors import UsageError
from voicesim.reference_agents import faults
from voicesim.reference_agents.brain import Brain, Reply, ToolUse
from voicesim.reference_agents.brains import brains, check_brain


class Talker:
    """Answers every turn, and each tool."""

    def greet(self) -> str | None:
        return "Hello."

    def interrupted(self, spoken: str) -> None:
        raise AssertionError("nobody interrupts")

    async def reply(self, heard: str) -> Reply:
        return Reply(f"I heard {heard}.", use=ToolUse("look", {}))

    async def took(self, result: Mapping[str, Any]) -> Reply:
        return Reply(f"I found {result['found']}.")


async def test_a_brain_that_falls_silent_answers_twice_and_never_again() -> None:
    brain = faults.FallsSilent(Talker())
    assert brain.greet() == "Hello."
    assert [(await brain.reply(one)).text for one in "abcd"] == ["I heard a.", "I heard b.", "", ""]
    assert await brain.took({"found": 2}) == Reply("I found 2.")


async def test_a_slow_brain_says_the_same_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "SLOW", 0.05)
    started = asyncio.get_running_loop().time()
    assert (await faults.Slow(Talker()).reply("a")).text == "I heard a."
    assert asyncio.get_running_loop().time() - started >= 0.05


@pytest.mark.parametrize(("fault", "kind"), [("slow_answer", faults.Slow), ("fell_silent", faults.FallsSilent)])
async def test_they_can_be_planted_in_every_brain(fault: Any, kind: type[Brain]) -> None:
    for spec in ("rules", "booking"):
        async with brains(spec, fault=fault) as make:
            assert isinstance(make(), kind)


def test_a_fault_that_a_brain_cannot_have_is_refused_with_those_it_can() -> None:
    check_brain("booking", "unsafe_advice")
    with pytest.raises(UsageError, match=r"the brain rules has no fault 'unsafe_advice'.*slow_answer, fell_silent"):
        check_brain("rules", "unsafe_advice")
