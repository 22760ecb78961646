"""Polite requests: one at a time and not too often, kept on disk, no further than a host's robots.txt allows."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from voicesim import __version__
from voicesim.cache import DiskCache, cache_folder
from voicesim.errors import UsageError

MOST_BYTES = 5_000_000
SECONDS = 30.0
"""For one answer, from the first byte asked to the last one read."""
KEPT_SECONDS = 7 * 86_400
AGENT = f"voicesim/{__version__} (evidence for rubrics)"
_STAMP = 8


def _cache() -> DiskCache:
    return DiskCache(cache_folder() / "evidence", ".bin")


@dataclass
class Web:
    """`pause` are seconds between two requests to one host; `robots` asks for its robots.txt first (for pages)."""

    pause: float = 1.0
    robots: bool = False
    cache: DiskCache | None = field(default_factory=_cache)
    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    _last: dict[str, float] = field(default_factory=dict)
    _rules: dict[str, RobotFileParser] = field(default_factory=dict)

    def get(self, url: str, params: Mapping[str, str] | None = None) -> bytes:
        """The body of an answer, from the cache where it is younger than a week.

        Raises UsageError when the host cannot be reached, refuses, sends more than 5 MB, takes longer than 30 s,
        leads elsewhere, or when its robots.txt says no.
        """
        key = [url, sorted((params or {}).items())]
        cached = self.cache.get(key) if self.cache else None
        if cached and self.now() - int.from_bytes(cached[:_STAMP], "big") < KEPT_SECONDS:
            return cached[_STAMP:]
        if self.robots and not self._allowed(url):
            raise UsageError(f"{url}: the host's robots.txt does not allow it")
        body = self._fetched(url, params or {})
        if self.cache:
            self.cache.put(key, int(self.now()).to_bytes(_STAMP, "big") + body)
        return body

    def _allowed(self, url: str) -> bool:
        parts = urlsplit(url)
        host = f"{parts.scheme}://{parts.netloc}"
        if host not in self._rules:
            rules = RobotFileParser()
            try:
                rules.parse(self._fetched(f"{host}/robots.txt", {}).decode("utf-8", "replace").splitlines())
            except UsageError:
                rules.parse([])  # no robots.txt: everything is allowed
            self._rules[host] = rules
        return self._rules[host].can_fetch(AGENT, url)

    def _fetched(self, url: str, params: Mapping[str, str]) -> bytes:
        import httpx2

        host = urlsplit(url).netloc
        wait = self._last.get(host, float("-inf")) + self.pause - self.now()
        if wait > 0:
            self.sleep(wait)
        ends = self.now() + SECONDS
        try:
            with (
                httpx2.Client(timeout=SECONDS, headers={"User-Agent": AGENT}, follow_redirects=False) as client,
                client.stream("GET", url, params=dict(params)) as answer,
            ):
                self._last[host] = self.now()
                if answer.status_code != 200:
                    raise UsageError(f"{url}: the host answered with {answer.status_code}")
                body = bytearray()
                for piece in answer.iter_bytes():
                    body += piece
                    if len(body) > MOST_BYTES or self.now() > ends:
                        raise UsageError(f"{url}: more than {MOST_BYTES // 1_000_000} MB, or {SECONDS:.0f} s")
        except httpx2.HTTPError as error:
            raise UsageError(f"{url}: cannot be reached: {error}") from error
        return bytes(body)
