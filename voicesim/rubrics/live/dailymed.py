"""Labels as DailyMed publishes them, by its web service v2 (`spls.json`, then the label's XML)."""

import re
from dataclasses import dataclass, field

from voicesim.language.entities import entities
from voicesim.rubrics.documents import Document
from voicesim.rubrics.live.base import MOST, document, read_json, read_markup
from voicesim.rubrics.live.web import Web

_ID = re.compile(r"[0-9a-fA-F-]{36}")


@dataclass(frozen=True)
class DailyMed:
    """The newest label of each medicine that a question names."""

    base: str = "https://dailymed.nlm.nih.gov/dailymed/services/v2"
    web: Web = field(default_factory=lambda: Web(pause=0.5))

    def search(self, question: str, most: int = MOST) -> list[Document]:
        """As `LiveSource.search`; nothing for a question that names no medicine."""
        named = dict.fromkeys(entity.key for entity in entities(question) if entity.kind == "medicine")
        labels = (self._label(name) for name in list(named)[:most])
        return [label for label in labels if label]

    def _label(self, medicine: str) -> Document | None:
        url = f"{self.base}/spls.json"
        rows = read_json(self.web.get(url, {"drug_name": medicine, "pagesize": "1"}), url).get("data")
        row = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
        number = str(row.get("setid", ""))
        if not _ID.fullmatch(number):
            return None
        page = read_markup(self.web.get(f"{self.base}/spls/{number}.xml"))
        effective = page.find("effectivetime")
        day = str(effective.get("value", "")) if effective else ""
        published = f"{day[:4]}-{day[4:6]}-{day[6:8]}" if day[:8].isdigit() and len(day) >= 8 else ""
        texts = [
            (title.get_text(" ", strip=True) if (title := section.find("title")) else "", part.get_text(" "))
            for section in page.find_all("section")
            for part in section.find_all("text", recursive=False)
        ]
        address = f"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={number}"
        return document(f"dailymed-{medicine}", str(row.get("title", medicine)), "DailyMed", address, published, texts)
