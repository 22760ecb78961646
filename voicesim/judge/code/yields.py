"""The rule about how fast the agent stops when it is interrupted."""

from typing import Literal

from voicesim.catalog.rules import Seconds
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import Rule
from voicesim.judge.code.latency import NOT_MEASURED
from voicesim.judge.code.shown import whole_utterance
from voicesim.judge.model import Seen
from voicesim.metrics.model import Interruption


class Yield(Rule):
    """Each time the patient interrupts, the agent stops within so many seconds."""

    type: Literal["yield"] = "yield"
    at_most: Seconds

    def decide(self, call: Call) -> Finding:
        """By the interruptions of the measures; without one the check is not applicable."""
        if call.metrics is None:
            return Finding("cannot_assess", reason=NOT_MEASURED)
        if not call.metrics.interruptions:
            return Finding("not_applicable", reason="the patient interrupted nothing")
        timed = [interruption for interruption in call.metrics.interruptions if interruption.harness_late is None]
        for interruption in timed:
            seconds = interruption.yield_time
            if seconds is None or seconds > self.at_most:
                took = "did not stop" if seconds is None else f"stopped after {seconds:.2f} s"
                reason = (
                    f"interrupted at {interruption.start:.1f} s, the agent {took}, at most {self.at_most:g} s allowed"
                )
                proof = whole_utterance(call.transcript, interruption.agent)
                return Finding("miss", proof, reason, happened=True, seen=(_stop(interruption),), tag="did_not_yield")
        if len(timed) < len(call.metrics.interruptions):
            return Finding("cannot_assess", reason="voicesim itself was late at an interruption")
        reason = f"stopped in time at each of {len(timed)} interruptions"
        return Finding("hit", reason=reason, seen=tuple(map(_stop, timed)))


def _stop(interruption: Interruption) -> Seen:
    seconds = interruption.yield_time
    took = "does not stop" if seconds is None else f"stops after {seconds:.2f} s"
    end = interruption.start + (interruption.overlap if seconds is None else seconds)
    what = f"{interruption.caller} interrupts {interruption.agent}, which {took}"
    return Seen(what=what, start=interruption.start, end=end)
