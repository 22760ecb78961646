"""call.json: what was called, with what, and how the call ended."""

from typing import Any, Literal

from voicesim import __version__
from voicesim.frozen import Frozen, Seconds, Seed

EndReason = Literal[
    "completed",
    "caller_hung_up",
    "agent_hung_up",
    "max_turns",
    "max_duration",
    "agent_silent",
    "line_lost",
    "harness_error",
]


BY_TYPING, BY_VOICE = "manual", "microphone"
"""The minds that are a person: one who types the patient's lines, and one who speaks them."""


class Resolved(Frozen):
    """A catalogue entry as it was used; sha256 is of its canonical JSON."""

    id: str
    sha256: str
    content: dict[str, Any]


class ModelAt(Frozen):
    """A language model by the name that it was asked for, and the host (and port) of its server."""

    model: str
    host: str


class Validity(Frozen):
    """Whether the harness kept its part. `reason` is one word (late_harness, tts_failed, ...)."""

    valid: bool
    reason: str = ""
    detail: str = ""


class Lateness(Frozen):
    """How late the pacer's ticks were (seconds), and the share later than half a tick."""

    ticks: int
    p50: Seconds
    p99: Seconds
    max: Seconds
    late_share: float


class SourceFile(Frozen):
    """A file that an imported call was made from: its name, the sha256 of its bytes, and what it holds."""

    name: str
    sha256: str
    holds: str


class Imported(Frozen):
    """Where a call from outside came from. `caller` is where the patient is heard (`left`, `right`, `first file`).

    `uncertain`: the sides were told apart by their voices. `crosstalk`: one side is heard in the other's channel.
    `notes` tell what was odd about the sound.
    """

    files: tuple[SourceFile, ...]
    caller: str
    uncertain: bool = False
    crosstalk: bool = False
    notes: tuple[str, ...] = ()


class Replayed(Frozen):
    """The call whose recorded patient called again, and how: `mode` and `on_divergence` as they were asked for.

    `sound` is `clean` for the patient before the line's effects, `sent` for what the recorded line made of it.
    """

    call_id: str
    mode: Literal["turns", "clock", "exact"]
    on_divergence: Literal["stop", "go_on", "hand_over"]
    sound: Literal["clean", "sent"] = "clean"


class Redacted(Frozen):
    """What was taken out of a redacted copy: how many stretches of sound, and what they became."""

    stretches: int
    sound: Literal["silence", "tone"]


class Manifest(Frozen):
    """The whole of call.json. While the call is live, duration and all that follows it are None.

    `drift_ppm`: how much faster our clock ran than the agent's media clock; None where it was not measured.
    `mind_model` is the language model that played the patient; None for a mind without one.
    `key` is a sha256 of all that decides the call, by which a suite finds it again; "" for a call outside of one.
    `state_before` is what the backend behind the agent's tools held when the call began; None without one.
    `imported` is set for a call that voicesim did not make itself; it has no clean stem.
    `replayed` is set for a call in which a recorded patient called again, `redacted` for a copy without some words.
    """

    schema_version: Literal[1] = 1
    call_id: str
    suite: str
    key: str = ""
    started_at: str
    case: Resolved
    persona: Resolved
    profile: Resolved
    agent: Resolved
    mind: str
    mind_model: ModelAt | None = None
    seed: Seed
    clock: Literal["live", "virtual"] = "live"
    versions: dict[str, str]
    setup_seconds: Seconds | None = None
    duration: Seconds | None = None
    end_reason: EndReason | None = None
    end_detail: str = ""
    validity: Validity | None = None
    lateness: Lateness | None = None
    drift_ppm: float | None = None
    repaired: bool = False
    state_before: dict[str, Any] | None = None
    imported: Imported | None = None
    replayed: Replayed | None = None
    redacted: Redacted | None = None


def bare_manifest(call_id: str, who: str, clock: Literal["live", "virtual"] = "live") -> Manifest:
    """The manifest of a call that rests on nothing in the catalogue; `who` makes it."""
    nothing = Resolved(id=who, sha256="", content={})
    return Manifest(
        call_id=call_id,
        suite=who,
        started_at="",
        case=nothing,
        persona=nothing,
        profile=nothing,
        agent=nothing,
        mind=who,
        seed=0,
        clock=clock,
        versions={"voicesim": __version__},
    )
