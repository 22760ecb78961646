"""The offline judge: it goes by cues and by what a clause does, and proves or abstains."""

from dataclasses import dataclass

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import decide
from voicesim.judge.evidence import can_prove
from voicesim.judge.moments import Moment, evidence
from voicesim.judge.offline import asking, avoiding, ordering, telling
from voicesim.judge.offline.accounting import left_over
from voicesim.judge.offline.caution import undone
from voicesim.judge.offline.hearing import Heard, Reading, heard, holds, own_topics, turns, unknown

Found = list[tuple[Heard, Reading]]


@dataclass(frozen=True)
class CuesJudge:
    """Decides by the cues of a check and its declared fields; reads neither ids nor expectations."""

    name: str = "cues"
    version: str = "7"

    def find(self, check: Check, call: Call) -> Finding:
        """See docs/judge.md for the rules. Never raises."""
        if check.kind == "code" and check.rule is not None:
            return decide(check.rule, call)
        if check.kind != "ordered" and not (check.cues or check.claims):
            return Finding("cannot_assess", reason="the check has no cues")
        if not can_prove(call.transcript):
            return Finding("cannot_assess", reason="the agent said nothing")
        if check.premise and not _came_up(check, call):
            return _without_premise(check, call)
        match check.kind:
            case "ask" | "tell":
                return _heard(check, call)
            case "avoid":
                return avoiding.find(check, call)
            case "ordered":
                return ordering.find(check, call)
            case _:
                return Finding("cannot_assess", reason="the check has no rule")


def _heard(check: Check, call: Call) -> Finding:
    groups = [
        _readings(check, check.cues, call, main=True),
        *(_readings(check, cues, call, main=False) for cues in check.also),
    ]
    groups = [[(mention, reading) for mention, reading in group if not _void(mention, call)] for group in groups]
    plain = [[mention for mention, reading in group if reading == "yes" and not mention.guessed] for group in groups]
    if all(plain):
        doubt = _doubt(check, plain[0], call)
        proof = evidence(mention.moment for group in plain for mention in group)
        return (
            Finding("cannot_assess", evidence([doubt[0]]), doubt[1]) if doubt else Finding("hit", proof, "said plainly")
        )
    open_ones = [mention.moment for group in groups for mention, reading in group if reading != "no"]
    if open_ones:
        return Finding("cannot_assess", evidence(open_ones), "a cue was said, but not plainly enough to tell")
    rest = left_over(check, call)
    if rest:
        return Finding("not_heard", evidence(rest), "not heard; the agent said this, which no check accounts for")
    return Finding("miss", reason="not heard, and everything the agent said is about something else")


def _readings(check: Check, cues: tuple[str, ...], call: Call, *, main: bool) -> Found:
    if check.kind == "ask":
        return asking.readings(check, cues, call)
    return telling.readings(check, cues, call, main=main)


def _void(mention: Heard, call: Call) -> bool:
    return any(turn.void or turn.unheard for turn in turns(call) if turn.moment == mention.moment)


def _doubt(check: Check, plain: list[Heard], call: Call) -> tuple[Moment, str] | None:
    last = plain[-1]
    if check.kind == "ask":
        if check.before_advice and (advice := _advised_before(plain[0], call)):
            return advice, "something was recommended before it was asked"
        return None
    if opposite := telling.opposed(check, call, last):
        return opposite, "taken back, or contradicted later"
    if telling.withdrawn(call, last):
        return last.moment, "something is taken back later"
    if check.group == "critical" and undone(call, last):
        return last.moment, "broken off, or played down later"
    if telling.contrasted(call, last, None if check.group == "critical" else own_topics(check)):
        return last.moment, "a contrast follows"
    return None


def _advised_before(first: Heard, call: Call) -> Moment | None:
    for turn in turns(call):
        if turn.moment == first.moment:
            return None
        if turn.moment.patient and any(said.act in ("advises", "permits") for said in turn.said):
            return turn.moment
    return None


def _came_up(check: Check, call: Call) -> bool:
    """For `avoid` anybody's words count; for `tell` the agent must have recommended it itself."""
    if check.kind == "avoid":
        return any(holds(check.premise_cues, spoken.text) for spoken in call.transcript.utterances)
    return any(
        spoken.said.act in ("advises", "permits") and spoken.polarity != "denied"
        for spoken in heard(check.premise_cues, call)
    )


def _without_premise(check: Check, call: Call) -> Finding:

    doubtful = (
        [mention.moment for mention in heard(check.premise_cues, call) if mention.polarity != "denied"]
        if check.kind == "tell"
        else []
    )
    for turn in turns(call):
        for said in turn.said:
            if said.act in ("advises", "permits", "offers", "forbids") and unknown(said.clause.words, call.case):
                doubtful.append(turn.moment)
    if doubtful:
        return Finding("cannot_assess", evidence(doubtful), "the premise may have come up in other words")
    return Finding("not_applicable", reason="the premise did not come up")
