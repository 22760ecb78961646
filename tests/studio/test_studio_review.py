"""Review in the studio: what waits for whom, reasons, disagreement, labels, and a judge's reason beside a person's."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from threading import enumerate as enumerate_threads

import pytest
from model_server import FakeServer, Says, model_server
from sqlalchemy import delete
from studio_server import Studio, running
from studio_visits import add_judge, make_visit, own_case

from voicesim.bench.examine import calls
from voicesim.catalog.load import load_case
from voicesim.judge.gold import load_gold
from voicesim.studio.indexing import index, index_visit
from voicesim.studio.tables.reviews import Review

NO_ADVICE = ("A: Hello, what can I do?", "P: My throat hurts.", "A: Any trouble breathing?", "P: No.", "A: Goodbye.")


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    """A model that answers whatever the test at hand lets it."""
    with model_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, server: FakeServer) -> Path:
    """The data of a studio: a visit whose two judges differ on one check, and one with a single judge."""
    data = tmp_path_factory.mktemp("review")
    case = own_case(data, comparer=server.url)
    make_visit(data / "recordings", "one/disputed", case)
    add_judge(data / "recordings" / "one" / "disputed", "strict", {"breathing": "miss"}, "It is <b>not</b> asked.")
    make_visit(data / "recordings", "one/plain", case, NO_ADVICE)
    return data


@pytest.fixture(scope="module")
def shared(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The studio of this module."""
    data = tmp_path_factory.mktemp("studio") / "data"
    shutil.copytree(recorded, data)
    with running(data, model="comparer") as server:
        yield server


@pytest.fixture
def studio(shared: Studio, recorded: Path, server: FakeServer, own_cache: Path) -> Iterator[Studio]:
    """The studio as if nobody had answered anything yet; what the model answers is asked for anew."""
    server.answer = lambda _: says("same_evidence")
    (shared.data / "gold.jsonl").unlink(missing_ok=True)
    shutil.rmtree(shared.data / "recordings")
    shutil.copytree(recorded / "recordings", shared.data / "recordings")
    inside = shared.app.state.studio
    with inside.database.session() as session:
        session.execute(delete(Review))
    for visit in ("one/disputed", "one/plain"):
        index_visit(inside.database, inside.settings.recordings, visit)
    yield shared
    for thread in enumerate_threads():
        if thread.name.startswith("compare"):
            thread.join(10)


def asked(studio: Studio, role: str, kind: str) -> dict[str, str]:
    """What waits for somebody: the address of each question, by visit and check."""
    page = studio.client(role).get(f"/review?kind={kind}").text
    rows = re.findall(r'<a href="(/review/\d+)\?kind=\w+">([^<]+)</a>.*?<td>([^<]+)</td></tr>', page)
    return {f"{place} {check}": address for address, check, place in rows}


def answered(studio: Studio, role: str, address: str, outcome: str, reason: str) -> tuple[int, str]:
    """What the studio says to an answer, given in the form that the page shows."""
    page = studio.client(role).get(address).text
    hidden = dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.partition('action="/review/')[2])
    )
    answer = studio.client(role).post(address, data={**hidden, "outcome": outcome, "reason": reason})
    return answer.status_code, answer.text


def says(kind: str, misread_by: str = "nobody") -> Says:
    return Says(json.dumps({"kind": kind, "misread_by": misread_by, "why": "Both go by A2."}))


def test_a_disputed_verdict_waits_until_one_has_answered_with_a_reason(studio: Studio) -> None:
    (name, address), *others = asked(studio, "reviewer", "disputed").items()
    assert (name, others) == ("one/disputed breathing", [])
    page = studio.client("reviewer").get(address).text
    assert "strict: miss, It is &lt;b&gt;not&lt;/b&gt; asked." in page
    status, page = answered(studio, "reviewer", address, "hit", " ")
    assert (status, "say why" in page) == (422, True)
    assert answered(studio, "reviewer", address, "right", "It was asked.")[0] == 422
    assert not (studio.data / "gold.jsonl").exists()
    status, page = answered(studio, "reviewer", address, "hit", "A2 asks it.")
    assert (status, "A2 asks it." in page) == (200, True)
    assert asked(studio, "reviewer", "disputed") == {}
    again = {"judge": "panel", "verdict": "disputed", "outcome": "miss", "reason": "No, it is not."}
    refused = studio.client("reviewer").post(address, data={**again, "csrf": studio.csrf("reviewer")})
    assert (refused.status_code, "answered this already" in refused.text) == (422, True)
    # For somebody else it waits still, and what the first one said is not shown before the answer.
    assert list(asked(studio, "clinician", "disputed")) == [name]
    assert "A2 asks it." not in studio.client("clinician").get(address).text


def test_people_may_disagree_and_agreement_is_computed_as_for_judges(studio: Studio) -> None:
    address = asked(studio, "reviewer", "disputed")["one/disputed breathing"]
    plain = asked(studio, "reviewer", "undecided")["one/plain rest"]
    for role, outcome in (("reviewer", "hit"), ("clinician", "miss")):
        assert answered(studio, role, address, outcome, "A2 asks it.")[0] == 200
        assert answered(studio, role, plain, "miss", "Nobody says so.")[0] == 200
    assert list(asked(studio, "admin", "differing")) == ["one/disputed breathing"]
    page = studio.client("reviewer").get("/review").text
    row = re.search(r"clinician and reviewer</th>(.*?)</tr>", page)
    assert row
    cells = re.findall(r">([^<]*)</td>", row[1])
    # One of two the same. By chance: clinician says miss twice, reviewer once, so 1/2 * 1 = 0.5, and kappa is 0.
    assert (cells[0], cells[1], cells[3]) == ("2", "50%", "0.00")
    assert "people and panel" in page
    assert "people and cues" in page


def test_answers_are_labels_that_the_evaluation_of_judges_reads(studio: Studio) -> None:
    address = asked(studio, "reviewer", "disputed")["one/disputed breathing"]
    answered(studio, "reviewer", address, "hit", "A2 asks it.")
    (row,) = load_gold(studio.data / "gold.jsonl")
    assert (row.rater, row.check, row.label, row.judge, row.outcome) == (
        "reviewer",
        "breathing",
        "hit",
        "panel",
        "disputed",
    )
    (call,) = calls([row], studio.data, load_case)
    assert call.case.id == "sore-throat"
    assert studio.client("reviewer").get("/review/gold.jsonl").text.count("\n") == 1
    # Judged again by another judge, the same check is asked again, and the new answer takes the place of the old one.
    inside = studio.app.state.studio
    add_judge(studio.data / "recordings" / "one" / "disputed", "kind", {"breathing": "hit"})
    (studio.data / "recordings" / "one" / "disputed" / "verdicts" / "panel.json").unlink()
    index_visit(inside.database, inside.settings.recordings, "one/disputed")
    sampled = asked(studio, "reviewer", "sampled")
    assert answered(studio, "reviewer", sampled["one/disputed breathing"], "miss", "On second thought.")[0] == 200
    assert [(row.label, row.judge) for row in load_gold(studio.data / "gold.jsonl")] == [("miss", "kind")]


def test_a_question_keeps_its_number_and_an_old_page_does_not_answer_another(studio: Studio) -> None:
    before = {kind: asked(studio, "reviewer", kind) for kind in ("disputed", "undecided", "sampled")}
    inside = studio.app.state.studio
    for visit in ("one/disputed", "one/plain"):
        index_visit(inside.database, inside.settings.recordings, visit)
    assert {kind: asked(studio, "reviewer", kind) for kind in before} == before
    address = before["disputed"]["one/disputed breathing"]
    hidden = {"judge": "panel", "verdict": "hit", "csrf": studio.csrf("reviewer"), "outcome": "hit", "reason": "It is."}
    answer = studio.client("reviewer").post(address, data=hidden)
    assert (answer.status_code, "judged again meanwhile" in answer.text) == (422, True)


def test_the_sample_is_the_same_for_everybody_and_does_not_move_when_somebody_answers(studio: Studio) -> None:
    mine, theirs = asked(studio, "reviewer", "sampled"), asked(studio, "clinician", "sampled")
    assert mine == theirs != {}
    first = next(iter(mine))
    assert answered(studio, "reviewer", mine[first], "hit", "It is so.")[0] == 200
    assert asked(studio, "reviewer", "sampled") == {name: mine[name] for name in mine if name != first}
    index(studio.app.state.studio.database, studio.data / "recordings")
    assert asked(studio, "clinician", "sampled") == theirs


@pytest.mark.parametrize(
    ("outcome", "said", "shown"),
    [
        ("hit", says("other_evidence"), "other evidence"),
        ("unscored", says("other_reasons"), "same verdict for other reasons"),
        ("miss", says("misread_rule", "first"), "misread rule (judge)"),
        ("miss", says("misread_rule", "second"), "misread rule (person)"),
        ("hit", Says(status=401, error={"message": "no"}), "not compared"),
    ],
    ids=["other evidence", "other reasons", "judge misread", "person misread", "no model"],
)
def test_the_model_says_how_the_reasons_compare(
    studio: Studio, server: FakeServer, outcome: str, said: Says, shown: str
) -> None:
    server.requests.clear()
    server.answer = lambda _: said
    address = asked(studio, "reviewer", "disputed")["one/disputed breathing"]
    answered(studio, "reviewer", address, outcome, "A2 asks <script>it</script>.")
    deadline = time.monotonic() + 10
    while f"<b>{shown}</b>" not in (page := studio.client("reviewer").get(address).text):
        assert time.monotonic() < deadline, page
        time.sleep(0.02)
    question = server.requests[0]["messages"][1]["content"]
    assert "<script>" not in question + page
    data = json.loads(question)
    assert (data["first"]["verdict"], data["second"]["verdict"]) == ("unscored", outcome)
    assert "judge" not in question


def test_labels_that_were_spoiled_by_hand_are_told_of_and_the_queue_stays(studio: Studio) -> None:
    (studio.data / "gold.jsonl").write_text("{}\n", encoding="utf-8")
    page = studio.client("reviewer").get("/review")
    assert page.status_code == 200
    assert "gold.jsonl:1" in page.text
    assert "breathing" in page.text
