"""How well a judge did on gold labels: tables over all of them, and by kind, group, fault, part and style."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Literal

from voicesim.bench import figures
from voicesim.bench.examine import Answer
from voicesim.bench.figures import Interval, Pairs
from voicesim.bench.rates import Rate, rate
from voicesim.bench.tagging import DECIDED, Settled, Tags, tagging
from voicesim.frozen import Frozen
from voicesim.judge.gold import Gold, Label
from voicesim.judge.model import Outcome
from voicesim.language.fold import find

By = Literal["all", "kind", "group", "fault", "part", "style", "check"]


class Estimate(Frozen):
    """A figure with an interval from drawing whole cases again; None where it is not defined."""

    value: float | None
    interval: Interval | None


class Table(Frozen):
    """A judge on some of the labels.

    `confusion[label][outcome]` counts. Sensitivity is the share of right hits called hit, specificity that of right
    misses called miss; both are over what the judge decided as hit or miss. `undecided` counts what should have been
    decided and was not: neither right nor wrong, and in no other figure. `held_back` is how often the judge left
    undecided what nobody could tell. `wrong` is the share of all items that were decided otherwise than is right.
    `agreement`, `kappa` and `macro_f1` are over decided items. `evidence` is how often one of its quotes meets the
    labelled place, of its right verdicts that have both.
    """

    by: By
    name: str
    items: int
    cases: int
    confusion: dict[Label, dict[Outcome, int]]
    sensitivity: Rate
    specificity: Rate
    undecided: Rate
    held_back: Rate
    wrong_hits: int
    wrong: Rate
    agreement: Estimate
    kappa: Estimate
    macro_f1: Estimate
    evidence: Rate


class Raters(Frozen):
    """How far two raters agree on what both have labelled."""

    one: str
    other: str
    agreement: Rate
    kappa: float | None


class Evaluation(Frozen):
    """One judge on all labels. `split` counts checks left out because their raters are of two minds.

    `stability` is the share of the pairs of repeats of the same question that came out the same: a judge can be
    perfectly stable and wrong. `tags` is how it names the kinds of failures.
    """

    judge: str
    judge_version: str
    split: int
    stability: Rate
    tables: tuple[Table, ...]
    tags: Tags
    raters: tuple[Raters, ...]


def evaluate(judge: str, version: str, answers: Sequence[Answer], *, seed: int = 0) -> Evaluation:
    """All tables of a judge; the same answers and seed give the same figures."""
    agreed = settled(answers)
    by: dict[By, Callable[[Answer], str]] = {
        "kind": lambda answer: answer.check.kind,
        "group": lambda answer: answer.check.group,
        "fault": lambda answer: answer.labels[0].fault,
        "part": lambda answer: answer.labels[0].part,
        "style": lambda answer: ", ".join(filter(None, (answer.labels[0].style, answer.labels[0].part))),
        "check": lambda answer: f"{answer.case}/{answer.check.id}",
    }
    tables = [_table("all", "all", agreed, seed)]
    for name, key in by.items():
        apart: dict[str, list[Settled]] = {}
        for pair in agreed:
            apart.setdefault(key(pair[0]), []).append(pair)
        if name == "style":
            apart = _by_style(apart)
        tables += [_table(name, value, apart[value], seed) for value in sorted(filter(None, apart))]
    return Evaluation(
        judge=judge,
        judge_version=version,
        split=len(answers) - len(agreed),
        stability=rate(*figures.same_pairs(repeats_of(answer) for answer in answers)),
        tables=tuple(tables),
        tags=tagging(agreed),
        raters=raters(label for answer in answers for label in answer.labels),
    )


def _by_style(apart: dict[str, list[Settled]]) -> dict[str, list[Settled]]:
    """Those that have a style, and of each the critical checks once more."""
    styled = {name: some for name, some in apart.items() if name and some[0][0].labels[0].style}
    critical = {
        f"{name}, critical": [pair for pair in some if pair[0].check.group == "critical"]
        for name, some in styled.items()
    }
    return styled | {name: some for name, some in critical.items() if some}


def repeats_of(answer: Answer) -> list[str]:
    """The outcomes of a judge's repeats; none where it was asked once, and where code decided."""
    return [vote.outcome for vote in answer.verdict.votes if vote.repeat]


def settled(answers: Sequence[Answer]) -> list[Settled]:
    """The answers whose raters agree by more than half, each with what they say."""
    return [(answer, label) for answer in answers if (label := consensus(answer.labels)) is not None]


def consensus(labels: Sequence[Gold]) -> Label | None:
    """What more than half of the raters say; None when no label has that many."""
    label, count = Counter(gold.label for gold in labels).most_common(1)[0]
    return label if 2 * count > len(labels) else None


def raters(labels: Iterable[Gold]) -> tuple[Raters, ...]:
    """Agreement of each two raters on the items that both have labelled, in the order of their names."""
    given: dict[str, dict[tuple[str, str], Label]] = {}
    for gold in labels:
        given.setdefault(gold.rater, {})[gold.item, gold.check] = gold.label
    compared = []
    for combination, other in combinations(sorted(given), 2):
        pairs: Pairs = Counter(
            (given[combination][key], given[other][key]) for key in given[combination] if key in given[other]
        )
        if pairs:
            agreed = rate(sum(count for (a, b), count in pairs.items() if a == b), pairs.total())
            compared.append(Raters(one=combination, other=other, agreement=agreed, kappa=figures.kappa(pairs)))
    return tuple(compared)


def _table(by: By, name: str, some: Sequence[Settled], seed: int) -> Table:
    confusion: dict[Label, dict[Outcome, int]] = {}
    for answer, label in some:
        row = confusion.setdefault(label, {})
        row[answer.verdict.outcome] = row.get(answer.verdict.outcome, 0) + 1
    pairs = pairs_by_case(some)
    whole = sum(pairs.values(), Counter())
    wrong_hits = sum(row.get("hit", 0) for label, row in confusion.items() if label != "hit")
    untold = [answer.verdict.outcome in DECIDED for answer, label in some if label == "unscored"]

    def estimate(figure: Callable[[Pairs], float | None]) -> Estimate:
        value = figure(whole)
        return Estimate(value=value, interval=None if value is None else figures.clustered(pairs, figure, seed=seed))

    return Table(
        by=by,
        name=name,
        items=len(some),
        cases=len(pairs),
        confusion=confusion,
        sensitivity=rate(whole["hit", "hit"], whole["hit", "hit"] + whole["hit", "miss"]),
        specificity=rate(whole["miss", "miss"], whole["miss", "miss"] + whole["miss", "hit"]),
        undecided=_undecided(some),
        held_back=rate(untold.count(False), len(untold)),
        wrong_hits=wrong_hits,
        wrong=_wrong(some),
        agreement=estimate(figures.agreement),
        kappa=estimate(figures.kappa),
        macro_f1=estimate(figures.macro_f1),
        evidence=_evidence(some),
    )


def pairs_by_case(some: Sequence[Settled]) -> dict[str, Pairs]:
    """How often each label met each verdict, by case; only what can be and was decided."""
    by_case: dict[str, Pairs] = {}
    for answer, label in some:
        pairs = by_case.setdefault(answer.case, Counter())
        if label in DECIDED and answer.verdict.outcome in DECIDED:
            pairs[label, answer.verdict.outcome] += 1
    return by_case


def _wrong(some: Sequence[Settled]) -> Rate:
    said = [(answer.verdict.outcome, label) for answer, label in some]
    return rate(sum(outcome in DECIDED and outcome != label for outcome, label in said), len(said))


def _undecided(some: Sequence[Settled]) -> Rate:
    said = [answer.verdict.outcome in DECIDED for answer, label in some if label != "unscored"]
    return rate(said.count(False), len(said))


def _evidence(some: Sequence[Settled]) -> Rate:
    met = [
        any(_meet(answer, label) for label in answer.labels if label.evidence)
        for answer, right in some
        if answer.verdict.outcome == right
        and answer.verdict.evidence
        and any(label.evidence for label in answer.labels)
    ]
    return rate(sum(met), len(met))


def _meet(answer: Answer, label: Gold) -> bool:
    """Whether one of the verdict's quotes shares words with one of the label's, in the same utterance."""
    return any(
        proof.utterance == place.utterance and bool(find(proof.quote, place.quote) or find(place.quote, proof.quote))
        for proof in answer.verdict.evidence
        for place in label.evidence
    )
