"""A studio that answers at an address of its own, and a Chromium that looks at it."""

import json
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files
from threading import Thread
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, sync_playwright

from voicesim.studio.app import create_app
from voicesim.studio.settings import Settings

AXE = files("axe_playwright_python").joinpath("axe.min.js")
FLAGS = ("--no-sandbox", "--disable-gpu", "--mute-audio", "--force-prefers-reduced-motion")
DESKTOP, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """A studio at a free port for the length of the block; its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        app = create_app(replace(settings, port=listener.getsockname()[1]))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="websockets-sansio"))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """A browser for the length of the block; the test is skipped where there is none."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not binary:
        pytest.skip("page tests need a Chromium, and this machine has none")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Reader:
    """Somebody at a page of the studio, and what the console complained about since they came."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        """Load a page of the studio."""
        self.page.goto(f"{self.url}{path}")

    def faults(self) -> list[str]:
        """The serious faults that axe sees on this page and in its frames, each with the first element that has it."""
        rows: list[str] = []
        for frame in self.page.frames:
            frame.evaluate(AXE.read_text(encoding="utf-8"))
            result: Any = frame.evaluate("async () => (await axe.run(document, {iframes: false})).violations")
            rows += [
                f"{fault['id']}: {fault['help']}: {json.dumps(fault['nodes'][0]['html'])[:200]}"
                for fault in result
                if fault["impact"] in ("serious", "critical")
            ]
        return rows

    def overflows(self) -> bool:
        """Whether the page scrolls sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


@contextmanager
def reader(browser: Browser, url: str, **context: Any) -> Iterator[Reader]:
    """A window of its own, with cookies of its own; `context` as Playwright's new_context takes it."""
    window: BrowserContext = browser.new_context(**{"viewport": DESKTOP, **context})
    page = window.new_page()
    page.set_default_timeout(10_000)
    somebody = Reader(page, url)

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            somebody.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    page.on("console", said)
    page.on("pageerror", lambda error: somebody.complaints.append(str(error)))
    try:
        yield somebody
    finally:
        window.close()
