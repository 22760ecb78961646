"""What the brain has understood of the caller so far."""

import re
from dataclasses import dataclass, field

from voicesim.reference_agents import drugs
from voicesim.reference_agents.alarm import alarm, passing
from voicesim.reference_agents.words import celsius, denies, illness_days, mentions, names, says_no, says_yes

_CHILD = re.compile(
    r"\b(?:my|our) (?:\w+ )?"
    r"(?:daughter|son|child|baby|toddler|kid|little (?:girl|boy)|infant|grandson|granddaughter)\b"
)
_GIRL = re.compile(r"\b(?:daughter|girl|granddaughter|she|her)\b")
_BOY = re.compile(r"\b(?:son|boy|grandson|he|his|him)\b")
_PREGNANT = r"\bpregnan\w*|\bexpecting a baby\b"
_WEEKS = re.compile(r"\b(\d+) ?(?:weeks?|wks)\b")
_BETTER = r"\b(?:better|almost well|nearly well|improv\w+|recover\w+)\b"
_AGAIN = r"\b(?:came back|come back|coming back|is back|returned|worse again|back again|bad again)\b"
_ANTIBIOTIC = re.compile(r"\banti ?bio\w*|\bantibodies\b")
_COLD_TABLET = re.compile(
    r"\b(?:cold|flu)\b(?: and (?:cold|flu))? (?:tablet|pill|capsule|medicine|remedy|powder)s?\b"
    r"|\bmulti ?symptom\b"
)
_TOOK = re.compile(r"\b(?:took|taken|taking|swallowed|had (?:a|1|2|some|one) )")
_MAY_I = re.compile(r"\b(?:can|could|may|should|shall) i\b|\bok(?:ay)? to\b")
_APPETITE = r"\b(?:appetite|hungry|eaten|eat|eating)\b"
_LOSING_WATER = r"\bvomit\w*|\bdiarr\w*|\bthrow\w* up\b"
_CONDITIONS = {
    "diabetes": r"\bdiabet\w*",
    "blood pressure": r"\bblood pressure\b|\bhypertens\w*",
    "kidney": r"\bkidney\b",
    "liver": r"\bliver\b",
    "asthma": r"\basthma\w*|\binhaler\b|\bcopd\b|\bemphysema\b",
    "heart": r"\bheart (?:disease|failure|condition|problem\w*)\b",
    "smoker": r"\bpacks? a day\b|\bi (?:do |still )?smoke\b|\bi'm a smoker\b|\bcigarettes?\b",
}


@dataclass
class CallerState:
    """Facts of one call. Days and degrees Celsius; None is not known."""

    opening: str = ""
    child: bool = False
    pronoun: str = "they"
    pregnant: bool = False
    weeks_pregnant: int | None = None
    days: float | None = None
    cough: bool = False
    nose: bool = False
    relapse: bool = False
    wants_antibiotic: bool = False
    took_cold_tablet: bool = False
    asks_about_paracetamol: bool = False
    tablet_has_paracetamol: bool = False
    poor_appetite: bool = False
    losing_water: bool = False
    temperature: float | None = None
    fever: bool = False
    passing_breathlessness: bool = False
    blood: bool = False
    weight_loss: bool = False
    conditions: set[str] = field(default_factory=set)
    medicines: set[str] = field(default_factory=set)

    @property
    def classes(self) -> set[str]:
        """Drug classes of the medicines that came up."""
        return {drugs.class_of(medicine) for medicine in self.medicines}

    @property
    def long_cough(self) -> bool:
        return self.cough and self.days is not None and self.days >= 21

    @property
    def smoker(self) -> bool:
        return "smoker" in self.conditions

    @property
    def diabetic(self) -> bool:
        return "diabetes" in self.conditions or drugs.METFORMIN in self.classes

    @property
    def pressure(self) -> bool:
        return "blood pressure" in self.conditions or bool(self.classes & {drugs.PRESSURE, drugs.KIDNEY})

    @property
    def no_anti_inflammatory(self) -> bool:
        """True when an anti-inflammatory painkiller could harm more than usual."""
        risky = {drugs.KIDNEY, drugs.THINNER, drugs.PRESSURE}
        return bool(self.classes & risky) or bool(self.conditions & {"kidney", "blood pressure", "asthma", "heart"})

    def hear(self, heard: str, question: str = "") -> None:
        """Adds a folded text that answers the question with that id ("" when it answers none)."""
        if not self.opening and not question:
            self.opening = heard
        self._whom(heard)
        self._course(heard, question)
        self._symptoms(heard, question)
        self._medicines(heard, question)
        for name, pattern in _CONDITIONS.items():
            if mentions(heard, pattern):
                self.conditions.add(name)
        if question == "cough" and "smok" in heard and says_yes(heard):
            self.conditions.add("smoker")

    def _whom(self, heard: str) -> None:
        self.child = self.child or bool(_CHILD.search(heard))
        if self.child and self.pronoun == "they":
            self.pronoun = "she" if _GIRL.search(heard) else "he" if _BOY.search(heard) else "they"
        self.pregnant = self.pregnant or mentions(heard, _PREGNANT)
        weeks = _WEEKS.search(heard)
        if self.pregnant and weeks and self.weeks_pregnant is None:
            self.weeks_pregnant = int(weeks[1])

    def _course(self, heard: str, question: str) -> None:
        if self.days is None and question in ("", "duration", "pattern"):
            self.days = illness_days(heard)
        self.relapse = self.relapse or (mentions(heard, _BETTER) and mentions(heard, _AGAIN))

    def _symptoms(self, heard: str, question: str) -> None:
        self.cough = self.cough or mentions(heard, r"\bcough\w*|\bchest cold\b")
        self.nose = self.nose or mentions(heard, r"\b(?:runny|stuffy|blocked|congest\w*)\b")
        self.temperature = self.temperature or celsius(heard)
        self.fever = self.fever or (self.temperature or 0.0) >= 38.0 or mentions(heard, r"\bfever\w*")
        if question in ("breathing", "breathing_now"):
            fine = says_no(heard) or denies(heard, r"\bbreath\w*|\bshort of breath\b")
            self.passing_breathlessness |= passing(heard) and not fine and alarm(heard) != "now"
        self.blood = self.blood or (question == "cough" and mentions(heard, r"\bblood\b"))
        self.weight_loss = self.weight_loss or (question == "weight" and says_yes(heard))
        self.poor_appetite = self.poor_appetite or denies(heard, _APPETITE)
        self.losing_water = self.losing_water or mentions(heard, _LOSING_WATER)

    def _medicines(self, heard: str, question: str) -> None:
        named = names(heard, drugs.SPELLINGS)
        self.medicines |= {name for name in named if drugs.class_of(name) != drugs.ANTIBIOTIC}
        self.wants_antibiotic = self.wants_antibiotic or bool(_ANTIBIOTIC.search(heard))
        took = bool(_COLD_TABLET.search(heard) and _TOOK.search(heard))
        self.took_cold_tablet = self.took_cold_tablet or (took and not self.child)
        paracetamol = any(drugs.class_of(name) == drugs.PARACETAMOL for name in named)
        self.asks_about_paracetamol |= paracetamol and bool(_MAY_I.search(heard))
        self.tablet_has_paracetamol |= paracetamol and question == "taken"
