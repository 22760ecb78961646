"""The older form of a case: groups at the top level and facts as plain sentences.

    {"id": "...", "says_first": "...", "reveal_only_if_asked": ["I have asthma.", ...],
     "must_ask": [{"id": "...", "expect": "...", "weight": 0.2}, ...], "critical": [...], "close": [...]}

Kept as written: every key that the newer form knows too. Derived, because the older form does not say it:

- what is missing of the patient: name "Patient", age 40, sex "unspecified", persona "calm-professional";
  `title` is the id and `id` is the file's name;
- a check's group is the list it stands in; its kind is `avoid` when `expect` starts as a prohibition
  ("Does not", "Never", "Gives no", "Avoids", ...), `ask` in must_ask and where a critical check starts
  with "Asks", and `tell` otherwise;
- the `violation` of an avoid check is the sentence of the prohibition turned round;
- a fact's id is its first content words; cues of facts and checks are the beginnings of their content words.

Derived cues are a start: they find "breath" in "No trouble breathing", not "medicine" in "Just amlodipine".
A check or fact may be given as an object with its own kind, violation or cues; those are then kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from voicesim.catalog.model import Case, Check, Group, Patient
from voicesim.catalog.wording import beginnings, kind_of, name_from, violation_of
from voicesim.catalog.yaml_tree import Fault, Loc
from voicesim.errors import near

_GROUPS: tuple[Group, ...] = get_args(Group)
_OF_CASE = tuple(name for name in Case.model_fields if name not in ("patient", "rubric"))
_OF_PATIENT = tuple(Patient.model_fields)
_DEFAULTS = {"name": "Patient", "age": 40, "sex": "unspecified", "persona": "calm-professional"}


@dataclass(frozen=True)
class Upgraded:
    """The case in the newer form, where each part of it was written, and what could not be read."""

    data: dict[str, Any]
    origin: Mapping[Loc, Loc]
    faults: tuple[Fault, ...]


def is_legacy(data: Any) -> bool:
    """Whether this is a case in the older form: a group at the top level, and no rubric."""
    return isinstance(data, dict) and "rubric" not in data and any(group in data for group in _GROUPS)


def upgrade(data: Mapping[str, Any], default_id: str) -> Upgraded:
    """The newer form of an older case. Values are not checked here; the models do that afterwards."""
    origin: dict[Loc, Loc] = {}
    known = (*_OF_CASE, *_OF_PATIENT, *_GROUPS, "patient")
    faults: list[Fault] = [((key,), "unknown key." + near(key, known)) for key in data if key not in known]
    case = {name: data[name] for name in _OF_CASE if name in data}
    case.setdefault("id", default_id)
    case.setdefault("title", case["id"])
    case["patient"] = _patient(data, origin)
    case["rubric"] = _rubric(data, origin, faults)
    return Upgraded(case, origin, tuple(faults))


def _patient(data: Mapping[str, Any], origin: dict[Loc, Loc]) -> dict[str, Any]:
    patient: dict[str, Any] = dict(_DEFAULTS)
    nested = data.get("patient")
    if isinstance(nested, dict):
        patient |= nested
    for name in _OF_PATIENT:
        if name in data:
            patient[name] = data[name]
        if name in data or name not in patient:
            origin["patient", name] = (name,)
    facts = patient.get("reveal_only_if_asked")
    if isinstance(facts, list):
        patient["reveal_only_if_asked"] = _facts(facts)
    return patient


def _facts(sentences: list[Any]) -> list[Any]:
    facts: list[Any] = []
    taken = {fact["id"] for fact in sentences if isinstance(fact, dict) and isinstance(fact.get("id"), str)}
    for sentence in sentences:
        if isinstance(sentence, str):
            name = name_from(sentence, taken)
            taken.add(name)
            facts.append({"id": name, "says": sentence, "cues": list(beginnings(sentence))})
        else:
            facts.append(sentence)
    return facts


def _rubric(data: Mapping[str, Any], origin: dict[Loc, Loc], faults: list[Fault]) -> list[Any]:
    rubric: list[Any] = []
    for group in (key for key in data if key in _GROUPS):
        checks = data[group]
        if not isinstance(checks, list):
            faults.append(((group,), "must be a list of checks, each with id, expect and weight"))
            continue
        for index, check in enumerate(checks):
            origin["rubric", len(rubric)] = (group, index)
            rubric.append(_check(check, group) if isinstance(check, dict) else check)
    return rubric


def _check(check: Mapping[str, Any], group: str) -> dict[str, Any]:
    expect = check.get("expect")
    upgraded = {"group": group, **check}
    if not isinstance(expect, str):
        # The model will say that `expect` is missing; a kind of its own would only add noise.
        return {"kind": "tell", **upgraded}
    upgraded.setdefault("kind", kind_of(expect, group))
    if upgraded["kind"] == "avoid":
        upgraded.setdefault("violation", violation_of(expect))
    topic = upgraded.get("violation") or expect
    upgraded.setdefault("cues", list(beginnings(topic)) if isinstance(topic, str) else [])
    return {name: upgraded[name] for name in (*Check.model_fields, *check) if name in upgraded}
