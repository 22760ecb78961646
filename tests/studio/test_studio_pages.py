"""The studio in a browser: cases, review, results; light and dark, wide and narrow, by keyboard, without faults."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from studio_browser import DESKTOP, PHONE, Reader, chromium, reader, served
from studio_visits import SAID, add_judge, make_visit, own_case

from voicesim.studio.settings import Settings

pytestmark = pytest.mark.page

QUIET = ("A: Hello, what can I do?", "P: My throat hurts.", "A: Any trouble breathing?", "P: No.", "A: Goodbye.")
HOSTILE = ("A: Hello. <img src=x onerror=alert(1)> Any trouble breathing?", "P: No.", "A: Please rest. Goodbye.")
PAGES = (
    "/",
    "/cases",
    "/cases/sore-throat",
    "/cases/sore-throat/edit",
    "/cases/sore-throat/edit?form=yes",
    "/cases/new",
    "/cases/cold-02-prolonged-cough/draft",
    "/review",
    "/visits/before/disputed",
    "/visits/after/early",
    "/suites",
    "/suites/before",
    "/compare",
    "/compare?side=before&side=after&anyway=yes",
)

COLOURED = ("/", "/cases/sore-throat", "/review", "/visits/before/disputed")
"""Pages that show the colours of all of them."""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a studio with two suites to compare, a disputed verdict and a visit that ended early."""
    data = tmp_path_factory.mktemp("pages")
    case = own_case(data)
    recordings = data / "recordings"
    make_visit(recordings, "before/first", case)
    make_visit(recordings, "before/disputed", case)
    make_visit(recordings, "before/hostile", case, HOSTILE)
    make_visit(recordings, "after/first", case, QUIET, agent="second-agent")
    make_visit(recordings, "after/early", case, SAID[:2], agent="second-agent", end="line_lost")
    add_judge(recordings / "before" / "disputed", "strict", {"breathing": "miss"}, "It is not asked.")
    with served(Settings(data=data, sign_in=False, sample=False)) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def somebody(browser: Browser, studio: str) -> Iterator[Reader]:
    """A window; what its console complains about fails the test."""
    with reader(browser, studio) as window:
        yield window
        assert window.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault_scrolls_sideways_or_complains(browser: Browser, studio: str, scheme: str) -> None:
    with reader(browser, studio, color_scheme=scheme) as window:
        faults: dict[str, list[str]] = {}
        for path in PAGES if scheme == "light" else COLOURED:
            window.page.set_viewport_size(DESKTOP)
            window.open(path)
            faults[path] = window.faults()
            window.page.set_viewport_size(PHONE)
            faults[path] += ["scrolls sideways"] if window.overflows() else []
            faults[path] += window.complaints
            window.complaints.clear()
        assert {path: some for path, some in faults.items() if some} == {}


def test_a_case_is_edited_checked_saved_and_compared_with_what_it_was(somebody: Reader) -> None:
    page = somebody.page
    somebody.open("/cases/sore-throat")
    page.get_by_role("link", name="Edit the text").click()
    editor = page.get_by_label("The case as YAML")
    text = editor.input_value()
    editor.fill(text.replace("kind: tell", "kind: tall"))
    page.get_by_role("button", name="Save as a new version").click()
    line = next(number for number, row in enumerate(text.splitlines(), 1) if "kind: tell" in row)
    page.get_by_role("button", name=f"line {line}").click()
    somebody.complaints.clear()  # the browser has told of the answer 422
    selected = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    assert "kind: tall" in page.get_by_label("The case as YAML").evaluate(selected)
    page.get_by_label("The case as YAML").fill(text.replace("Recommends rest.", "Recommends some rest."))
    page.get_by_label("What for").fill("said more exactly")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_role("status")).to_have_text("Saved as version 2.")
    page.get_by_role("row", name=re.compile("said more exactly")).get_by_role("link", name="2").click()
    expect(page.locator(".diff .added")).to_contain_text("Recommends some rest.")
    expect(page.locator(".diff .gone")).to_contain_text("Recommends rest.")
    # The scores of the visits stay with the version that they came from.
    somebody.open("/cases/sore-throat")
    cells = page.get_by_role("row", name=re.compile("as it came")).get_by_role("cell").all_inner_texts()
    assert cells[2] == "5"


def test_two_browsers_that_edit_one_case_lose_nothing(browser: Browser, studio: str) -> None:
    with reader(browser, studio) as first, reader(browser, studio) as second:
        for window in (first, second):
            window.open("/cases/sore-throat/edit?form=yes")
        first.page.locator("[name=title]").fill("Mine")
        second.page.locator("[name='patient.says_first']").fill("My throat is sore.")
        for window in (first, second):
            window.page.get_by_role("button", name="Save as a new version").click()
        expect(first.page.get_by_role("status")).to_contain_text("Saved")
        expect(second.page.get_by_role("alert")).to_contain_text("Not saved")
        expect(second.page.locator("[name=title]")).to_have_value("Mine")
        expect(second.page.locator("[name='patient.says_first']")).to_have_value("My throat is sore.")
        second.page.get_by_role("button", name="Save as a new version").click()
        expect(second.page.get_by_role("status")).to_contain_text("Saved")


def test_a_disputed_verdict_is_reviewed_by_keyboard_alone(somebody: Reader) -> None:
    page = somebody.page
    somebody.open("/review")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the content")).to_be_focused()
    page.get_by_role("link", name="breathing").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="breathing", exact=True)).to_be_visible()
    expect(page.locator("main")).to_contain_text("strict: miss, It is not asked.")
    page.get_by_role("radio", name="hit", exact=True).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("A2 asks it.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#people")).to_contain_text("A2 asks it.")
    somebody.open("/review")
    expect(page.get_by_text("Nothing waits for you here.")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("people and panel"))).to_contain_text("0%")


def test_a_comparison_leads_to_a_visit_and_its_card_is_heard(somebody: Reader) -> None:
    page = somebody.page
    somebody.open("/compare")
    for suite in ("before", "after"):
        page.get_by_role("checkbox", name=suite, exact=True).check()
    page.get_by_role("checkbox", name=re.compile("also when")).check()
    page.get_by_role("button", name="Compare").click()
    frame = page.frame_locator("iframe.card")
    expect(frame.locator("body")).to_contain_text("second-agent")
    frame.locator('a[href^="/visits/"]:visible').first.click()
    page.wait_for_url("**/visits/**")
    card = page.frame_locator("iframe.card")
    expect(card.locator(".check").first).to_be_visible()
    card.get_by_role("button", name="Play").first.click()
    expect(card.get_by_role("button", name="Pause").first).to_be_visible()


def test_a_visit_that_ended_early_says_why_and_another_judge_can_be_chosen(somebody: Reader) -> None:
    page = somebody.page
    somebody.open("/visits/after/early")
    expect(page.locator(".problem")).to_contain_text("Not scored")
    somebody.open("/visits/before/disputed")
    page.get_by_label("Judge").select_option("strict")
    page.wait_for_url("**judge=strict")
    frame = page.frame_locator("iframe.card")
    expect(frame.locator("#check-breathing")).to_contain_text("It is not asked.")


def test_what_an_agent_says_is_only_ever_text(somebody: Reader) -> None:
    somebody.open("/visits/before/hostile")
    frame = somebody.page.frame_locator("iframe.card")
    expect(frame.locator("#A1")).to_contain_text("<img src=x")
    somebody.open("/?words=onerror")
    assert somebody.page.locator("img").count() == 0


def test_a_shared_card_is_read_by_nobody_in_particular_until_it_is_taken_back(browser: Browser, studio: str) -> None:
    with reader(browser, studio) as mine, reader(browser, studio) as stranger:
        mine.open("/visits/before/first")
        mine.page.get_by_role("button", name="Share").click()
        link = mine.page.locator("code.copy").inner_text()
        stranger.page.goto(link)
        expect(stranger.page.locator("#check-breathing")).to_be_visible()
        assert stranger.complaints == []
        mine.page.get_by_role("button", name="Take 1 link back").click()
        answer = stranger.page.goto(link)
        assert answer is not None
        assert answer.status == 404
        answer = stranger.page.goto(link[:-4] + "AAAA")
        assert answer is not None
        assert answer.status == 404
