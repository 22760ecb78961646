"""The JSON Schemas of what people write, so that their editor completes keys and marks what is wrong.

A schema takes every form that a file may have; what hangs on more than one key is told by `voicesim check` alone.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from voicesim.catalog.accent_file import AccentFile
from voicesim.catalog.agent_file import AgentFile, agent_file_type
from voicesim.catalog.find import Kind
from voicesim.catalog.model import Case, Persona
from voicesim.catalog.model_file import ModelFile
from voicesim.catalog.profile import AudioProfile, Effect
from voicesim.catalog.rules import rule_model
from voicesim.catalog.suite_file import SuiteFile
from voicesim.registry import EFFECTS, RULES, TRANSPORTS

Schema = dict[str, Any]
MODELS: Mapping[Kind, type[BaseModel]] = MappingProxyType(
    {
        "case": Case,
        "persona": Persona,
        "profile": AudioProfile,
        "agent": AgentFile,
        "accent": AccentFile,
        "model": ModelFile,
        "suite": SuiteFile,
    }
)
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Schema = {"type": ["string", "number", "boolean"]}


def json_schema(kind: Kind) -> Schema:
    """The schema (draft 2020-12) of the files of a kind."""
    schema = MODELS[kind].model_json_schema()
    definitions: dict[str, Schema] = schema.get("$defs", {})
    for name, written in _WRITTEN.items():
        if name in definitions:
            added, form = written(definitions[name])
            definitions |= added
            definitions[name] = form
    if kind == "agent":
        _with_transports(schema)
    return {"$schema": _DRAFT, "title": f"voicesim {kind}", **{k: v for k, v in schema.items() if k != "title"}}


def _chain_link(_: Schema) -> tuple[dict[str, Schema], Schema]:
    """One effect as the key of its settings, as its name alone, or with its main setting as a plain value."""
    effects: dict[str, type[Effect]] = {name: EFFECTS.load(name) for name in EFFECTS}
    places, added = _together(list(effects.values()))
    forms: list[Schema] = [{"enum": sorted(effects)}]
    for name, effect in effects.items():
        settings: list[Schema] = [places[effect], {"type": "null"}, *([_PLAIN] if effect.main else [])]
        forms.append(
            {"type": "object", "properties": {name: {"anyOf": settings}}, "required": [name], "maxProperties": 1}
        )
    return added, {"anyOf": forms}


def _rule(_: Schema) -> tuple[dict[str, Schema], Schema]:
    models = {name: rule_model(name) for name in RULES}
    places, added = _together(list(models.values()))
    named = [{"allOf": [places[model], {"properties": {"type": {"const": name}}}]} for name, model in models.items()]
    return added, {"anyOf": named}


def _or_name(form: Schema) -> tuple[dict[str, Schema], Schema]:
    return {}, {"anyOf": [form, {"type": "string"}]}


def _or_span(form: Schema) -> tuple[dict[str, Schema], Schema]:
    span = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    return {}, {"anyOf": [form, span]}


_WRITTEN: Mapping[str, Callable[[Schema], tuple[dict[str, Schema], Schema]]] = MappingProxyType(
    {"Effect": _chain_link, "RuleSettings": _rule, "Accent": _or_name, "ReplyGap": _or_span}
)
"""What is read in more forms than its model has."""


def _together(models: list[type[Any]]) -> tuple[dict[type[Any], Schema], dict[str, Schema]]:
    """Where each model's schema is, and the definitions they need."""
    unique = list(dict.fromkeys(models))
    keys, whole = models_json_schema([(model, "validation") for model in unique])
    return {model: keys[model, "validation"] for model in unique}, whole.get("$defs", {})


def _with_transports(schema: Schema) -> None:
    """The keys that only some transports have."""
    for name, row in TRANSPORTS.rows.items():
        more = agent_file_type(row.form or name).model_json_schema()
        schema["properties"] = {**more["properties"], **schema["properties"]}
        schema["$defs"] = {**more.get("$defs", {}), **schema.get("$defs", {})}
