"""The closed set of things that happen in a call; one event is one line of events.jsonl.

`t` is in seconds on the call clock (0: media flows both ways). What happened before that has t = 0.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from voicesim.frozen import Frozen, Seconds

Intent = Literal["respond", "stop", "ignore"]
EVENTS_LIMIT = 64 * 2**20
"""Bytes of all events of a call; voicesim writes no more and reads no more."""
MOST_EVENTS = 250_000
"""Events of a call: 35 a second in a call of two hours."""
LINE_LIMIT = 2**20
"""Bytes of one event; what an agent tells is cut to 32,000 characters."""
LineKind = Literal["line", "follow_up", "interruption", "backchannel", "side_talk", "cough", "scene"]
"""What a line of the patient is: a turn of its own, a question into the agent's silence, or said while it speaks."""
FIRST_BYTE = "first_byte"
"""Name of the `agent_metric` with which a line notes that the sound of a reply began to arrive; its value is `t`."""


class _Event(Frozen):
    t: Seconds


class Connected(_Event):
    """Media flows both ways. `setup_seconds` is how long it took to get here; part of no latency."""

    type: Literal["connected"] = "connected"
    setup_seconds: Seconds
    line: str


class CallerLine(_Event):
    """The patient starts to speak. `start` and `end` are the planned span in the clean stem (seconds).

    `drawn` are the seconds of silence that the persona leaves between the agent's last word and this reply to it; None
    for a line that answers nothing, and in older recordings.
    `kind` is None in recordings of before there were several. `early`: the patient meant to begin before the agent had
    quite finished.
    """

    type: Literal["caller_line"] = "caller_line"
    text: str
    spoken: str
    intent: Intent
    kind: LineKind | None = None
    facts: tuple[str, ...] = ()
    start: Seconds
    end: Seconds
    drawn: Seconds | None = None
    early: bool = False


class LineGoesOn(_Event):
    """The line that the patient is saying, now that more of it is known: what of `caller_line` is different.

    A recording that is read has it in the line itself.
    """

    type: Literal["line_goes_on"] = "line_goes_on"
    text: str
    spoken: str
    facts: tuple[str, ...] = ()
    end: Seconds


class AgentSaid(_Event):
    """The agent's own transcript of itself, if it gives one. Few measures rest on it, and say so."""

    type: Literal["agent_said"] = "agent_said"
    text: str
    response_id: str = ""


class Unheard(_Event):
    """What the agent had sent ahead and was taken back at an interruption: `seconds` of sound that nobody heard.

    `text` are its words, as far as the agent told them: the end of the `agent_said` of the same response.
    """

    type: Literal["unheard"] = "unheard"
    text: str
    seconds: Seconds
    response_id: str = ""


class AgentHeard(_Event):
    """What the agent says it understood of the patient. Few measures rest on it, and say so.

    `start` and `end` (seconds) are when the agent told that the speech began and ended, if it did.
    """

    type: Literal["agent_heard"] = "agent_heard"
    text: str
    start: Seconds | None = None
    end: Seconds | None = None


class Heard(_Event):
    """What the patient's ear understood of an agent turn that lay between start and end (seconds).

    `confidence` is how sure the ear was, from 0 to 1; None in older recordings.
    """

    type: Literal["heard"] = "heard"
    text: str
    start: Seconds
    end: Seconds
    confidence: float | None = Field(default=None, ge=0, le=1)


class ToolCall(_Event):
    type: Literal["tool_call"] = "tool_call"
    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolResult(_Event):
    type: Literal["tool_result"] = "tool_result"
    call_id: str
    result: Any


class ToolState(_Event):
    """What the system behind the agent's own tools held before the call, if the agent reports it."""

    type: Literal["tool_state"] = "tool_state"
    state: dict[str, Any]


class AgentMetric(_Event):
    """A number the agent tells about itself."""

    type: Literal["agent_metric"] = "agent_metric"
    name: str
    value: float
    detail: str = ""


class Usage(_Event):
    type: Literal["usage"] = "usage"
    response_id: str
    usage: dict[str, Any]


class Effect(_Event):
    """Something done to the sound of one leg, at `t`: to what the caller says, or to what they hear of the agent.

    `lost` packets of 20 ms, `late_packet` (seconds after the receiver stopped waiting), `dropout` and `burst`
    (seconds), `clipped` samples, `line_cut` (the patient's line in progress ended), and what effects of other packages
    name.
    """

    type: Literal["effect"] = "effect"
    kind: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    amount: float = 0.0
    leg: Literal["caller", "agent"] = "caller"


class SceneBegun(_Event):
    """Something that a case or profile sets for one moment of the call begins: `what` is its name (`hold`, `drop`)."""

    type: Literal["scene"] = "scene"
    what: str


class Divergence(_Event):
    """In a replay, the agent's words (`heard`) no longer go with the recorded patient's next line.

    `never_answered`: it asks for what the recorded patient never told; `does_not_fit`: the line answers something
    else; `no_more_lines`: the recording has none left. `action` is what the replay did then.
    """

    type: Literal["divergence"] = "divergence"
    kind: Literal["never_answered", "does_not_fit", "no_more_lines"]
    heard: str
    line: str = ""
    detail: str = ""
    action: Literal["stop", "go_on", "hand_over"]


class Late(_Event):
    """A tick that was more than half a tick late; agent audio that came after its place had been heard; or a gap in
    the sender's own media time: sound that was lost, or never sent (`what`)."""

    type: Literal["late"] = "late"
    what: Literal["tick", "audio", "gap"]
    seconds: Seconds


class Warning_(_Event):
    type: Literal["warning"] = "warning"
    message: str


class Hangup(_Event):
    """The call ended here, by whom and why (the manifest's end_reason and its detail)."""

    type: Literal["hangup"] = "hangup"
    by: Literal["caller", "agent", "harness"]
    reason: str
    detail: str = ""


Event = Annotated[
    Connected
    | CallerLine
    | LineGoesOn
    | AgentSaid
    | Unheard
    | AgentHeard
    | Heard
    | ToolCall
    | ToolResult
    | ToolState
    | AgentMetric
    | Usage
    | Effect
    | SceneBegun
    | Divergence
    | Late
    | Warning_
    | Hangup,
    Field(discriminator="type"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def whole_lines(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events with each of the patient's lines as it was in the end, and nothing apart about how it went on."""
    known: list[Event] = []
    for event in events:
        if not isinstance(event, LineGoesOn):
            known.append(event)
            continue
        place = next((n for n in reversed(range(len(known))) if isinstance(known[n], CallerLine)), None)
        if place is not None:
            more = {"text": event.text, "spoken": event.spoken, "facts": event.facts, "end": event.end}
            known[place] = known[place].model_copy(update=more)
    return tuple(known)
