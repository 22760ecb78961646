"""How `voicesim judge-eval` shows what came out, in 80 columns."""

from collections.abc import Mapping, Sequence
from typing import get_args

from rich.box import SIMPLE_HEAD
from rich.table import Table as Shown
from rich.text import Text

from voicesim.bench.correction import Corrected
from voicesim.bench.evaluation import By, Estimate, Evaluation, Table
from voicesim.bench.rates import Rate
from voicesim.bench.tagging import Tags
from voicesim.cli.terminal import Terminal
from voicesim.report.wording import MISSING, spaced


def print_counts(counts: Mapping[str, Mapping[str, int]]) -> None:
    """How many labels there are, by fault and kind."""
    kinds = sorted({kind for row in counts.values() for kind in row})
    shown = _table("fault", *(kind or MISSING for kind in kinds), "all")
    for fault, row in sorted(counts.items()):
        shown.add_row(spaced(fault) or MISSING, *(str(row.get(kind, 0)) for kind in kinds), str(sum(row.values())))
    by_kind = [sum(row.get(kind, 0) for row in counts.values()) for kind in kinds]
    shown.add_row("all", *map(str, by_kind), str(sum(by_kind)), style="bold")
    Terminal().print(shown)


def print_evaluation(evaluation: Evaluation) -> None:
    """The confusion of all labels, how sure the rates are by kind and group, and the counts by fault, too."""
    console = Terminal()
    console.print(Text(f"judge {evaluation.judge}, version {evaluation.judge_version}", style="bold"))
    console.print(_confusion(evaluation.tables[0]))
    console.print(_rates(evaluation))
    console.print(_counts(evaluation))
    if any(table.by == "style" for table in evaluation.tables):
        console.print(_styles(evaluation))
    if any(figures.precision.whole for figures in evaluation.tags.tags):  # the offline judge names none by itself
        console.print(_tags(evaluation.tags))
        console.print(f"false alarms: {_rate(evaluation.tags.false_alarms)} of what was right was called a failure")
    if evaluation.stability.whole:
        console.print(
            f"stability: {_sure(evaluation.stability)} of {evaluation.stability.whole} pairs of repeats are the same"
        )
    if evaluation.split:
        console.print(f"{evaluation.split} left out: their raters are of two minds")
    for pair in evaluation.raters:
        console.print(Text(f"raters {pair.one} and {pair.other}: {_rate(pair.agreement)}, kappa {_number(pair.kappa)}"))


def print_by_check(judges: Sequence[Evaluation]) -> None:
    """Several judges beside each other: of each check how many labels each got right, wrong and left undecided."""
    shown = _table("right, wrong, undecided", *(judge.judge for judge in judges))
    by_judge = [{table.name: table for table in judge.tables if table.by == "check"} for judge in judges]
    for name in dict.fromkeys(name for tables in by_judge for name in tables):
        shown.add_row(Text(name), *(_outcome(tables.get(name)) for tables in by_judge))
    Terminal().print(shown)


def _outcome(table: Table | None) -> str:
    """`7, 1, 2`: right, wrong and undecided, what nobody could tell being right when it was left undecided."""
    if table is None:
        return MISSING
    counts = [(label, outcome, count) for label, row in table.confusion.items() for outcome, count in row.items()]
    right = sum(count for label, outcome, count in counts if label == outcome) + table.held_back.part
    undecided = table.undecided.part
    return f"{right}, {table.items - right - undecided}, {undecided}"


def print_corrected(score: Corrected) -> None:
    """The corrected score, and which error rates it comes from."""
    console = Terminal()
    shown = _table("error rates of", "sensitivity", "specificity", "weight", "observed", "corrected")
    for part in score.parts:
        name = part.name if part.by in ("all", "code") else f"{part.by} {part.name}"
        corrected = _number(part.corrected) + (" (clipped)" if part.clipped else "")
        both = (part.sensitivity, part.specificity)
        rates = [MISSING if rate is None else f"{_number(rate.value)} of {rate.whole}" for rate in both]
        shown.add_row(Text(name), *rates, f"{part.share:.2f}", _number(part.observed), corrected)
    corrected = f"{_estimate(score.corrected)} (Rogan and Gladen 1978)"
    if score.corrected.value is None:
        corrected = "unknown, for the labels tell too little about them"
    console.print(
        f"mean score of {score.calls} calls {score.observed:.2f}, corrected for the judge's errors {corrected}"
    )
    console.print(shown)


def _confusion(table: Table) -> Shown:
    said = sorted({outcome for row in table.confusion.values() for outcome in row})
    shown = _table("right \\ said", *map(spaced, said))
    for label, row in sorted(table.confusion.items()):
        shown.add_row(spaced(label), *(str(row.get(outcome, 0)) for outcome in said))
    return shown


def _tags(tags: Tags) -> Shown:
    shown = _table("kind of failure", "precision", "recall", "F1")
    for figures in tags.tags:
        shown.add_row(spaced(figures.tag), _rate(figures.precision), _rate(figures.recall), _number(figures.f1))
    shown.add_row("mean over kinds (macro-F1)", "", "", _number(tags.macro_f1), style="bold")
    return shown


def _rates(evaluation: Evaluation) -> Shown:
    shown = _table("how sure", "n", "sensitivity", "specificity", "kappa", "F1")
    for heading, some in _sections(evaluation, ("all", "kind", "group")):
        _section(shown, heading)
        for table in some:
            sure = (_sure(table.sensitivity), _sure(table.specificity), _estimate(table.kappa))
            shown.add_row(_name(table), str(table.items), *sure, _number(table.macro_f1.value))
    return shown


def _counts(evaluation: Evaluation) -> Shown:
    shown = _table("how many", "right hits", "right misses", "wrong hits", "undecided", "held back", "quotes")
    for heading, some in _sections(evaluation, [by for by in get_args(By) if by not in ("check", "style")]):
        _section(shown, heading)
        for table in some:
            rates = (table.undecided, table.held_back, table.evidence)
            right = (_rate(table.sensitivity), _rate(table.specificity))
            shown.add_row(_name(table), *right, str(table.wrong_hits), *map(_rate, rates))
    return shown


def _styles(evaluation: Evaluation) -> Shown:
    shown = _table("style, part", "n", "right", "undecided", "wrong", "wrong, 95 %")
    for table in (table for table in evaluation.tables if table.by == "style"):
        right = table.items - table.wrong.part - table.undecided.part
        interval = table.wrong.interval
        sure = f"{interval.low:.1%} to {interval.high:.1%}" if interval else MISSING
        shown.add_row(spaced(table.name), *map(str, (table.items, right, table.undecided.part, table.wrong.part)), sure)
    return shown


def _sections(evaluation: Evaluation, wanted: Sequence[By]) -> list[tuple[By, list[Table]]]:
    apart = [(by, [table for table in evaluation.tables if table.by == by]) for by in wanted]
    return [(by, some) for by, some in apart if some]


def _section(shown: Shown, heading: By) -> None:
    if heading != "all":
        shown.add_row(f"by {heading}", style="dim")


def _table(first: str, *columns: str) -> Shown:
    shown = Shown(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 0, 0, 1))
    shown.add_column(first, no_wrap=True)
    for column in columns:
        shown.add_column(column, justify="right")
    return shown


def _name(table: Table) -> Text:
    return Text(table.name if table.by == "all" else f"  {spaced(table.name)}")


def _rate(rate: Rate) -> str:
    return f"{rate.part}/{rate.whole}" if rate.whole else MISSING


def _sure(rate: Rate) -> str:
    """A share with its interval."""
    if rate.value is None or rate.interval is None:
        return MISSING
    return f"{rate.value:.2f} ({rate.interval.low:.2f}-{rate.interval.high:.2f})"


def _estimate(estimate: Estimate) -> str:
    around = f" ({estimate.interval.low:.2f}-{estimate.interval.high:.2f})" if estimate.interval else ""
    return _number(estimate.value) + around


def _number(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}"
