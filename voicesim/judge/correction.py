"""A score corrected for how often its judge errs, the error rates taken from gold labels."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from voicesim.errors import UsageError
from voicesim.judge import figures
from voicesim.judge.evaluation import Estimate, Judged, pairs_by_case
from voicesim.judge.figures import Pairs
from voicesim.judge.model import Verdicts
from voicesim.judge.run import verdicts_file
from voicesim.recording import files


class Corrected(BaseModel):
    """`observed` is the mean score of `calls` scored calls; `corrected` is what it comes to behind the judge's errors.

    The formula is of shares of items; for a share of weight it holds as far as a judge errs alike on light and on
    heavy checks. The interval draws the cases of the labels again: it tells how well the error rates are known,
    and nothing about other calls.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int
    observed: float
    sensitivity: float | None
    specificity: float | None
    corrected: Estimate


def correct(judged: Sequence[Judged], scores: Sequence[float], *, seed: int = 0) -> Corrected:
    """The corrected mean of scores (0 to 1). Raises UsageError when there is no score."""
    if not scores:
        raise UsageError("no scored call to correct")
    observed = sum(scores) / len(scores)

    def corrected(pairs: Pairs) -> float | None:
        sensitivity, specificity = _rates(pairs)
        if sensitivity is None or specificity is None:
            return None
        return figures.corrected_share(observed, sensitivity, specificity)

    pairs = pairs_by_case(judged)
    whole = sum(pairs.values(), Counter())
    value = corrected(whole)
    sensitivity, specificity = _rates(whole)
    return Corrected(
        calls=len(scores),
        observed=observed,
        sensitivity=sensitivity,
        specificity=specificity,
        corrected=Estimate(
            value=value, interval=None if value is None else figures.clustered(pairs, corrected, seed=seed)
        ),
    )


def scores_of(judge: str, folders: Sequence[Path]) -> list[float]:
    """The scores that a judge gave to recordings; calls that stayed unscored have none.

    Raises RecordingError when a recording has no verdicts of that judge.
    """
    given = [files.load(folder, verdicts_file(judge), Verdicts).score.value for folder in folders]
    return [value for value in given if value is not None]


def _rates(pairs: Pairs) -> tuple[float | None, float | None]:
    """Share of right hits called hit, and of right misses called miss, of those decided as one of the two."""
    return (
        figures.share(pairs["hit", "hit"], pairs["hit", "hit"] + pairs["hit", "miss"]),
        figures.share(pairs["miss", "miss"], pairs["miss", "miss"] + pairs["miss", "hit"]),
    )
