"""The booking agent with each of its planted faults, talking to the clinic: the judge names the fault."""

import asyncio

import pytest
from spoken import shipped, transcript
from tool_events import tool

from voicesim.catalog.tags import Tag
from voicesim.judge.fitness import Fitness
from voicesim.judge.model import Verdicts
from voicesim.judge.offline.cues import CuesJudge
from voicesim.judge.run import judge_call
from voicesim.recording.events import Event
from voicesim.reference_agents.booking import GREETING, BookingBrain
from voicesim.reference_agents.booking_faults import PLANTED, make_booking
from voicesim.tools.dispatcher import make_dispatcher

CASE = shipped("clinic-01")
ANSWERS = {
    "full name": "Ratna Dewi.",
    "date of birth": "The twelfth of April, nineteen sixty eight.",
    "Which day": "Thursday morning would be best.",
    "Shall I book": "Yes, please.",
    "anything else": "No, thank you.",
}
"""What the patient says when the agent's words end in a question."""


async def called(brain: BookingBrain) -> tuple[str, list[Event]]:
    """The script of a whole call, and the tools used in it, each at the end of the line that led to it."""
    dispatcher = make_dispatcher(CASE)
    assert dispatcher is not None
    said = [f"A: {GREETING}", f"P: {CASE.patient.says_first}"]
    events: list[Event] = []
    reply = await brain.reply(CASE.patient.says_first)
    for _ in range(20):
        texts = [reply.text]
        while reply.use is not None:
            result = dispatcher.call(reply.use.name, reply.use.arguments).result
            now = transcript("\n".join(said)).utterances[-1].end + 0.1 * len(texts)
            events += tool(now, reply.use.name, result, 0.05, **reply.use.arguments)
            reply = await brain.took(result)
            texts.append(reply.text)
        said.append(f"A: {' '.join(filter(None, texts))}")
        if reply.done:
            return "\n".join(said), events
        answer = next(line for question, line in ANSWERS.items() if question in said[-1].rsplit(".", 1)[-1])
        said.append(f"P: {answer}")
        reply = await brain.reply(answer)
    raise AssertionError("the call does not end")


def judged(fault: Tag | None) -> Verdicts:
    script, events = asyncio.run(called(make_booking(None, fault)))
    return judge_call(CuesJudge(), CASE, transcript(script), Fitness("", True), events)


def test_without_a_fault_nothing_is_missed() -> None:
    assert [one.check for one in judged(None).verdicts if one.outcome == "miss"] == []


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found_and_never_passed(fault: Tag) -> None:
    verdicts = judged(fault)
    outcomes = {verdict.outcome for verdict in verdicts.verdicts}
    # Advice that was left out is not heard: without a model or a person that is no proof, and the call is not passed.
    assert fault in {failure.tag for failure in verdicts.tags} or (
        fault == "missing_advice" and "not_heard" in outcomes
    )
    assert not verdicts.score.passed
