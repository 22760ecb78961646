"""A score corrected for how often its judge errs, the error rates taken from gold labels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from voicesim.bench import figures
from voicesim.bench.evaluation import Estimate
from voicesim.bench.figures import Pairs
from voicesim.bench.rates import Rate, rate
from voicesim.bench.tagging import Settled
from voicesim.catalog.model import Case, Check
from voicesim.errors import UsageError
from voicesim.judge.kept import verdicts_file
from voicesim.judge.model import Verdicts
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.manifest import Manifest

ENOUGH = 10
"""Right hits, and right misses, that a check or a kind needs among the labels to have error rates of its own."""

By = Literal["check", "kind", "all", "code"]
Key = tuple[By, str]
_POOLED: Key = ("all", "all")
_CODE: Key = ("code", "code")


class CorrectedPart(BaseModel):
    """What was corrected with the same error rates: those of one check, of one kind of checks, or of `all` labels.

    `share` of the decided weight lies here; `observed` and `corrected` are shares of hits in it. `clipped` is whether
    the formula left 0 to 1. What `code` decided is taken as it is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: By
    name: str
    share: float
    sensitivity: Rate | None
    specificity: Rate | None
    observed: float
    corrected: float | None
    clipped: bool


class Corrected(BaseModel):
    """`observed` is the mean score of `calls` scored calls; `corrected` is what it comes to behind the judge's errors.

    Its interval draws the cases of the labels and the calls again, for both are samples. The formula is of shares of
    items; for shares of weight it holds as far as the judge errs alike on light and on heavy checks of a part.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int
    observed: float
    corrected: Estimate
    parts: tuple[CorrectedPart, ...]


@dataclass(frozen=True)
class Scored:
    """A judge's verdicts on a call that has a score, and the case of the call."""

    case: Case
    verdicts: Verdicts


@dataclass(frozen=True)
class _Mass:
    """Weight over the decided weight of its call: of hits, and of hits and misses."""

    hits: float = 0.0
    decided: float = 0.0


ByKey = Mapping[Key, Pairs]
Masses = Mapping[Key, _Mass]


def correct(labelled: Sequence[Settled], scored: Sequence[Scored], *, seed: int = 0) -> Corrected:
    """The corrected mean score. Raises UsageError when no call has a score.

    Each part's share of hits is corrected with `figures.corrected_share`, and the parts are added by their weight.
    """
    if not scored:
        raise UsageError("no scored call to correct")
    by_case = _pairs(labelled)
    whole = _summed(by_case.values())
    by_call = [_masses(scored_call, whole) for scored_call in scored]
    parts = tuple(_part(key, mass, whole) for key, mass in sorted(_mean(by_call).items()))
    value = _value(_mean(by_call), whole)
    return Corrected(
        calls=len(scored),
        observed=sum(part.share * part.observed for part in parts),
        corrected=Estimate(value=value, interval=None if value is None else _interval(by_case, by_call, seed)),
        parts=parts,
    )


def scored_by(judge: str, folders: Sequence[Path]) -> list[Scored]:
    """The calls among some recordings that a judge has scored. Raises UsageError where it has not judged yet."""
    scored: list[Scored] = []
    for folder in folders:
        if not (folder / verdicts_file(judge)).is_file():
            raise UsageError(
                f"{folder}: no verdicts of {judge} yet; first run `voicesim score {folder} --judge {judge}`"
            )
        case = case_of(files.load(folder, files.MANIFEST, Manifest))
        scored.append(Scored(case, files.load(folder, verdicts_file(judge), Verdicts)))
    return [scored_check for scored_check in scored if scored_check.verdicts.score.value is not None]


def _pairs(labelled: Sequence[Settled]) -> dict[str, dict[Key, Pairs]]:
    """Of each case: how often each label met each verdict, of what is hit or missed and was decided as one of them."""
    by_case: dict[str, dict[Key, Pairs]] = {}
    for call_labels, label in labelled:
        counts = by_case.setdefault(call_labels.case, {})
        if {label, call_labels.verdict.outcome} <= {"hit", "miss"} and call_labels.verdict.by != "code":
            for key in _keys(call_labels.case, call_labels.check):
                counts.setdefault(key, Counter())[label, call_labels.verdict.outcome] += 1
    return by_case


def _keys(case: str, check: Check) -> tuple[Key, ...]:
    """Where the error rates of a check may come from, the closest first."""
    return ("check", f"{case}/{check.id}"), ("kind", check.kind), _POOLED


def _masses(scored: Scored, whole: ByKey) -> dict[Key, _Mass]:
    checks = {check.id: check for check in scored.case.rubric}
    decided = [verdict for verdict in scored.verdicts.verdicts if verdict.outcome in ("hit", "miss")]
    weight = sum(verdict.weight for verdict in decided)
    masses: dict[Key, _Mass] = {}
    for verdict in decided:
        close = (key for key in _keys(scored.case.id, checks[verdict.check]) if _enough(whole.get(key)))
        key = _CODE if verdict.by == "code" else next(close, _POOLED)
        mine, before = verdict.weight / weight, masses.get(key, _Mass())
        masses[key] = _Mass(before.hits + mine * (verdict.outcome == "hit"), before.decided + mine)
    return masses


def _enough(pairs: Pairs | None) -> bool:
    return pairs is not None and all(rate.whole >= ENOUGH for rate in _rates(pairs))


def _rates(pairs: Pairs) -> tuple[Rate, Rate]:
    """Sensitivity and specificity."""
    return (
        rate(pairs["hit", "hit"], pairs["hit", "hit"] + pairs["hit", "miss"]),
        rate(pairs["miss", "miss"], pairs["miss", "miss"] + pairs["miss", "hit"]),
    )


def _part(key: Key, mass: _Mass, whole: ByKey) -> CorrectedPart:
    observed = mass.hits / mass.decided
    sensitivity, specificity = (None, None) if key == _CODE else _rates(whole.get(key, Counter()))
    raw = _share(key, observed, whole)
    corrected = None if raw is None else min(1.0, max(0.0, raw))
    return CorrectedPart(
        by=key[0],
        name=key[1],
        share=mass.decided,
        sensitivity=sensitivity,
        specificity=specificity,
        observed=observed,
        corrected=corrected,
        clipped=raw != corrected,
    )


def _share(key: Key, observed: float, pairs: ByKey) -> float | None:
    if key == _CODE:
        return observed
    sensitivity, specificity = _rates(pairs.get(key, Counter()))
    if sensitivity.value is None or specificity.value is None:
        return None
    return figures.corrected_share(observed, sensitivity.value, specificity.value)


def _value(masses: Masses, pairs: ByKey) -> float | None:
    total = 0.0
    for key, mass in masses.items():
        share = _share(key, mass.hits / mass.decided, pairs)
        if share is None:
            return None
        total += mass.decided * min(1.0, max(0.0, share))
    return total


def _interval(by_case: Mapping[str, ByKey], by_call: Sequence[Masses], seed: int) -> figures.Interval | None:
    """The 95 % percentile interval over draws of whole cases of the labels and of calls; as `figures.clustered`."""
    import numpy as np

    cases, chance = sorted(by_case), np.random.default_rng(seed)
    if len(cases) < 2:
        return None
    values = []
    for _ in range(figures.DRAWS):
        pairs = _summed(by_case[cases[place]] for place in chance.integers(len(cases), size=len(cases)))
        calls = [by_call[place] for place in chance.integers(len(by_call), size=len(by_call))]
        values.append(_value(_mean(calls), pairs))
    return figures.percentiles(values)


def _summed(some: Iterable[ByKey]) -> dict[Key, Pairs]:
    sums: dict[Key, Pairs] = {}
    for scored_check in some:
        for key, pairs in scored_check.items():
            sums.setdefault(key, Counter()).update(pairs)
    return sums


def _mean(calls: Sequence[Masses]) -> dict[Key, _Mass]:
    keys = sorted({key for call in calls for key in call})
    listed = {key: [call.get(key, _Mass()) for call in calls] for key in keys}
    return {
        key: _Mass(
            sum(scored_check.hits for scored_check in some) / len(calls),
            sum(scored_check.decided for scored_check in some) / len(calls),
        )
        for key, some in listed.items()
    }
