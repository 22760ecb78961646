"""The transcript as the page shows it: tokens with their marks, and what each utterance counted for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from voicesim.metrics.model import Metrics
from voicesim.report.checks import CheckView, Spoken
from voicesim.report.quotes import Token
from voicesim.report.wording import span
from voicesim.transcript.model import Utterance

INTENTS = {
    "respond": "wants an answer",
    "stop": "wants the agent to stop",
    "ignore": "the agent should carry on",
}

Kind = Literal["hit", "miss", "open"]


@dataclass(frozen=True)
class Shown:
    """A token and, when it is quoted, what the quote counted as; `joined` when the quote goes on after it."""

    token: Token
    kind: Kind | None
    joined: bool


@dataclass(frozen=True)
class ConversationLine:
    """One utterance. `counted` are the checks that quote it, each once; `timing` says how fast it came."""

    utterance: Utterance
    tokens: tuple[Shown, ...]
    counted: tuple[CheckView, ...]
    timing: str
    late: bool

    @property
    def start(self) -> float:
        """When it begins, in seconds."""
        return self.utterance.start

    @property
    def who(self) -> str:
        """The side in words."""
        return "Agent" if self.utterance.side == "agent" else "Patient"

    @property
    def wants(self) -> str:
        """What the intent means."""
        return INTENTS[self.utterance.intent] if self.utterance.intent else ""


def conversation(spoken: Spoken, checks: Sequence[CheckView], metrics: Metrics) -> tuple[ConversationLine, ...]:
    """The utterances, in the order of the transcript."""
    timing = _timings(metrics)
    return tuple(
        ConversationLine(
            utterance=utterance,
            tokens=_marked(utterance.id, pieces, checks),
            counted=tuple(check for check in checks if any(q.utterance == utterance.id for q in check.quotes)),
            timing=timing.get(utterance.id, ("", False))[0],
            late=timing.get(utterance.id, ("", False))[1],
        )
        for utterance, pieces in spoken.values()
    )


def _marked(utterance: str, pieces: tuple[Token, ...], checks: Sequence[CheckView]) -> tuple[Shown, ...]:
    kinds: dict[int, Kind] = {}
    for check in checks:
        for quote in check.quotes:
            if quote.utterance == utterance and quote.place is not None:
                for index in range(quote.place.first, quote.place.last + 1):
                    kinds.setdefault(index, check.kind)
    return tuple(
        Shown(token, kinds.get(index), joined=index in kinds and index + 1 in kinds)
        for index, token in enumerate(pieces)
    )


def _timings(metrics: Metrics) -> dict[str, tuple[str, bool]]:
    """By utterance: how it stands to the one before, and whether that is something to look at."""
    notes: dict[str, tuple[str, bool]] = {}
    for turn in metrics.turns:
        if turn.outcome == "answered" and turn.agent and turn.latency is not None:
            notes[turn.agent] = (f"{span(turn.latency)} after {turn.caller}", False)
        elif turn.outcome == "cut_in" and turn.agent:
            notes[turn.agent] = (f"cuts into {turn.caller}", True)
        elif turn.outcome == "unanswered":
            notes[turn.caller] = ("no answer", True)
        elif turn.outcome == "aborted":
            notes[turn.caller] = ("answer aborted", True)
    for interruption in metrics.interruptions:
        note = (
            f"{interruption.agent} yields in {span(interruption.yield_time)}"
            if interruption.yielded
            else f"{interruption.agent} does not yield"
        )
        notes[interruption.caller] = (note, not interruption.yielded)
    return notes
