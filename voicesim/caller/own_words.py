"""What the patient can answer without any fact: from its opening line, and who it is."""

import re
from collections.abc import Iterable

from voicesim.caller.moves import Sentence, plain
from voicesim.caller.phrases import phrase
from voicesim.caller.words import content, stem
from voicesim.catalog.model import Patient
from voicesim.language.data import load
from voicesim.language.grammar import word_set
from voicesim.language.patterns import patterns
from voicesim.language.sentences import is_question, split
from voicesim.language.words import read as words_of

_NUMBER = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+|a couple of|a few|several)"
_TIME = re.compile(
    r"\bsince (?:this |last |early |late )*(?:morning|noon|afternoon|evening|night|yesterday|week"
    r"|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    rf"|\b(?:for )?((?:about |around |almost |nearly |over )?(?:the (?:past|last) )?{_NUMBER}"
    r" (?:hour|day|week|month|year)s?(?: ago| now)?)\b",
    re.IGNORECASE,
)
_ONSET = re.compile(
    r"\bhow (?:long|many (?:hours|days|weeks|months))(?: exactly)?"
    r"(?: (?:have|has|had|did it|did this|is it|been|ago|since|now)\b(?!.*\b(?:take|took|taken|pregnant)\b)|$)"
    r"|\bsince when\b"
    r"|\bwhen (?:exactly )?(?:did|was|were) .*\b(?:start\w*|beg[aiu]n\w*|come on|first)\b"
)
_SYMPTOMS = frozenset(
    stem(word)
    for word in word_set(
        """ache aches breath breathe chest cold cough coughing dizzy ear fever flu headache hurt hurts nausea
        nose pain phlegm rash runny sick sneezing sore stomach stuffy swollen throat tight tired weak wheeze"""
    )
)
# Words that opening lines and questions share without asking about the same thing.
_COMMON = frozenset(
    stem(word) for word in word_set("day days week weeks month year today tomorrow work time bit cold worst morning")
)
_CLAUSE = re.compile(r",\s+(?:and|but|so)\s+|;\s+|\.\.\.\s*|\s+and now\s+|\s+but\s+", re.IGNORECASE)
_TURNING = re.compile(r",?\s+but\s+|;\s+", re.IGNORECASE)
_NAME = re.compile(r"\byour (?:full |first |last )?name\b|\bwho am i (?:speaking|talking) (?:to|with)\b")
_AGE = re.compile(r"\bhow old are you\b|\byour age\b")
_PREGNANT = re.compile(r"\bare you .*\bpregnant\b|\bcould you be pregnant\b")
_HAS_IT = re.compile(
    r"\b(?:(?:do|did) you (?:\w+ )?(?:have|feel|notice|get|take)|have you (?:\w+ )?(?:had|noticed|been|felt|taken)"
    r"|(?:are|is) (?:you|she|he) (?:\w+ )?(?:short|having|experiencing|feeling|pregnant|allergic|taking|on)"
    r"|(?:does|did|has) (?:she|he) (?:have|had)|(?:is|are) there any|other symptoms)\b"
    r"|^(?:and |or )?any\b"
)
_WORK = re.compile(r"\bwhat do you do\b|\byour (?:job|occupation|work|profession)\b|\bwhere do you work\b")


def asks_onset(sentence: Sentence) -> bool:
    """Whether a sentence asks how long it has lasted or when it began."""
    return sentence.asks and _ONSET.search(plain(sentence.text)) is not None


def onset(sentences: Iterable[Sentence], says_first: str) -> str:
    """How long it has lasted, in the opening line's words, if a turn asks for that; "" otherwise.

    >>> from voicesim.caller.moves import read
    >>> onset(read("When did it start?"), "I had a cold about four weeks ago.")
    'About four weeks ago.'
    """
    asking = [plain(sentence.text) for sentence in sentences if asks_onset(sentence)]
    match = _TIME.search(says_first)
    if not asking or match is None:
        return ""
    span = (match.group(1) or match.group()).removesuffix(" ago").removesuffix(" now")
    dated = match.group(1) and any(re.search(r"\bwhen\b|\bago\b", sentence) for sentence in asking)
    return _sentence(f"{span} ago" if dated else span)


def who(sentences: Iterable[Sentence], patient: Patient, language: str = "en") -> str:
    """Name, age or occupation, as far as a turn asks for them; "" otherwise. Of other languages, name and age."""
    asked = " | ".join(plain(sentence.text) for sentence in sentences if sentence.asks)
    parts = []
    name, age = _NAME, _AGE
    if language != "en":
        known = {pattern.name: pattern.expression for pattern in patterns("moves", language)}
        name, age = known["name"], known["age"]
    if name.search(asked):
        parts.append(phrase("my_name", language).format(name=patient.name))
    if age.search(asked):
        parts.append(phrase("my_age", language).format(age=patient.age))
    if _WORK.search(asked) and patient.occupation:
        parts.append(_sentence(patient.occupation.split(",")[0]))
    if _PREGNANT.search(asked) and patient.sex.lower() in ("male", "man"):
        parts.append(phrase("no_", language))
    return " ".join(parts)


def has_it(question: str, language: str = "en") -> bool:
    """Whether a question only asks if the patient has something: "Do you have ...", "Any ...", "Are you ..."

    Of other languages, whether it has no question word.
    """
    if language != "en":
        asking = word_set(load("turns", language)["question_words"])
        return asking.isdisjoint(words_of(question, language).texts)
    return _HAS_IT.search(plain(question)) is not None


def complaint(says_first: str, language: str = "en") -> str:
    """The opening line in short: the part of it that names most symptoms, never all of a long line.

    Of other languages than English, its last statement up to a mark.
    """
    parts = _statements(says_first, language)
    if language != "en":
        return _sentence(re.split(r"[,;:–—]\s+", parts[-1])[0])
    if len(parts) == 1:
        parts = [_sentence(part.strip(" .,;")) for part in _TURNING.split(parts[0])]
    best = max(range(len(parts)), key=lambda i: (len(content(parts[i]) & _SYMPTOMS), -i))
    if best and len(parts[best].split()) < 6:
        before = _CLAUSE.split(parts[best - 1])[-1].strip(" .,;")
        return f"{_sentence(before)} {parts[best]}"
    return parts[best]


def echo(question: str, says_first: str, language: str = "en") -> str:
    """The part of the opening line that a question is about, or "" when it is about nothing said there."""
    wanted = content(question, language) - _COMMON
    parts = _clauses(says_first, language)
    shared = [len(wanted & content(part, language)) for part in parts]
    return parts[shared.index(max(shared))] if any(shared) else ""


def mid_sentence(text: str) -> str:
    """A sentence as it goes on after a comma: its first letter small, unless the word is `I` or a name.

    >>> mid_sentence("No allergies."), mid_sentence("I'm fine."), mid_sentence("Ratna Dewi.")
    ('no allergies.', "I'm fine.", 'Ratna Dewi.')
    """
    first, second, *_ = (*text.split(maxsplit=2), "", "")
    full_name = second[:1].isupper() and not re.match(r"I\b", second)
    if re.match(r"I\b", first) or first[1:] != first[1:].lower() or full_name:
        return text
    return text[:1].lower() + text[1:]


def _statements(text: str, language: str = "en") -> list[str]:
    return [part for part in split(text) if not is_question(part, language)] or split(text)


def _clauses(text: str, language: str = "en") -> list[str]:
    parts = [part.strip(" .,;") for statement in _statements(text, language) for part in _CLAUSE.split(statement)]
    return [_sentence(part) for part in parts if len(part.split()) > 1 or len(parts) == 1]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".!?") + "."
