"""The rule about an agent that sounds while the patient speaks."""

from typing import Literal

from voicesim.catalog.rules import Seconds
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import Rule
from voicesim.judge.code.shown import whole_utterance
from voicesim.judge.model import Seen
from voicesim.metrics.intervals import Interval, length, shared
from voicesim.transcript.model import Utterance


class TalkOver(Rule):
    """The agent never sounds for more than so many seconds while the patient says one line."""

    type: Literal["talk_over"] = "talk_over"
    at_most: Seconds

    def decide(self, call: Call) -> Finding:
        """By the time in which both sound, for each line of the patient; backchannels (`ignore`) are none."""
        agent = call.transcript.of("agent")
        lines = [line for line in call.transcript.of("caller") if line.intent != "ignore"]
        if not agent or not lines:
            return Finding("cannot_assess", reason="one of the two sides said nothing")
        worst, over = max(((line, _over(line, agent)) for line in lines), key=lambda pair: pair[1])
        reason = f"the agent sounds for {over:.2f} s of {worst.id}, at most {self.at_most:g} s allowed"
        both = _both(worst, agent)
        what = f"both sound, for {over:.2f} s of {worst.id}"
        seen = (Seen(what=what, start=both[0][0], end=both[-1][1]),) if both else ()
        if over <= self.at_most:
            return Finding("hit", reason=reason if both else "the two never sound at once", seen=seen)
        loudest = max(agent, key=lambda utterance: _over(worst, (utterance,)))
        proof = whole_utterance(call.transcript, loudest.id)
        return Finding("miss", proof, reason, happened=True, seen=seen, tag="talked_over_patient")


def _over(line: Utterance, agent: tuple[Utterance, ...]) -> float:
    """Seconds of a line in which the agent sounds too."""
    return length(_both(line, agent))


def _both(line: Utterance, agent: tuple[Utterance, ...]) -> list[Interval]:
    return shared(line.voiced, [span for utterance in agent for span in utterance.voiced])
