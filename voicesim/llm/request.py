"""What is sent to a server of chat completions, and what is left out where a server does not take it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from voicesim.llm.answer_cache import Known
from voicesim.llm.server import ModelServer

_REPEATED = 4000
"""Characters of an unusable answer that are shown to the model again."""


def known_of(server: ModelServer) -> Known:
    """What can be expected of a server: OpenAI's own newer models refuse `max_tokens`, others know only that."""
    return Known(limit="max_completion_tokens" if server.is_openai else "max_tokens")


def body(
    model: str,
    messages: Sequence[Mapping[str, Any]],
    known: Known,
    room: int | None,
    temperature: float | None,
    schema: Mapping[str, Any] | None,
    tools: Sequence[Any] = (),
) -> dict[str, Any]:
    """The request as JSON; `room` is the most tokens of the answer, None for no limit."""
    request: dict[str, Any] = {"model": model, "messages": list(messages)}
    if room is not None:
        request[known.limit] = room
    if temperature is not None and known.temperature:
        request["temperature"] = temperature
    if tools:
        request["tools"] = list(tools)
    if schema is not None:
        taken = schema if known.lengths else _unbounded(schema)
        if known.form:
            form = {"name": "answer", "strict": True, "schema": taken}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        else:
            request["messages"].append({"role": "user", "content": _described(taken)})
    return request


def without(known: Known, complaint: str, temperature: bool, schema: bool) -> Known:
    """What a server takes, now that it complained of something; the same when nothing of it can be left out."""
    if temperature and known.temperature and "temperature" in complaint:
        return replace(known, temperature=False)
    if known.limit == "max_tokens" and "max_completion_tokens" in complaint:
        return replace(known, limit="max_completion_tokens")
    if schema and known.lengths and "maxLength" in complaint:
        return replace(known, lengths=False)
    if schema and known.form and any(word in complaint for word in ("response_format", "json_schema")):
        return replace(known, form=False)
    return known


def again(answer: str, problem: str, schema: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """The messages that ask for another answer after one that cannot be used."""
    form = f" {_described(schema)}" if schema is not None else ""
    return [
        {"role": "assistant", "content": answer[:_REPEATED]},
        {"role": "user", "content": f"That cannot be used: it is {problem}. Answer again.{form}"},
    ]


def _described(schema: Mapping[str, Any]) -> str:
    return f"Answer with one JSON object of this JSON schema, and nothing else:\n{json.dumps(schema)}"


def _unbounded(schema: Any) -> Any:
    """A schema without bounds on its strings; no field of an answer is called `maxLength`."""
    if isinstance(schema, dict):
        return {key: _unbounded(value) for key, value in schema.items() if key != "maxLength"}
    return [_unbounded(item) for item in schema] if isinstance(schema, list) else schema
