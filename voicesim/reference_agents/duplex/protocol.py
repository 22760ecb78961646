"""The events that clients may send and the session they may ask for, as GPT-Live has them; anything else is refused."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from voicesim.reference_agents.realtime.refusal import ProtocolError, Strict, names_of, read_event, refusal


class PcmFormat(Strict):
    type: Literal["audio/pcm"]
    rate: Literal[24000]


class MuLawFormat(Strict):
    type: Literal["audio/pcmu"]
    rate: Literal[8000]


class AudioOutput(Strict):
    """This server has one voice."""

    voice: str | dict[str, str] | None = None


class Audio(Strict):
    """`format` is for WebSockets only, and is that of both directions."""

    format: Annotated[PcmFormat | MuLawFormat, Field(discriminator="type")] | None = None
    output: AudioOutput = AudioOutput()


class ClientDelegation(Strict):
    type: Literal["client"]
    acknowledgement_delay_ms: int | None = Field(default=None, ge=0)


class Session(Strict):
    """What a client asks for. The brain has instructions of its own; these are kept, unused."""

    model: str
    instructions: str | None = None
    audio: Audio = Audio()
    delegation: ClientDelegation | None = None


class _ClientEvent(Strict):
    event_id: str | None = None


class SessionStart(_ClientEvent):
    type: Literal["session.start"]
    session: dict[str, Any]


class InputAppend(_ClientEvent):
    """The caller's sound, where it comes by events; over WebRTC it has a track of its own."""

    type: Literal["session.input_audio.append"]
    audio: str


class ContextAppend(_ClientEvent):
    """What the client wants known or told, on its own account or for work that was delegated to it."""

    type: Literal["session.commentary.append", "session.thinking.append", "session.instructions.append"]
    content: str
    delegation_id: str | None


class SessionClose(_ClientEvent):
    type: Literal["session.close"]


ClientEvent = SessionStart | InputAppend | ContextAppend | SessionClose
_EVENT: TypeAdapter[ClientEvent] = TypeAdapter(Annotated[ClientEvent, Field(discriminator="type")])
_KNOWN = names_of(ClientEvent)


def parse_event(text: object) -> ClientEvent:
    """A message of a client as an event. Raises ProtocolError."""
    return read_event(text, _EVENT, _KNOWN)


def parse_session(content: object, *, by_events: bool) -> Session:
    """What a client asks for. `by_events`: its sound comes in events. Raises ProtocolError."""
    try:
        session = Session.model_validate(content)
    except ValidationError as error:
        raise refusal(error, None, prefix="session", known=Session.model_fields) from error
    if session.audio.format is not None and not by_events:
        raise ProtocolError("WebRTC agrees on its sound itself.", "unknown_parameter", "session.audio.format")
    return session
