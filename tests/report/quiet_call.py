"""The measures of a call in which nothing happened."""

from typing import Any

from voicesim.metrics.model import Metrics, Summary


def measured(duration: float, **changes: Any) -> Metrics:
    """Such a call of `duration` seconds, and `changes` to that."""
    nothing: dict[str, Any] = {
        "call_id": "c",
        "response_latency": Summary(n=0),
        "turns": (),
        "cut_ins": 0,
        "interruptions": (),
        "false_yields": 0,
        "overlap": 0.0,
        "dead_air": (),
        "agent_talk": 0.0,
        "caller_talk": 0.0,
        "talk_ratio": None,
        "first_word": None,
    }
    return Metrics(**{**nothing, "duration": duration, **changes})
