"""The offline judge: cue words, question form and negation. It abstains rather than guess."""

from dataclasses import dataclass

from voicesim.catalog.model import Check, Step
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import decide
from voicesim.judge.evidence import can_prove
from voicesim.judge.moments import Moment, evidence, moments
from voicesim.judge.offline import asking, avoiding, telling
from voicesim.judge.offline.acts import Reading, recommends, seeks
from voicesim.judge.offline.settling import settle_order
from voicesim.language.cues import cue_in


@dataclass(frozen=True)
class CuesJudge:
    """Decides by the cues of a check. What it cannot decide by words alone is `cannot_assess`."""

    name: str = "cues"
    version: str = "4"

    def find(self, check: Check, call: Call) -> Finding:
        """See docs/judge.md for the rules. Never raises."""
        if check.kind == "code" and check.rule is not None:
            return decide(check.rule, call)
        if check.kind != "ordered" and not check.cues:
            return Finding("cannot_assess", reason="the check has no cues")
        if not can_prove(call.transcript):
            return Finding("cannot_assess", reason="the agent said nothing")
        if check.premise and not _came_up(check, call):
            return _without_premise(check, call)
        match check.kind:
            case "ask":
                return asking.find(check, call)
            case "tell":
                return telling.find(check, call)
            case "avoid":
                return avoiding.find(check, call)
            case "ordered":
                return _ordered(check, call)
            case _:
                return Finding("cannot_assess", reason="the check has no rule")


def _ordered(check: Check, call: Call) -> Finding:
    if check.first is None or check.then is None or not check.first.cues:
        return Finding("cannot_assess", reason="the check does not say what comes first, or has no cues for it")
    first = _alone(check, check.first)
    if first.kind == "tell" and (told := telling.find(first, call)).outcome == "cannot_assess":
        return told
    return settle_order(_readings(first, call), _readings(_alone(check, check.then), call))


def _alone(check: Check, step: Step) -> Check:
    return Check(
        id=check.id, group=check.group, kind=step.kind, weight=check.weight, expect=step.expect, cues=step.cues
    )


def _readings(step: Check, call: Call) -> list[tuple[Moment, Reading]]:
    """The moments of one step in time order. A step of kind ask without cues is any question that seeks to know."""
    if step.kind == "tell":
        return telling.readings_of(step, call)
    if step.cues:
        return asking.readings_of(step, call)
    return [(moment, "yes") for moment in moments(call.transcript) if moment.patient and seeks(moment.text)]


def _came_up(check: Check, call: Call) -> bool:
    """For `avoid` anybody's words count; for the rest the agent must have brought a cue up itself."""
    spoken = call.transcript
    heard = spoken.utterances if check.kind in ("avoid", "ordered") else spoken.of("agent")
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
