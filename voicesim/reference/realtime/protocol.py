"""What clients may send: the session's fields and the client events, by their GA names and shapes only.

The retired beta shapes (flat session fields, the `realtime=v1` header) are refused with the field's name.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from voicesim.errors import near

VOICE = "heart"
DEFAULT_MODEL = "gpt-realtime"


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


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ServerVad(_Wire):
    """Turn detection by silence: 900 ms unless set, so that a pause between two sentences ends no turn."""

    type: Literal["server_vad"] = "server_vad"
    threshold: float = Field(default=0.5, gt=0.0, lt=1.0)
    prefix_padding_ms: int = Field(default=300, ge=0, le=2_000)
    silence_duration_ms: int = Field(default=900, ge=100, le=10_000)
    create_response: bool = True
    interrupt_response: bool = True
    idle_timeout_ms: None = None


class Transcription(_Wire):
    """When given, what was understood of the caller is also sent as an event."""

    model: str | None = None
    language: str | None = None
    prompt: str | None = None


class PcmFormat(_Wire):
    type: Literal["audio/pcm"] = "audio/pcm"
    rate: Literal[24000] = 24000


class MuLawFormat(_Wire):
    type: Literal["audio/pcmu"]


SoundFormat = PcmFormat | MuLawFormat


class AudioInput(_Wire):
    format: SoundFormat = Field(default=PcmFormat(), discriminator="type")
    noise_reduction: None = None
    transcription: Transcription | None = None
    turn_detection: ServerVad | None = ServerVad()


class AudioOutput(_Wire):
    """This server has one voice at one speed; the voice's name is replaced by its own."""

    format: SoundFormat = Field(default=PcmFormat(), discriminator="type")
    voice: str | dict[str, str] = VOICE
    speed: float = Field(default=1.0, ge=1.0, le=1.0)


class Audio(_Wire):
    input: AudioInput = AudioInput()
    output: AudioOutput = AudioOutput()


class FunctionTool(_Wire):
    """A function the client offers and answers. Only a brain that uses tools calls it."""

    type: Literal["function"]
    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)


class Session(_Wire):
    """The whole configuration of a session. The brain has instructions of its own; these are kept, unused."""

    type: Literal["realtime"] = "realtime"
    model: str = DEFAULT_MODEL
    instructions: str = ""
    output_modalities: tuple[Literal["audio"]] = ("audio",)
    audio: Audio = Audio()
    tools: tuple[FunctionTool, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    max_output_tokens: int | Literal["inf"] = "inf"
    include: None = None
    prompt: None = None
    tracing: None = None
    truncation: Literal["auto", "disabled"] = "auto"


class _ClientEvent(_Wire):
    event_id: str | None = None


class SessionUpdate(_ClientEvent):
    type: Literal["session.update"]
    session: dict[str, Any]


class InputAppend(_ClientEvent):
    """The caller's sound, where it comes by events; over WebRTC it has a track of its own."""

    type: Literal["input_audio_buffer.append"]
    audio: str


class InputCommit(_ClientEvent):
    type: Literal["input_audio_buffer.commit"]


class InputClear(_ClientEvent):
    type: Literal["input_audio_buffer.clear"]


class InputText(_Wire):
    type: Literal["input_text"]
    text: str


class TextItem(_Wire):
    """A message the client types for the caller."""

    type: Literal["message"]
    role: Literal["user"]
    content: tuple[InputText, ...] = Field(min_length=1)
    id: str | None = None
    object: Literal["realtime.item"] | None = None
    status: str | None = None


class FunctionOutput(_Wire):
    """What came of a function call, as text."""

    type: Literal["function_call_output"]
    call_id: str
    output: str
    id: str | None = None
    object: Literal["realtime.item"] | None = None
    status: str | None = None


class ItemCreate(_ClientEvent):
    type: Literal["conversation.item.create"]
    item: TextItem | FunctionOutput = Field(discriminator="type")
    previous_item_id: str | None = None


class ItemTruncate(_ClientEvent):
    """The client stopped playing an item of the agent after so many milliseconds."""

    type: Literal["conversation.item.truncate"]
    item_id: str
    content_index: Literal[0]
    audio_end_ms: int = Field(ge=0)


class ResponseParams(_Wire):
    conversation: Literal["auto"] = "auto"
    instructions: str | None = None
    output_modalities: tuple[Literal["audio"]] | None = None
    metadata: dict[str, str] | None = None


class ResponseCreate(_ClientEvent):
    type: Literal["response.create"]
    response: ResponseParams = ResponseParams()


class ResponseCancel(_ClientEvent):
    type: Literal["response.cancel"]
    response_id: str | None = None


class OutputClear(_ClientEvent):
    type: Literal["output_audio_buffer.clear"]


ClientEvent = (
    SessionUpdate
    | InputAppend
    | InputCommit
    | InputClear
    | ItemCreate
    | ItemTruncate
    | ResponseCreate
    | ResponseCancel
    | OutputClear
)
_EVENT: TypeAdapter[ClientEvent] = TypeAdapter(Annotated[ClientEvent, Field(discriminator="type")])
_KNOWN = (
    "session.update",
    "input_audio_buffer.append",
    "input_audio_buffer.commit",
    "input_audio_buffer.clear",
    "conversation.item.create",
    "conversation.item.truncate",
    "response.create",
    "response.cancel",
    "output_audio_buffer.clear",
)


def parse_event(text: object) -> ClientEvent:
    """A message of the data channel or the WebSocket as a client event. Raises ProtocolError."""
    try:
        content = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ProtocolError("The event is not a JSON object.", "invalid_json")
    event_id = content.get("event_id") if isinstance(content.get("event_id"), str) else None
    kind = content.get("type")
    if kind not in _KNOWN:
        raise ProtocolError(
            f"Invalid value: {kind!r}. This server takes {', '.join(_KNOWN)}.", "invalid_value", "type", event_id
        )
    try:
        return _EVENT.validate_python(content)
    except ValidationError as error:
        raise _refusal(error, "", event_id, skip=1) from error


def updated(session: Session, update: Mapping[str, Any], event_id: str | None = None) -> Session:
    """A session with some fields replaced; a null clears what can be cleared. Raises ProtocolError."""
    if "type" not in update:
        raise ProtocolError(
            "Missing required parameter: 'session.type'.", "missing_required_parameter", "session.type", event_id
        )
    try:
        merged = Session.model_validate(_merge(session.model_dump(), update))
    except ValidationError as error:
        raise _refusal(error, "session", event_id) from error
    output = merged.audio.output.model_copy(update={"voice": VOICE})
    return merged.model_copy(update={"audio": merged.audio.model_copy(update={"output": output})})


def _merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(old)
    for key, value in new.items():
        before = merged.get(key)
        # Another type of thing (a sound format, say) has fields of its own and keeps none of the old.
        deep = isinstance(value, Mapping) and isinstance(before, Mapping) and _same_type(before, value)
        merged[key] = _merge(before, value) if deep else value  # type: ignore[arg-type]
    return merged


def _same_type(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    return "type" not in new or old.get("type") == new["type"]


def _refusal(error: ValidationError, prefix: str, event_id: str | None, skip: int = 0) -> ProtocolError:
    first = error.errors(include_url=False, include_input=True)[0]
    # The tag of a sound format is no field.
    names = [str(part) for part in first["loc"][skip:] if "/" not in str(part)]
    param = ".".join([prefix, *names] if prefix else names)
    if first["type"] == "extra_forbidden":
        hint = near(names[-1], Session.model_fields) if prefix and len(names) == 1 else ""
        return ProtocolError(f"Unknown parameter: '{param}'.{hint}", "unknown_parameter", param, event_id)
    if first["type"] == "missing":
        return ProtocolError(f"Missing required parameter: '{param}'.", "missing_required_parameter", param, event_id)
    return ProtocolError(
        f"Invalid value for '{param}' on this server: {first['msg']}.", "invalid_value", param, event_id
    )
