"""metrics.json: numbers measured from the sound. All times in seconds on the call clock."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Summary(_Part):
    """A list of values and its quantiles; None where there is nothing to summarise, never 0 or NaN."""

    n: int
    median: float | None = None
    p90: float | None = None
    p95: float | None = None
    max: float | None = None
    values: tuple[float, ...] = ()


class Turn(_Part):
    """A patient utterance that wants an answer, and what came of it."""

    caller: str
    caller_end: float
    agent: str | None = None
    agent_start: float | None = None
    latency: float | None = None
    outcome: Literal["answered", "cut_in", "unanswered", "aborted"]


class Interruption(_Part):
    """A patient utterance that wants the agent to stop. yield_time is None when it did not."""

    caller: str
    agent: str
    start: float
    yield_time: float | None
    yielded: bool
    overlap: float


class DeadAir(_Part):
    """Nobody speaks between start and end; `waiting_for` is the side whose turn it was."""

    start: float
    end: float
    waiting_for: Literal["agent", "caller"]


class Cost(_Part):
    """What the agent's tokens cost. `amount` is None when that cannot be known, and `unknown` says why."""

    currency: str
    amount: float | None
    responses: int
    prices_as_of: str | None = None
    unknown: tuple[str, ...] = ()


class Metrics(_Part):
    schema_version: Literal[1] = 1
    call_id: str
    duration: float
    response_latency: Summary
    turns: tuple[Turn, ...]
    cut_ins: int
    interruptions: tuple[Interruption, ...]
    false_yields: int
    overlap: float
    dead_air: tuple[DeadAir, ...]
    agent_talk: float
    caller_talk: float
    talk_ratio: float | None
    first_word: float | None
    warnings: tuple[str, ...] = ()
    cost: Cost | None = None
