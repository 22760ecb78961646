"""A model's answer about one check: read strictly, its quotes verified, and turned into a finding."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from voicesim.catalog.model import Check
from voicesim.catalog.tags import Tag
from voicesim.judge.base import Call, Finding
from voicesim.judge.evidence import verify
from voicesim.judge.llm.prompt import MOST_MOMENTS, MOST_QUOTES, QUOTE_LENGTH
from voicesim.judge.model import REASON_LENGTH, Evidence
from voicesim.judge.ordering import in_order
from voicesim.language.acts import to_the_judge
from voicesim.language.fold import find
from voicesim.language.sentences import split
from voicesim.transcript.model import Utterance


def _lowered(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


Small = BeforeValidator(_lowered)
"""A word of a closed list, in whatever case the model wrote it."""
Short = Annotated[
    str, AfterValidator(lambda text: text if len(text) <= REASON_LENGTH else f"{text[: REASON_LENGTH - 2]} …")
]


class _Read(BaseModel):
    """A part of an answer. Keys that nobody asked for are let be; everything asked for is checked."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Quote(_Read):
    utterance: str
    quote: str


class Happened(Quote):
    what: Annotated[Literal["does_it", "only_names_it", "allowed"], Small]


class _Answer(_Read):
    """What every answer has. The failure is extra: an answer without it is whole."""

    reason: Short
    premise: Annotated[Literal["came_up", "did_not_come_up", None], Small] = None
    failure: Annotated[Tag | Literal["none"], Small] = "none"
    failure_note: Short = ""


class ActAnswer(_Read):
    """Whether something was done, and where."""

    answer: Annotated[Literal["yes", "no", "cannot_tell"], Small]
    evidence: tuple[Quote, ...] = Field(max_length=MOST_QUOTES)


class Done(_Answer, ActAnswer):
    """The answer about an `ask` or `tell` check."""


class Moments(_Answer):
    """The answer about an `avoid` check."""

    moments: tuple[Happened, ...] = Field(max_length=MOST_MOMENTS)


class Ordered(_Answer):
    """The answer about an `ordered` check."""

    first: ActAnswer
    then: ActAnswer


Answer = Done | Moments | Ordered
_LABEL = re.compile(
    r"^\W*(?:(?:voice )?agent|assistant|a)\s*\d{0,3}\s*(?:\([^()]{0,20}\))?\s*[\])]?[*_]*\s*[:\]–—-][*_]*\s*",
    re.IGNORECASE,
)
"""The speaker before a line: `Agent:`, `[Agent]`, `A2:`, `Agent (12.4 s):`."""
_FORMS: dict[str, type[Done] | type[Moments] | type[Ordered]] = {"avoid": Moments, "ordered": Ordered}


@dataclass(frozen=True)
class Reading:
    """What an answer comes to. `refused` are its quotes when it claims something and none of them holds."""

    finding: Finding
    refused: tuple[str, ...] | None = None


def parse(check: Check, text: str) -> Answer:
    """The answer in a model's JSON. Raises ValueError (of pydantic) for anything that does not fit.

    A check without a premise has none that could not have come up: nothing waves it through.
    """
    answer: Answer = _FORMS.get(check.kind, Done).model_validate_json(text)
    if check.premise and answer.premise is None:
        raise ValueError("the answer does not say whether the premise came up")
    if not check.premise and answer.premise is not None:
        raise ValueError("the check has no premise, and the answer speaks of one")
    return answer


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
    finding = in_order(*proofs)
    return Reading(replace(finding, reason=f"{finding.reason}; {answer.reason}"))


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
    utterances = {utterance.id: utterance for utterance in call.transcript.utterances}
    proof: list[Evidence] = []
    refused: list[str] = []
    for quote in quotes:
        utterance = utterances.get(quote.utterance)
        evidence = verified(_whole_words(quote.quote), utterance) if utterance else None
        if evidence is None:
            refused.append(quote.quote)
        elif evidence not in proof:
            proof.append(evidence)
    return tuple(proof), tuple(refused)


def verified(quote: str, utterance: Utterance) -> Evidence | None:
    """The quote as it stands, or without the label and the marks that a model puts around it."""
    evidence = verify(quote, utterance) or verify(bare(quote), utterance)
    return None if evidence is not None and _is_to_the_judge(evidence.quote, utterance.text) else evidence


def _is_to_the_judge(quote: str, text: str) -> bool:
    """Whether a quote is out of a sentence that speaks to whoever judges, or right behind one: it proves nothing."""
    sentences = split(text)
    void = [to_the_judge(said) for said in sentences]
    return any(
        void[place] or (place > 0 and void[place - 1])
        for place, said in enumerate(sentences)
        if find(quote, said) or find(said, quote)
    )


def bare(quote: str) -> str:
    """A quote without its speaker's label, its quotation marks and the dots for what was left out around it.

    >>> bare("**Agent (12.4 s):** “… call an ambulance right away”")
    'call an ambulance right away'
    """
    return _LABEL.sub("", quote).strip(" \t\n\"'“”‘’«»*_.…")


def _whole_words(quote: str) -> str:
    """A quote that was stopped at its bound, without the word that was broken off there."""
    return quote if len(quote) < QUOTE_LENGTH else quote.rpartition(" ")[0]
