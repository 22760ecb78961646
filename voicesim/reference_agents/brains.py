"""The brains by name, as `--brain` names them, each with a fault if one is to be planted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from voicesim.catalog.model import Case
from voicesim.catalog.model_names import resolve_model
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.reference_agents.booking_faults import PLANTED, make_booking
from voicesim.reference_agents.brain import GREETING, BrainMaker
from voicesim.registry import FILES

FAULTS: tuple[Tag, ...] = ("slow_answer", "fell_silent")
"""What every brain can do wrong."""


def fitting(case: Case | None) -> str:
    """The brain that serves a case: `booking` where tools have something behind them."""
    return "booking" if case is not None and case.backend is not None else "rules"


def _named(spec: str) -> tuple[str, str]:
    """The kind of a brain, and its model's name or file. Raises UsageError for what is no brain."""
    if spec.lower().endswith(FILES):
        return "openai", spec
    kind, colon, target = spec.partition(":")
    if kind not in {"rules", "booking", "openai"} or bool(colon) != (kind == "openai") or bool(target) != bool(colon):
        raise UsageError(f"unknown brain {spec!r}: it is `rules`, `booking`, `openai:MODEL` or a model file")
    return kind, target


def check_brain(spec: str, fault: Tag | None = None) -> None:
    """Raises UsageError for what is no brain, a model without its key, or a fault that this brain cannot have."""
    kind, target = _named(spec)
    if kind == "openai":
        resolve_model(target).check("brain")
    known = (*FAULTS, *(PLANTED if kind == "booking" else ()))
    if fault is not None and fault not in known:
        raise UsageError(f"the brain {spec} has no fault {fault!r}. Its faults: {', '.join(known)}.")


@asynccontextmanager
async def brains(
    spec: str, greeting: str | None = GREETING, case: Case | None = None, fault: Tag | None = None
) -> AsyncIterator[BrainMaker]:
    """What `--brain` names: `rules`, `booking`, `openai:MODEL` or a model file.

    A greeting of None makes the agent wait. `case` is the one that is served, if it is known. Raises UsageError as
    `check_brain` does.
    """
    check_brain(spec, fault)
    kind, target = _named(spec)
    if greeting == GREETING and (kind == "booking" or fitting(case) == "booking"):
        from voicesim.reference_agents.booking import GREETING as CLINIC

        greeting = CLINIC
    if kind == "openai":
        from voicesim.reference_agents.llm import OpenAIBrain, brain_model

        async with brain_model(resolve_model(target)) as model:
            yield _faulty(lambda: OpenAIBrain(model, greeting), fault)
    elif kind == "booking":
        yield _faulty(lambda: make_booking(greeting, fault), fault)
    else:
        from voicesim.reference_agents.nurse_line import NurseLineBrain

        yield _faulty(lambda: NurseLineBrain(greeting), fault)


def _faulty(make_brain: BrainMaker, fault: Tag | None) -> BrainMaker:
    from voicesim.reference_agents.faults import FallsSilent, Slow

    if fault == "slow_answer":
        return lambda: Slow(make_brain())
    if fault == "fell_silent":
        return lambda: FallsSilent(make_brain())
    return make_brain
