"""How well a judge names the kinds of failures: precision, recall and F1 of each, and false alarms."""

from collections import Counter
from collections.abc import Sequence

from voicesim.bench import figures
from voicesim.bench.examine import Answer
from voicesim.bench.rates import Rate, rate
from voicesim.catalog.tags import Tag
from voicesim.frozen import Frozen
from voicesim.judge.gold import Gold, Label

DECIDED = ("hit", "miss", "not_applicable")
"""The outcomes that count. `unscored` is counted on its own, and so is whatever a judge leaves undecided."""

Settled = tuple[Answer, Label]
"""An answer, and what is right by most of its raters."""


class TagFigures(Frozen):
    """One kind of failure: of how often it was named how often rightly (precision), of how often it was there how often
    it was named (recall), and the F1 of both; None where it was neither named nor there."""

    tag: Tag
    precision: Rate
    recall: Rate
    f1: float | None


class Tags(Frozen):
    """The judge's own names for failures, over what it decided.

    `items` are misses of which the kind is known, and what is no miss. `macro_f1` is the mean of F1 over the kinds that
    were named or there. `false_alarms` is how often it named a failure of those items in which nothing failed.
    """

    items: int
    tags: tuple[TagFigures, ...]
    macro_f1: float | None
    false_alarms: Rate


def tagging(some: Sequence[Settled]) -> Tags:
    """The figures over answers whose failure the judge has to name: not what the case names, or code decided."""
    pairs: Counter[tuple[Tag | None, Tag | None]] = Counter()
    for answer, label in some:
        if answer.check.tag is not None or answer.verdict.by == "code" or answer.verdict.outcome not in DECIDED:
            continue
        tag = _tag_of(answer.labels) if label == "miss" else None
        if label != "unscored" and (label != "miss" or tag is not None):
            pairs[tag, answer.tag] += 1
    kinds = sorted({tag for pair, count in pairs.items() if count for tag in pair if tag is not None})
    listed = tuple(_figures(tag, pairs) for tag in kinds)
    scores = [figure.f1 for figure in listed if figure.f1 is not None]
    clean = {named: count for (right, named), count in pairs.items() if right is None}
    return Tags(
        items=pairs.total(),
        tags=listed,
        macro_f1=sum(scores) / len(scores) if scores else None,
        false_alarms=rate(sum(count for named, count in clean.items() if named is not None), sum(clean.values())),
    )


def _figures(tag: Tag, pairs: Counter[tuple[Tag | None, Tag | None]]) -> TagFigures:
    both = pairs[tag, tag]
    named = sum(count for (_, said), count in pairs.items() if said == tag)
    there = sum(count for (right, _), count in pairs.items() if right == tag)
    return TagFigures(tag=tag, precision=rate(both, named), recall=rate(both, there), f1=figures.f1(both, named, there))


def _tag_of(labels: Sequence[Gold]) -> Tag | None:
    """What more than half of the raters call the failure; None where they do not say, or differ."""
    tag, count = Counter(label.tag for label in labels).most_common(1)[0]
    return tag if 2 * count > len(labels) else None
