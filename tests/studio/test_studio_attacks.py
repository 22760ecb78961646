"""What strangers and their agents try: addresses, ids, bodies, forms, names and words that are not what they seem."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from studio_server import PASSWORD, Studio, running
from studio_visits import make_visit

from voicesim.catalog.find import Catalogue
from voicesim.errors import UsageError
from voicesim.recording import files
from voicesim.studio import accounts
from voicesim.studio.addresses import check_webhook
from voicesim.studio.indexing import index
from voicesim.studio.settings import Settings
from voicesim.studio.state import Attempts
from voicesim.studio.tables.people import Person
from voicesim.studio.tables.visits import Visit
from voicesim.studio.visits.asked import catalogue_of, check_agent

SCRIPT = "<script>alert('x')</script><img src=x onerror=alert(1)>"
PLACE = "attacked/call"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio with a visit whose agent said a script, and whose names hold more of it than a table has room for."""
    data = tmp_path_factory.mktemp("attacks")
    case = Catalogue.here().case("cold-01-andi")
    make_visit(data / "recordings", PLACE, case, said=(f"A: {SCRIPT}", "P: Hello\x00there."), agent=SCRIPT + "x" * 2000)
    with running(data) as server:
        yield server


@pytest.mark.parametrize(
    "agent",
    [
        "pcm:wss://evil.example.net/a.example.com/",
        "pcm:wss://evil.example.net?x=.example.com/",
        "pcm:wss://a.example.com@evil.example.net/",
        "pcm:wss://evil.example.net#.example.com/",
        "pcm:wss://example.com.evil.example.net/",
        "pcm:wss://a.example.com:6379/",
        "pcm:ws://a.example.com/",
        "pcm:wss://169.254.169.254/",
        "pcm:wss://a.example.com/\n/x",
        "pcm:wss://a.example.com\\@evil.example.net/",
        "python:os:system",
        "pcm:file:///etc/passwd",
    ],
)
def test_an_agent_elsewhere_than_allowed_is_refused(agent: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, host="0.0.0.0", agents=("pcm:wss://*.example.com/*", "python:*"))
    with pytest.raises(UsageError, match="not allowed here"):
        check_agent(agent, settings, catalogue_of(settings))


@pytest.mark.parametrize(
    ("pattern", "agent"),
    [
        ("pcm:wss://*.example.com/*", "pcm:wss://a.example.com/calls?case=1"),
        ("wss://*.example.com/*", "pcm:wss://A.Example.com/calls"),
        ("pcm:ws://10.0.0.7:9000", "pcm:ws://10.0.0.7:9000"),
        ("pcm:ws://10.0.0.7:9000", "pcm:ws://10.0.0.7:9000/"),
        ("openai:*", "openai:gpt-realtime"),
    ],
)
def test_an_agent_that_is_allowed_is_called(pattern: str, agent: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, host="0.0.0.0", agents=(pattern,))
    check_agent(agent, settings, catalogue_of(settings))


@pytest.mark.parametrize(
    "path",
    [
        "/runs/99999999999999999999999",
        "/runs/-1",
        "/review/99999999999999999999999",
        "/proposals/99999999999999999999999",
        "/api/runs/99999999999999999999999",
        "/cases/cold-01-andi/versions/99999999999999999999999",
        "/visits/attacked%00/call",
        "/shared/guessed",
        "/welcome/guessed",
        "/?page=99999999999999999999999&case=%00",
        "/?words=%00&agent=%F0%9F%A9%BA",
        "/api/visits?page=-5&words=%22%27%3B--",
    ],
)
def test_a_guessed_id_leads_to_nothing_and_breaks_nothing(studio: Studio, path: str) -> None:
    assert studio.client("admin").get(path).status_code in (200, 400, 404, 422)


def test_scripts_in_what_an_agent_said_and_is_called_stay_text(studio: Studio) -> None:
    admin = studio.client("admin")
    for path in ("/", f"/visits/{PLACE}", "/suites", f"/?words={SCRIPT}", "/audit", "/people", "/review?kind=sampled"):
        page = admin.get(path)
        assert page.status_code == 200, path
        assert "<script>alert" not in page.text, path
        assert "<img src=x" not in page.text, path
    card = admin.get(f"/visits/{PLACE}/card")
    assert "<script>alert" not in card.text
    assert card.headers["content-security-policy"].startswith("sandbox")


def test_a_recording_that_no_table_has_room_for_is_found_all_the_same(studio: Studio) -> None:
    visit = studio.client("viewer").get("/api/visits", params={"words": "there"}).json()["visits"][0]
    assert (visit["place"], len(visit["agent"])) == (PLACE, 300)


def test_a_folder_of_nonsense_keeps_nobody_from_starting(studio: Studio, tmp_path: Path) -> None:
    shutil.copytree(studio.data / "recordings" / PLACE, tmp_path / "recordings" / "good" / "call")
    for name, text in (("empty", ""), ("list", "[]"), ("deep", "[" * 100_000), ("half", '{"call_id": ')):
        (tmp_path / "recordings" / "bad" / name).mkdir(parents=True)
        (tmp_path / "recordings" / "bad" / name / files.MANIFEST).write_text(text)
    with running(tmp_path) as server:
        assert [v["place"] for v in server.client("viewer").get("/api/visits").json()["visits"]] == ["good/call"]


def test_a_body_without_a_length_is_read_up_to_the_bound(studio: Studio) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    for path, kind in (
        ("/visits", "application/x-www-form-urlencoded"),
        ("/api/runs", "application/json"),
        ("/sign-in", "application/x-www-form-urlencoded"),
    ):
        headers = {"x-csrf-token": studio.csrf("admin"), "content-type": kind}
        assert studio.client("admin").post(path, content=endless(), headers=headers).status_code == 413, path


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/sign-in", {"name": "a\x00b", "password": "x"}),
        ("/sign-in", {"name": "x" * 100_000, "password": "y" * 1_000_000}),
        ("/me/tokens", {"name": "\x00" + "x" * 500}),
        ("/people/invite", {"role": "king"}),
        ("/people/99999999999999999999999", {"role": "admin"}),
        ("/visits/delete", {"place": "../../etc"}),
        ("/visits/delete", {"place": "attacked"}),
        ("/visits", {"case": "\x00", "agent": "realtime", "max_turns": "many", "extra": "x"}),
        ("/cases/cold-01-andi/edit", {"text": "a: &a [*a, *a]\n" + "[" * 50_000, "do": "save", "based_on": "9" * 40}),
        ("/runs/1/say", {"line": "\x00"}),
    ],
)
def test_a_form_with_odd_values_is_answered_and_changes_nothing(
    studio: Studio, path: str, form: dict[str, str]
) -> None:
    before = sorted(str(path) for path in studio.data.rglob("*") if "sqlite" not in path.name)
    answer = studio.client("admin").post(path, data=form | {"csrf": studio.csrf("admin")}, follow_redirects=False)
    assert answer.status_code in (200, 303, 400, 401, 404, 409, 422, 429), answer.text
    assert sorted(str(path) for path in studio.data.rglob("*") if "sqlite" not in path.name) == before


@pytest.mark.parametrize("to", ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example", ""])
def test_signing_in_leads_nowhere_else(studio: Studio, to: str) -> None:
    guest = studio.client(None)
    form = {"name": "viewer", "password": PASSWORD, "next": to}
    where = guest.post("/sign-in", data=form, follow_redirects=False).headers["location"]
    assert where.startswith("/")
    assert not where.startswith(("//", "/\\", "/\t"))


def test_a_sign_in_form_of_another_site_is_refused(studio: Studio) -> None:
    for origin in ("https://evil.example", "null"):
        form = {"name": "viewer", "password": PASSWORD}
        answer = studio.client(None).post("/sign-in", data=form, headers={"origin": origin}, follow_redirects=False)
        assert answer.status_code == 403


def test_failed_sign_ins_of_many_names_take_no_room_for_ever() -> None:
    attempts = Attempts()
    for number in range(50_000):
        attempts.add((f"name {number}", "address a"), number * 1.0)
    assert len(attempts.failed) < 15_000
    assert attempts.too_many(("address a",), 50_000.0)
    assert not attempts.too_many(("address a",), 60_000.0)


def test_an_invitation_makes_one_account_though_many_come_at_once(studio: Studio) -> None:
    database = studio.app.state.studio.database
    with database.session() as session:
        secret = accounts.invite(session, "operator")
    ready, statuses = threading.Barrier(4), []

    def join(number: int) -> None:
        guest = studio.client(None)
        ready.wait()
        form = {"name": f"new-{number}", "password": PASSWORD}
        statuses.append(guest.post(f"/welcome/{secret}", data=form, follow_redirects=False).status_code)

    threads = [threading.Thread(target=join, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses.count(303) == 1
    with database.session() as session:
        assert len(session.scalars(select(Person).where(Person.name.startswith("new-"))).all()) == 1


def test_nobody_joins_by_the_name_that_stands_for_this_machine(studio: Studio) -> None:
    with studio.app.state.studio.database.session() as session:
        secret = accounts.invite(session, "viewer")
    form = {"name": " Local", "password": PASSWORD}
    assert studio.client(None).post(f"/welcome/{secret}", data=form, follow_redirects=False).status_code == 422


def test_who_has_no_access_any_more_is_out_at_once(studio: Studio) -> None:
    database, guest = studio.app.state.studio.database, studio.client(None)
    with database.session() as session:
        person = accounts.add_person(session, "leaver", "operator", PASSWORD)
        number, secret = person.id, accounts.new_token(session, person, "ci")
    assert guest.post("/sign-in", data={"name": "leaver", "password": PASSWORD}).status_code == 200
    program = {"authorization": f"Bearer {secret}"}
    assert studio.client(None).get("/api/visits", headers=program).status_code == 200
    form = {"role": "operator", "active": "no", "csrf": studio.csrf("admin")}
    assert studio.client("admin").post(f"/people/{number}", data=form).status_code == 200
    assert guest.get("/", follow_redirects=False).status_code == 303
    assert studio.client(None).get("/api/visits", headers=program).status_code == 401


@pytest.mark.parametrize(
    "url",
    [
        "http://ci.example.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/",
        "https://2130706433/",
        "https://0.0.0.0/",
        "https://[::ffff:10.0.0.1]/",
        "https://name:word@ci.example.com/",
        "ftp://ci.example.com/",
    ],
)
def test_a_webhook_into_the_studios_own_network_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="webhook"):
        check_webhook(url, Settings(data=tmp_path, host="0.0.0.0"))


def test_deleting_a_visit_removes_its_sound_and_its_words(studio: Studio) -> None:
    shutil.copytree(studio.data / "recordings" / PLACE, studio.data / "recordings" / "gone" / "call")
    index(studio.app.state.studio.database, studio.data / "recordings")
    assert studio.client("viewer").get("/visits/gone/call").status_code == 200
    form = {"place": "gone/call", "csrf": studio.csrf("admin")}
    assert studio.client("admin").post("/visits/delete", data=form).status_code == 200
    assert not (studio.data / "recordings" / "gone" / "call").exists()
    assert studio.client("viewer").get("/api/visits", params={"words": "there"}).json()["total"] == 1
    with studio.app.state.studio.database.session() as session:
        assert session.scalar(select(Visit.id).where(Visit.place == "gone/call")) is None
    assert "gone/call" in studio.client("admin").get("/audit").text


def test_the_api_describes_itself_and_only_what_programs_may_use(studio: Studio) -> None:
    described = studio.client(None).get("/api/openapi.json").json()
    assert all(path.startswith("/api/") for path in described["paths"])
    assert {"/api/runs", "/api/runs/{run_id}", "/api/visits"} <= set(described["paths"])
    assert PASSWORD not in json.dumps(described)
