"""Labels of over-the-counter and prescription medicines, by openFDA's `drug/label` (240 requests a minute)."""

from dataclasses import dataclass, field

from voicesim.language.entities import entities
from voicesim.rubrics.documents import Document
from voicesim.rubrics.live.base import MOST, document, read_json
from voicesim.rubrics.live.web import Web

_SECTIONS = (
    "contraindications",
    "do_not_use",
    "warnings",
    "warnings_and_cautions",
    "ask_doctor",
    "ask_doctor_or_pharmacist",
    "stop_use",
    "pregnancy_or_breast_feeding",
    "dosage_and_administration",
    "overdosage",
)


@dataclass(frozen=True)
class OpenFda:
    """The label of each medicine that a question names."""

    base: str = "https://api.fda.gov"
    web: Web = field(default_factory=lambda: Web(pause=0.3))

    def search(self, question: str, most: int = MOST) -> list[Document]:
        """As `LiveSource.search`; nothing for a question that names no medicine."""
        named = dict.fromkeys(entity.key for entity in entities(question) if entity.kind == "medicine")
        labels = (self._label(name) for name in list(named)[:most])
        return [label for label in labels if label]

    def _label(self, medicine: str) -> Document | None:
        url = f"{self.base}/drug/label.json"
        wanted = f'openfda.generic_name:"{medicine}" openfda.brand_name:"{medicine}"'
        rows = read_json(self.web.get(url, {"search": wanted, "limit": "1"}), url).get("results")
        row = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
        day = str(row.get("effective_time", ""))
        texts = [
            (name.replace("_", " "), " ".join(map(str, row[name])))
            for name in _SECTIONS
            if isinstance(row.get(name), list)
        ]
        published = f"{day[:4]}-{day[4:6]}-{day[6:8]}" if len(day) == 8 and day.isdigit() else ""
        number = str(row.get("set_id", ""))
        address = f"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={number}" if number else ""
        return document(f"openfda-{medicine}", f"Label of {medicine}", "openFDA", address, published, texts)
