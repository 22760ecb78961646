"""A visit from its order to its card, its search, its share link, its suite and its review: on both databases."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from studio_server import Studio, postgres, running

from voicesim.studio import sample

ORDER = {"case": "cold-01-andi", "agent": "realtime", "suite": "wrong"}
PLACE = "sample/cold-04-emergency-dyspnea"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample call, transcribed, judged and reported: what a new studio begins with."""
    data = tmp_path_factory.mktemp("sample")
    with running(data) as made:
        settings, database = made.app.state.studio.settings, made.app.state.studio.database
        assert sample.wanted(settings)
        sample.put(settings, database)
    return data / "recordings"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def studio(
    request: pytest.FixtureRequest, recordings: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Studio]:
    """A studio over one recording, which it finds by itself."""
    data = tmp_path_factory.mktemp("visits")
    shutil.copytree(recordings, data / "recordings")
    with postgres(request.param, tmp_path_factory) as url, running(data, database=url) as made:
        yield made


@pytest.fixture
def viewer(studio: Studio) -> TestClient:
    """The browser of somebody who may only read."""
    return studio.client("viewer")


def place(studio: Studio) -> str:
    """Where the visit is."""
    visits = studio.client("viewer").get("/api/visits").json()
    assert visits["total"] == 1
    return str(visits["visits"][0]["place"])


def test_a_visit_has_its_page_its_card_and_what_it_came_to(studio: Studio, viewer: TestClient) -> None:
    where = place(studio)
    page = viewer.get(f"/visits/{where}")
    assert page.status_code == 200
    assert f'src="/visits/{where}/card"' in page.text
    card = viewer.get(f"/visits/{where}/card")
    assert "allow-scripts" in card.headers["content-security-policy"]
    assert "allow-same-origin" not in card.headers["content-security-policy"]
    told = viewer.get(f"/api/visits/{where}").json()
    assert told["case"] == "cold-04-emergency-dyspnea"
    assert told["checks"]
    listed = viewer.get("/").text
    assert told["gate"] in listed


def test_everything_that_was_said_can_be_searched(studio: Studio, viewer: TestClient) -> None:
    said = (studio.data / "recordings" / place(studio) / "transcript.json").read_text()
    word = max(re.findall(r'"text": ?"([^"]+)"', said), key=len).split()[0].strip(".,?!").lower()
    assert viewer.get("/api/visits", params={"words": word}).json()["total"] == 1
    assert viewer.get("/api/visits", params={"words": "zyzzyva"}).json()["total"] == 0
    assert viewer.get("/api/visits", params={"case": "cold-02-prolonged-cough"}).json()["total"] == 0
    for odd in ('"', "a' OR 1=1 --", "* ( ) & | !", "\x00", "🩺"):
        assert viewer.get("/api/visits", params={"words": odd}).status_code == 200


def test_a_shared_link_shows_one_card_until_it_is_taken_back(studio: Studio) -> None:
    where, reviewer = place(studio), studio.client("reviewer")
    form = {"csrf": studio.csrf("reviewer")}
    page = reviewer.post(f"/visits/{where}/share", data=form)
    link = re.search(r"/shared/[\w-]+", page.text)
    assert link
    guest = studio.client(None)
    assert guest.get(link[0]).status_code == 200
    assert guest.get(f"/visits/{where}", follow_redirects=False).status_code == 303
    reviewer.post(f"/visits/{where}/unshare", data=form)
    assert guest.get(link[0]).status_code == 404


def test_a_suite_and_a_comparison_are_shown(studio: Studio, viewer: TestClient) -> None:
    assert "sample" in viewer.get("/suites").text
    assert viewer.get("/suites/sample/page").status_code == 200
    refused = viewer.get("/compare/page", params={"side": "sample"})
    assert (refused.status_code, "two" in refused.text or "side" in refused.text) == (422, True)


def test_people_decide_with_a_reason_see_each_other_only_then_and_become_gold(studio: Studio) -> None:
    waiting = studio.client("reviewer").get("/review", params={"kind": "sampled"}).text
    question = re.search(r'href="(/review/\d+)[?"]', waiting)
    assert question
    for role, outcome in (("reviewer", "hit"), ("clinician", "miss")):
        client, csrf = studio.client(role), studio.csrf(role)
        assert client.post(question[1], data={"csrf": csrf, "outcome": outcome, "reason": ""}).status_code == 422
        before = client.get(question[1]).text
        assert "because I heard it" not in before
        form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', before))
        form |= {"csrf": csrf, "outcome": outcome, "reason": f"because I heard it, {role}"}
        assert client.post(question[1], data=form, follow_redirects=False).status_code == 303
        assert "because I heard it" in client.get(question[1]).text
    differing = studio.client("admin").get("/review", params={"kind": "differing"}).text
    assert question[1] in differing
    assert "clinician and reviewer" in differing
    gold = (studio.data / "gold.jsonl").read_text().splitlines()
    assert len(gold) == 2


def test_the_tables_are_made_anew_from_the_folders(studio: Studio) -> None:
    from sqlalchemy import delete

    from voicesim.studio.indexing import index
    from voicesim.studio.tables.visits import Visit

    database, where = studio.app.state.studio.database, place(studio)
    with database.session() as session:
        session.execute(delete(Visit))
    assert studio.client("viewer").get("/api/visits").json()["total"] == 0
    assert index(database, studio.data / "recordings") == 1
    assert place(studio) == where


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"case": "cold-1"}, "Did you mean"),
        ({"case": "../../etc/passwd"}, "there is no case"),
        ({"agent": "telepathy:x"}, "there is no agent"),
        ({"judge": "/etc/passwd"}, "there is no judge"),
        ({"mind": "script:/etc/passwd"}, "there is no mind"),
        ({"suite": "../x"}, "suite"),
        ({"clock": "live"}, "real time"),
    ],
)
def test_an_order_that_is_wrong_is_refused_with_what_would_be_right(
    studio: Studio, wrong: dict[str, str], says: str
) -> None:
    headers = {"x-csrf-token": studio.csrf("operator")}
    order = ORDER | wrong
    if wrong.get("clock"):
        order |= {"mind": "manual", "clock": "virtual"}
    answer = studio.client("operator").post("/api/runs", json=order, headers=headers)
    assert answer.status_code == 422
    assert says in answer.text
    assert [path.name for path in (studio.data / "recordings").iterdir()] == ["sample"]
