"""Health topics for patients, by MedlinePlus's search service (at most 85 requests a minute)."""

from dataclasses import dataclass, field

from voicesim.rubrics.documents import Document
from voicesim.rubrics.live.base import MOST, document, read_markup
from voicesim.rubrics.live.web import Web


@dataclass(frozen=True)
class MedlinePlus:
    """Topics in English; the service marks what it found, and the marks are taken out."""

    base: str = "https://wsearch.nlm.nih.gov/ws/query"
    web: Web = field(default_factory=lambda: Web(pause=0.8))

    def search(self, question: str, most: int = MOST) -> list[Document]:
        """As `LiveSource.search`."""
        page = read_markup(self.web.get(self.base, {"db": "healthTopics", "term": question, "retmax": str(most)}))
        topics = []
        for row in page.find_all("document")[:most]:
            texts = {str(part.get("name", "")): _plain(part.get_text()) for part in row.find_all("content")}
            paragraphs = [("", part) for part in texts.get("FullSummary", "").split("\n")]
            name = texts.get("title", "topic")
            made = document(f"medlineplus-{name}", name, "MedlinePlus", str(row.get("url", "")), "", paragraphs)
            topics += [made] if made else []
        return topics


def _plain(text: str) -> str:
    """What a content holds is HTML, written as text."""
    part = read_markup(text.encode())
    blocks = part.find_all(["p", "li"])
    return "\n".join(block.get_text(" ", strip=True) for block in blocks) if blocks else part.get_text()
