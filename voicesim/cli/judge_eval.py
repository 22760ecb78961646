"""`voicesim judge-eval`: how good is a judge, on labels of which one knows what is right?"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicesim.cli import judging
from voicesim.judge.patience import TIMEOUT

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from voicesim.judge.base import Judge
    from voicesim.judge.correction import Corrected
    from voicesim.judge.evaluation import Estimate, Evaluation, Rate, Table
    from voicesim.judge.examine import Answer, Labelled
    from voicesim.judge.gold import Gold

_EXAM = "exam"


def judge_eval(
    gold: Annotated[str, typer.Argument(help=f"A JSONL file of labels, or `{_EXAM}`: the planted-fault exam.")],
    judge: Annotated[list[str], typer.Option(help="Who is judged: cues or openai:MODEL; may be given again.")],
    batch: judging.Batch = False,
    judge_timeout: judging.Timeout = TIMEOUT,
    correct: Annotated[
        list[Path] | None, typer.Option(help="Recordings whose scores by this judge are corrected for its errors.")
    ] = None,
    sample: Annotated[
        int, typer.Option(min=0, help="Only so many labels, each kind, group and fault in its share; 0: all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="For the sample and the intervals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else.")] = False,
) -> None:
    """Compare judges with gold labels, by kind, group and fault of the checks.

    What a judge leaves undecided is counted apart, and is neither right nor wrong. Ends with 0 whatever comes out.
    """
    from voicesim.judge.correction import correct as corrected_for
    from voicesim.judge.correction import scores_of
    from voicesim.judge.evaluation import evaluate, judged
    from voicesim.judge.examine import calls
    from voicesim.recording.read import find_recordings

    judges = judging.panel(judge, batch=batch, timeout=judge_timeout).seated()
    rows, base, catalogue = _labels(gold, sample, seed)
    folders = [folder for path in correct or () for folder in find_recordings(path)]
    found: list[dict[str, Any]] = []
    for one in judges:
        given = _answers(one, list(calls(rows, base, catalogue.case)))
        evaluation = evaluate(one.name, one.version, given, seed=seed)
        score = corrected_for(judged(given), scores_of(one.name, folders), seed=seed) if folders else None
        found.append(evaluation.model_dump(mode="json") | ({"score": score.model_dump(mode="json")} if score else {}))
        if not as_json:
            _print(evaluation, score)
    if as_json:
        typer.echo(json.dumps({"judges": found}, indent=2, ensure_ascii=False, allow_nan=False))


def _answers(judge: "Judge", calls: "Sequence[Labelled]") -> list["Answer"]:
    """What a judge says; a person at the terminal sees how far it is."""
    from rich.console import Console
    from rich.progress import track

    from voicesim.judge.examine import answers

    console = Console(stderr=True)
    followed = track(calls, f"asking {judge.name}", console=console, disable=not console.is_terminal, transient=True)
    return [answer for call in followed for answer in answers(judge, call)]


def _labels(gold: str, sample: int, seed: int) -> tuple[tuple["Gold", ...], Path, Any]:
    from voicesim.catalog.find import Catalogue, shipped
    from voicesim.judge.exam.items import items
    from voicesim.judge.examine import layer_of
    from voicesim.judge.gold import load_gold
    from voicesim.judge.sample import drawn

    came_with = shipped() if gold == _EXAM else None
    rows = items() if gold == _EXAM else load_gold(Path(gold))
    catalogue = Catalogue((came_with,)) if came_with else Catalogue.here()
    return drawn(rows, sample, seed, layer_of(catalogue.case)), Path(gold).parent, catalogue


def _print(evaluation: "Evaluation", score: "Corrected | None") -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(f"judge {evaluation.judge}, version {evaluation.judge_version}", style="bold"))
    console.print(_confusion(evaluation.tables[0]))
    console.print(_rates(evaluation))
    if evaluation.split:
        console.print(f"{evaluation.split} left out: their raters are of two minds")
    for pair in evaluation.raters:
        console.print(Text(f"raters {pair.one} and {pair.other}: {_rate(pair.agreement)}, kappa {_number(pair.kappa)}"))
    if score:
        console.print(
            f"mean score of {score.calls} calls {score.observed:.2f}, corrected for the judge's errors "
            f"{_estimate(score.corrected)} (Rogan and Gladen 1978)"
        )
    console.print()


def _confusion(table: "Table") -> "RichTable":
    from rich.table import Table as RichTable
    from rich.text import Text

    said = sorted({outcome for row in table.confusion.values() for outcome in row})
    shown = RichTable("right \\ said", *(outcome.replace("_", " ") for outcome in said))
    for label, row in sorted(table.confusion.items()):
        shown.add_row(Text(label.replace("_", " ")), *(str(row.get(outcome, 0)) for outcome in said))
    return shown


def _rates(evaluation: "Evaluation") -> "RichTable":
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        "labels", "n", "sensitivity", "specificity", "wrong hits", "undecided", "held back", "kappa", "F1", "evidence"
    )
    for one in evaluation.tables:
        name = one.name if one.by == "all" else f"{one.by} {one.name}".replace("_", " ")
        shown.add_row(Text(name), str(one.items), _shown(one.sensitivity), *_cells(one))
    return shown


def _cells(one: "Table") -> Iterator[str]:
    yield _shown(one.specificity)
    yield str(one.wrong_hits)
    yield _rate(one.undecided)
    yield _rate(one.held_back)
    yield _estimate(one.kappa)
    yield _number(one.macro_f1.value)
    yield _rate(one.evidence)


def _rate(rate: "Rate") -> str:
    return f"{rate.part} of {rate.whole}" if rate.whole else "-"


def _shown(rate: "Rate") -> str:
    """A share with its interval."""
    if rate.value is None or rate.interval is None:
        return "-"
    return f"{rate.value:.2f} ({rate.interval.low:.2f}-{rate.interval.high:.2f})"


def _estimate(estimate: "Estimate") -> str:
    around = f" ({estimate.interval.low:.2f}-{estimate.interval.high:.2f})" if estimate.interval else ""
    return _number(estimate.value) + around


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
