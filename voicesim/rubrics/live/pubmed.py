"""PubMed's abstracts, by the E-utilities `esearch` and `efetch` (at most three requests a second without a key)."""

from dataclasses import dataclass, field

from voicesim.rubrics.documents import Document
from voicesim.rubrics.live.base import MOST, document, read_json, read_markup
from voicesim.rubrics.live.web import Web


@dataclass(frozen=True)
class PubMed:
    """Reviews and guidelines first: those are what a rubric can stand on."""

    base: str = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
    web: Web = field(default_factory=lambda: Web(pause=0.4))

    def search(self, question: str, most: int = MOST) -> list[Document]:
        """As `LiveSource.search`."""
        url = f"{self.base}/esearch.fcgi"
        term = f"({question}) AND (review[pt] OR practice guideline[pt])"
        asked = {"db": "pubmed", "term": term, "retmode": "json", "retmax": str(most), "sort": "relevance"}
        hits = read_json(self.web.get(url, asked), url).get("esearchresult")
        listed = hits.get("idlist") if isinstance(hits, dict) else None
        ids = [each for each in listed if isinstance(each, str) and each.isdigit()] if isinstance(listed, list) else []
        ids = ids[:most]
        if not ids:
            return []
        page = read_markup(
            self.web.get(f"{self.base}/efetch.fcgi", {"db": "pubmed", "id": ",".join(ids), "retmode": "xml"})
        )
        return [made for article in page.find_all("pubmedarticle") if (made := _article(article))]


def _article(article: "object") -> Document | None:
    find, find_all = article.find, article.find_all  # type: ignore[attr-defined]
    number, title = find("pmid"), find("articletitle")
    if number is None:
        return None
    day = find("pubdate")
    parts = [day.find(name) for name in ("year", "month", "day")] if day else []
    written = [part.get_text() for part in parts if part is not None]
    published = "-".join(written) if len(written) == 3 and all(part.isdigit() for part in written) else ""
    return document(
        f"pubmed-{number.get_text()}",
        title.get_text(" ", strip=True) if title else "",
        "PubMed",
        f"https://pubmed.ncbi.nlm.nih.gov/{number.get_text()}/",
        published,
        [(str(part.get("label", "")), part.get_text(" ")) for part in find_all("abstracttext")],
    )
