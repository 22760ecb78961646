"""What a platform exported of a call: turns and tool calls as events. Its times and words are the platform's own.

Known are Twilio's transcript sentences (Conversational Intelligence), Retell's and Vapi's call objects, LiveKit's
session report, and voicesim's own `events.jsonl`. A platform's transcript is what the agent says it said and heard;
nothing is measured from it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from voicesim.errors import RecordingError
from voicesim.frozen import DAY
from voicesim.recording import files
from voicesim.recording.events import EVENT, EVENTS_LIMIT, AgentHeard, AgentSaid, Event, ToolCall, ToolResult
from voicesim.recording.manifest import EndReason
from voicesim.recording.told import cleaned, cleaned_text
from voicesim.redact import Redactor

Json = Mapping[str, Any]
MOST_ENTRIES = 100_000
"""Events of an export; a call of two hours has a few thousand."""
KNOWN = (
    "known are Twilio's transcript sentences, Retell's and Vapi's call objects, LiveKit's session report, and "
    "voicesim's events.jsonl"
)


@dataclass(frozen=True)
class Export:
    """What was read: events, when the call began (ISO 8601, "" if untold), how it ended, and what was odd."""

    events: tuple[Event, ...] = ()
    started: str = ""
    end: EndReason | None = None
    end_detail: str = ""
    notes: tuple[str, ...] = ()


def read_export(path: Path, started: str = "", caller: str = "left") -> Export:
    """An export as events on the call clock.

    `started` (ISO 8601) says when the recording began, where an export tells times of day alone. `caller` is the
    patient's channel, for exports that name speakers by channel. What is told is cut to size, and keys are taken out.
    Raises RecordingError, with its place, for what cannot be read.
    """
    return _kept(_read(path, started, caller), path)


def _kept(export: Export, path: Path) -> Export:
    """An export without what no call can have told."""
    if len(export.events) > MOST_ENTRIES:
        raise RecordingError(f"{path}: more than {MOST_ENTRIES:,} entries; no call has as many")
    redactor, events, dropped = Redactor(), list[Event](), dict[str, int]()
    for event in export.events:
        try:
            events.append(cleaned(event, redactor)[0])
        except ValueError as error:
            dropped[str(error)] = dropped.get(str(error), 0) + 1
    notes = [f"the export holds {count} times {what}; left out" for what, count in dropped.items()]
    return replace(
        export,
        events=tuple(events),
        started=cleaned_text(export.started, redactor),
        end_detail=cleaned_text(export.end_detail, redactor),
        notes=(*export.notes, *notes),
    )


def _read(path: Path, started: str, caller: str) -> Export:
    try:
        with files.opened(path.parent, path.name, EVENTS_LIMIT) as file:
            data = file.read().removeprefix(files.BOM)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read ({error.strerror or error})") from error
    try:
        content = from_json(data, allow_inf_nan=False)
    except ValueError:
        return Export(events=tuple(_own(path, data)))
    form = _form(content)
    if form is None:
        if isinstance(content, dict) and "type" in content:
            return Export(events=tuple(_own(path, data)))
        raise RecordingError(f"{path}: JSON of no known form; {KNOWN}")
    try:
        return form(content, started, caller)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError) as error:
        raise RecordingError(f"{path}: not what such an export holds: {type(error).__name__}: {error}") from error


def _form(content: Any) -> Callable[[Any, str, str], Export] | None:
    """The reader for an export, told by its keys."""
    if not isinstance(content, dict):
        return None
    if "sentences" in content:
        return _twilio
    if "transcript_object" in content or "transcript_with_tool_calls" in content:
        return _retell
    if "call" in content and isinstance(content["call"], dict):
        return _form(content["call"]) and (lambda _, started, caller: read_form(content["call"], started, caller))
    if "chat_history" in content or "items" in content:
        return _livekit
    if "messages" in content or "messages" in (content.get("artifact") or {}):
        return _vapi
    return None


def read_form(content: Any, started: str, caller: str) -> Export:
    """An export that lies within another object, as webhooks send it."""
    form = _form(content)
    return form(content, started, caller) if form else Export()


def _twilio(content: Json, started: str, caller: str) -> Export:
    """Sentences with their channel (1 and 2), text, and offsets in seconds."""
    patient = 1 if caller == "left" else 2
    events = [
        _turn(
            "caller" if int(sentence["media_channel"]) == patient else "agent",
            sentence["transcript"],
            float(sentence["start_time"]),
            float(sentence["end_time"]),
        )
        for sentence in content["sentences"]
    ]
    return Export(events=tuple(events), started=started)


def _retell(content: Json, started: str, caller: str) -> Export:
    """Turns with word times, and tool calls between them; both in seconds of the call."""
    events: list[Event] = []
    now = 0.0
    for entry in content.get("transcript_with_tool_calls") or content["transcript_object"]:
        role = entry.get("role")
        words = entry.get("words") or ()
        if role in ("agent", "user"):
            start = float(words[0]["start"]) if words else now
            now = float(words[-1]["end"]) if words else now
            events.append(_turn("agent" if role == "agent" else "caller", entry["content"], start, now))
        elif role == "tool_call_invocation":
            at = _within(float(entry.get("time_sec", now)))
            arguments = _arguments(entry.get("arguments"))
            events.append(
                ToolCall(t=at, call_id=str(entry["tool_call_id"]), name=str(entry["name"]), arguments=arguments)
            )
        elif role == "tool_call_result":
            at = _within(float(entry.get("time_sec", now)))
            events.append(ToolResult(t=at, call_id=str(entry["tool_call_id"]), result=_value(entry.get("content"))))
    reason = str(content.get("disconnection_reason") or "")
    ends: dict[str, EndReason] = {"agent_hangup": "agent_hung_up", "user_hangup": "caller_hung_up"}
    began = content.get("start_timestamp")
    return Export(tuple(events), started or (_iso(began / 1000) if began else ""), ends.get(reason), reason)


def _vapi(content: Json, started: str, caller: str) -> Export:
    """Messages with seconds from the start; tool calls as the model made them."""
    events: list[Event] = []
    for message in content.get("messages") or content["artifact"]["messages"]:
        role, at = message.get("role"), _within(float(message.get("secondsFromStart") or 0.0))
        if role in ("bot", "assistant", "user"):
            span = (message.get("endTime") or 0.0) - (message.get("time") or 0.0) if message.get("endTime") else 0.0
            end = at + max(0.0, float(span) / 1000)
            events.append(_turn("caller" if role == "user" else "agent", message.get("message") or "", at, end))
        elif role == "tool_calls":
            for call in message.get("toolCalls") or ():
                function = call["function"]
                arguments = _arguments(function.get("arguments"))
                events.append(ToolCall(t=at, call_id=str(call["id"]), name=str(function["name"]), arguments=arguments))
        elif role == "tool_call_result":
            events.append(ToolResult(t=at, call_id=str(message["toolCallId"]), result=_value(message.get("result"))))
    reason = str(content.get("endedReason") or "")
    ends: dict[str, EndReason] = {
        "customer-ended-call": "caller_hung_up",
        "assistant-ended-call": "agent_hung_up",
        "silence-timed-out": "agent_silent",
        "exceeded-max-duration": "max_duration",
    }
    return Export(tuple(events), started or str(content.get("startedAt") or ""), ends.get(reason), reason)


def _livekit(content: Json, started: str, caller: str) -> Export:
    """Chat items with times of day; the recording's own beginning makes them seconds of the call."""
    history = content.get("chat_history") or content
    began = content.get("audio_recording_started_at") or (datetime.fromisoformat(started).timestamp() if started else 0)
    items = history["items"]
    notes = []
    if not began:
        began = min((float(item["created_at"]) for item in items if item.get("created_at")), default=0.0)
        notes.append("the export does not say when the recording began; its first entry is taken for 0 s (see --start)")
    events: list[Event] = []
    for item in items:
        at = _within(max(0.0, float(item.get("created_at") or began) - began))
        kind = item.get("type", "message")
        if kind == "message" and item.get("role") in ("assistant", "user"):
            text = " ".join(part for part in item.get("content") or () if isinstance(part, str))
            events.append(_turn("caller" if item["role"] == "user" else "agent", text, at, at))
        elif kind == "function_call":
            arguments = _arguments(item.get("arguments"))
            events.append(ToolCall(t=at, call_id=str(item["call_id"]), name=str(item["name"]), arguments=arguments))
        elif kind == "function_call_output":
            events.append(ToolResult(t=at, call_id=str(item["call_id"]), result=_value(item.get("output"))))
    return Export(tuple(events), started or _iso(float(began)) if began else "", notes=tuple(notes))


def _turn(side: str, text: Any, start: float, end: float) -> Event:
    """A turn as the platform understood it: the agent's own words, or what it heard of the patient."""
    if side == "agent":
        return AgentSaid(t=_within(start), text=str(text))
    return AgentHeard(t=_within(end), text=str(text), start=_within(start), end=_within(max(start, end)))


def _within(second: float) -> float:
    if not 0.0 <= second <= DAY:
        raise ValueError(f"{second:g} s is no moment of a call")
    return round(second, 4)


def _arguments(given: Any) -> dict[str, Any]:
    """Arguments as an object, whether they came as one or as its JSON text."""
    value = _value(given) if given not in (None, "") else {}
    return value if isinstance(value, dict) else {"value": value}


def _value(given: Any) -> Any:
    """JSON text as what it says; any other text as it is."""
    if not isinstance(given, str):
        return given
    try:
        return from_json(given, allow_inf_nan=False)
    except ValueError:
        return given


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


def _own(path: Path, data: bytes) -> Iterator[Event]:
    """The events of voicesim's own file, line by line."""
    for number, line in enumerate(_split(data), start=1):
        if not line.strip():
            continue
        try:
            yield EVENT.validate_python(from_json(line, allow_inf_nan=False))
        except ValidationError as error:
            raise RecordingError(f"{path}:{number}: {error.errors()[0]['msg']}; {KNOWN}") from error
        except ValueError as error:
            raise RecordingError(f"{path}:{number}: no JSON: {error}; {KNOWN}") from error


def _split(data: bytes) -> Iterable[bytes]:
    return data.split(b"\n")
