"""The offline judge's rules for checks of kind `ordered`: both things are found by their cues, the clock decides."""

from voicesim.catalog.model import Check, Step
from voicesim.judge.base import Call, Finding
from voicesim.judge.model import Evidence
from voicesim.judge.moments import Moment, evidence
from voicesim.judge.offline import asking, telling
from voicesim.judge.offline.accounting import is_small_talk, left_over
from voicesim.judge.offline.hearing import Heard, Reading, heard, turns
from voicesim.judge.ordering import earliest, in_order


def find(check: Check, call: Call) -> Finding:
    """By the plain moments of each; undecided where a doubtful or an unaccounted one could turn the order round."""
    if check.first is None or check.then is None or not check.first.cues:
        return Finding("cannot_assess", reason="the check does not say what comes first, or has no cues for it")
    first = _quotes(_first(check.first, call))
    then = _quotes(_then(check.then, call)) if check.then.cues else _any_question(call)
    sure = in_order(first["yes"], then["yes"])
    could = in_order((*first["yes"], *first["unclear"]), then["yes"])
    worst = in_order(first["yes"], (*then["yes"], *then["unclear"]))
    if not sure.outcome == could.outcome == worst.outcome:
        doubtful = (*first["unclear"], *then["unclear"])
        return Finding("cannot_assess", earliest(doubtful)[:3], "the order hangs on words that are not plain enough")
    if sure.outcome == "miss":
        until = earliest(then["yes"])[0].start if then["yes"] else call.transcript.duration
        rest = [moment for moment in left_over(check.first, call) if _begins(moment) < until]
        if rest:
            return Finding(
                "not_heard", evidence(rest), "not heard first; the agent said this, which no check accounts for"
            )
    return sure


def _begins(moment: Moment) -> float:
    """The second at which a sentence begins; its utterance's, where its words have no times."""
    return next((quote.start for quote in evidence([moment])), moment.utterance.start)


def _first(step: Step, call: Call) -> list[tuple[Heard, Reading]]:
    if step.kind == "ask":
        return asking.readings(step, step.cues, call)
    return telling.readings(step, step.cues, call)


def _then(step: Step, call: Call) -> list[tuple[Heard, Reading]]:
    """What must not come first may also be only offered."""
    if step.kind == "ask":
        return asking.readings(step, step.cues, call)
    return [(mention, _comes_up(mention)) for mention in heard(step.cues, call) if mention.moment.patient]


def _comes_up(mention: Heard) -> Reading:
    if mention.said.act in ("aside", "condition", "forbids") or mention.polarity == "denied":
        return "no"
    return "unclear" if mention.said.act == "asks" else "yes"


def _any_question(call: Call) -> dict[Reading, tuple[Evidence, ...]]:
    """Any question about the patient, whatever it asks."""
    asked = [
        turn.moment
        for turn in turns(call)
        if turn.moment.patient and any(said.act == "asks" and not is_small_talk(said, call) for said in turn.said)
    ]
    return {"yes": tuple(quote for moment in asked for quote in evidence([moment])), "unclear": ()}


def _quotes(readings: list[tuple[Heard, Reading]]) -> dict[Reading, tuple[Evidence, ...]]:
    """The quotes of all moments that were read so, each in a verdict of its own: none is left out."""
    return {
        wanted: tuple(
            quote for mention, reading in readings if reading == wanted for quote in evidence([mention.moment])
        )
        for wanted in ("yes", "unclear")
    }
