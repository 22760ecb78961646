"""How a request is refused: by the name of the field, as OpenAI's server does it."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, ValidationError

from voicesim.errors import near


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
