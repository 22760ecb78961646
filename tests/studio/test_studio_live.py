"""Visits while they run, in a browser: watched and heard to their card, typed, and spoken into a microphone."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import soundfile
from playwright.sync_api import Browser, expect
from spoken_agent import spoken
from studio_browser import Reader, chromium, reader, served

from voicesim.recording.read import open_recording
from voicesim.studio.settings import Settings

pytestmark = [pytest.mark.live, pytest.mark.page]
CALL_TAKES = 90_000
"""Milliseconds that a short call and all that follows it may take on a busy machine."""
SAID = "I have had a sore throat for three days."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the studio keeps its things."""
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def url(data: Path) -> Iterator[str]:
    """A studio whose workers know the agents of this test."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), before)))
    try:
        with served(Settings(data=data, sign_in=False, sample=False)) as address:
            yield address
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose microphone is a file in which somebody speaks, again and again."""
    microphone = tmp_path_factory.mktemp("microphone") / "said.wav"
    soundfile.write(microphone, spoken(SAID), 24_000)
    flags = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    with chromium(*flags, f"--use-file-for-fake-audio-capture={microphone}") as started:
        yield started


@pytest.fixture
def somebody(browser: Browser, url: str) -> Iterator[Reader]:
    """Somebody in a window of their own."""
    with reader(browser, url) as window:
        yield window


def begin(somebody: Reader, mind: str, agent: str) -> None:
    """Start a visit by its form, and be led to its page."""
    somebody.open("/visits/new")
    somebody.page.get_by_label("Case", exact=True).select_option("cold-01-andi")
    somebody.page.get_by_label("Agent", exact=True).fill(f"python:studio_nurse:{agent}")
    somebody.page.get_by_label("Patient", exact=True).select_option(mind)
    somebody.page.get_by_role("button", name="Start").click()
    somebody.page.wait_for_url("**/runs/*")


def test_a_visit_is_watched_and_heard_to_its_card(somebody: Reader) -> None:
    begin(somebody, "cues", "nurse")
    page = somebody.page
    page.get_by_role("button", name="Hear the call").click()
    expect(page.locator("#events .patient").first).to_be_visible(timeout=CALL_TAKES)
    expect(page.locator("#clock")).not_to_have_text("0:00", timeout=CALL_TAKES)
    expect(page.get_by_role("button", name="Stop hearing")).to_be_visible()
    card = page.locator(".plain-list a").first
    expect(card).to_be_visible(timeout=CALL_TAKES)
    expect(page.locator("#step")).to_have_text("finished", timeout=CALL_TAKES)
    card.click()
    expect(page.frame_locator("iframe.card").locator("h1").first).to_be_visible()
    assert somebody.complaints == []


def test_a_person_types_what_the_patient_says(somebody: Reader, data: Path) -> None:
    begin(somebody, "manual", "patient_nurse")
    page = somebody.page
    expect(page.get_by_text("Tell this only when you are asked for it")).to_be_visible()
    expect(page.locator("#events .patient").first).to_be_visible(timeout=CALL_TAKES)
    page.get_by_label("Your next line").fill("It hurts when I swallow.")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("#events")).to_contain_text("It hurts when I swallow.", timeout=CALL_TAKES)
    page.get_by_role("button", name="Hang up").click()
    expect(page.locator("#step")).to_have_text("finished", timeout=CALL_TAKES)
    expect(page.get_by_text("played by a person").first).to_be_visible()
    assert not any("error" in complaint for complaint in somebody.complaints)


def test_a_person_speaks_what_the_patient_says(somebody: Reader, data: Path) -> None:
    begin(somebody, "microphone", "patient_nurse")
    page = somebody.page
    page.get_by_role("button", name="Speak by microphone").click()
    expect(page.locator("#microphone-state")).to_have_text("connected", timeout=CALL_TAKES)
    expect(page.locator("#clock")).to_have_text(re.compile(r"0:1\d"), timeout=CALL_TAKES)
    page.get_by_role("button", name="Hang up").click()
    expect(page.locator("#step")).to_have_text("finished", timeout=CALL_TAKES)
    expect(page.get_by_text("played by a person").first).to_be_visible()
    page.locator(".plain-list a").first.click()
    folder = next(path.parent for path in data.rglob("call.json") if '"microphone"' in path.read_text())
    recording = open_recording(folder)
    assert (recording.manifest.mind, recording.manifest.validity and recording.manifest.validity.reason) == (
        "microphone",
        "played_by_hand",
    )
    words = " ".join(
        utterance["text"]
        for utterance in json.loads((folder / "transcript.json").read_text())["utterances"]
        if utterance["id"].startswith("P")
    )
    assert "throat" in words
