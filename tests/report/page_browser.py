"""A headless Chromium for page tests, when this machine has one."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
    "--force-prefers-reduced-motion",
    "--window-size=1400,1000",
)


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser for the time of the context; the test is skipped where there is none."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not binary or not driver:
        pytest.skip("page tests need a Chromium and its chromedriver, and this machine has none")
    options = Options()
    options.binary_location = binary
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        chrome = Chrome(options=options, service=Service(driver))
        try:
            yield Browser(chrome)
        finally:
            chrome.quit()


class Browser:
    """What page tests do with a page."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

    def open(self, page: Path, width: int = 1400, height: int = 1000) -> None:
        """Load a page from the file system at a size, and wait until its sound is decoded or has failed."""
        self.chrome.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self._log("browser")
        self._log("performance")
        self.chrome.get(page.as_uri())
        self.chrome.execute_async_script(
            "(voicesim.player ? voicesim.player.ready : Promise.resolve()).then(arguments[0], arguments[0])"
        )

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script's return statement."""
        return self.chrome.execute_script(script, *arguments)

    def one(self, selector: str) -> WebElement:
        """The first element that a selector finds."""
        return self.chrome.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        """All elements that a selector finds."""
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Bring an element to the middle of the window and click it."""
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()

    def until(self, script: str) -> Any:
        """Wait up to 5 s until a script's value is true."""
        return WebDriverWait(self.chrome, 5, poll_frequency=0.02).until(lambda _: self.run(f"return {script}"))

    def complaints(self) -> list[str]:
        """What the console has said since the page was opened."""
        return [str(entry["message"]) for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """Addresses that the page has asked for, its own file and data in the page left out."""
        own = self.chrome.current_url.split("#")[0]
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        sent = [one["params"] for one in messages if one["method"] == "Network.requestWillBeSent"]
        asked = [one["request"]["url"] for one in sent if one["documentURL"].split("#")[0] == own]
        return [url for url in asked if url != own and not url.startswith("data:")]

    def _log(self, kind: str) -> list[dict[str, Any]]:
        """What has come to a log since it was last read."""
        read: Any = self.chrome.get_log
        return list(read(kind))
