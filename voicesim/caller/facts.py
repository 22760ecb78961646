"""What a patient would tell at a moment of the call, where a case says that it changes its mind. Pure functions."""

from voicesim.caller.mind import Memory
from voicesim.catalog.model import Fact, Patient


def current(patient: Patient, memory: Memory) -> tuple[Fact, ...]:
    """The facts that the patient would tell if it were asked now, in the case's order.

    A fact that replaces another stands for it once its moment has come, with the cues of that one where it has none.
    """
    facts = {fact.id: fact for fact in patient.reveal_only_if_asked}
    replaced = {fact.replaces for fact in facts.values() if _has_come(fact, memory)}
    return tuple(
        _with_cues(fact, facts)
        for fact in facts.values()
        if fact.id not in replaced and (fact.replaces is None or fact.replaces in replaced)
    )


def stands(patient: Patient, memory: Memory) -> tuple[Fact, ...]:
    """The facts that were told and not replaced since by another that was told."""
    given = [fact for fact in patient.reveal_only_if_asked if fact.id in memory.released]
    replaced = {fact.replaces for fact in given}
    return tuple(fact for fact in given if fact.id not in replaced)


def first_ids(patient: Patient) -> dict[str, str]:
    """Of every fact, the id of the one that it replaces in the end; its own if it replaces none."""
    ids: dict[str, str] = {}
    for fact in patient.reveal_only_if_asked:
        ids[fact.id] = ids[fact.replaces] if fact.replaces is not None else fact.id
    return ids


def _has_come(fact: Fact, memory: Memory) -> bool:
    """Whether a fact has taken the place of the one that it replaces: by the turn, or as that one was told before."""
    if fact.replaces is None:
        return False
    if fact.after_turn is None:
        return fact.replaces in memory.released
    return sum(turn.side == "agent" for turn in memory.turns) >= fact.after_turn


def _with_cues(fact: Fact, facts: dict[str, Fact]) -> Fact:
    """A fact with the cues of what it replaces, if it has none of its own."""
    if fact.cues or fact.replaces is None:
        return fact
    return fact.model_copy(update={"cues": _with_cues(facts[fact.replaces], facts).cues})
