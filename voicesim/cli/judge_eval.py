"""`voicesim judge-eval`: how good is a judge, on labels of which one knows what is right?"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voicesim.cli import judging, options
from voicesim.cli.telling import echo
from voicesim.llm.server import TIMEOUT

if TYPE_CHECKING:
    from voicesim.bench.evaluation import Evaluation
    from voicesim.bench.examine import Answer, Labelled
    from voicesim.judge.base import Judge

_EXAM = "exam"
_WORDINGS = "wordings"


def judge_eval(
    gold: Annotated[
        str,
        typer.Argument(help=f"A JSONL file of labels, or `{_EXAM}` (planted faults), or `{_WORDINGS}` (single ones)."),
    ],
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="Who is judged: cues, openai:MODEL or a model file; repeatable. Nobody: the labels are counted."
        ),
    ] = None,
    judge_repeats: judging.Repeats = 1,
    batch: judging.Batch = False,
    judge_timeout: judging.Timeout = TIMEOUT,
    correct: Annotated[
        list[Path] | None, typer.Option(help="Recordings whose scores by this judge are corrected for its errors.")
    ] = None,
    sample: Annotated[
        int, typer.Option(min=0, help="Only so many labels, each kind, group and fault in its share; 0: all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="For the sample and the intervals.")] = 0,
    as_json: options.AsJson = False,
) -> None:
    """Compare judges with gold labels, by kind, group and fault of the checks.

    What a judge leaves undecided is counted apart, and is neither right nor wrong. With repeats, stability stands
    beside validity; several judges are compared check by check. Ends with 0 whatever comes out.
    """
    from voicesim.bench.correction import correct as corrected_for
    from voicesim.bench.correction import scored_by
    from voicesim.bench.evaluation import evaluate, settled
    from voicesim.bench.examine import counts
    from voicesim.bench.sample import drawn
    from voicesim.cli.judge_tables import print_by_check, print_corrected, print_counts, print_evaluation
    from voicesim.recording.read import find_recordings

    judges = judging.panel(judge, batch=batch, timeout=judge_timeout).seated() if judge else []
    labelled = drawn(_labelled(gold), sample, seed)
    folders = find_recordings(*(correct or ()))
    rows: list[dict[str, Any]] = []
    evaluations: list[Evaluation] = []
    scored = [scored_by(judge.name, folders) for judge in judges]
    for examined, before in zip(judges, scored, strict=True):
        given = _answers(examined, labelled, judge_repeats)
        evaluation = evaluate(examined.name, examined.version, given, seed=seed)
        score = corrected_for(settled(given), before, seed=seed) if folders else None
        rows.append(evaluation.model_dump(mode="json") | ({"score": score.model_dump(mode="json")} if score else {}))
        evaluations.append(evaluation)
        if not as_json:
            print_evaluation(evaluation)
            if score:
                print_corrected(score)
    held = counts(labelled)
    if as_json:
        result = {"labels": sum(len(call.labels) for call in labelled), "counts": held, "judges": rows}
        echo(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False), is_json=True)
    elif not judges:
        print_counts(held)
    elif len(judges) > 1:
        print_by_check(evaluations)


def _answers(judge: "Judge", calls: "Sequence[Labelled]", repeats: int) -> list["Answer"]:
    """What a judge says; a person at the terminal sees how far it is."""
    from rich.progress import track

    from voicesim.bench.examine import answers
    from voicesim.cli.terminal import Terminal

    console = Terminal(stderr=True)
    followed = track(calls, f"asking {judge.name}", console=console, disable=not console.is_terminal, transient=True)
    return [answer for call in followed for answer in answers(judge, call, repeats)]


def _labelled(gold: str) -> list["Labelled"]:
    from voicesim.bench.exam.items import items
    from voicesim.bench.exam.wordings import wordings
    from voicesim.bench.examine import calls
    from voicesim.catalog.find import Catalogue, shipped
    from voicesim.errors import UsageError, near
    from voicesim.judge.gold import load_gold

    come_with = {_EXAM: items, _WORDINGS: wordings}
    folder = shipped() if gold in come_with else None
    if folder:
        return list(calls(come_with[gold](), Path(), Catalogue((folder,)).case))
    if not Path(gold).exists():
        raise UsageError(f"{gold}: there is no such file.{near(gold, come_with)}")
    rows = load_gold(Path(gold))
    if not rows:
        raise UsageError(f"{gold}: there is no label in it")
    return list(calls(rows, Path(gold).parent, Catalogue.here().case))
