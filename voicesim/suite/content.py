"""The content key of a call: equal for two calls that are made with the same, word for word, and for no others."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voicesim import __version__
from voicesim.call.assembly import Order
from voicesim.catalog.fingerprint import fingerprint


def content_key(order: Order) -> str:
    """sha256 (64 hexadecimal digits) of all that decides a call: case, persona, profile and agent with their content,
    mind, ear, seed, clock, limits, the files they name, and the version of voicesim.

    What is said about the call later, by which judge or transcript, is no part of it. Neither is what an agent's
    server does: that it changed cannot be seen from here.
    """
    parts: dict[str, Any] = {
        "voicesim": __version__,
        "case": fingerprint(order.case),
        "persona": fingerprint(order.persona),
        "profile": fingerprint(order.profile),
        "agent": [order.agent, fingerprint(order.settings) if order.settings else ""],
        "mind": order.mind,
        "ear": order.ear,
        "seed": order.seed,
        "clock": order.clock,
        "limits": [order.max_turns, order.max_duration],
        "files": {path: _sha256(path) for path in sorted(set(_files(order)))},
    }
    if order.replay is not None:
        sound = hashlib.sha256(order.replay.clean.tobytes() + order.replay.sent.tobytes()).hexdigest()
        parts["replay"] = [*order.replay.asked, sound]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _files(order: Order) -> Iterator[str]:
    """The files that the catalogue's entries only name: a mind's, a voice's, sounds of a profile."""
    yield order.mind.partition(":")[2] if order.mind.startswith("script:") else order.mind
    yield order.persona.voice.model or ""
    for effect in (order.profile.noise, *order.profile.chain, *order.profile.agent_leg):
        yield str(getattr(effect, "path", "") or "")


def _sha256(path: str) -> str:
    """Of a file's content; "" where there is no such file."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else ""
    except OSError:
        return ""
