"""An agent that tells far more than anybody says: the work after the call, and the page, stay bounded."""

import random
import sys
from collections.abc import Callable

import pytest

from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.fidelity import speech_fidelity
from voicesim.metrics.hearing import agent_hearing
from voicesim.metrics.own_words import matched, never_heard
from voicesim.recording.events import AgentHeard, AgentSaid, Event, ToolCall
from voicesim.report.agent_claims import MOST_ALONE, MOST_WORDS, heard_pairs, pairs
from voicesim.report.tools import MOST, tool_rows
from voicesim.transcript.model import Transcript, Utterance

VOCABULARY = [f"word{number}" for number in range(500)]


def talk(words: int, seed: int) -> str:
    return " ".join(random.Random(seed).choices(VOCABULARY, k=words))


UTTERANCES = tuple(
    Utterance(
        id=f"A{number}",
        side="agent",
        start=10.0 * number,
        end=10.0 * number + 6,
        text=talk(20, number),
        voiced=((10.0 * number, 10.0 * number + 6),),
        cut=True,
        source="whisper",
    )
    for number in range(1, 31)
)
PATIENT = Transcript(
    call_id="c",
    duration=320.0,
    language="en",
    model="base",
    utterances=tuple(
        utterance.model_copy(update={"side": "caller", "intent": "respond", "cut": False}) for utterance in UTTERANCES
    ),
)
CALL = Transcript(call_id="c", duration=320.0, language="en", model="base", utterances=UTTERANCES)


def said(count: int) -> list[Event]:
    return [AgentSaid(t=number * 0.02, text=talk(60, number + 1000)) for number in range(count)]


def repeated(count: int) -> list[Event]:
    """The same words over and over: all lines are about all utterances."""
    return [AgentSaid(t=number * 0.02, text="a " * 60 + UTTERANCES[3].text) for number in range(count)]


def heard(count: int) -> list[Event]:
    return [AgentHeard(t=100 + number * 0.02, text=talk(30, number)) for number in range(count)]


def work(do: Callable[[], object]) -> int:
    """How many functions are called, in Python and in C: the same on every machine."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("make", [said, repeated, heard])
@pytest.mark.parametrize(
    "step",
    [
        lambda events: never_heard(CALL, events),
        lambda events: pairs(events, UTTERANCES),
        lambda events: heard_pairs(events, UTTERANCES),
        lambda events: agent_hearing(MeasuredCall(PATIENT, tuple(events))),
        lambda events: speech_fidelity(MeasuredCall(CALL, tuple(events))),
    ],
)
def test_twice_the_talk_is_at_most_twice_the_work(
    make: Callable[[int], list[Event]], step: Callable[[list[Event]], object]
) -> None:
    few, many = make(1_000), make(2_000)
    step(many)  # what is loaded once, or read once, is so now
    assert work(lambda: step(many)) < 2.2 * work(lambda: step(few)) + 10_000


@pytest.mark.parametrize("make", [said, repeated, heard])
def test_what_the_page_shows_of_it_is_bounded_and_the_rest_is_counted(make: Callable[[int], list[Event]]) -> None:
    events = make(5_000)
    shown = (*pairs(events, UTTERANCES), *heard_pairs(events, UTTERANCES))
    text = " ".join(piece.text for pair in shown for piece in pair.said)
    assert len(shown) <= MOST_ALONE + 1 + 2 * len(UTTERANCES)
    assert len(text.split()) <= MOST_ALONE * 120 + len(UTTERANCES) * (MOST_WORDS + 5)
    assert "more" in text


def test_lines_find_their_utterance_among_many_others() -> None:
    lines = [*said(3_000), AgentSaid(t=300.0, text=UTTERANCES[11].text)]
    taken, _ = matched([event for event in lines if isinstance(event, AgentSaid)], UTTERANCES)
    assert taken["A12"][-1].t == 300.0


def test_of_utterances_alike_the_nearest_in_time_takes_the_line() -> None:
    alike = [UTTERANCES[number].model_copy(update={"text": "please hold the line"}) for number in (2, 9, 20)]
    taken, alone = matched([AgentSaid(t=105.0, text="Please hold the line.")], alike)
    assert [name for name, lines in taken.items() if lines] == ["A10"]
    assert alone == []


def test_tools_that_are_used_without_end_are_counted() -> None:
    events = [ToolCall(t=number * 0.02, call_id=str(number), name="book", arguments={}) for number in range(5_000)]
    rows = tool_rows(events)
    assert len(rows) == MOST + 1
    assert rows[-1].outcome == "4,700 uses more, which only events.jsonl tells"
