"""Reading what a caller said: numbers, spans of time, negation, and names that a transcriber got wrong.

Everything here is a pure function of one heard text. Speech recognition writes numbers as words or as
digits, drops apostrophes and splits drug names, so all of it works on a folded form of the text.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping

from voicesim.language.kinds import Quantity, amounts
from voicesim.language.numbers import in_figures
from voicesim.language.values import read

_DAYS = {"time": 1 / 86_400, "night": 1.0, "months": 30.0}
"""Days in the base of each dimension of time: a second, a night, a month."""
_SCALES = ("", "degree", "celsius", "fahrenheit")
_VAGUE = {
    r"\b(?:a )?couple of\b": "2",
    r"\b(?:a )?few\b": "3",
    r"\bseveral\b": "4",
    r"\b(?:past|last)(?= (?:hour|day|night|week|month|year)s?\b)": "1",
}
"""Spans that are said loosely, as numbers."""
_NOT_ILLNESS = re.compile(
    r"pregnan|years? old|\bturned\b|\bsmok|\bpacks?\b|\btook\b|\btaken\b|tablet|\bscan\b|birthday"
)
_NEGATION = re.compile(r"\b(?:no|not|never|without|none|nothing|neither|nor|deny|hardly any)\b|n't\b")
_FINE = re.compile(
    r"\b(?:fine|ok|okay|normal|normally|all right|alright|no problem|no trouble|as usual|easily)\b"
    r"|(?<!as )\bwell\b"
)


def fold(text: str) -> str:
    """Lower case, straight apostrophes, whole contractions, number words as digits, single spaces."""
    text = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'"))
    text = "".join(letter for letter in text if not unicodedata.combining(letter)).lower()
    text = re.sub(r"\b(ca|do|does|did|is|are|was|have|has|could|would|should|ai)nt\b", r"\1n't", text)
    text = text.replace("cannot", "can't").replace("can not", "can't")
    text = re.sub(r"[^a-z0-9'.,;:?! ]+", " ", text)
    return in_figures(re.sub(r"\s+", " ", text).strip())


def sentences(folded: str) -> list[str]:
    """The sentences of a folded text; a point inside a number ends none."""
    return [part.strip() for part in re.split(r"[?!;]+|\.(?!\d)", folded) if part.strip()]


def clauses(folded: str) -> list[str]:
    """Parts of a folded text inside which a negation reaches: sentences cut at commas and "but"."""
    parts = (
        part
        for sentence in sentences(folded)
        for part in re.split(r",(?!\d)|\bbut\b|\balthough\b|\bthough\b", sentence)
    )
    return [part.strip() for part in parts if part.strip()]


def mentions(folded: str, pattern: str) -> bool:
    """True when some clause says the pattern and does not deny it ("no fever", "breathing is fine")."""
    return any(not denied for _, denied in _found(folded, pattern))


def denies(folded: str, pattern: str) -> bool:
    """True when the pattern is only spoken of to deny it."""
    places = list(_found(folded, pattern))
    return bool(places) and all(denied for _, denied in places)


def _found(folded: str, pattern: str) -> Iterator[tuple[str, bool]]:
    for clause in clauses(folded):
        for hit in re.finditer(pattern, clause):
            before, after = clause[: hit.start()], clause[hit.end() :]
            # "n't" of "can't breathe" belongs to the pattern, so only what stands before it can deny it.
            yield clause, bool(_NEGATION.search(before) or _FINE.search(after))


def says_no(folded: str) -> bool:
    """A plain no: the answer begins with one, or is nothing but a denial."""
    return bool(
        re.match(
            r"(?:um+ |uh+ |well,? )?(?:no|nope|nah|not|none|nothing|never|i don't(?! know)|i haven't)\b",
            folded,
        )
    )


def says_yes(folded: str) -> bool:
    """A plain yes at the start of the answer."""
    return bool(
        re.match(
            r"(?:um+ |uh+ |well,? )?(?:yes|yeah|yep|yup|i do|i am|it is|right|correct|a little|a bit)\b",
            folded,
        )
    )


def illness_days(folded: str) -> float | None:
    """How long the illness has lasted, in days, or None; the longest span that is not about something else.

    Weeks of pregnancy, an age, years of smoking and the time of a tablet are something else.
    """
    days: list[float] = []
    for clause in clauses(folded):
        if _NOT_ILLNESS.search(clause):
            continue
        if re.search(r"\b(?:since|from) (?:this morning|today|last night)\b|\bthis morning\b", clause):
            days.append(0.5)
        if re.search(r"\b(?:since|from) yesterday\b", clause):
            days.append(1.0)
        days += _spans(clause)
    return max(days) if days else None


def _spans(clause: str) -> list[float]:
    """The spans of time in a clause, in days."""
    for vague, figure in _VAGUE.items():
        clause = re.sub(vague, figure, clause)
    spans = [amounts(reading.value) for reading in read(clause)]
    return [float(span[unit]) * days for span in spans for unit, days in _DAYS.items() if unit in span]


def celsius(folded: str) -> float | None:
    """A body temperature in degrees Celsius; a Fahrenheit reading (95 to 110) is converted."""
    for reading in read(folded):
        if not isinstance(reading.value, Quantity) or reading.value.unit not in _SCALES:
            continue
        value = float(reading.value.number)
        if 35.0 <= value <= 43.0:
            return value
        if 95.0 <= value <= 110.0:
            return (value - 32.0) / 1.8
    return None


def names(folded: str, lexicon: Mapping[str, str]) -> set[str]:
    """Which names of a lexicon (spelling -> name) were said, also when written apart or a little wrong.

    Up to three neighbouring words are joined and compared (difflib ratio of at least 0.8 for spellings of
    six letters and more), so "met formin" and "low sartan" are found.
    """
    words = re.findall(r"[a-z]+", folded)
    joined = {"".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1)}
    named: set[str] = set()
    for spelling, name in lexicon.items():
        if spelling in joined:
            named.add(name)
        elif len(spelling) >= 6:
            near = (letter for letter in joined if abs(len(letter) - len(spelling)) <= 2 and letter[0] == spelling[0])
            if any(difflib.SequenceMatcher(None, word, spelling).ratio() >= 0.8 for word in near):
                named.add(name)
    return named
