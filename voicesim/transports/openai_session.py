"""What voicesim asks of an OpenAI Realtime session, in GA shapes, and the key it asks with."""

import os
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from voicesim.catalog.agent_file import AgentFile, TurnDetection
from voicesim.catalog.tools import Tool
from voicesim.errors import UsageError
from voicesim.llm.known_models import default_model

AudioType = Literal["audio/pcm", "audio/pcmu"]
"""The sound on a WebSocket: 16 bits at 24,000 Hz, or G.711 mu-law at 8,000 Hz."""
SETTINGS = frozenset({"instructions", "voice", "tools", "turn_detection", "base_url", "key_env", "headers"})
"""Keys of an agent file that a session uses, on either wire."""
NO_KEY = "none"
"""Stands in for a key where there is none; servers that check no key want one to be there all the same."""
CLIENT_SECRET = "ek_"
"""How a client secret begins. The session it opens was configured by whoever made it."""

INSTRUCTIONS = (
    "You are the nurse on a telephone advice line. A patient is calling. Ask the history questions that matter, "
    "one or two at a time, notice danger signs, give only safe advice, and say goodbye at the end. Speak briefly."
)
"""For agents whose file has none."""
WITH_TOOLS = " You have tools to look things up and to book. Say that something is booked only once a tool has said so."


def key_for(name: str, key: str | None, settings: AgentFile) -> str:
    """The key for an agent: the one given, or that of the environment variable its file names.

    Raises UsageError when the variable is not set. A server that is not OpenAI's and names none gets NO_KEY.
    """
    if key or settings.key_variable is None:
        return key or NO_KEY
    if not (value := os.environ.get(settings.key_variable, "")):
        raise UsageError(f"the agent {name} needs a key in the environment variable {settings.key_variable}")
    return value


def new_session(model: str, settings: AgentFile | None = None, tools: Sequence[Tool] = ()) -> dict[str, Any]:
    """The configuration of a session that voicesim opens: what the agent file says, else a nurse with server
    voice activity; and a transcript of the caller, while the service has a model for it."""
    detection = (settings.turn_detection if settings else None) or TurnDetection()
    transcriber = default_model("transcription", date.today())
    session: dict[str, Any] = {
        "type": "realtime",
        "model": model,
        "instructions": (settings.instructions if settings else "") or INSTRUCTIONS + (WITH_TOOLS if tools else ""),
        "audio": {
            "input": {
                "turn_detection": None if detection.type == "none" else detection.model_dump(exclude_none=True),
                "transcription": {"model": transcriber, "language": "en"} if transcriber else None,
            }
        },
    }
    if settings and settings.voice:
        session["audio"]["output"] = {"voice": settings.voice}
    if tools:
        session |= {"tools": [{"type": "function", **tool.model_dump()} for tool in tools], "tool_choice": "auto"}
    return session


def session_update(
    key: str, audio: AudioType, settings: AgentFile | None = None, tools: Sequence[Tool] = ()
) -> dict[str, Any]:
    """The `session` of a session.update over a WebSocket: what `new_session` sets, and the sound's format.

    The session of a client secret keeps everything but the format. (The model went with the address.)
    """
    wire = {"type": audio, "rate": 24_000} if audio == "audio/pcm" else {"type": audio}
    if key.startswith(CLIENT_SECRET):
        return {"type": "realtime", "audio": {"input": {"format": wire}, "output": {"format": wire}}}
    session = new_session("", settings, tools)
    del session["model"]
    for side in ("input", "output"):
        session["audio"].setdefault(side, {})["format"] = wire
    return session


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


def waits_for_commit(session: object, before: bool) -> bool:
    """Whether a session the server sent detects no turns and waits to be told; `before` where it does not say."""
    if not _names(session, "audio", "input", "turn_detection"):
        return before
    return _within(session, "audio", "input", "turn_detection") is None


def _within(value: object, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _names(value: object, *names: str) -> bool:
    """Whether the last field is there at all, be it null."""
    parent = _within(value, *names[:-1])
    return isinstance(parent, dict) and names[-1] in parent
