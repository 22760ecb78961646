"""Function calls of an OpenAI Realtime session: answered by the case's backend, and told as events.

A call comes as a finished output item of type function_call. Its result goes back as a conversation item at
once; the model is asked to go on when the response that made the calls is done, as it refuses to before.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from voicesim.recording.events import Event, ToolCall, ToolResult
from voicesim.tools.dispatcher import ToolDispatcher


@dataclass
class Reaction:
    """What a server event leads to: events for the recording, and client events for the server."""

    events: list[Event] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)


class FunctionCalls:
    """Those of one session. Without a dispatcher somebody else answers: calls and results are only told."""

    def __init__(self, dispatcher: ToolDispatcher | None) -> None:
        self._dispatcher = dispatcher
        self._seen: set[str] = set()
        self._told: set[str] = set()
        self._answered_in: set[str] = set()

    def take(self, event: Mapping[str, Any], now: float) -> Reaction:
        """Look at a server event; most of them lead to nothing."""
        reaction = Reaction()
        kind = event.get("type")
        if kind == "response.output_item.done":
            self._call(event.get("item"), str(event.get("response_id", "")), now, reaction)
        elif kind == "response.function_call_arguments.done" and event.get("name"):
            self._call({"type": "function_call", **event}, str(event.get("response_id", "")), now, reaction)
        elif kind == "conversation.item.done":
            self._result_of_another(event.get("item"), now, reaction)
        elif kind == "response.done":
            self._response_done(event.get("response"), now, reaction)
        return reaction

    def _call(self, item: object, response: str, now: float, reaction: Reaction) -> None:
        if not isinstance(item, Mapping) or item.get("type") not in {"function_call", *_ARGUMENTS}:
            return
        call_id, name = str(item.get("call_id") or item.get("id") or ""), str(item.get("name", ""))
        if call_id in self._seen or item.get("status") == "incomplete":
            return
        self._seen.add(call_id)
        if self._dispatcher is None:
            reaction.events.append(ToolCall(t=now, call_id=call_id, name=name, arguments=_read(item.get("arguments"))))
            return
        answer = self._dispatcher.call(name, item.get("arguments"))
        self._told.add(call_id)
        self._answered_in.add(response)
        reaction.events += [
            ToolCall(t=now, call_id=call_id, name=name, arguments=answer.arguments),
            ToolResult(t=now, call_id=call_id, result=answer.result),
        ]
        output = {"type": "function_call_output", "call_id": call_id, "output": json.dumps(answer.result)}
        reaction.messages.append({"type": "conversation.item.create", "item": output})

    def _result_of_another(self, item: object, now: float, reaction: Reaction) -> None:
        if not isinstance(item, Mapping) or item.get("type") != "function_call_output":
            return
        call_id = str(item.get("call_id", ""))
        if call_id in self._seen and call_id not in self._told:
            self._told.add(call_id)
            output = item.get("output")
            reaction.events.append(ToolResult(t=now, call_id=call_id, result=_read(output) or output))

    def _response_done(self, response: object, now: float, reaction: Reaction) -> None:
        if not isinstance(response, Mapping):
            return
        response_id = str(response.get("id", ""))
        for item in _items(response):
            self._call(item, response_id, now, reaction)
        if response_id in self._answered_in:
            self._answered_in.discard(response_id)
            if response.get("status") != "cancelled":
                reaction.messages.append({"type": "response.create"})


_ARGUMENTS = frozenset({"response.function_call_arguments.done"})


def _items(response: Mapping[str, Any]) -> Iterator[object]:
    output = response.get("output")
    yield from output if isinstance(output, list) else ()


def _read(text: object) -> dict[str, Any]:
    """Arguments or an output as the object they are the JSON of; empty for everything else."""
    try:
        content = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return {}
    return dict(content) if isinstance(content, Mapping) else {}
