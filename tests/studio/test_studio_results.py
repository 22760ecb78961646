"""What came of visits, in the studio: cards by judge, suites, sweeps, comparisons, links that are shared."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from conftest import CASE
from sqlalchemy import update
from studio_server import Studio, running
from studio_visits import SAID, add_judge, make_visit, own_case

from voicesim.catalog.load import load_case
from voicesim.recording import files
from voicesim.results.sweep import SWEEP, Sweep, SweepAxis, SweepPoint
from voicesim.studio.case_store import read as checked
from voicesim.studio.case_store import save
from voicesim.studio.database import now
from voicesim.studio.indexing import index
from voicesim.studio.rejudging import rejudge
from voicesim.studio.tables.visits import ShareLink


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio with a suite of two judges, and one that is a sweep and ended early."""
    data = tmp_path_factory.mktemp("results")
    case = own_case(data)
    make_visit(data / "recordings", "first/call", case)
    add_judge(data / "recordings" / "first" / "call", "strict", {"breathing": "miss"}, "It is not asked.")
    make_visit(data / "recordings", "second/early", case, SAID[:2], agent="other", end="line_lost")
    axis = SweepAxis(name="snr", values=("10",), numbers=True)
    sweep = Sweep(case="sore-throat", agent="other", axes=(axis,), points=(SweepPoint(values=("10",), keys=("k",)),))
    files.save(data / "recordings" / "second", SWEEP, sweep)
    with running(data) as server:
        yield server


def test_a_card_of_another_judge_is_shown_and_the_one_on_disk_stays(studio: Studio) -> None:
    path = studio.data / "recordings" / "first" / "call" / files.SCORECARD
    before = path.read_bytes()
    shown = studio.client("viewer").get("/visits/first/call/card?judge=strict")
    assert "It is not asked." in shown.text
    assert path.read_bytes() == before
    # The newest verdicts are the panel's, made after the card: it is not shown any more.
    assert "no majority" in studio.client("viewer").get("/visits/first/call/card").text
    assert studio.client("viewer").get("/visits/first/call/card?judge=nobody").status_code == 404


def test_frames_cannot_reach_the_studio_and_links_lead_out_of_them(studio: Studio) -> None:
    for path in (
        "/visits/first/call/card",
        "/suites/first/page",
        "/suites/second/page?view=sweep",
        "/compare/page?side=first",
    ):
        answer = studio.client("viewer").get(path)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("sandbox ")
        assert "allow-same-origin" not in policy
        assert "frame-ancestors 'self'" in policy
    assert 'href="/visits/first/call" target="_top"' in studio.client("viewer").get("/suites/first/page").text


def test_what_cannot_be_compared_says_why_inside_the_frame(studio: Studio) -> None:
    answer = studio.client("viewer").get("/compare/page?side=first&side=second")
    assert (answer.status_code, "not compared" in answer.text) == (422, True)
    assert str(studio.data) not in answer.text
    assert studio.client("viewer").get("/compare/page?side=first&side=..").status_code == 404


def test_a_visit_that_ended_early_stays_and_says_why_it_has_no_score(studio: Studio) -> None:
    page = studio.client("viewer").get("/visits/second/early").text
    assert re.search(r"Not scored: [^<]*line", page)
    assert "not scored" in studio.client("viewer").get("/?suite=second").text
    assert "Sweep</a>" in studio.client("viewer").get("/suites/second").text
    assert "Sweep</a>" not in studio.client("viewer").get("/suites/first").text


def test_a_shared_link_ends_by_itself_and_nobody_may_ask_for_a_year(studio: Studio) -> None:
    client, form = studio.client("reviewer"), {"csrf": studio.csrf("reviewer"), "days": "3"}
    page = client.post("/visits/first/call/share", data=form).text
    link = re.search(r"/shared/[\w-]+", page)
    assert link
    assert "for 3 days" in page
    assert studio.client(None).get(link[0]).status_code == 200
    with studio.app.state.studio.database.session() as session:
        session.execute(update(ShareLink).values(expires=now() - timedelta(seconds=1)))
    assert studio.client(None).get(link[0]).status_code == 404
    assert client.post("/visits/first/call/share", data=form | {"days": "365"}).status_code == 422


def test_judging_again_asks_every_judge_there_was_and_copies_no_sound(studio: Studio) -> None:
    inside = studio.app.state.studio
    recordings = studio.data / "recordings"
    make_visit(recordings, "third.version/call", load_case(studio.data / "catalogue" / "cases" / "sore-throat.yaml"))
    index(inside.database, recordings)
    (recordings / "first" / "call" / "verdicts" / "strict.json").unlink()
    text = CASE.replace("Recommends rest.", "Recommends to rest.")
    with inside.database.session() as session:
        save(session, checked(text, "sore-throat", inside.settings), 1, "ann", "", inside.settings)
    assert rejudge(inside.settings, inside.database, "sore-throat") == 3
    copy = recordings / "first.v2" / "call"
    assert (copy / "audio.flac").samefile(recordings / "first" / "call" / "audio.flac")
    assert (recordings / "third.version.v2" / "call").is_dir()
    # Once more: copies are not copied.
    assert rejudge(inside.settings, inside.database, "sore-throat") == 3
    assert not list(recordings.glob("*.v2.v2"))
