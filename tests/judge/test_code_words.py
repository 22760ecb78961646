"""What the words and their times prove: words near a moment, and times of day that are in the calendar."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from spoken import shipped, transcript
from tool_events import tool

from voicesim.catalog.rules import RuleSettings
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import decide
from voicesim.judge.code.said_times import SaidTimes
from voicesim.judge.code.words_near import Anchor, WordsNear
from voicesim.recording.events import Event, Hangup


def found(rule: RuleSettings, script: str, *events: Event) -> Finding:
    return decide(rule, Call(shipped("clinic-01"), transcript(script), events))


# Half a second a word, a second between lines: A1 0 to 1 s, P1 2 to 3.5 s, A2 4.5 to 8 s with "booked" the
# fourth of its seven words, from 6.0 to 6.5 s.
SCRIPT = "A: Hello there.\nP: Book it please.\nA: Then you are booked for Thursday morning."
BOOKED = WordsNear(words=("booked",), within=2.0, of=Anchor(tool="book"))


@pytest.mark.parametrize(("answered", "outcome"), [(4.0, "hit"), (3.9, "miss"), (6.1, "miss")])
def test_words_have_to_come_within_the_time_behind_the_moment(answered: float, outcome: str) -> None:
    finding = found(BOOKED, SCRIPT, *tool(answered - 0.1, "book", {"ok": True}))
    assert finding.outcome == outcome
    assert [one.utterance for one in finding.evidence] == (["A2"] if outcome == "hit" else [])


def test_before_and_around_look_the_other_way_and_both_ways() -> None:
    late = tool(7.9, "book", {"ok": True})
    assert found(BOOKED.model_copy(update={"when": "before"}), SCRIPT, *late).outcome == "hit"  # 6.5 to 8.0 s
    assert found(BOOKED.model_copy(update={"when": "around"}), SCRIPT, *late).outcome == "hit"
    assert found(BOOKED, SCRIPT, *late).outcome == "miss"


def test_every_such_moment_needs_its_words() -> None:
    twice = (*tool(5.0, "book", {"ok": True}), *tool(20.0, "book", {"ok": True}))
    finding = found(BOOKED, SCRIPT, *twice)
    assert (finding.outcome, finding.reason) == ("miss", "nothing of booked within 2 s after book at 20.0 s")
    assert finding.tag == "missing_advice"
    assert [(one.what, one.start) for one in finding.seen] == [("book: ok", 20.0)]


def test_without_the_moment_the_rule_does_not_apply_and_without_a_log_nobody_knows() -> None:
    assert found(BOOKED, SCRIPT, *tool(5.0, "book", {"ok": False})).outcome == "not_applicable"
    assert found(BOOKED, SCRIPT).outcome == "cannot_assess"


def test_a_negated_word_is_not_that_word() -> None:
    script = "A: Hello there.\nP: Book it please.\nA: Then you are not booked for Thursday."
    assert found(BOOKED, script, *tool(5.0, "book", {"ok": True})).outcome == "miss"


def test_words_of_the_patient_can_be_the_moment() -> None:
    script = "P: I have chest pain.\nA: Please call an ambulance.\nP: Really?"
    # "chest pain" ends at 2.0 s with the line; "ambulance" is said from 4.5 s.
    rule = WordsNear(words=("ambulance", "emergency"), within=3.0, of=Anchor(said=("chest pain",)))
    assert found(rule, script).outcome == "hit"
    assert found(rule.model_copy(update={"within": 2.0}), script).outcome == "miss"


def test_the_end_of_the_call_can_be_the_moment() -> None:
    rule = WordsNear(words=("goodbye",), within=5.0, when="before", of=Anchor(hangup=True))
    script = "P: Thanks.\nA: Goodbye then."
    assert found(rule, script, Hangup(t=4.0, by="agent", reason="completed")).outcome == "hit"
    assert found(rule, script, Hangup(t=9.0, by="agent", reason="completed")).outcome == "miss"


FREE = SaidTimes(of="slots", where={"free": True})


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        ("P: Hello.\nA: I have Thursday at 9:30.", "hit"),
        ("P: Hello.\nA: I have Friday at 9:30.", "miss"),  # that is Thursday's
        ("P: Hello.\nA: There is 9:30 am, or 2:30 pm on Friday.", "hit"),
        ("P: Hello.\nA: I have Thursday at 9:30, and Friday at half past two.", "hit"),
        ("P: Hello.\nA: I have Thursday at 10:30.", "miss"),
        ("P: Hello.\nA: I have Thursday at 815 with Dr. Lim.", "miss"),
        ("P: Hello.\nA: I have Thursday at 930 with Dr. Lim.", "hit"),
        ("P: Hello.\nA: Call an ambulance at 112, or come to us at 1200 Main Street.", "not_applicable"),
        ("P: Hello.\nA: I have Thursday at 11:00.", "miss"),  # it is there, and not free
        ("P: Hello.\nA: Thursday at 11:00 is not free, I'm sorry.", "cannot_assess"),
        ("P: Could I come at 8:15?\nA: You would like 8:15, I see.", "hit"),
        ("P: Hello.\nA: We will call you back.", "not_applicable"),
    ],
)
def test_only_times_of_the_calendar_may_be_named(script: str, outcome: str) -> None:
    assert found(FREE, script).outcome == outcome


SENTENCES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[1] / "language" / "inputs" / "times.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("row", SENTENCES, ids=lambda row: str(row["text"]))
def test_a_slot_that_the_calendar_lacks_is_found_in_whatever_words_it_is_named(row: dict[str, Any]) -> None:
    script = f"P: Hello.\nA: {row['text']}"
    empty = SaidTimes(of="slots", where={"doctor": "nobody"})
    assert found(empty, script).outcome == ("miss" if row["times"] else "not_applicable")
    full = empty.model_copy(update={"also": tuple(row["times"])})
    assert found(full, script).outcome == ("hit" if row["times"] else "not_applicable")


def test_an_invented_time_is_quoted_and_others_may_be_allowed() -> None:
    script = "P: Hello.\nA: We open at 8:00. I have Thursday at 10:30."
    finding = found(FREE.model_copy(update={"also": ("08:00",)}), script)
    assert (finding.outcome, [one.quote for one in finding.evidence]) == ("miss", ["I have Thursday at 10:30."])
