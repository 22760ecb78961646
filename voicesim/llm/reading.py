"""Answers as models really write them: reasoning first, a Markdown fence around, null for an empty list."""

import json
import re
from collections.abc import Mapping
from typing import Any

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})[^\n]*\n(.*?)\n?\s*\1\s*$", re.DOTALL)
_NAMES = "(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)"
_TAG = re.compile(rf"[<\[◁⟨]\s*(?P<close>/)?\s*{_NAMES}\b[^<>\[\]◁▷⟨⟩]*[>\]▷⟩]", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w{1,20})\b[^<]{0,80}<\|message\|>(.*?)(?=<\||$)", re.DOTALL)
_AROUND = "\ufeff \t\r\n"


def without_reasoning(text: str) -> str:
    """A model's answer without the reasoning that some print before it; nothing when it never comes to an end.

    >>> without_reasoning("So I say no.</think>No."), without_reasoning("<think>They ask about")
    ('No.', '')
    """
    channels = _CHANNEL.findall(text)
    if channels:
        return str(next((words for channel, words in reversed(channels) if channel == "final"), ""))
    parts: list[str] = []
    reasoning, end = False, 0
    for tag in _TAG.finditer(text):
        if tag["close"]:
            if not reasoning:  # the model's template swallowed the tag that opened it
                parts.clear()
            reasoning, end = False, tag.end()
        elif not reasoning:
            parts.append(text[end : tag.start()])
            reasoning = True
    return "".join(parts) if reasoning else "".join([*parts, text[end:]])


def json_part(text: str, schema: Mapping[str, Any]) -> str:
    """The JSON object in an answer, as JSON text; null becomes an empty list or text where the schema has one.

    An answer that is JSON is taken as it stands: what its strings hold is never looked into. Raises ValueError
    when there is no object, or more than one.
    """
    data = _loaded(text.strip(_AROUND))
    if data is None:
        data = _embedded(without_reasoning(text).strip(_AROUND))
    return json.dumps(_filled(data, schema))


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _embedded(text: str) -> dict[str, Any]:
    fenced = _FENCE.match(text)
    text = fenced[2] if fenced else text
    start = text.find("{")
    if start < 0:
        raise ValueError("there is no JSON object in it")
    try:
        data, end = json.JSONDecoder().raw_decode(text, start)
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    if "{" in text[end:]:
        raise ValueError("there is more than one JSON object in it")
    return dict(data)


def _filled(data: Any, schema: Any) -> Any:
    """Data with null made the empty value of its type, wherever the schema does not allow null."""
    if not isinstance(schema, Mapping):
        return data
    if data is None and "enum" not in schema:
        return {"array": [], "string": ""}.get(str(schema.get("type")))
    if isinstance(data, dict):
        fields = schema.get("properties", {})
        return {name: _filled(value, fields.get(name)) for name, value in data.items()}
    return [_filled(item, schema.get("items")) for item in data] if isinstance(data, list) else data
