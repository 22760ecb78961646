"""What voicesim asks of an OpenAI Realtime session, in GA shapes, and the key it asks with."""

import os
from typing import Any, Literal

from voicesim.errors import UsageError

AudioType = Literal["audio/pcm", "audio/pcmu"]
"""The sound on a WebSocket: 16 bits at 24,000 Hz, or G.711 mu-law at 8,000 Hz."""
CLIENT_SECRET = "ek_"
"""How a client secret begins. The session it opens was configured by whoever made it."""

INSTRUCTIONS = (
    "You are the nurse on a telephone advice line. A patient is calling. Ask the history questions that matter, "
    "one or two at a time, notice danger signs, give only safe advice, and say goodbye at the end. Speak briefly."
)


def key_for(name: str, key: str | None) -> str:
    """The key for an agent: the one given, or OPENAI_API_KEY. Raises UsageError when there is none."""
    found = key or os.environ.get("OPENAI_API_KEY", "")
    if not found:
        raise UsageError(f"the agent {name} needs a key in the environment variable OPENAI_API_KEY")
    return found


def new_session(model: str) -> dict[str, Any]:
    """The configuration of a session that voicesim opens: a nurse, server voice activity, a transcript."""
    return {"type": "realtime", "model": model, "instructions": INSTRUCTIONS, "audio": {"input": _listening()}}


def session_update(key: str, audio: AudioType) -> dict[str, Any]:
    """The `session` of a session.update over a WebSocket: what `new_session` sets, and the sound's format.

    The session of a client secret keeps everything but the format. (The model went with the address.)
    """
    wire = {"type": audio, "rate": 24_000} if audio == "audio/pcm" else {"type": audio}
    sound: dict[str, Any] = {"input": {"format": wire}, "output": {"format": wire}}
    if key.startswith(CLIENT_SECRET):
        return {"type": "realtime", "audio": sound}
    return {
        "type": "realtime",
        "instructions": INSTRUCTIONS,
        "audio": {**sound, "input": _listening() | sound["input"]},
    }


def _listening() -> dict[str, Any]:
    return {
        "turn_detection": {"type": "server_vad"},
        "transcription": {"model": "whisper-1", "language": "en"},
    }


def audio_agreed(session: object) -> str | None:
    """The format of the agent's sound that a session the server sent back names; None when it names none."""
    named = _within(session, "audio", "output", "format", "type")
    return named if isinstance(named, str) else None


def interrupts(session: object) -> bool:
    """Whether the caller's speech stops the agent in a session the server sent back; it does unless switched off."""
    detection = _within(session, "audio", "input", "turn_detection")
    if detection is None:
        return not _names(session, "audio", "input", "turn_detection")
    return _within(detection, "interrupt_response") is not False


def _within(value: object, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _names(value: object, *names: str) -> bool:
    """Whether the last field is there at all, be it null."""
    parent = _within(value, *names[:-1])
    return isinstance(parent, dict) and names[-1] in parent
