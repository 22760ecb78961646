"""A judge without a model for criteria that have no cues: it compares words, medicines, figures and polarity.

It finds what is said in much the same words, or with another figure or the contrary; the rest stays undecided.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from voicesim.catalog.model import Check
from voicesim.judge.base import Call, Finding
from voicesim.judge.moments import Moment, evidence, moments
from voicesim.language.acts import understand
from voicesim.language.entities import Entity, alike, entities
from voicesim.language.sentences import is_question
from voicesim.rubrics.facts import does
from voicesim.rubrics.retrieval import content

_SAID = 0.5
"""Share of a criterion's words from which a sentence speaks of the same thing."""
_SILENT = 0.34
"""Share up to which no sentence speaks of it."""
_TURNS = ("prohibition", "no_emergency", "spares")
"""What a sentence does that turns another with the same words round."""
_PART = 0.6
"""Share of a sentence's fitting words from which one part of it stands for the whole."""
_JOINT = re.compile(r"[;:]\s+|,?\s+(?:and|but|so)\s+|,\s+")
_FIGURES = ("dose", "number", "duration", "date")


@dataclass(frozen=True)
class WordsJudge:
    """Decides by a criterion's words; `Check.expect` holds what is to be said, or must not be done."""

    name: str = "words"
    version: str = "1"

    def find(self, check: Check, call: Call) -> Finding:
        """Never raises. A `tell` is missed where its contrary or another figure is said; silence is `not_heard`."""
        said = [moment for moment in moments(call.transcript) if content(moment.text)]
        if not said:
            return Finding("cannot_assess", reason="the agent said nothing")
        if not content(check.expect):
            return Finding("cannot_assess", reason="the criterion has no words to compare")
        asked = [moment for moment in said if is_question(moment.text) == (check.kind == "ask")]
        compared = [(moment, _compare(check.expect, moment)) for moment in asked]
        return _avoided(compared) if check.kind == "avoid" else _told(compared, asking=check.kind == "ask")


@dataclass(frozen=True)
class _Comparison:
    """How a sentence stands to a criterion."""

    share: float
    figures: bool
    other_figures: bool
    contrary: bool


def _told(compared: Sequence[tuple[Moment, _Comparison]], *, asking: bool) -> Finding:
    about = sorted((pair for pair in compared if pair[1].share >= _SAID), key=lambda pair: -pair[1].share)
    held = [moment for moment, how in about if (how.figures and not how.contrary) or asking]
    wrong = [moment for moment, how in about if how.contrary or how.other_figures]
    if held and not (wrong and not asking):
        return Finding("hit", evidence(held[:1]), "said in much the same words")
    if wrong and not held:
        return Finding("miss", evidence(wrong[:1]), "the contrary, or another figure, is said")
    if about or any(how.share > _SILENT for _, how in compared):
        return Finding(
            "cannot_assess", evidence([m for m, how in compared if how.share > _SILENT][:2]), "not plain enough"
        )
    return Finding("not_heard", reason="nothing like it was said")


def _avoided(compared: Sequence[tuple[Moment, _Comparison]]) -> Finding:
    """Of a prohibition: missed where a sentence allows or advises the same thing, hit where nothing speaks of it."""
    done = [moment for moment, how in compared if how.share >= _SAID and how.contrary and _recommends(moment.text)]
    warned = [moment for moment, how in compared if how.share >= _SAID and not how.contrary and how.figures]
    if done and not warned:
        return Finding("miss", evidence(done[:1]), "it is allowed or advised")
    if warned and not done:
        return Finding("hit", evidence(warned[:1]), "it is warned of")
    if done or any(how.share > _SILENT and not does("prohibition", moment.text) for moment, how in compared):
        return Finding(
            "cannot_assess", evidence([m for m, how in compared if how.share > _SILENT][:2]), "not plain enough"
        )
    return Finding("hit", reason="nothing like it was said")


@lru_cache(maxsize=4096)
def _compare(criterion: str, moment: Moment) -> _Comparison:
    """A sentence against a criterion: the part of it that holds most of the criterion's words, else the whole.

    A medicine of the criterion may be named anywhere in the same paragraph.
    """
    wanted = content(criterion)
    said = max(_parts(moment.text), key=lambda part: (len(wanted & content(part)), -len(part)))
    if len(wanted & content(said)) < _PART * len(wanted & content(moment.text)):
        said = moment.text
    share = len(wanted & content(said)) / len(wanted)
    named, heard = entities(criterion), entities(moment.text)
    medicines = _medicines(named)
    around = _medicines(entities(" ".join(moment.sentences)))
    if medicines and not medicines & around:
        share = min(share, (_SAID + _SILENT) / 2)
    figures = [entity for entity in named if entity.kind in _FIGURES and entity.value]
    others = [entity for entity in heard if entity.kind in _FIGURES and entity.value]
    lost = [figure for figure in figures if not any(alike(figure, other) for other in others)]
    contrary = any(does(name, criterion) != does(name, said) for name in _TURNS)
    return _Comparison(share, not lost, any(_rival(figure, others) for figure in lost), contrary)


def _parts(sentence: str) -> list[str]:
    return [part for part in _JOINT.split(sentence) if content(part)] or [sentence]


def _medicines(named: Sequence[Entity]) -> set[str]:
    return {entity.key for entity in named if entity.kind == "medicine"}


def _rival(figure: Entity, others: Sequence[Entity]) -> bool:
    """Whether another figure of the same unit stands where this one should."""
    unit = getattr(figure.value, "unit", "")
    return any(getattr(other.value, "unit", "") == unit for other in others)


def _recommends(sentence: str) -> bool:
    acts = {said.act for said in understand(sentence)}
    return bool(acts & {"advises", "permits", "offers"}) or does("demand", sentence)
