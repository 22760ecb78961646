"""A model's refusal, in words for the person who wrote the file: which key, what would be right."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from voicesim.catalog.rules import RuleSettings, rule_model
from voicesim.catalog.yaml_tree import Fault, Loc
from voicesim.errors import near

_SLUG = "^[a-z0-9][a-z0-9_-]*$"


def faults_of(error: ValidationError, model: type[BaseModel], data: Mapping[str, Any]) -> list[Fault]:
    """Every error of a validation as (place, sentence), with what whole-entry rules say put at its place."""
    rules = list(_broken_rules(data))
    faults: list[Fault] = []
    for detail in error.errors():
        loc: Loc = detail["loc"]
        if detail["type"] == "value_error" and not loc and rules:
            continue  # said more exactly by the rules, with the line of the second id or of the rubric
        if detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]:
            continue  # pydantic counts the items that are right; the wrong ones are told one by one
        sentence = _sentence(detail, model, data)
        if detail["type"] == "value_error":
            loc += _key_named(sentence, _fields_around(model, (*loc, ""), data))
        faults.append((loc, sentence))
    return faults + rules


def key_text(data: Any, loc: Loc) -> str:
    """A place as people say it: `rubric[fever].weight` where the item has an id, else `rubric.3.weight`.

    >>> key_text({"rubric": [{"id": "fever"}, {}]}, ("rubric", 0, "weight"))
    'rubric[fever].weight'
    >>> key_text({"rubric": [{"id": "fever"}, {}]}, ("rubric", 1, "weight"))
    'rubric.1.weight'
    """
    text = ""
    for step in loc:
        data = _child(data, step)
        name = data.get("id") if isinstance(data, dict) else None
        if isinstance(step, int) and isinstance(name, str):
            text += f"[{name}]"
        else:
            text += f".{step}" if text else str(step)
    return text


def _child(data: Any, step: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(step)
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return data[step]
    return None


def _key_named(sentence: str, fields: list[str]) -> tuple[str, ...]:
    """The key that a rule of a whole mapping speaks of: the one in backticks, or its first word."""
    named = re.search(r"`(\w+)`", sentence) or re.match(r"(\w+)", sentence)
    return (named[1],) if named and named[1] in fields else ()


def _sentence(detail: ErrorDetails, model: type[BaseModel], data: Any) -> str:
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        return "unknown key." + near(str(detail["loc"][-1]), _fields_around(model, detail["loc"], data))
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", context["expected"])
        return f"{given!r} is not one of {', '.join(known)}.{near(str(given), known)}"
    if kind == "string_type":
        return _not_text(given)
    if kind == "string_pattern_mismatch":
        if context["pattern"] != _SLUG:
            return f"{_shown(given)} is not of the form {context['pattern']}"
        return f"{given!r} is not an id: lower-case letters, digits, - and _, beginning with a letter or digit"
    if kind == "string_too_short":
        return "must not be empty"
    if kind == "too_short":
        return f"needs at least {context['min_length']}, has {context['actual_length']}"
    return f"{detail['msg'].removeprefix('Input ')}, not {_shown(given)}"


def _not_text(given: Any) -> str:
    if isinstance(given, bool):
        return f"is read as {str(given).lower()}, not as text; write it in quotes"
    if isinstance(given, int | float):
        return f'must be text; write it in quotes: "{given}"'
    if given is None:
        return "must be text, but nothing is given"
    return f"must be text, not {_shown(given)}"


def _shown(given: Any) -> str:
    if isinstance(given, dict):
        return "a mapping of keys"
    if isinstance(given, list):
        return "a list"
    shown = repr(given)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _fields_around(model: type[BaseModel], loc: Loc, data: Any) -> list[str]:
    """The keys that the mapping around a place knows."""
    here = [model]
    for step in loc[:-1]:
        data = _child(data, step)
        known = [kind.model_fields[step] for kind in here if step in kind.model_fields] if isinstance(step, str) else []
        if known:
            here = [_as_written(inner, data) for field in known for inner in _models_in(field.annotation)]
    return [name for kind in here for name in kind.model_fields]


def _as_written(model: type[BaseModel], data: Any) -> type[BaseModel]:
    """The class that data is read with: of a rule the one that its `type` names."""
    if not issubclass(model, RuleSettings) or not isinstance(_child(data, "type"), str):
        return model
    try:
        return rule_model(data["type"])
    except ValueError:
        return model


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _broken_rules(data: Mapping[str, Any]) -> Iterator[Fault]:
    """The rules that hold for a case as a whole, looked up in the raw data so that they have a place."""
    facts: Loc = ("patient", "reveal_only_if_asked")
    yield from _ids_used_twice("check", data.get("rubric"), ("rubric",))
    yield from _ids_used_twice("fact", _child(data.get("patient"), "reveal_only_if_asked"), facts)
    rubric = data.get("rubric")
    if not isinstance(rubric, list):
        return
    weights = [_child(check, "weight") for check in rubric]
    if all(type(weight) in (int, float) and 0 < weight <= 1 for weight in weights):
        total = math.fsum(weights)
        if abs(total - 1.0) > 1e-6:
            off = f"{abs(total - 1.0):.4g} too {'much' if total > 1 else 'little'}"
            yield ("rubric",), f"weights of the rubric add up to {total:.4g}, not 1.0 ({off})"


def _ids_used_twice(name: str, items: Any, loc: Loc) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        item_id = _child(item, "id") if isinstance(item, dict) else None
        if not isinstance(item_id, str):
            continue
        if item_id in seen:
            yield (
                (*loc, index, "id"),
                f"{name} id {item_id!r} is used twice (items {seen[item_id] + 1} and {index + 1})",
            )
        seen.setdefault(item_id, index)
