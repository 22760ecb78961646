"""`voicesim label`: a person goes through verdicts and says which are right."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from voicesim.judge.gold import Label
    from voicesim.judge.labelling import Question, Sheet

_LABELS: "dict[str, Label]" = {"h": "hit", "m": "miss", "n": "not_applicable", "u": "unscored"}


def label(
    recording: Annotated[Path, typer.Argument(help="A recording folder with verdicts.")],
    gold: Annotated[Path, typer.Option(help="The JSONL file that the labels are added to.")] = Path("gold.jsonl"),
    rater: Annotated[str, typer.Option(help="Who labels; by default the name you are logged in with.")] = "",
    judge: Annotated[str | None, typer.Option(help="Whose verdicts; by default the newest.")] = None,
    bring: Annotated[
        Path | None, typer.Option("--import", help="Take the labels that the scorecard page saved, and ask nothing.")
    ] = None,
) -> None:
    """Go through the verdicts on a call: right, wrong, skip or quit; each answer is kept at once.

    Started again, it goes on with what is not answered yet.
    """
    from rich.console import Console

    from voicesim.judge.gold import append_gold, load_gold
    from voicesim.judge.labelling import brought_in, remaining, sheet
    from voicesim.judge.labelling import label as labelled
    from voicesim.report.write import load_verdicts

    who = rater or getpass.getuser()
    this = sheet(recording, load_verdicts(recording, judge))
    given = load_gold(gold) if gold.is_file() else ()
    if bring:
        rows = brought_in(this, bring, gold, who, given)
        append_gold(gold, rows)
        typer.echo(f"{len(rows)} labels added to {gold}")
        return
    console = Console(highlight=False)
    left = remaining(this, given, who)
    console.print(f"{len(this.questions) - len(left)} of {len(this.questions)} labelled by {who}", markup=False)
    for question in left:
        _show(console, this, question)
        answer = _ask("[r]ight, [w]rong, [s]kip, [q]uit", "rwsq")
        if answer == "q":
            break
        if answer == "s":
            continue
        right = (
            _LABELS[_ask("what is right: [h]it, [m]iss, [n]ot applicable, [u]nknowable", "hmnu")]
            if answer == "w"
            else None
        )
        reason = typer.prompt("why", default="", show_default=False)
        append_gold(gold, [labelled(this, question, gold, who, right, reason)])


def _show(console: "Console", this: "Sheet", question: "Question") -> None:
    from rich.text import Text

    from voicesim.report.wording import visible

    check, verdict = question.check, question.verdict
    console.print(Text(f"\n{check.id} ({check.group}, {check.kind})  {this.judge}: {verdict.outcome}", style="bold"))
    console.print(Text(f"  expected: {visible(check.expect)}"))
    if check.violation:
        console.print(Text(f"  violation: {visible(check.violation)}"))
    for quote in verdict.evidence:
        console.print(Text(f"  quote: {quote.utterance} at {quote.start:.1f} s: “{visible(quote.quote)}”"))
    for name, text in question.spoken:
        console.print(Text(f"  {name}: {visible(text)}", style="dim"))
    if verdict.reason:
        console.print(Text(f"  reason: {visible(verdict.reason)}", style="dim"))


def _ask(text: str, keys: str) -> str:
    while True:
        answer = str(typer.prompt(text)).strip().lower()[:1]
        if answer and answer in keys:
            return answer
