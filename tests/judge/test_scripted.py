"""Conversations written down: who said what and when, and which tools were used between."""

import pytest

from voicesim.bench.scripted import events_of, transcript_of, utterance_ids
from voicesim.errors import UsageError
from voicesim.tools.log import tool_log

SAID = (
    "A: Hello there.",
    "P: I cough.",
    'T: verify_patient {"name": "Ann"} -> {"ok": true, "patient_id": "p-1"}',
    'T: book {"slot_id": "s-02"}',
    "A: Any fever?",
)


def test_a_written_conversation_becomes_a_transcript() -> None:
    made = transcript_of(SAID, "x")
    assert [(one.id, one.side, one.text) for one in made.utterances] == [
        ("A1", "agent", "Hello there."),
        ("P1", "caller", "I cough."),
        ("A2", "agent", "Any fever?"),
    ]
    # Two words of 0.4 s, a gap of 0.8 s
    assert [one.start for one in made.utterances] == [0.0, pytest.approx(1.6), pytest.approx(3.2)]
    assert made.utterances[0].end == 0.8
    assert made.duration == pytest.approx(4.8)
    assert utterance_ids(SAID) == ("A1", "P1", "T1", "T2", "A2")


def test_its_tools_become_a_tool_log_between_the_lines() -> None:
    log = tool_log(events_of(SAID))
    assert log is not None
    verify, book = log
    assert (verify.name, dict(verify.arguments), verify.ok) == ("verify_patient", {"name": "Ann"}, True)
    assert (book.name, dict(book.arguments), book.answered, book.ok) == ("book", {"slot_id": "s-02"}, None, None)
    # P1 ends at 2.4 s and A2 begins at 3.2 s; the first is answered before the second is called
    assert verify.answered is not None
    assert 2.4 < verify.t < verify.answered < book.t < 3.2
    assert tool_log(events_of(SAID[:2])) is None


def test_a_tool_may_come_before_the_first_word() -> None:
    assert [one.t >= 0 for one in events_of(('T: list_slots {} -> {"ok": true}', *SAID))] == [True] * 5


@pytest.mark.parametrize("line", ["Agent: Hello.", "A:", "A Hello.", "T: "])
def test_a_line_of_another_form_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match="is no line of a conversation"):
        transcript_of((line,), "x")


@pytest.mark.parametrize(
    "line", ["T: book", "T: book s-02", "T: book [1]", "T: book {} -> yes", 'T: book {"a": 1} => {}']
)
def test_a_tool_that_is_not_written_as_one_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match="is no tool"):
        events_of((line,))
