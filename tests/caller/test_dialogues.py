"""Whole consultations in text between the offline patient and the reference brain, for every shipped case."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from patients import all_shipped

from voicesim.caller.mind import Memory, PatientLine, Said
from voicesim.caller.minds import make_mind
from voicesim.caller.moves import says_goodbye
from voicesim.catalog.model import Case
from voicesim.reference_agents.nurse_line import NurseLineBrain

MOST_TURNS = 16
COLDS = [case for case in all_shipped() if case.backend is None]
"""The brain of these consultations takes a history; a booking line has another."""


def as_said(text: str) -> str:
    return text


def without_marks(text: str) -> str:
    """As a transcriber writes that hears no questions and no commas."""
    return text.replace("?", ".").replace(",", "").lower()


async def consultation(case: Case, heard_as: Callable[[str], str]) -> tuple[Memory, PatientLine, bool]:
    """The conversation, the patient's last line, and whether the agent was done as well."""
    brain, mind, memory = (
        NurseLineBrain("Hello, this is the nurse line. How can I help?"),
        make_mind("cues", case),
        Memory(),
    )
    memory.turns += [Said("agent", brain.greet() or ""), Said("caller", case.patient.says_first)]
    line, done = PatientLine(case.patient.says_first), False
    while len(memory.turns) < 2 * MOST_TURNS and not (done or line.hang_up):
        reply = await brain.reply(heard_as(line.text))
        done = reply.done
        line = await mind.reply(heard_as(reply.text), memory)
        memory.turns += [Said("agent", reply.text), Said("caller", line.text)]
        memory.released.update(line.facts)
    return memory, line, done


@pytest.mark.parametrize("heard_as", [as_said, without_marks])
@pytest.mark.parametrize("case", COLDS, ids=lambda case: case.id)
async def test_a_consultation_ends_with_a_goodbye_by_both(case: Case, heard_as: Callable[[str], str]) -> None:
    memory, line, done = await consultation(case, heard_as)
    assert done
    assert line.hang_up
    assert says_goodbye(line.text)
    assert says_goodbye(memory.turns[-2].text)
    said = [turn.text for turn in memory.turns if turn.side == "caller"]
    assert all(one != two for one, two in pairwise(said))


@pytest.mark.parametrize("case", COLDS, ids=lambda case: case.id)
async def test_a_brain_that_takes_a_history_gets_most_facts(case: Case) -> None:
    memory, _, _ = await consultation(case, as_said)
    facts = [fact.id for fact in case.patient.reveal_only_if_asked]
    if case.id == "cold-04-emergency-dyspnea":
        assert memory.released == {"alone"}
    else:
        assert len(memory.released) >= len(facts) - 2
