"""The rule about how long the patient waits for an answer."""

from typing import Literal

from voicesim.catalog.rules import Seconds
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import Rule
from voicesim.judge.code.shown import whole_utterance
from voicesim.judge.model import Seen

NOT_MEASURED = "the call was not measured"


class Latency(Rule):
    """A statistic of the response latencies is at most so many seconds."""

    type: Literal["latency"] = "latency"
    statistic: Literal["median", "p90", "p95", "max"] = "max"
    at_most: Seconds

    def decide(self, call: Call) -> Finding:
        """By the response latencies of the measures. Evidence of a miss is the answer that took longest."""
        if call.metrics is None:
            return Finding("cannot_assess", reason=NOT_MEASURED)
        measured = call.metrics.response_latency
        value: float | None = getattr(measured, self.statistic)
        if not measured.n:
            return Finding("cannot_assess", reason="no response latency could be measured")
        if value is None:
            return Finding(
                "cannot_assess", reason=f"{measured.n} response latencies are too few for a {self.statistic}"
            )
        reason = (
            f"{self.statistic} of {measured.n} response latencies is {value:.2f} s, at most {self.at_most:g} s allowed"
        )
        slowest = max(
            (turn for turn in call.metrics.turns if turn.latency is not None), key=lambda turn: turn.latency or 0
        )
        wait, answered = slowest.latency or 0.0, slowest.agent_start or slowest.caller_end
        what = f"the slowest answer: {slowest.agent} after {slowest.caller}, {wait:.2f} s"
        seen = (Seen(what=what, start=slowest.caller_end, end=answered),)
        if value <= self.at_most:
            if self.statistic == "max" and any(turn.harness_late is not None for turn in call.metrics.turns):
                return Finding("cannot_assess", reason="voicesim itself was late in a turn")
            return Finding("hit", reason=reason, seen=seen)
        proof = whole_utterance(call.transcript, slowest.agent)
        return Finding("miss", proof, reason, happened=True, seen=seen, tag="slow_answer")
