"""The published form of a case: facts as plain sentences, and checks in lists by group.

    {"id": "...", "clinical_refs": ["CDC: ...", ...],
     "patient": {"name": "...", "age": 40, "says_first": "...", "reveal_only_if_asked": ["I have asthma.", ...]},
     "rubric": {"must_ask": [{"id": "...", "expect": "...", "weight": 0.2}, ...], "critical": [...], "close": [...]}}

The groups, and what belongs to the patient, may also stand at the top level. Kept as written: every key that the
present form knows too. Derived, because the published form does not say it:

- what is missing of the patient: name "Patient", age 40, sex "unspecified", persona "calm-professional";
  `title` is the id and `id` is the file's name;
- a check's group is the list it stands in; its kind is `avoid` when `expect` starts as a prohibition
  ("Does not", "Never", "Gives no", "Avoids", ...), `ask` in must_ask and where a critical check starts
  with "Asks", and `tell` otherwise;
- the `violation` of an avoid check is the sentence of the prohibition turned round;
- a fact's id is its first content words; cues of facts and checks are the beginnings of their content words.

`voicesim check` shows what was derived. Derived cues are a start: they find "breath" in "No trouble breathing", not
"medicine" in "Just amlodipine".
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
    """The case in the present form, where each part of it was written, what was derived, and what could not be read."""

    data: dict[str, Any]
    origin: Mapping[Loc, Loc]
    derived: tuple[str, ...]
    faults: tuple[Fault, ...]


def is_legacy(data: Any) -> bool:
    """Whether this is a case in the published form: groups of checks, in the rubric or at the top level."""
    if not isinstance(data, dict):
        return False
    groups = data.get("rubric", data)
    return isinstance(groups, dict) and any(group in groups for group in _GROUPS)


def upgrade(data: Mapping[str, Any], default_id: str) -> Upgraded:
    """The newer form of an older case. Values are not checked here; the models do that afterwards."""
    origin: dict[Loc, Loc] = {}
    derived: list[str] = []
    nested = isinstance(data.get("rubric"), dict)
    known = (*_OF_CASE, *_OF_PATIENT, "patient", "clinical_refs", *(("rubric",) if nested else _GROUPS))
    faults: list[Fault] = [((key,), "unknown key." + near(key, known)) for key in data if key not in known]
    case = {name: data[name] for name in _OF_CASE if name in data}
    case.setdefault("id", default_id)
    case.setdefault("title", case["id"])
    if "clinical_refs" in data:
        case.setdefault("references", _references(data["clinical_refs"]))
        origin["references",] = ("clinical_refs",)
    case["patient"] = _patient(data, origin, derived)
    if nested:
        lost = [group for group in data["rubric"] if group not in _GROUPS]
        faults += [(("rubric", group), "unknown group." + near(group, _GROUPS)) for group in lost]
    case["rubric"] = _rubric(data["rubric"] if nested else data, ("rubric",) if nested else (), origin, derived, faults)
    return Upgraded(case, origin, tuple(derived), tuple(faults))


def _references(given: Any) -> Any:
    """`CDC: seek care for trouble breathing` as a source and its fact; objects are kept as they are."""
    if not isinstance(given, list):
        return given
    return [_reference(entry) if isinstance(entry, str) else entry for entry in given]


def _reference(text: str) -> dict[str, str]:
    source, colon, fact = text.partition(":")
    return {"source": source.strip() if colon else "", "topic": "", "fact": (fact if colon else text).strip()}


def _patient(data: Mapping[str, Any], origin: dict[Loc, Loc], derived: list[str]) -> dict[str, Any]:
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
        patient["reveal_only_if_asked"] = _facts(facts, derived)
    missing = [name for name in _DEFAULTS if name not in data and not (isinstance(nested, dict) and name in nested)]
    if missing:
        derived.append("patient: " + ", ".join(f"{name} {_DEFAULTS[name]}" for name in missing))
    return patient


def _facts(sentences: list[Any], derived: list[str]) -> list[Any]:
    facts: list[Any] = []
    taken = {fact["id"] for fact in sentences if isinstance(fact, dict) and isinstance(fact.get("id"), str)}
    for sentence in sentences:
        if isinstance(sentence, str):
            name = name_from(sentence, taken)
            taken.add(name)
            facts.append({"id": name, "says": sentence, "cues": list(beginnings(sentence))})
            derived.append(f"fact {name}: cues {', '.join(facts[-1]['cues']) or 'none'}")
        else:
            facts.append(sentence)
    return facts


def _rubric(
    groups: Mapping[str, Any], place: Loc, origin: dict[Loc, Loc], derived: list[str], faults: list[Fault]
) -> list[Any]:
    rubric: list[Any] = []
    for group in (key for key in groups if key in _GROUPS):
        checks = groups[group]
        if not isinstance(checks, list):
            faults.append(((*place, group), "must be a list of checks, each with id, expect and weight"))
            continue
        for index, check in enumerate(checks):
            origin["rubric", len(rubric)] = (*place, group, index)
            rubric.append(_check(check, group, derived) if isinstance(check, dict) else check)
    return rubric


def _check(check: Mapping[str, Any], group: str, derived: list[str]) -> dict[str, Any]:
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
    names = [name for name in ("kind", "violation", "cues") if name in upgraded and name not in check]
    if names:
        derived.append(f"check {check.get('id')}: " + "; ".join(f"{name} {_shown(upgraded[name])}" for name in names))
    return {name: upgraded[name] for name in (*Check.model_fields, *check) if name in upgraded}


def _shown(value: Any) -> str:
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
