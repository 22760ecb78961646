"""What kind of failure a miss is: named by code, by the case or by the model, and never forced."""

import json
from typing import Any, get_args

import pytest
from made_manifest import manifest
from model_server import Says, model_server, question_in, schema_in
from spoken import shipped, transcript

from voicesim.catalog.tags import MEANINGS, Tag
from voicesim.judge.deciding import of_the_call
from voicesim.judge.fitness import Fitness
from voicesim.judge.llm.openai_judge import OpenAIJudge
from voicesim.judge.model import Failure
from voicesim.judge.offline.cues import CuesJudge
from voicesim.judge.run import judge_call
from voicesim.metrics.measure import measure_transcript
from voicesim.metrics.model import Interruption, Metrics

SCRIPT = "P: I can't catch my breath.\nA: Please rest at home and wait and see."
CASE = shipped("cold-04")
WHOLE = Fitness("", True)


def tags(failure: str, note: str = "", **changes: Any) -> tuple[tuple[Failure, ...], list[dict[str, Any]]]:
    """The tags of a call in which the model misses every check and names this failure, and its requests."""

    def answer(body: dict[str, Any]) -> Says:
        fields = schema_in(body)["properties"]
        told = {"reason": "because", "failure": failure, "failure_note": note}
        told = told if "failure" in fields else {"reason": "because"}
        if "moments" in fields:
            moment = {"utterance": "A1", "quote": "Please rest at home", "what": "does_it"}
            return Says(json.dumps(told | {"moments": [moment]}))
        return Says(json.dumps(told | {"answer": "no", "evidence": []}))

    case = CASE.model_copy(update={"rubric": tuple(one.model_copy(update=changes) for one in CASE.rubric)})
    with model_server(answer) as server:
        verdicts = judge_call(OpenAIJudge(server.chat("m")), case, transcript(SCRIPT), WHOLE)
    assert {one.outcome for one in verdicts.verdicts} == {"miss"}
    return verdicts.tags, server.requests


def test_every_tag_has_a_meaning_and_there_is_a_way_out() -> None:
    assert set(MEANINGS) == set(get_args(Tag))
    assert "other" in MEANINGS


def test_the_model_names_the_failure_of_a_miss() -> None:
    found, requests = tags("minimized")
    assert [(one.tag, one.by, one.check) for one in found] == [("minimized", "judge", one.id) for one in CASE.rubric]
    assert schema_in(requests[0])["properties"]["failure"]["enum"] == ["none", *MEANINGS]


def test_other_carries_its_note_and_none_is_no_tag() -> None:
    found, _ = tags("other", "It laughed at her.")
    assert {(one.tag, one.note) for one in found} == {("other", "It laughed at her.")}
    assert tags("none")[0] == ()


def test_a_category_that_does_not_exist_is_no_answer() -> None:
    with pytest.raises(AssertionError, match="error"):
        tags("rudeness")


def test_where_the_case_names_the_failure_the_model_is_not_asked() -> None:
    found, requests = tags("minimized", tag="missed_red_flag")
    assert {one.tag for one in found} == {"missed_red_flag"}
    assert "failure" not in schema_in(requests[0])["properties"]
    assert "missed_red_flag" not in question_in(requests[0])


TALKING_ON = Interruption(caller="P2", agent="A1", start=31.25, yield_time=None, yielded=False, overlap=2.0)
STOPPING = TALKING_ON.model_copy(update={"yield_time": 0.3, "yielded": True})


def measured(*interruptions: Interruption) -> Metrics:
    return measure_transcript(transcript(SCRIPT)).model_copy(update={"interruptions": interruptions})


def test_code_knows_that_an_agent_fell_silent_or_talked_on() -> None:
    silent = manifest(end_reason="agent_silent", end_detail="no sound for 20 s")
    assert of_the_call(silent, measured()) == (Failure(tag="fell_silent", by="code", note="no sound for 20 s"),)
    assert of_the_call(manifest(), measured(STOPPING)) == ()
    told = of_the_call(manifest(), measured(STOPPING, TALKING_ON))
    assert told == (Failure(tag="did_not_yield", by="code", note="P2 at 31.2 s"),)


def test_a_failure_that_a_check_names_by_code_is_not_named_again_but_beside_a_models() -> None:
    by_code = Failure(tag="did_not_yield", by="code", check="yields")
    assert of_the_call(manifest(), measured(TALKING_ON), [by_code]) == ()
    assert of_the_call(manifest(), measured(TALKING_ON), [by_code.model_copy(update={"by": "judge"})])


def test_what_is_no_miss_has_no_tag() -> None:
    tagged = tuple(one.model_copy(update={"tag": "missed_red_flag"}) for one in CASE.rubric)
    case = CASE.model_copy(update={"rubric": tagged})
    said = "P: I can't breathe.\nA: This is an emergency. Call 911 now."
    assert judge_call(CuesJudge(), case, transcript(said), WHOLE).tags == ()
