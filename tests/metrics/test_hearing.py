"""What the agent understood: planted mishearings are found, and other spellings are none."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import handmade
import pytest
import yaml

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.metrics.agent_heard import by_utterance
from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.hearing import agent_hearing
from voicesim.metrics.model import AgentHearing, Misheard, Share
from voicesim.recording.events import AgentHeard, Event, ToolCall

ROWS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "inputs" / "mishearings.yaml").read_text("utf-8")
)


def hearing(
    said: str, told: str | None, *, sent: str | None = None, replies: str = "Okay.", events: tuple[Event, ...] = ()
) -> AgentHearing:
    """One line of the patient from 1 to 4 s, what the agent told it was, and its reply."""
    line = handmade.caller((1.0, 4.0), text=said).model_copy(update={"heard": sent})
    transcript = handmade.call(line, handmade.agent((5.0, 8.0), text=replies))
    heard = (AgentHeard(t=4.4, text=told),) if told is not None else ()
    measured = agent_hearing(MeasuredCall(transcript, (*heard, *events)))
    assert measured is not None
    return measured


@cache
def case_of(name: str) -> Case:
    """A shipped case, read once."""
    return Catalogue.here().case(name)


def of_case(row: dict[str, Any]) -> tuple[Misheard, ...]:
    """What is found in a row, in a call of its case."""
    line = handmade.caller((1.0, 4.0), text=row["said"])
    transcript = handmade.call(line, handmade.agent((5.0, 8.0), text="Okay."))
    measured = agent_hearing(MeasuredCall(transcript, (AgentHeard(t=4.4, text=row["heard"]),), case_of(row["case"])))
    assert measured is not None
    return measured.misheard


def planted(row: dict[str, Any], entry: Misheard) -> bool:
    """Whether what was found is what was planted in a row."""
    if entry.said:
        return any(
            word.lower() in entry.said.lower() or entry.said.lower() in word.lower() for word in row.get("lost", ())
        )
    return any(word.lower() == entry.understood.lower() for word in row.get("made_up", ()))


def test_planted_mishearings_are_found_and_nothing_else() -> None:
    assert len(ROWS["wrong"]) == len(ROWS["right"]) == 60
    assert len({row["case"] for row in ROWS["wrong"]}) == 10
    found = [(row, of_case(row)) for row in (*ROWS["wrong"], *ROWS["right"])]
    right = sum(planted(row, entry) for row, entries in found for entry in entries)
    every = sum(len(entries) for _, entries in found)
    hit = sum(any(planted(row, entry) for entry in entries) for row, entries in found if row in ROWS["wrong"])
    assert hit / 60 >= 0.95, [
        row["heard"] for row, entries in found[:60] if not any(planted(row, one) for one in entries)
    ]
    assert right / every >= 0.95, [
        (row["heard"], entry) for row, entries in found for entry in entries if not planted(row, entry)
    ]


@pytest.mark.parametrize("row", [*ROWS["later_wrong"], *ROWS["later_right"]], ids=lambda row: row["heard"])
def test_lines_that_were_written_later_are_told_apart_too(row: dict[str, Any]) -> None:
    misheard = hearing(row["said"], row["heard"]).misheard
    assert [planted(row, entry) for entry in misheard] == [True] * len(row.get("lost", ()))


def test_recall_is_of_entities_and_by_kind() -> None:
    # Said: a negation, a dose, a medicine, a date; the dose is lost: 3 of 4.
    measured = hearing(
        "I did not take two tablets of Panadol on Monday.", "I did not take ten tablets of Panadol on Monday."
    )
    assert measured.source == "told"
    assert measured.entities == Share(n=4, count=3, share=0.75)
    assert measured.by_kind["dose"] == Share(n=1, count=0, share=0.0)
    assert measured.by_kind["medicine"] == Share(n=1, count=1, share=1.0)
    (entry,) = measured.misheard
    assert (entry.kind, entry.said, entry.understood, entry.utterance) == ("dose", "two tablets", "ten tablets", "P1")
    # One of ten words (two, tablet) is another: i did not take 2 tablet of panadol on monday.
    assert measured.wer == 0.1


def test_our_own_hearing_of_the_same_sound_tells_whose_fault_it_was() -> None:
    said, told = "I take metformin, no aspirin.", "I take aspirin."
    heard_by_us = hearing(said, told, sent="I take metformin, no aspirin.")
    assert [(entry.said, entry.fault) for entry in heard_by_us.misheard] == [("metformin", "agent"), ("no", "agent")]
    assert heard_by_us.wer_line == 0.0
    heard_by_nobody = hearing(said, told, sent="I take it forming, no aspirin.")
    assert [(entry.said, entry.fault) for entry in heard_by_nobody.misheard] == [("metformin", "line"), ("no", "agent")]
    assert [entry.fault for entry in hearing(said, told).misheard] == [None, None]
    # Of the same word lost twice each has a fault of its own.
    twice = hearing("No fever. No blood.", "Fever. Blood.", sent="Fever. Blood.")
    assert [entry.fault for entry in twice.misheard] == ["line", "line"]


def test_lines_without_an_answer_between_them_are_one_turn() -> None:
    """An agent may tell of two lines at once; what is said aside need not be understood, and is not made up."""
    lines = (
        handmade.caller((1.0, 2.0), text="I take metformin."),
        handmade.caller((2.5, 2.9), text="Not now, Maya.", intent="ignore", kind="side_talk"),
        handmade.caller((3.0, 4.0), text="And I have asthma."),
        handmade.agent((5.0, 6.0), text="Okay."),
        handmade.caller((7.0, 8.0), text="No fever."),
        handmade.agent((9.0, 10.0), text="Okay."),
    )
    events = (
        AgentHeard(t=4.3, text="I take metformin. Not now Maya. And I have asthma.", start=1.0, end=4.0),
        AgentHeard(t=8.3, text="No fever."),
    )
    measured = agent_hearing(MeasuredCall(handmade.call(*lines), events))
    assert measured is not None
    assert measured.misheard == ()
    assert measured.entities == Share(n=4, count=4, share=1.0)


def test_a_transcript_that_comes_late_is_of_the_line_that_it_is_like() -> None:
    """A busy agent tells of a line when the patient has already asked whether it is there."""
    lines = (
        handmade.caller((1.0, 4.0), text="I take metformin and two tablets of Panadol."),
        handmade.caller((9.0, 10.0), text="Hello? Are you there?"),
        handmade.agent((12.0, 13.0), text="Okay."),
    )
    late = AgentHeard(t=11.0, text="I take metformin.")
    later = AgentHeard(t=11.5, text="And two tablets of Panadol.")
    measured = agent_hearing(MeasuredCall(handmade.call(*lines), (late, later)))
    assert measured is not None
    assert measured.misheard == ()
    taken, _ = by_utterance((late, later), handmade.call(*lines).of("caller"))
    assert [len(taken[name]) for name in ("P1", "P2")] == [2, 0]
    # In another language nothing is alike: the latest line.
    taken, _ = by_utterance((AgentHeard(t=11.0, text="Ich nehme Metformin"),), handmade.call(*lines[1:]).of("caller"))
    assert len(taken["P1"]) == 1


def test_an_agent_that_cuts_in_does_not_end_the_turn() -> None:
    lines = (
        handmade.caller((1.0, 4.0), text="I take metformin."),
        handmade.agent((2.0, 2.5), text="Hello"),
        handmade.caller((4.5, 6.0), text="No fever."),
        handmade.agent((7.0, 8.0), text="Okay."),
    )
    event = AgentHeard(t=6.3, text="I take metformin. No fever.")
    measured = agent_hearing(MeasuredCall(handmade.call(*lines), (event,)))
    assert measured is not None
    assert measured.misheard == ()


def test_a_line_of_which_the_agent_tells_nothing_was_not_understood() -> None:
    lines = [
        handmade.caller((1.0, 2.0), text="I take metformin."),
        handmade.agent((3.0, 4.0)),
        handmade.caller((5.0, 6.0), text="No fever."),
        handmade.agent((7.0, 8.0)),
    ]
    event = AgentHeard(t=2.3, text="I take metformin.")
    measured = agent_hearing(MeasuredCall(handmade.call(*lines), (event,)))
    assert measured is not None
    assert {entry.said for entry in measured.misheard} == {"No", "fever"}
    # A line at the end of the call came too late for the agent to tell of it.
    at_the_end = agent_hearing(MeasuredCall(handmade.call(*lines[:3], duration=6.5), (event,)))
    assert at_the_end is not None
    assert at_the_end.misheard == ()


def test_a_cut_line_is_left_out() -> None:
    cut = handmade.caller((1.0, 2.0), text="I take metformin and warfarin.").model_copy(update={"cut": True})
    lines = (cut, handmade.agent((3.0, 4.0)))
    assert agent_hearing(MeasuredCall(handmade.call(*lines), (AgentHeard(t=2.3, text="I take met"),))) is None


@pytest.mark.parametrize(
    ("said", "reply", "arguments", "shown"),
    [
        ("I take metformin.", "Keep taking the metformin.", {}, True),
        ("I take metformin.", "Keep taking it.", {}, False),
        ("I was born on the twelfth of April, nineteen sixty eight.", "Thanks.", {"born": "1968-04-12"}, True),
        ("I took five hundred milligrams.", "Thanks.", {"dose_mg": 500}, True),
        ("I took five hundred milligrams.", "Thanks.", {"dose_mg": 50}, False),
    ],
)
def test_an_agent_that_does_not_tell_shows_it_by_words_and_tools(
    said: str, reply: str, arguments: dict[str, Any], shown: bool
) -> None:
    call = ToolCall(t=5.0, call_id="1", name="note", arguments=arguments)
    measured = hearing(said, None, sent=said, replies=reply, events=(call,))
    assert measured.source == "shown"
    assert measured.wer is None
    assert measured.entities.count == int(shown)
    # It may have understood and said nothing of it: nobody's fault, unless the line had already lost it.
    assert all(entry.fault is None for entry in measured.misheard)
    lost = hearing(said, None, sent="Mm.", replies=reply, events=(call,))
    assert all(entry.fault == "line" for entry in lost.misheard)


def test_nothing_is_told_of_other_languages_or_silent_patients() -> None:
    transcript = handmade.call(handmade.agent((1.0, 2.0)))
    assert agent_hearing(MeasuredCall(transcript)) is None
    spoken = handmade.call(handmade.caller((1.0, 2.0)), handmade.agent((3.0, 4.0)))
    call = MeasuredCall(spoken.model_copy(update={"language": "de"}), (AgentHeard(t=2.1, text="x"),))
    assert agent_hearing(call) is None
    assert agent_hearing(replace(call, transcript=spoken)) is not None
