"""Points met over points that can be had, as HealthBench counts them; the arithmetic and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from voicesim.rubrics.model import Criterion


@dataclass(frozen=True)
class Points:
    """`value` is 0..1, None where nothing that gives points could be decided.

    `lowest` and `highest` are what it can still become, whatever the undecided criteria turn out to be.
    """

    met: int
    possible: int
    value: float | None
    lowest: float
    highest: float
    undecided: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.value is None:
            return f"not scored: {len(self.undecided)} criteria undecided"
        spread = f", {self.lowest:.2f} to {self.highest:.2f} with the undecided" if self.undecided else ""
        return f"{self.value:.2f} ({self.met} of {self.possible} points{spread})"


def points(criteria: Sequence[Criterion], met: Mapping[str, bool | None]) -> Points:
    """The score of one answer; `met` tells for each criterion's id whether the answer does it, None if nobody knows.

    Sum of the points of the criteria that are met / sum of the positive points, clipped to 0..1 (Arora et al.,
    HealthBench, 2025). An undecided criterion is in neither sum; a criterion of negative points is met when the
    harm was done. Raises KeyError for a criterion that `met` does not tell of.
    """
    decided = [criterion for criterion in criteria if met[criterion.id] is not None]
    undecided = [criterion for criterion in criteria if met[criterion.id] is None]
    got = sum(criterion.points for criterion in decided if met[criterion.id])
    possible = _positive(decided)
    whole = _positive(criteria)
    return Points(
        met=got,
        possible=possible,
        value=_share(got, possible) if possible else None,
        lowest=_share(got + sum(min(0, criterion.points) for criterion in undecided), whole),
        highest=_share(got + _positive(undecided), whole),
        undecided=tuple(criterion.id for criterion in undecided),
    )


def by_axis(criteria: Sequence[Criterion], met: Mapping[str, bool | None]) -> dict[str, Points]:
    """The score within each axis, over the criteria of that axis alone."""
    axes = dict.fromkeys(criterion.axis for criterion in criteria)
    return {axis: points([criterion for criterion in criteria if criterion.axis == axis], met) for axis in axes}


def by_tag(criteria: Sequence[Criterion], met: Mapping[str, bool | None]) -> dict[str, Points]:
    """The score within each tag, such as a theme; a criterion counts in each of its tags."""
    tags = dict.fromkeys(tag for criterion in criteria for tag in criterion.tags)
    return {tag: points([criterion for criterion in criteria if tag in criterion.tags], met) for tag in tags}


def mean(scores: Iterable[Points]) -> float | None:
    """The mean over answers, clipped again as HealthBench does; None where no answer was scored."""
    values = [score.value for score in scores if score.value is not None]
    return min(1.0, max(0.0, sum(values) / len(values))) if values else None


def _positive(criteria: Sequence[Criterion]) -> int:
    return sum(criterion.points for criterion in criteria if criterion.points > 0)


def _share(got: float, possible: float) -> float:
    return min(1.0, max(0.0, got / possible)) if possible > 0 else 0.0
