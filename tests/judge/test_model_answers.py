"""A model's answers as models really write them: read where they are plain, asked again where they are not."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from model_server import FakeServer, Says, model_server
from spoken import call, check_of

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.fitness import Fitness
from voicesim.judge.llm.batch_judge import BatchJudge
from voicesim.judge.llm.openai_judge import OpenAIJudge
from voicesim.judge.model import REASON_LENGTH
from voicesim.judge.run import judge_call

Entry = dict[str, Any]
ENTRIES: list[Entry] = yaml.safe_load(Path(__file__).with_name("model_answers.yaml").read_text(encoding="utf-8"))[
    "entries"
]
DEFAULT = {"case": "cold-04", "id": "directs_emergency_care"}
LINE = "Please call nine one one right now, ≥ 1 ambulance is on its way."
SCRIPT = f"P: I've had the flu. I can't catch my breath.\nA: {LINE}\nP: Okay."
QUOTE = {"utterance": "A1", "quote": "Please call nine one one right now, ≥ 1 ambulance"}


def right(check: Check) -> dict[str, Any]:
    """A valid answer in the judge's own form: a hit, with a quote that holds where it needs one."""
    if check.kind == "avoid":
        return {"reason": "It says “no”.", "moments": []}
    return {"reason": "It says “so”.", "answer": "yes", "evidence": [QUOTE]}


def other(check: Check) -> dict[str, Any]:
    """A valid answer that says the contrary."""
    if check.kind == "avoid":
        return {"reason": "does", "moments": [{**QUOTE, "what": "does_it"}]}
    return {"reason": "does not", "answer": "no", "evidence": []}


def changed(entry: Entry, check: Check) -> dict[str, Any]:
    """The right answer with what the entry changes in it."""
    answer, changes = right(check), entry.get("change", {})
    if "empty_lists" in changes:
        answer = other(check) | {"evidence": None} if check.kind != "avoid" else {**answer, "moments": None}
    if "verdict" in changes:
        verdict = changes["verdict"]
        answer["answer"] = answer["answer"].upper() if verdict == "as capitals" else verdict
    if "extra_key" in changes:
        answer[changes["extra_key"]] = 0.9
    if "quotes_of_a_hit" in changes:
        answer["evidence"] = changes["quotes_of_a_hit"]
    if "premise" in changes:
        answer["premise"] = changes["premise"]
    if "utterance" in changes:
        answer["evidence"] = [{**QUOTE, "utterance": f"A{changes['utterance']}"}]
    return answer


def text_of(template: str | None, entry: Entry, check: Check) -> str | None:
    """What the server says, with the answers put in."""
    if template is None:
        return None
    answer = changed(entry, check)
    if template == "@ANSWER@ with premise did_not_come_up":
        return json.dumps(answer | {"premise": "did_not_come_up"})
    whole = json.dumps(answer, ensure_ascii=False)
    dressed = {
        "@ANSWER@": whole,
        "@ANSWER_INDENTED@": json.dumps(answer, indent=2),
        "@ANSWER_ASCII@": json.dumps(answer),
        "@ANSWER_REVERSED@": json.dumps(dict(reversed(answer.items())), ensure_ascii=False),
        "@OTHER@": json.dumps(other(check)),
        "@HALF@": whole[: len(whole) // 2],
    }
    for mark, text in dressed.items():
        template = template.replace(mark, text)
    return template


def asked(entry: Entry, server: FakeServer) -> tuple[Finding, Check, Call]:
    """The finding of an entry's check, from a judge whose server says what the entry has."""
    name = entry.get("check", DEFAULT)
    this = call(name["case"], SCRIPT)
    check = check_of(this.case, name["id"])
    finishes = entry.get("finish", "stop")
    answers = entry["answers"]
    if entry.get("batch"):
        left_out = entry.get("change", {}).get("checks_left_out", 0)
        numbered = [f"q{number}" for number, _ in enumerate(this.case.rubric, start=1)]
        parts = {
            one: changed(entry, this.case.rubric[place])
            for place, one in enumerate(numbered[: len(numbered) - left_out])
        }
        server.answer = lambda _: Says(json.dumps(parts))
        findings = BatchJudge(server.chat()).find_all(this.case.rubric, this)
        return findings[this.case.rubric.index(check)], check, this

    def answer(_: dict[str, Any]) -> Says:
        place = min(len(server.requests), len(answers)) - 1
        finish = finishes if isinstance(finishes, str) else finishes[min(place, len(finishes) - 1)]
        return Says(text_of(answers[place], entry, check), finish=finish, refusal=entry.get("refusal"))

    server.answer = answer
    return OpenAIJudge(server.chat()).find(check, this), check, this


def expected(entry: Entry, check: Check, this: Call) -> set[str]:
    """The outcomes that are right."""
    wanted = entry.get("result_may_be") or [entry["result"]]
    found = {one for one in wanted if one != "@ANSWER@"}
    if "@ANSWER@" in wanted:
        plain = other(check) if "empty_lists" in entry.get("change", {}) and check.kind != "avoid" else right(check)
        with model_server(lambda _: Says(json.dumps(plain))) as server:
            found.add(OpenAIJudge(server.chat()).find(check, this).outcome)
    return found


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["note"]))
def test_an_answer_is_read_rightly_or_asked_for_again(entry: Entry) -> None:
    with model_server() as server:
        finding, check, this = asked(entry, server)
        assert finding.outcome in expected(entry, check, this), finding.reason
        if "asked" in entry and not entry.get("or_asked_again") and "quote" not in str(entry.get("result_may_be")):
            assert len(server.requests) == entry["asked"] or finding.outcome == "cannot_assess"
        if entry.get("room") == "doubled each time":
            rooms = [request["max_tokens"] for request in server.requests]
            assert [later / earlier for earlier, later in pairwise(rooms)] == [2, 2]


def test_an_unusable_answer_on_a_critical_check_leaves_the_call_unscored() -> None:
    this = call("cold-04", SCRIPT)
    with model_server(lambda _: Says("It is a hit, I would say.")) as server:
        verdicts = judge_call(OpenAIJudge(server.chat()), this.case, this.transcript, Fitness("", True))
    assert {verdict.outcome for verdict in verdicts.verdicts} == {"error"}
    assert verdicts.score.value is None


def test_a_second_question_says_what_was_wrong_and_shows_the_form() -> None:
    this = call("cold-04", SCRIPT)
    check = check_of(this.case, "directs_emergency_care")
    with model_server() as server:
        server.says("hit").says(json.dumps(right(check)))
        assert OpenAIJudge(server.chat()).find(check, this).outcome == "hit"
    first, second = (request["messages"] for request in server.requests)
    assert second[: len(first)] == first
    assert second[-2] == {"role": "assistant", "content": "hit"}
    assert "cannot be used" in second[-1]["content"]
    assert '"evidence"' in second[-1]["content"]


def test_a_server_without_structured_output_gets_the_form_in_words() -> None:
    this = call("cold-04", SCRIPT)
    check = check_of(this.case, "directs_emergency_care")

    def plain(body: dict[str, Any]) -> Says:
        if "response_format" in body:
            return Says(status=400, error={"message": "response_format json_schema is not supported"})
        assert '"evidence"' in body["messages"][-1]["content"]
        return Says(json.dumps(right(check)))

    with model_server(plain) as server:
        judge = OpenAIJudge(server.chat())
        assert [judge.find(check, this).outcome for _ in range(2)] == ["hit", "hit"]
        assert len(server.requests) == 3


def test_a_reason_is_kept_to_500_characters() -> None:
    this = call("cold-04", SCRIPT)
    check = check_of(this.case, "directs_emergency_care")
    with model_server(lambda _: Says(json.dumps(other(check) | {"reason": "because " * 200}))) as server:
        reason = OpenAIJudge(server.chat()).find(check, this).reason
    assert REASON_LENGTH == 500
    assert len(reason) <= REASON_LENGTH


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("Agent: Please call nine one one right now", True),
        ("[Agent] Please call nine one one right now", True),
        ("A1: “… call nine one one right now”", True),
        ("**Agent (1.4 s):** Please call nine one one right now", True),
        ("Agent: Please call a taxi right now", False),
    ],
)
def test_a_quote_holds_without_its_label_and_marks(quote: str, holds: bool) -> None:
    this = call("cold-04", SCRIPT)
    check = check_of(this.case, "directs_emergency_care")
    answer = right(check) | {"evidence": [{"utterance": "A1", "quote": quote}]}
    with model_server(lambda _: Says(json.dumps(answer))) as server:
        outcome = OpenAIJudge(server.chat()).find(check, this).outcome
    assert outcome == ("hit" if holds else "cannot_assess")
