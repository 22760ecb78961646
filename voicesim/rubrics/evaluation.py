"""Is a rubric any good? Near misses it tells apart, and how much of a person's rubric it covers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from voicesim.judge.base import Judge
from voicesim.language.entities import entities
from voicesim.rubrics.answers import score_answer
from voicesim.rubrics.facts import does
from voicesim.rubrics.model import Criterion, Rubric
from voicesim.rubrics.near_misses import Change, Pair
from voicesim.rubrics.retrieval import content
from voicesim.statistics.intervals import Estimate, mean

_COVERS = 0.5
"""Share of a person's criterion's words that one of the other rubric holds to cover it."""
_DRAWS = 1000


@dataclass(frozen=True)
class Told:
    """One pair with the scores of both answers, by points met: undecided criteria count for neither."""

    pair: Pair
    right: float
    wrong: float


@dataclass(frozen=True)
class Table:
    """How often the right answer of a pair scored higher; a tie is half a win.

    `difference` is right minus wrong, in shares of the positive points; `auroc` the chance that any right answer
    scores above any wrong one. Intervals draw whole documents.
    """

    change: Change | None
    pairs: int
    wins: int
    ties: int
    win_rate: Estimate | None
    difference: Estimate | None
    auroc: float | None
    auroc_low: float | None
    auroc_high: float | None


def tell_apart(pairs: Sequence[Pair], rubric_of: Callable[[Pair], Rubric], judge: Judge | None = None) -> list[Told]:
    """Both answers of each pair, scored by the rubric that belongs to it."""
    scores: dict[tuple[str, str], float] = {}

    def score(rubric: Rubric, answer: str) -> float:
        if (rubric.id, answer) not in scores:
            scored = score_answer(rubric, answer, judge).points
            most = sum(criterion.points for criterion in rubric.criteria if criterion.points > 0)
            scores[rubric.id, answer] = scored.met / most if most else 0.0
        return scores[rubric.id, answer]

    return [Told(pair, score(rubric_of(pair), pair.right), score(rubric_of(pair), pair.wrong)) for pair in pairs]


def table(scored: Sequence[Told], change: Change | None = None) -> Table:
    """The figures over all pairs, or over those of one kind of change."""
    chosen = [each for each in scored if change in (None, each.pair.change)]
    clusters = [each.pair.source for each in chosen]
    points = [1.0 if each.right > each.wrong else 0.5 if each.right == each.wrong else 0.0 for each in chosen]
    low, high = _auroc_interval(chosen)
    return Table(
        change=change,
        pairs=len(chosen),
        wins=points.count(1.0),
        ties=points.count(0.5),
        win_rate=mean(points, clusters),
        difference=mean([each.right - each.wrong for each in chosen], clusters),
        auroc=_auroc(chosen),
        auroc_low=low,
        auroc_high=high,
    )


def _auroc(scored: Sequence[Told]) -> float | None:
    """U of Mann and Whitney (1947) over all pairs of a right and a wrong answer."""
    if not scored:
        return None
    right, wrong = np.array([each.right for each in scored]), np.array([each.wrong for each in scored])
    above = (right[:, None] > wrong[None, :]).mean() + 0.5 * (right[:, None] == wrong[None, :]).mean()
    return float(above)


def _auroc_interval(scored: Sequence[Told]) -> tuple[float | None, float | None]:
    """2.5 and 97.5 percent of 1,000 draws of whole documents; None with fewer than two documents."""
    sources = sorted({each.pair.source for each in scored})
    if len(sources) < 2:
        return None, None
    of = {source: [each for each in scored if each.pair.source == source] for source in sources}
    random = np.random.default_rng(0)
    drawn = []
    for _ in range(_DRAWS):
        chosen = random.choice(len(sources), len(sources))
        drawn.append(_auroc([each for place in chosen for each in of[sources[place]]]) or 0.0)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


@dataclass(frozen=True)
class Covered:
    """A person's criterion, and the one of the other rubric that covers it; `by` says how that is known."""

    criterion: Criterion
    by_criterion: str
    by: str = "words and entities"


def coverage(reference: Rubric, rubric: Rubric) -> tuple[float, tuple[Covered, ...]]:
    """Share of the reference's points (without sign) that the rubric covers, and each of its criteria.

    One covers another when it wants or forbids the same, names its medicines, and holds half of its words.
    """
    rows = tuple(
        Covered(wanted, next((c.id for c in rubric.criteria if _covers(c, wanted)), ""))
        for wanted in reference.criteria
    )
    whole = sum(abs(row.criterion.points) for row in rows)
    return sum(abs(row.criterion.points) for row in rows if row.by_criterion) / whole, rows


def _covers(criterion: Criterion, wanted: Criterion) -> bool:
    if (criterion.kind == "ask") != (wanted.kind == "ask"):
        return False
    if _against(criterion) != _against(wanted):
        return False
    medicines = {entity.key for entity in entities(wanted.says) if entity.kind == "medicine"}
    named = {entity.key for entity in entities(criterion.says) if entity.kind == "medicine"}
    mine, other = content(criterion.says), content(wanted.says)
    shared = bool(set(criterion.cues) & set(wanted.cues)) if criterion.kind == "ask" else False
    return (not medicines or bool(medicines & named)) and (shared or len(mine & other) >= _COVERS * max(1, len(other)))


def _against(criterion: Criterion) -> bool:
    return criterion.points < 0 or does("prohibition", criterion.says.partition(": ")[2] or criterion.says)
