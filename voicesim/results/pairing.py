"""Calls of the same patient side by side: how two suites, two runs or two agents are laid against each other."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def same_patients(
    first: Sequence[T],
    second: Sequence[T],
    patient: Callable[[T], Hashable],
    seed: Callable[[T], int],
    *,
    any_seed: bool = False,
) -> list[tuple[T, T]]:
    """Pairs of calls of one patient and seed, in the order of `first`; no call is in two of them.

    With `any_seed`, what is left of a patient is paired in its order. What has no counterpart is left out.
    """
    counterparts: dict[Hashable, list[T]] = {}
    for call in second:
        counterparts.setdefault(patient(call), []).append(call)
    pairs: dict[int, tuple[T, T]] = {}
    waiting = []
    for place, call in enumerate(first):
        others = counterparts.get(patient(call), [])
        same = next((number for number, other in enumerate(others) if seed(other) == seed(call)), None)
        if same is None:
            waiting.append((place, call))
        else:
            pairs[place] = call, others.pop(same)
    for place, call in waiting if any_seed else ():
        if left := counterparts.get(patient(call)):
            pairs[place] = call, left.pop(0)
    return [pairs[place] for place in sorted(pairs)]
