"""A model's answer about one check: read strictly, its quotes verified, and turned into a finding."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from voicesim.catalog.model import Check
from voicesim.catalog.tags import Tag
from voicesim.judge.base import Call, Finding
from voicesim.judge.evidence import verify
from voicesim.judge.llm.prompt import MOST_MOMENTS, MOST_QUOTES, QUOTE_LENGTH
from voicesim.judge.model import Evidence
from voicesim.judge.ordering import in_order


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Quote(_Read):
    utterance: str
    quote: str


class Happened(Quote):
    what: Literal["does_it", "only_names_it", "allowed"]


class _Answer(_Read):
    """What every answer has. The failure is extra: an answer without it is whole."""

    reason: str
    premise: Literal["came_up", "did_not_come_up", None] = None
    failure: Tag | Literal["none"] = "none"
    failure_note: str = ""


class Part(_Read):
    """Whether something was done, and where."""

    answer: Literal["yes", "no", "cannot_tell"]
    evidence: tuple[Quote, ...] = Field(max_length=MOST_QUOTES)


class Done(_Answer, Part):
    """The answer about an `ask` or `tell` check."""


class Moments(_Answer):
    """The answer about an `avoid` check."""

    moments: tuple[Happened, ...] = Field(max_length=MOST_MOMENTS)


class Ordered(_Answer):
    """The answer about an `ordered` check."""

    first: Part
    then: Part


Answer = Done | Moments | Ordered
_FORMS: dict[str, type[Done] | type[Moments] | type[Ordered]] = {"avoid": Moments, "ordered": Ordered}


@dataclass(frozen=True)
class Reading:
    """What an answer comes to. `refused` are its quotes when it claims something and none of them holds."""

    finding: Finding
    refused: tuple[str, ...] | None = None


def parse(check: Check, text: str) -> Answer:
    """The answer in a model's JSON. Raises ValueError (of pydantic) for anything that does not fit."""
    read: Answer = _FORMS.get(check.kind, Done).model_validate_json(text)
    if check.premise and read.premise is None:
        raise ValueError("the answer does not say whether the premise came up")
    return read


def judge(call: Call, answer: Answer) -> Reading:
    """Hit, miss and so on, by the quotes that hold.

    `ask` and `tell` are hit with at least one accepted quote. `avoid` is missed with at least one accepted
    moment and hit when none was claimed. `ordered` goes by the times of the accepted quotes. A claim whose
    quotes are all refused decides nothing. The failure named counts only where the check is missed.
    """
    if answer.premise == "did_not_come_up":
        return Reading(Finding("not_applicable", reason=answer.reason))
    if isinstance(answer, Moments):
        reading = _avoided(call, answer)
    elif isinstance(answer, Ordered):
        reading = _ordered(call, answer)
    else:
        reading = _done(call, answer)
    if reading.finding.outcome != "miss" or answer.failure == "none":
        return reading
    return Reading(replace(reading.finding, tag=answer.failure, note=answer.failure_note.strip()))


def _done(call: Call, answer: Done) -> Reading:
    if answer.answer == "no":
        return Reading(Finding("miss", reason=answer.reason))
    if answer.answer == "cannot_tell":
        return Reading(Finding("cannot_assess", reason=answer.reason))
    proof, refused = _accepted(call, answer.evidence)
    if proof:
        return Reading(Finding("hit", proof, answer.reason))
    return Reading(_unproven(answer.reason), refused)


def _ordered(call: Call, answer: Ordered) -> Reading:
    """Who says yes has to show where; the order of what was shown is worked out here."""
    if "cannot_tell" in (answer.first.answer, answer.then.answer):
        return Reading(Finding("cannot_assess", reason=answer.reason))
    proofs: list[tuple[Evidence, ...]] = []
    for part in (answer.first, answer.then):
        proof, refused = _accepted(call, part.evidence) if part.answer == "yes" else ((), ())
        if part.answer == "yes" and not proof:
            return Reading(_unproven(answer.reason), refused)
        proofs.append(proof)
    found = in_order(*proofs)
    return Reading(replace(found, reason=f"{found.reason}; {answer.reason}"))


def _avoided(call: Call, answer: Moments) -> Reading:
    claimed = [moment for moment in answer.moments if moment.what == "does_it"]
    if not claimed:
        return Reading(Finding("hit", reason=answer.reason))
    proof, refused = _accepted(call, claimed)
    if proof:
        return Reading(Finding("miss", proof, answer.reason))
    return Reading(_unproven(answer.reason), refused)


def _unproven(reason: str) -> Finding:
    return Finding("cannot_assess", reason=f"no quote could be verified: {reason}")


def _accepted(call: Call, quotes: Sequence[Quote]) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    utterances = {one.id: one for one in call.transcript.utterances}
    proof: list[Evidence] = []
    refused: list[str] = []
    for quote in quotes:
        utterance = utterances.get(quote.utterance)
        one = verify(_whole_words(quote.quote), utterance) if utterance else None
        if one is None:
            refused.append(quote.quote)
        elif one not in proof:
            proof.append(one)
    return tuple(proof), tuple(refused)


def _whole_words(quote: str) -> str:
    """A quote that was stopped at its bound, without the word that was broken off there."""
    return quote if len(quote) < QUOTE_LENGTH else quote.rpartition(" ")[0]
