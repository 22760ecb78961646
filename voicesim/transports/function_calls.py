"""Function calls of an OpenAI Realtime session: answered by the case's backend, and told as events.

A call comes as a finished output item of type function_call. Its result goes back as a conversation item at
once; the model is asked to go on when the response that made the calls is done, as it refuses to before.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from voicesim.recording.events import Event, ToolCall, ToolResult
from voicesim.tools.dispatcher import ToolDispatcher, read_arguments


@dataclass
class Reaction:
    """What a server event leads to: events for the recording, client events for the server, and whether the model
    is to be asked to go on."""

    events: list[Event] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    goes_on: bool = False


class FunctionCalls:
    """Those of one session. Without a dispatcher somebody else answers: calls and results are only told."""

    def __init__(self, dispatcher: ToolDispatcher | None) -> None:
        self._dispatcher = dispatcher
        self._seen = _Seen()
        self._unanswered: Counter[str] = Counter()
        self._answered_in: set[str] = set()

    def take(self, event: Mapping[str, Any], now: float) -> Reaction:
        """Look at a server event; most of them lead to nothing."""
        reaction = Reaction()
        match event.get("type"):
            case "response.output_item.done":
                self._call(event.get("item"), str(event.get("response_id", "")), now, reaction)
            case "response.function_call_arguments.done" if event.get("name"):
                item = {**event, "type": "function_call", "id": event.get("item_id")}
                self._call(item, str(event.get("response_id", "")), now, reaction)
            case "conversation.item.done":
                self._result_of_another(event.get("item"), now, reaction)
            case "response.done":
                self._response_done(event.get("response"), now, reaction)
        return reaction

    def _call(self, item: object, response: str, now: float, reaction: Reaction) -> None:
        if not isinstance(item, Mapping) or item.get("type") != "function_call" or item.get("status") == "incomplete":
            return
        item_id = str(item.get("id") or "")
        call_id, name = str(item.get("call_id") or item_id), str(item.get("name", ""))
        if self._seen.again(response, item_id, call_id):
            return
        if self._dispatcher is None:
            arguments = read_arguments(item.get("arguments")) or {}
            reaction.events.append(ToolCall(t=now, call_id=call_id, name=name, arguments=arguments))
            self._unanswered[call_id] += 1
            return
        answer = self._dispatcher.call(name, item.get("arguments"))
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
        if self._unanswered[call_id] > 0:
            self._unanswered[call_id] -= 1
            output = item.get("output")
            reaction.events.append(ToolResult(t=now, call_id=call_id, result=read_arguments(output) or output))

    def _response_done(self, response: object, now: float, reaction: Reaction) -> None:
        if not isinstance(response, Mapping):
            return
        response_id = str(response.get("id", ""))
        for item in _items(response):
            self._call(item, response_id, now, reaction)
        self._seen.response_done()
        if response_id in self._answered_in:
            self._answered_in.discard(response_id)
            reaction.goes_on = response.get("status") not in ("cancelled", "failed")


class _Seen:
    """The calls that were told already: a server tells each up to three times, and may reuse every id.

    A call is known by its response and its item; where an event lacks the item's id, by its response and call_id.
    Servers without response ids are helped by counting the responses.
    """

    def __init__(self) -> None:
        self._responses = 0
        self._items: set[tuple[str, str]] = set()
        self._calls: dict[tuple[str, str], set[str]] = {}

    def again(self, response: str, item: str, call: str) -> bool:
        """Whether a call was told before; it is from now on."""
        response = response or f"response {self._responses}"
        items = self._calls.setdefault((response, call), set())
        known = (response, item) in self._items if item else bool(items)
        known = known or "" in items
        items.add(item)
        if item:
            self._items.add((response, item))
        return known

    def response_done(self) -> None:
        """A response is over; what comes without the id of one belongs to the next."""
        self._responses += 1


def _items(response: Mapping[str, Any]) -> Iterator[object]:
    output = response.get("output")
    yield from output if isinstance(output, list) else ()
