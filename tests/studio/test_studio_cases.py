"""Cases in the studio: checked, saved as versions, edited by two people at once, drafted, proposed and signed."""

import html
import json
import re
import time
from collections.abc import Iterator

import pytest
from model_server import FakeServer, Says, model_server
from studio_server import Studio, postgres, running
from studio_visits import make_visit, own_case

from voicesim.catalog.load import load_case
from voicesim.judge.gold import Gold, append_gold
from voicesim.studio.case_store import current
from voicesim.studio.merging import merged

NAME = "sore-throat"
COUGH = "cold-02-prolonged-cough"


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    """A model that answers whatever the test at hand lets it."""
    with model_server() as fake:
        yield fake


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def studio(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: FakeServer
) -> Iterator[Studio]:
    """A studio with a case of its own, a visit of it, and a model."""

    patch = pytest.MonkeyPatch()
    patch.setenv("VOICESIM_CACHE", str(tmp_path_factory.mktemp("cache")))
    data = tmp_path_factory.mktemp("cases")
    make_visit(data / "recordings", "first/call", own_case(data, proposer=server.url))
    with (
        postgres(request.param, tmp_path_factory) as database,
        running(data, model="proposer", database=database) as running_studio,
    ):
        yield running_studio
    patch.undo()


def text_of(page: str) -> str:
    """What stands in the editor."""
    found = re.search(r'<textarea id="text"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def edited(studio: Studio, role: str, text: str, based_on: int, name: str = NAME, do: str = "save") -> tuple[int, str]:
    """What the editor answers to a text."""
    form = {"text": text, "based_on": str(based_on), "do": do, "note": "why", "csrf": studio.csrf(role)}
    answer = studio.client(role).post(f"/cases/{name}/edit", data=form)
    return answer.status_code, answer.text


def newest(studio: Studio, name: str = NAME) -> tuple[int, str]:
    """The number and the text of the newest version."""
    inside = studio.app.state.studio
    with inside.database.session() as session:
        version = current(session, name, inside.settings)
        return version.number, version.text


def replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_errors_stand_at_their_line_and_nothing_is_saved(studio: Studio) -> None:
    number, text = newest(studio)
    wrong = replaced(replaced(text, "weight: 0.3", "weight: 0.4"), "kind: tell", "kind: tall")
    status, page = edited(studio, "reviewer", wrong, number)
    line = next(at for at, row in enumerate(wrong.splitlines(), 1) if "kind: tall" in row)
    assert (status, f'data-line="{line}"' in page) == (422, True)
    assert text_of(page).strip() == wrong.strip()
    assert newest(studio) == (number, text)
    # The opening line is checked as `voicesim check` does it.
    status, page = edited(studio, "reviewer", replaced(text, "My throat hurts.", "No fever."), number)
    assert (status, "gives away the fact" in page) == (422, True)


def test_a_saved_text_is_a_version_and_what_visits_are_run_with(studio: Studio) -> None:
    number, text = newest(studio)
    status, page = edited(studio, "reviewer", replaced(text, "Recommends rest.", "Recommends rest & sleep."), number)
    assert (status, f"Saved as version {number + 1}" in page) == (200, True)
    shown = studio.client("viewer").get(f"/cases/{NAME}/versions/{number + 1}").text
    assert "+  - {id: rest" in shown
    assert "Recommends rest &amp; sleep." in shown
    assert (
        load_case(studio.data / "catalogue" / "cases" / f"{NAME}.yaml").rubric[1].expect == "Recommends rest & sleep."
    )
    # The score of the visit belongs to the version that it was made with.
    assert "case version 1</a>" in studio.client("viewer").get("/visits/first/call").text


def test_of_two_who_edit_at_once_nobody_loses_anything(studio: Studio) -> None:
    number, text = newest(studio)
    mine = replaced(text, "My throat hurts.", "My throat is sore.")
    assert edited(studio, "reviewer", replaced(text, "A sore throat", "A very sore throat"), number)[0] == 200
    status, page = edited(studio, "clinician", mine, number)
    assert (status, "Not saved" in page, "those of reviewer" in page) == (409, True, True)
    both = text_of(page)
    assert "A very sore throat" in both
    assert "My throat is sore." in both
    assert edited(studio, "clinician", both, number + 1)[0] == 200
    # At the same line: one's own text stays in the editor, and theirs is shown.
    number, text = newest(studio)
    assert edited(studio, "reviewer", replaced(text, "Two days.", "Three days."), number)[0] == 200
    status, page = edited(studio, "clinician", replaced(text, "Two days.", "Four days."), number)
    assert (status, "Four days." in text_of(page), "Three days." in page) == (409, True, True)
    assert "Three days." in newest(studio)[1]


def test_a_case_that_somebody_changed_on_disk_is_a_version_too(studio: Studio) -> None:
    number, text = newest(studio)
    path = studio.data / "catalogue" / "cases" / f"{NAME}.yaml"
    path.write_text(replaced(text, "No fever.", "No fever at all."), encoding="utf-8")
    assert newest(studio)[0] == number + 1
    assert "changed outside the studio" in studio.client("viewer").get(f"/cases/{NAME}").text
    status, _ = edited(studio, "reviewer", replaced(text, "No fever.", "No fever, no."), number)
    assert status == 409


def test_the_form_changes_what_it_shows_and_leaves_the_rest(studio: Studio) -> None:
    number, text = newest(studio)
    form = {"text": text, "form": "yes", "based_on": str(number), "do": "save", "csrf": studio.csrf("reviewer")}
    form["rubric.rest.expect"] = 'Says: "rest"'
    assert studio.client("reviewer").post(f"/cases/{NAME}/edit", data=form).status_code == 200
    saved = newest(studio)[1]
    changed = [new for old, new in zip(text.splitlines(), saved.splitlines(), strict=True) if old != new]
    assert len(changed) == 1
    assert load_case(studio.data / "catalogue" / "cases" / f"{NAME}.yaml").rubric[1].expect == 'Says: "rest"'


def test_a_new_case_begins_as_a_copy_and_its_id_may_not_lead_elsewhere(studio: Studio) -> None:
    client = studio.client("reviewer")
    page = client.get("/cases/new", params={"name": "sore-again", "start": NAME}).text
    assert edited(studio, "reviewer", text_of(page), 0, "sore-again")[0] == 200
    assert newest(studio, "sore-again")[0] == 1
    assert client.get("/cases/new", params={"name": NAME, "start": NAME}).status_code == 422
    for name in ("..%2F..%2Fx", "new", "A", "x" * 120):
        assert edited(studio, "reviewer", newest(studio)[1], 0, name)[0] == 404
    assert {path.name for path in (studio.data / "catalogue" / "cases").iterdir()} == {
        f"{NAME}.yaml",
        "sore-again.yaml",
    }


def test_a_clinician_signs_one_version_and_the_next_is_not_signed(studio: Studio) -> None:
    number, text = newest(studio)
    form = {"note": "read <all> of it", "csrf": studio.csrf("clinician")}
    signed = studio.client("clinician").post(f"/cases/{NAME}/versions/{number}/sign", data=form)
    assert "read &lt;all&gt; of it" in signed.text
    assert edited(studio, "reviewer", replaced(text, "very sore", "rather sore"), number)[0] == 200
    page = studio.client("viewer").get(f"/cases/{NAME}").text
    row = re.search(rf"<tr><th scope=\"row\"><a href=\"[^\"]*/{number + 1}\">.*?</tr>", page, re.DOTALL)
    assert row
    assert "clinician" not in row[0]


def test_a_draft_shows_its_evidence_and_a_clinician_signs_what_is_taken_of_it(studio: Studio) -> None:
    client = studio.client("clinician")
    page = client.get(f"/cases/{COUGH}/draft").text
    rows = re.findall(r'name="chosen" value="([^"]+)".*?(<q>.*?</q>|class="need")', page, re.DOTALL)
    assert len(rows) == page.count('name="chosen"') > 5
    ids = [name for name, evidence in rows if evidence.startswith("<q>")]
    before = newest(studio, COUGH)[0]
    form = {"chosen": ids[:3], "sign": "yes", "csrf": studio.csrf("clinician")}
    proposal = client.post(f"/cases/{COUGH}/draft", data=form)
    assert "signed by clinician" in proposal.text
    assert studio.client("reviewer").post(proposal.url.path, data={"do": "approve"}).status_code == 403
    done = client.post(proposal.url.path, data={"do": "approve", "csrf": studio.csrf("clinician")})
    assert done.status_code == 200
    assert newest(studio, COUGH)[0] == before + 1
    case = load_case(studio.data / "catalogue" / "cases" / f"{COUGH}.yaml")
    assert [check.signed.by if check.signed else "" for check in case.rubric] == ["clinician"] * 3
    assert all(check.sources for check in case.rubric)
    # Only a clinician may sign.
    form = {"chosen": ids[:3], "sign": "yes", "csrf": studio.csrf("reviewer")}
    assert studio.client("reviewer").post(f"/cases/{COUGH}/draft", data=form).status_code == 403


def test_the_model_rewords_disputed_checks_and_nothing_changes_before_somebody_approves(
    studio: Studio, server: FakeServer
) -> None:
    number, text = newest(studio)
    client = studio.client("clinician")
    gold = {
        "item": "call",
        "check": "breathing",
        "source": "human",
        "rater": "ann",
        "recording": "recordings/first/call",
    }
    disputed = Gold(**gold, case=NAME, judge="cues", outcome="hit", label="miss", reason="Only of the throat.")
    append_gold(studio.data / "gold.jsonl", [disputed])
    server.answers[:] = [Says(json.dumps({"reason": "Clearer.", "expect": "Asks about trouble breathing now."}))]
    page = client.post(f"/cases/{NAME}/propose", data={"what": "wording", "csrf": studio.csrf("clinician")}).text
    deadline = time.monotonic() + 10
    while "at work" in page and time.monotonic() < deadline:
        time.sleep(0.05)
        page = client.get(f"/cases/{NAME}").text
    found = re.search(r"/proposals/\d+(?=\">breathing, disputed 1 times: Clearer)", page)
    assert found, page
    assert newest(studio) == (number, text)
    assert "Asks about trouble breathing now." in client.get(found[0]).text
    # Somebody changes another line meanwhile: both changes are in the version that comes of it.
    assert edited(studio, "reviewer", replaced(text, "My throat is sore.", "My throat hurts a lot."), number)[0] == 200
    approved = {"do": "approve", "csrf": studio.csrf("clinician")}
    assert client.post(found[0], data=approved).status_code == 200
    made = newest(studio)
    assert made[0] == number + 2
    assert "Asks about trouble breathing now." in made[1]
    assert "My throat hurts a lot." in made[1]
    assert client.post(found[0], data=approved).status_code == 409
    # The visit is judged again by the new version, on a copy; the first score stays.
    again = f"/visits/first.v{made[0]}/call"
    while (copy := client.get(again)).status_code == 404 and time.monotonic() < deadline + 10:
        time.sleep(0.05)
    assert f"case version {made[0]}</a>" in copy.text
    assert "case version 1</a>" in client.get("/visits/first/call").text


def test_what_the_model_cannot_do_is_told_and_can_be_dismissed(studio: Studio, server: FakeServer) -> None:
    client = studio.client("clinician")
    server.answers[:] = [Says(status=401, error={"message": "no such key"})]
    page = client.post(f"/cases/{NAME}/propose", data={"what": "wording", "csrf": studio.csrf("clinician")}).text
    deadline = time.monotonic() + 10
    while "at work" in page and time.monotonic() < deadline:
        time.sleep(0.05)
        page = client.get(f"/cases/{NAME}").text
    found = re.search(r'failed</span> <a href="(/proposals/\d+)"', page)
    assert found, page
    client.post(found[1], data={"do": "refuse", "csrf": studio.csrf("clinician")})
    assert found[1] not in client.get(f"/cases/{NAME}").text


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ("A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"),
        ("a\nX\nc\nd\n", "a\nb\nC\nd\n", None),
        ("a\nb\nc\nd\n", "b\nc\nd\n", "b\nc\nd\n"),
        ("A\nb\nc\nd\n", "A\nb\nc\nd\n", "A\nb\nc\nd\n"),
        ("A\nb\nc\nd\n", "B\nb\nc\nd\n", None),
        ("x\na\nb\nc\nd\n", "y\na\nb\nc\nd\n", None),
    ],
    ids=["apart", "neighbours", "only theirs", "the same", "one line", "one place"],
)
def test_changes_are_brought_together_where_they_do_not_meet(mine: str, theirs: str, both: str | None) -> None:
    assert merged("a\nb\nc\nd\n", mine, theirs) == both
    assert merged("a\nb\nc\nd\n", theirs, mine) == both
