"""The events that clients may send, by their GA names and shapes only."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from voicesim.reference_agents.realtime.refusal import Strict, names_of, read_event


class _ClientEvent(Strict):
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


class InputText(Strict):
    type: Literal["input_text"]
    text: str


class TextItem(Strict):
    """A message the client types for the caller."""

    type: Literal["message"]
    role: Literal["user"]
    content: tuple[InputText, ...] = Field(min_length=1)
    id: str | None = None
    object: Literal["realtime.item"] | None = None
    status: str | None = None


class FunctionOutput(Strict):
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


class ResponseParams(Strict):
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
_KNOWN = names_of(ClientEvent)


def parse_event(text: object) -> ClientEvent:
    """A message of the data channel or the WebSocket as a client event. Raises ProtocolError."""
    return read_event(text, _EVENT, _KNOWN)
