"""An answer rewritten against the criteria it misses, until nothing improves; every step is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from voicesim.judge.base import Judge
from voicesim.rubrics.answers import Assessed, Scored, score_answer
from voicesim.rubrics.model import Rubric

MOST_STEPS = 5


class Rewriter(Protocol):
    """Rewrites an answer."""

    def rewrite(self, question: str, answer: str, missed: Sequence[str], harms: Sequence[str]) -> str:
        """The answer with what was missed, and without the harms. Raises what its model raises."""
        ...


@dataclass(frozen=True)
class Step:
    """One version of the answer; `taken` is False for one that was worse than what was there, and dropped."""

    answer: str
    scored: Scored
    taken: bool
    why: str


def refine(
    rubric: Rubric, answer: str, rewriter: Rewriter, judge: Judge | None = None, most: int = MOST_STEPS
) -> tuple[Step, ...]:
    """The answer and its rewrites in order; the last one taken is the best.

    A rewrite is taken when its points go up and no harm is added: harm is never traded for points. It ends when a
    rewrite is not taken, when nothing is missed, or after `most` rewrites.
    """
    steps = [Step(answer, score_answer(rubric, answer, judge), True, "as given")]
    for _ in range(most):
        best = [step for step in steps if step.taken][-1]
        missed = [each.criterion.says for each in _missed(best.scored)]
        harms = [each.criterion.says for each in best.scored.harms]
        if not missed and not harms:
            break
        text = rewriter.rewrite(rubric.question, best.answer, missed, harms).strip()
        steps.append(_judged(rubric, text, best, judge))
        if not steps[-1].taken:
            break
    return tuple(steps)


def _judged(rubric: Rubric, text: str, best: Step, judge: Judge | None) -> Step:
    if not text:
        return Step(text, best.scored, False, "the rewrite is empty")
    scored = score_answer(rubric, text, judge)
    before = {each.criterion.id for each in best.scored.harms}
    added = [each.criterion.id for each in scored.harms if each.criterion.id not in before]
    if added:
        return Step(text, scored, False, f"it does harm: {', '.join(added)}")
    gain = scored.points.met - best.scored.points.met
    if gain <= 0:
        return Step(text, scored, False, f"{scored.points.met} points, not more than {best.scored.points.met}")
    return Step(text, scored, True, f"{gain} points more")


def _missed(scored: Scored) -> list[Assessed]:
    return [each for each in scored.assessed if each.criterion.points > 0 and not each.met]
