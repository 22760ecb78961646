"""Answers that are kept: only usable ones, each under all that it hangs on, and across a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from made_manifest import manifest
from made_recording import make_recording
from model_server import KEY, Answerer, FakeServer, Says, model_server, question_in, schema_in
from spoken import shipped, transcript

from voicesim.catalog.model import Check
from voicesim.errors import UsageError
from voicesim.judge.base import Call
from voicesim.judge.llm.openai_judge import OpenAIJudge
from voicesim.llm.answer_cache import AnswerCache, Known
from voicesim.recording import files

SCRIPT = "A: Hello, nurse line.\nP: I have a cold.\nA: Do you have any fever?\nP: No.\nA: Goodbye, and rest."
CASE = shipped("cold-01")
FEVER = next(check for check in CASE.rubric if check.id == "fever")
NO = json.dumps({"reason": "because", "answer": "no", "evidence": []})


def missing(body: dict[str, Any]) -> Says:
    """Answers every question in its form: the agent did nothing."""
    if "failures" in schema_in(body)["properties"]:
        return Says(json.dumps({"failures": []}))
    premise = {"premise": "came_up"} if "premise" in schema_in(body)["properties"] else {}
    empty = {"moments": []} if "moments" in schema_in(body)["properties"] else {"answer": "no", "evidence": []}
    return Says(json.dumps({"reason": "because"} | empty | premise))


class Bench:
    """One server with answers of your choice, and a fresh judge for every look at it, on one cache."""

    def __init__(self, server: FakeServer, cache: Path) -> None:
        self.answer: Answerer = missing
        self.server, self.cache = server, cache

    def ask(self, *calls: Call, check: Check = FEVER, model: str = "m") -> tuple[list[str], int]:
        """The outcomes of a check in each call, and how many requests they took."""
        before = len(self.server.requests)
        judge = OpenAIJudge(self.server.chat(model, cache=AnswerCache(self.cache)))
        outcomes = [judge.find(check, call).outcome for call in calls]
        return list(outcomes), len(self.server.requests) - before


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made: list[Bench] = []
    with model_server(lambda body: made[0].answer(body)) as server:
        made.append(Bench(server, tmp_path / "cache"))
        yield made[0]


CALL = Call(CASE, transcript(SCRIPT))


def test_a_question_is_asked_once_and_then_answered_from_the_cache(bench: Bench) -> None:
    assert bench.ask(CALL) == (["miss"], 1)
    assert bench.ask(CALL) == (["miss"], 0)


@pytest.mark.parametrize(
    ("call", "model"),
    [
        (Call(CASE, transcript(SCRIPT + "\nP: Thanks.")), "m"),
        (Call(CASE, transcript(SCRIPT), repeat=1), "m"),
        (CALL, "other"),
    ],
    ids=["another transcript", "another repeat", "another model"],
)
def test_what_an_answer_hangs_on_is_part_of_its_key(bench: Bench, call: Call, model: str) -> None:
    bench.ask(CALL)
    assert bench.ask(call, model=model)[1] == 1


def test_another_wording_of_the_check_is_another_question(bench: Bench) -> None:
    bench.ask(CALL)
    reworded = FEVER.model_copy(update={"expect": "Asks about a high temperature."})
    assert bench.ask(CALL, check=reworded)[1] == 1


def test_a_name_that_now_stands_for_another_model_is_asked_again(bench: Bench) -> None:
    bench.answer = lambda body: Says(missing(body).text, model="m-2025-01")
    assert [bench.ask(CALL)[1], bench.ask(CALL)[1]] == [1, 0]
    # A new question shows that "m" is a newer model now; from then on the older model's answers are not taken.
    bench.answer = lambda body: Says(missing(body).text, model="m-2025-06")
    assert bench.ask(Call(CASE, transcript(SCRIPT + "\nP: Bye.")))[1] == 1
    assert bench.ask(CALL)[1] == 1


@pytest.mark.parametrize(
    "broken",
    [Says("It is a hit."), Says(NO[:20], finish="length"), Says(""), Says(status=503, error={"message": "busy"})],
    ids=["not JSON", "cut off", "empty", "busy"],
)
def test_only_usable_answers_are_kept(bench: Bench, broken: Says) -> None:
    bench.answer = lambda _: broken
    assert bench.ask(CALL)[0] == ["error"]
    bench.answer = missing
    assert bench.ask(CALL) == (["miss"], 1)


def test_a_damaged_entry_is_asked_again(bench: Bench) -> None:
    bench.ask(CALL)
    (entry,) = (bench.cache / "answers").rglob("*.txt")
    entry.write_bytes(entry.read_bytes().replace(b"because", b"so what"))
    assert bench.ask(CALL)[1] == 1


def test_what_a_model_takes_is_remembered_with_it(bench: Bench) -> None:
    refused = Says(status=400, error={"message": "no 'temperature'"})
    bench.answer = lambda body: refused if "temperature" in body else missing(body)
    assert [bench.ask(CALL)[1], bench.ask(CALL)[1]] == [2, 0]


def test_that_a_server_takes_no_bounds_is_remembered(bench: Bench) -> None:
    refused = Says(status=400, error={"message": "'maxLength' is not permitted"})
    bench.answer = lambda body: refused if "maxLength" in json.dumps(body) else missing(body)
    assert [bench.ask(CALL)[1], bench.ask(CALL)[1]] == [2, 0]


def test_a_cache_that_cannot_be_written_is_no_failure(bench: Bench, tmp_path: Path) -> None:
    bench.cache = tmp_path / "file"
    bench.cache.write_text("")
    assert bench.ask(CALL) == (["miss"], 1)
    cache = AnswerCache(bench.cache)
    cache.learn("server", "m", Known("m"))
    assert cache.recall("server", "m") is None


def test_a_lost_connection_says_that_what_was_found_is_kept(tmp_path: Path) -> None:
    with model_server(missing) as server:
        judge = OpenAIJudge(server.chat("m", cache=AnswerCache(tmp_path)))
        judge.find(FEVER, CALL)
    with pytest.raises(UsageError, match=r"cannot reach 127\.0\.0\.1:\d+; what it answered so far is kept"):
        judge.find(CASE.rubric[0], CALL)


def test_killed_in_the_middle_it_asks_only_what_is_missing(tmp_path: Path) -> None:
    recorded = tmp_path / "call"
    make_recording(recorded, np.zeros(24_000 * 14, dtype=np.int16), call_id="made")
    files.save(recorded, files.MANIFEST, manifest(duration=14.0))
    files.save(recorded, files.TRANSCRIPT, transcript(SCRIPT, "made"))
    answered, killed = 3, Event()
    asked: list[str] = []

    def slow(body: dict[str, Any]) -> Says:
        asked.append(question_in(body))
        if len(asked) > answered and not killed.is_set():
            killed.wait(30)  # the judge dies while it waits for this answer
        return missing(body)

    with model_server(slow) as server:
        environment = os.environ | {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": server.url,
            "VOICESIM_CACHE": str(tmp_path / "cache"),
        }
        command = [sys.executable, "-m", "voicesim", "score", str(recorded), "--judge", "openai:m"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while len(asked) <= answered and process.poll() is None:
                time.sleep(0.02)
            assert process.poll() is None
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed.set()
        assert not (recorded / "verdicts").exists()
        before = asked[:answered]
        asked.clear()
        again = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    # Everything was missed, the critical check too: exit code 1. Three answers were there already.
    assert again.returncode == 1, again.stderr
    assert len(asked) == len(CASE.rubric) + 1 - answered  # the last one is about the whole call
    assert not set(asked) & set(before)
    assert (recorded / "verdicts" / "openai_m.json").is_file()
