"""Pages of CDC and WHO, by the addresses in `pages.yaml`: neither has a search service that a program may ask."""

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import yaml

from voicesim.errors import UsageError
from voicesim.language.topics import topics
from voicesim.rubrics.documents import Document
from voicesim.rubrics.live.base import MOST, document, read_markup
from voicesim.rubrics.live.web import Web

_BLOCKS = ["h1", "h2", "h3", "p", "li"]
_NOT_READ = ["script", "style", "nav", "header", "footer", "noscript", "template", "form"]


@dataclass(frozen=True)
class Pages:
    """The pages of one publisher whose topics a question shares; its robots.txt is asked first."""

    publisher: str
    base: str = ""
    web: Web = field(default_factory=lambda: Web(pause=2.0, robots=True))

    def search(self, question: str, most: int = MOST) -> list[Document]:
        """As `LiveSource.search`; a page that is not there costs the others nothing."""
        asked = {name for name, _ in topics(question)}
        rows = [row for row in listed() if row["publisher"] == self.publisher and asked & set(row["topics"])]
        rows.sort(key=lambda row: (-len(asked & set(row["topics"])), row["path"]))
        pages: list[Document] = []
        problem: UsageError | None = None
        for row in rows[:most]:
            try:
                pages += [page] if (page := self._page(row)) else []
            except UsageError as error:
                problem = problem or error
        if problem and not pages:
            raise problem
        return pages

    def _page(self, row: dict[str, Any]) -> Document | None:
        url = f"{self.base or row['host']}{row['path']}"
        page = read_markup(self.web.get(url))
        for part in page(_NOT_READ):
            part.decompose()
        heading, parts = "", []
        for block in page.find_all(_BLOCKS):
            words = block.get_text(" ", strip=True)
            if block.name.startswith("h"):
                heading = words
            elif words:
                parts.append((heading, words))
        changed = page.find("meta", attrs={"property": "cdc:last_updated"}) or page.find("time")
        day = str(changed.get("content") or changed.get("datetime") or "") if changed else ""
        return document(f"{self.publisher}-{row['name']}", row["title"], self.publisher, url, day, parts)


def listed() -> list[dict[str, Any]]:
    """The pages that are known, as `pages.yaml` has them."""
    rows: list[dict[str, Any]] = yaml.safe_load(files("voicesim.rubrics.live").joinpath("pages.yaml").read_text())
    return rows


def cdc() -> Pages:
    """CDC's pages."""
    return Pages("CDC")


def who() -> Pages:
    """WHO's pages."""
    return Pages("WHO")
