"""A draft of a case out of a call: who called, what they told when asked for it, and what the agent has to do.

By rules, offline: every turn of the patient that answers a question is a fact, and the question's words are its cues. A
person has to read it; personal details are replaced by invented ones and listed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from voicesim.caller.moves import read, says_goodbye
from voicesim.caller.opening import check_opening
from voicesim.caller.words import content
from voicesim.catalog.model import Case
from voicesim.catalog.yaml_tree import comment
from voicesim.errors import CatalogueError, UsageError
from voicesim.judge.kept import load_verdicts
from voicesim.language.fold import fold
from voicesim.language.personal import Entity, personal
from voicesim.language.topics import condensed
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.read import Recording, open_recording
from voicesim.transcript.model import Transcript, Utterance

INVENTED: dict[Entity, tuple[str, ...]] = {
    "name": ("Sam Miller", "Robin Hill", "Kim Baker", "Lee Carter"),
    "date": ("3 May 1970", "14 June 1982", "9 October 1991"),
    "number": ("0100 555 0100", "0100 555 0101", "0100 555 0102"),
    "address": ("12 Example Street", "40 Sample Road"),
    "email": ("someone@example.org", "nobody@example.org"),
}
MOST_CUES = 4
MOST_FACTS = 20
PERSONA = "calm-professional"


@dataclass
class Names:
    """Personal details and what stands for them; the same detail is always replaced alike."""

    given: dict[str, tuple[Entity, str]] = field(default_factory=dict)

    def without(self, text: str, known: Sequence[str] = ()) -> str:
        """A text with invented details."""
        names = [name for name, (entity, _) in self.given.items() if entity == "name"]
        every = [*known, *names, *(part for name in names for part in name.split() if len(part) > 2)]
        for detail in reversed(personal(text, names=every)):
            key = detail.text.casefold()
            whole = next((name for name in names if detail.entity == "name" and key in name.split()), key)
            key = whole if whole in self.given else key
            if key not in self.given:
                options = INVENTED[detail.entity]
                used = sum(entity == detail.entity for entity, _ in self.given.values())
                self.given[key] = detail.entity, options[used % len(options)]
            text = f"{text[: detail.start]}{self.given[key][1]}{text[detail.end :]}"
        return text


@dataclass(frozen=True)
class Asked:
    """A turn of the patient, and the agent's question before it."""

    question: Utterance
    answer: Utterance


def draft_case(folder: Path, name: str) -> str:
    """The draft as YAML text, with the quotes that it came from as comments.

    Raises UsageError for a recording without a transcript, and for one in which the patient says nothing.
    """
    recording = open_recording(folder)
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: transcribe it first; a case is drafted from its transcript")
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    opening = next(
        (utterance for utterance in transcript.of("caller") if utterance.intent == "respond" and utterance.text), None
    )
    if opening is None:
        raise UsageError(f"{folder}: the patient says nothing in it")
    old, names = _case_before(recording), Names()
    patient = old.get("patient", {})
    known = [part for part in (patient.get("name", ""),) if part]
    says_first = names.without(opening.text, known)
    asked = _asked(transcript, opening)
    facts, sources = _facts(asked, names, known)
    rubric, notes = _rubric(folder, old, facts, asked, names, known)
    entry: dict[str, Any] = {
        "id": name,
        "title": f"Drafted from {transcript.call_id}",
        "language": transcript.language,
        "clinical_status": "draft",
        "patient": {
            "name": INVENTED["name"][0].split()[0],
            "age": patient.get("age", 40),
            "sex": patient.get("sex", "female"),
            "persona": patient.get("persona", PERSONA),
            "says_first": says_first,
            "reveal_only_if_asked": facts,
        },
        "rubric": rubric,
    }
    entry = _that_opens_well(entry)
    body = yaml.dump(entry, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)
    head = [f"Drafted from the call {transcript.call_id}. Read it, and mend what is wrong, before it judges anybody."]
    head += ["Please confirm: age, sex and persona of the patient, and every personal detail:"]
    head += [f"  a {entity} became {new!r}" for entity, new in names.given.values()] or ["  (none was found)"]
    head += ["Where it came from:", f"  opening: {opening.id} at {opening.start:.1f} s", *sources, *notes]
    return "".join(map(comment, head)) + body


def _case_before(recording: Recording) -> dict[str, Any]:
    """The case that the call was made with, as plain data; empty where there was none."""
    try:
        return case_of(recording.manifest).model_dump(mode="json")
    except CatalogueError:
        return {}


class _Plain(yaml.SafeDumper):
    """Writes the same list twice where it stands twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _asked(transcript: Transcript, opening: Utterance) -> list[Asked]:
    """The patient's turns after the opening line that answer a question."""
    pairs: list[Asked] = []
    agent: list[Utterance] = []
    for utterance in transcript.utterances:
        if utterance.side == "agent":
            agent.append(utterance)
        elif utterance.intent == "respond" and utterance.start > opening.start:
            question = next((earlier for earlier in reversed(agent) if _asks(earlier.text, transcript.language)), None)
            if question and content(utterance.text, transcript.language) and not says_goodbye(utterance.text):
                pairs.append(Asked(question, utterance))
            agent = []
    return pairs[:MOST_FACTS]


def _asks(text: str, language: str) -> bool:
    return any(sentence.asks for sentence in read(text, language))


def _facts(asked: Sequence[Asked], names: Names, known: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    facts, sources, ids = [], [], set[str]()
    for pair in asked:
        cues = _cues(pair.question.text)
        if not cues:
            continue
        name = _slug(cues[0], ids)
        ids.add(name)
        facts.append({"id": name, "says": names.without(pair.answer.text, known), "cues": cues})
        quote = names.without(pair.question.text, known)
        sources.append(
            f"  {name}: {pair.answer.id} at {pair.answer.start:.1f} s, asked by {pair.question.id} “{quote}”"
        )
    return facts, sources


def _cues(question: str) -> list[str]:
    """The words of the last question of a turn that carry its meaning, as they stand there."""
    last = [sentence.text for sentence in read(question) if sentence.asks][-1]
    stems = content(last)
    words = [word for word in dict.fromkeys(fold(last)) if word.isalpha() and len(word) > 2 and content(word) & stems]
    return words[:MOST_CUES]


def _rubric(
    folder: Path,
    old: dict[str, Any],
    facts: Sequence[dict[str, Any]],
    asked: Sequence[Asked],
    names: Names,
    known: Sequence[str],
) -> tuple[list[dict[str, Any]], list[str]]:
    """The checks that were decided in the call, where it was judged; else a check for every question."""
    checks, notes = list[dict[str, Any]](), list[str]()
    if (folder / files.VERDICTS).is_dir() and old.get("rubric"):
        verdicts = {verdict.check: verdict for verdict in load_verdicts(folder, None).verdicts}
        for check in old["rubric"]:
            verdict = verdicts.get(check["id"])
            if verdict is None or verdict.outcome not in ("hit", "miss") or check.get("rule"):
                continue
            fields = {key: value for key, value in check.items() if value not in (None, "", [], (), False)}
            checks.append({key: _condensed(value) for key, value in fields.items() if key not in ("state", "whom")})
            quotes = "; ".join(f"{proof.utterance} “{names.without(proof.quote, known)}”" for proof in verdict.evidence)
            notes.append(f"  check {check['id']}: {verdict.outcome} in this call{', ' + quotes if quotes else ''}")
    if not checks:
        checks = [
            {"id": f"asks_{fact['id']}", "group": "must_ask", "kind": "ask", "weight": 1.0, "cues": fact["cues"]}
            | {"expect": f"Asks about {' and '.join(fact['cues'][:2])}."}
            for fact in facts
        ]
    if not checks:
        expect = "Answers what the patient calls for."
        checks = [{"id": "answers", "group": "close", "kind": "tell", "weight": 1.0, "expect": expect}]
    total = sum(float(check["weight"]) for check in checks)
    weights = [round(float(check["weight"]) / total, 4) for check in checks]
    weights[-1] = round(1.0 - sum(weights[:-1]), 4)
    return [{**check, "weight": weight} for check, weight in zip(checks, weights, strict=True)], notes


def _condensed(value: Any) -> Any:
    """A list of cues with the names of lists that come with voicesim; anything else as it is."""
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return list(condensed(value)) if texts else value


def _that_opens_well(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry without facts that the opening line tells already."""
    facts = entry["patient"]["reveal_only_if_asked"]
    while True:
        try:
            case = Case.model_validate(entry)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise UsageError(f"no case can be drafted from this call: {place}: {first['msg']}") from error
        try:
            check_opening(case)
        except CatalogueError:
            if not facts:
                raise
            said = content(entry["patient"]["says_first"])
            most = max(facts, key=lambda fact: len(content(fact["says"]) & said) / len(content(fact["says"]) or {""}))
            facts.remove(most)
            continue
        return entry


def _slug(word: str, taken: set[str]) -> str:
    name = re.sub(r"[^a-z0-9_]+", "_", word.casefold()).strip("_") or "fact"
    number = 2
    plain = name
    while name in taken:
        name, number = f"{plain}_{number}", number + 1
    return name
