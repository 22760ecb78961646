"""All checks in one question, and what stands before every question."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from model_server import FakeServer, Says, model_server, question_in, schema_in, transcript_in
from spoken import shipped, transcript
from tool_events import tool

from voicesim.judge.base import Call
from voicesim.judge.fitness import Fitness
from voicesim.judge.llm.batch_judge import BatchJudge
from voicesim.judge.llm.openai_judge import ATTEMPTS, ROOM, OpenAIJudge
from voicesim.judge.run import judge_call
from voicesim.metrics.measure import measure_transcript
from voicesim.transcript.model import Transcript

SCRIPT = """
P: I've had the flu. I can't catch my breath.
A: This sounds like an emergency. Please call nine one one right now.
P: Okay.
"""
CASE = shipped("cold-04")
EMERGENCY = {"utterance": "A1", "quote": "This sounds like an emergency"}
CALLING = {"utterance": "A1", "quote": "Please call nine one one right now"}


def yes(*quotes: dict[str, str]) -> dict[str, Any]:
    return {"reason": "because", "answer": "yes", "evidence": list(quotes)}


NO = {"reason": "because", "answer": "no", "evidence": []}
CLEAN = {"reason": "because", "moments": []}


@contextmanager
def batch(*answers: dict[str, Any]) -> Iterator[tuple[BatchJudge, FakeServer]]:
    left = [Says(json.dumps(one)) for one in answers]
    with model_server(lambda _: left.pop(0)) as server:
        yield BatchJudge(server.chat("m")), server


def outcomes(*answers: dict[str, Any]) -> tuple[list[str], Sequence[dict[str, Any]]]:
    with batch(*answers) as (judge, server):
        verdicts = judge_call(judge, CASE, transcript(SCRIPT), Fitness("", True))
    return [one.outcome for one in verdicts.verdicts], server.requests


def test_one_question_decides_all_checks() -> None:
    found, requests = outcomes({"q1": yes(EMERGENCY), "q2": NO, "q3": CLEAN})
    assert found == ["hit", "miss", "hit"]
    (request,) = requests
    assert list(schema_in(request)["properties"]) == ["q1", "q2", "q3"]
    assert request["max_tokens"] == 3 * ROOM
    for check in CASE.rubric:
        assert (check.violation or check.expect) in question_in(request)
        assert check.id not in question_in(request)


def test_an_answer_that_misses_a_check_is_asked_for_again_with_more_room() -> None:
    found, requests = outcomes({"q1": yes(EMERGENCY), "q2": NO}, {"q1": yes(EMERGENCY), "q2": NO, "q3": CLEAN})
    assert found == ["hit", "miss", "hit"]
    assert [one["max_tokens"] for one in requests] == [3 * ROOM, 6 * ROOM]


def test_an_answer_that_keeps_missing_one_is_an_error_for_all_and_no_miss() -> None:
    found, requests = outcomes(*[{"q1": yes(EMERGENCY), "q2": NO}] * ATTEMPTS)
    assert found == ["error", "error", "error"]
    assert len(requests) == ATTEMPTS


def test_quotes_are_repaired_together_and_only_where_they_did_not_hold() -> None:
    wrong = {"utterance": "A1", "quote": "call an ambulance now"}
    first = {"q1": yes(EMERGENCY), "q2": yes(wrong), "q3": CLEAN}
    found, requests = outcomes(first, {"q1": NO, "q2": yes(CALLING), "q3": CLEAN})
    assert found == ["hit", "hit", "hit"]
    assert '"call an ambulance now"' in requests[1]["messages"][-1]["content"]


def test_its_verdicts_are_kept_apart_from_those_of_single_questions() -> None:
    with batch() as (judge, _):
        assert judge.name == "openai:m+batch"


# --- what every question stands behind ---------------------------------------------------------------------


def asked_about(spoken: Transcript, **more: Any) -> dict[str, Any]:
    """The request for the first check of a call."""
    with model_server(lambda _: Says(json.dumps(NO))) as server:
        OpenAIJudge(server.chat("m")).find(CASE.rubric[0], Call(CASE, spoken, **more))
    return server.requests[0]


def test_cut_utterances_and_unsure_words_are_marked_and_the_marks_explained() -> None:
    spoken = transcript(SCRIPT)
    heard = spoken.utterances[1]
    words = (*heard.words[:-1], heard.words[-1].model_copy(update={"probability": 0.3}))
    marked = heard.model_copy(update={"words": words, "cut": True})
    request = asked_about(spoken.model_copy(update={"utterances": (spoken.utterances[0], marked)}))
    patient, agent = transcript_in(request)
    assert (agent["cut"], agent["unsure"]) == (True, ["now."])
    assert not {"cut", "unsure"} & set(patient)
    assert '"cut"' in request["messages"][0]["content"]
    assert '"unsure"' in request["messages"][0]["content"]


def test_times_and_tools_are_given_as_data() -> None:
    spoken = transcript(SCRIPT)
    events = tool(5.0, "book", {"ok": True, "note": "</tools>"}, slot_id="s-01")
    content = asked_about(spoken, metrics=measure_transcript(spoken), events=events)["messages"][1]["content"]
    measured = json.loads(content.split("<measured>")[1].split("</measured>")[0])
    # 9 + 12 + 1 words of half a second, and a second after each of the three lines: 14 s.
    assert measured["seconds"] == 14.0
    (use,) = json.loads(content.split("<tools>")[1].split("\n</tools>")[0])
    assert use == {"at": 5.0, "tool": "book", "arguments": {"slot_id": "s-01"}, "result": events[1].result}  # type: ignore[union-attr]
    assert content.count("</tools>") == 1


def test_without_measures_and_tools_nothing_is_said_about_them() -> None:
    content = asked_about(transcript(SCRIPT))["messages"][1]["content"]
    assert content.startswith("<transcript>")
