"""How a client's events are read, and refused by the name of the field, as OpenAI's server does it."""

import json
from collections.abc import Iterable, Sequence
from typing import TypeVar, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from voicesim.errors import near

E = TypeVar("E")


class ProtocolError(Exception):
    """A request the server refuses: the fields of the protocol's error object."""

    def __init__(self, message: str, code: str, param: str | None = None, event_id: str | None = None) -> None:
        self.message, self.code, self.param, self.event_id = message, code, param, event_id
        super().__init__(message)

    def body(self) -> dict[str, str | None]:
        return {
            "type": "invalid_request_error",
            "code": self.code,
            "message": self.message,
            "param": self.param,
            "event_id": self.event_id,
        }


class Strict(BaseModel):
    """What comes from a client: a field that is not known is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def refusal(
    error: ValidationError, event_id: str | None, *, prefix: str = "", known: Iterable[str] = (), skip: int = 0
) -> ProtocolError:
    """The first thing that is wrong, by the name of its field.

    `prefix` goes before the name; the first `skip` parts of its place are no names. `known` are the names that a
    wrong one without a dot can have been meant for.
    """
    first = error.errors(include_url=False, include_input=True)[0]
    # The tag of a sound format is no field.
    names = [str(part) for part in first["loc"][skip:] if "/" not in str(part)]
    param = ".".join([prefix, *names] if prefix else names)
    if first["type"] == "extra_forbidden":
        hint = near(names[-1], known) if len(names) == 1 else ""
        return ProtocolError(f"Unknown parameter: '{param}'.{hint}", "unknown_parameter", param, event_id)
    if first["type"] == "missing":
        return ProtocolError(f"Missing required parameter: '{param}'.", "missing_required_parameter", param, event_id)
    return ProtocolError(
        f"Invalid value for '{param}' on this server: {first['msg']}.", "invalid_value", param, event_id
    )


def names_of(events: object) -> tuple[str, ...]:
    """The `type` of each event of a union, in its order."""
    return tuple(get_args(event.model_fields["type"].annotation)[0] for event in get_args(events))


def read_event(text: object, events: TypeAdapter[E], known: Sequence[str]) -> E:
    """A client's message as one of the events that a server knows. Raises ProtocolError."""
    try:
        content = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ProtocolError("The event is not a JSON object.", "invalid_json")
    event_id = content.get("event_id") if isinstance(content.get("event_id"), str) else None
    kind = content.get("type")
    if kind not in known:
        words = f"Invalid value: {kind!r}. This server takes {', '.join(known)}."
        raise ProtocolError(words, "invalid_value", "type", event_id)
    try:
        return events.validate_python(content)
    except ValidationError as error:
        raise refusal(error, event_id, skip=1) from error
