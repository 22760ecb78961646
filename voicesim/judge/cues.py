"""The offline judge: cue words, question form and negation. It abstains rather than guess."""

from dataclasses import dataclass

from voicesim.catalog.model import Check
from voicesim.judge import avoiding, telling
from voicesim.judge.acts import asks, recommends
from voicesim.judge.base import Call, Finding
from voicesim.judge.evidence import can_prove
from voicesim.judge.moments import evidence, moments, settle
from voicesim.text.cues import cue_in


@dataclass(frozen=True)
class CuesJudge:
    """Decides by the cues of a check. What it cannot decide by words alone is `cannot_assess`."""

    name: str = "cues"
    version: str = "1"

    def find(self, check: Check, call: Call) -> Finding:
        """See docs/judge.md for the rules. Never raises."""
        if not check.cues:
            return Finding("cannot_assess", reason="the check has no cues")
        if not can_prove(call.transcript):
            return Finding("cannot_assess", reason="the agent said nothing")
        if check.premise and not _came_up(check, call):
            return _without_premise(check, call)
        match check.kind:
            case "ask":
                return _ask(check, call)
            case "tell":
                return telling.find(check, call)
            case "avoid":
                return avoiding.find(check, call)


def _ask(check: Check, call: Call) -> Finding:
    found = [
        (moment, asks(moment.text, cue))
        for moment in moments(call.transcript)
        for cue in check.cues
        if cue_in(cue, moment.text)
    ]
    return settle(found, "asked about it", "a cue word was said, but not clearly as a question")


def _came_up(check: Check, call: Call) -> bool:
    """For `avoid` anybody's words count; for the rest the agent must have brought a cue up itself."""
    spoken = call.transcript
    heard = spoken.utterances if check.kind == "avoid" else spoken.of("agent")
    return any(cue_in(cue, one.text) for one in heard for cue in check.cues)


def _without_premise(check: Check, call: Call) -> Finding:
    """Not applicable, unless the agent advised something that may have been the premise in other words."""
    others = [
        moment
        for moment in moments(call.transcript)
        for one in call.case.rubric
        if one.kind == "avoid" and any(cue_in(c, moment.text) and recommends(moment.text, c) == "yes" for c in one.cues)
    ]
    proof = evidence(others)
    if proof:
        return Finding("cannot_assess", proof, "the premise may have come up in other words")
    return Finding("not_applicable", reason="no cue of the check came up in the call")
