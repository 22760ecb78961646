"""Manifests of finished calls, as they come out of a call."""

from typing import Any

from spoken import shipped

from voicesim.recording.manifest import Manifest, Resolved, Validity

_THING = Resolved(id="x", sha256="0" * 64, content={})


def manifest(name: str = "cold-01", **changes: Any) -> Manifest:
    """The manifest of a valid, completed call of a shipped case, 10 s long, with these fields changed."""
    case = shipped(name)
    fields: dict[str, Any] = {
        "call_id": "made",
        "suite": "made",
        "started_at": "2025-01-01T00:00:00+00:00",
        "case": Resolved(id=case.id, sha256="0" * 64, content=case.model_dump(mode="json")),
        "persona": _THING,
        "profile": _THING,
        "agent": _THING,
        "mind": "cues",
        "seed": 0,
        "versions": {},
        "duration": 10.0,
        "end_reason": "completed",
        "validity": Validity(valid=True),
    }
    return Manifest(**(fields | changes))
