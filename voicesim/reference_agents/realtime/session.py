"""The configuration of a session, by its GA names and shapes only; flat fields of the retired beta are refused."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from voicesim.reference_agents.realtime.refusal import ProtocolError, Strict, refusal

VOICE = "heart"
DEFAULT_MODEL = "reference"


class ServerVad(Strict):
    """Turn detection by silence: 900 ms unless set, so that a pause between two sentences ends no turn."""

    type: Literal["server_vad"] = "server_vad"
    threshold: float = Field(default=0.5, gt=0.0, lt=1.0)
    prefix_padding_ms: int = Field(default=300, ge=0, le=2_000)
    silence_duration_ms: int = Field(default=900, ge=100, le=10_000)
    create_response: bool = True
    interrupt_response: bool = True
    idle_timeout_ms: None = None


class Transcription(Strict):
    """When given, what was understood of the caller is also sent as an event."""

    model: str | None = None
    language: str | None = None
    prompt: str | None = None


class PcmFormat(Strict):
    type: Literal["audio/pcm"] = "audio/pcm"
    rate: Literal[24000] = 24000


class MuLawFormat(Strict):
    type: Literal["audio/pcmu"]


SoundFormat = PcmFormat | MuLawFormat


class AudioInput(Strict):
    format: SoundFormat = Field(default=PcmFormat(), discriminator="type")
    noise_reduction: None = None
    transcription: Transcription | None = None
    turn_detection: ServerVad | None = ServerVad()


class AudioOutput(Strict):
    """This server has one voice at one speed; the voice's name is replaced by its own."""

    format: SoundFormat = Field(default=PcmFormat(), discriminator="type")
    voice: str | dict[str, str] = VOICE
    speed: float = Field(default=1.0, ge=1.0, le=1.0)


class Audio(Strict):
    input: AudioInput = AudioInput()
    output: AudioOutput = AudioOutput()


class FunctionTool(Strict):
    """A function the client offers and answers. Only a brain that uses tools calls it."""

    type: Literal["function"]
    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)


class Session(Strict):
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


def updated(session: Session, update: Mapping[str, Any], event_id: str | None = None) -> Session:
    """A session with some fields replaced; a null clears what can be cleared. Raises ProtocolError."""
    if "type" not in update:
        raise ProtocolError(
            "Missing required parameter: 'session.type'.", "missing_required_parameter", "session.type", event_id
        )
    try:
        merged = Session.model_validate(_merge(session.model_dump(), update))
    except ValidationError as error:
        raise refusal(error, event_id, prefix="session", known=Session.model_fields) from error
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
