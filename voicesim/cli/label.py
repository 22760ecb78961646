"""`voicesim label`: a person goes through verdicts and says which are right."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.cli.telling import echo

if TYPE_CHECKING:
    from voicesim.bench.labelling import Question, Sheet
    from voicesim.cli.terminal import Terminal
    from voicesim.judge.gold import Label

_LABELS: "dict[str, tuple[Label, str]]" = {
    "h": ("hit", "[h]it"),
    "m": ("miss", "[m]iss"),
    "n": ("not_applicable", "[n]ot applicable"),
    "u": ("unscored", "[u] nobody can tell"),
}


def label(
    recording: Annotated[Path, typer.Argument(help="A recording folder with verdicts, or a folder that holds some.")],
    gold: Annotated[Path, typer.Option(help="The JSONL file that the labels are added to.")] = Path("gold.jsonl"),
    rater: Annotated[str, typer.Option(help="Who labels; by default the name you are logged in with.")] = "",
    judge: Annotated[str | None, typer.Option(help="Whose verdicts; by default the newest.")] = None,
    bring: Annotated[
        Path | None, typer.Option("--import", help="Take the labels that the scorecard page saved, and ask nothing.")
    ] = None,
) -> None:
    """Go through the verdicts on calls: right, wrong, skip or quit; each answer is kept at once.

    Started again, it goes on with what is not answered yet.
    """
    from voicesim.bench.labelling import brought_in, sheet
    from voicesim.judge.gold import append_gold, load_gold
    from voicesim.judge.kept import load_verdicts
    from voicesim.recording.read import find_recordings

    who = rater or getpass.getuser()
    sheets = [sheet(folder, load_verdicts(folder, judge)) for folder in find_recordings(recording)]
    if bring:
        rows = brought_in(sheets, bring, gold, who, load_gold(gold) if gold.is_file() else ())
        append_gold(gold, rows)
        echo(f"{len(rows)} labels added to {gold}")
        return
    for this in sheets:
        if not _go_through(this, gold, who):
            break


def _go_through(this: "Sheet", gold: Path, who: str) -> bool:
    """Ask about what one rater has not labelled yet; False when they quit."""
    from voicesim.bench.labelling import label as labelled
    from voicesim.bench.labelling import remaining
    from voicesim.cli.terminal import Terminal
    from voicesim.judge.gold import append_gold, load_gold

    console = Terminal()
    left = remaining(this, load_gold(gold) if gold.is_file() else (), who)
    progress = f"{this.folder}: {len(this.questions) - len(left)} of {len(this.questions)} labelled by {who}"
    console.print(progress, markup=False)
    for question in left:
        _show(console, this, question)
        answer = _answer(question)
        if answer == "q":
            return False
        if answer == "s":
            continue
        right = None if answer == "r" else _LABELS[answer][0]
        reason = typer.prompt("why", default="", show_default=False)
        append_gold(gold, [labelled(this, question, gold, who, right, reason)])
    return True


def _show(console: "Terminal", this: "Sheet", question: "Question") -> None:
    from rich.text import Text

    from voicesim.report.wording import spaced

    check, verdict = question.check, question.verdict
    heading = f"\n{check.id} ({check.group}, {check.kind})  {this.judge}: {spaced(verdict.outcome)}"
    console.print(Text(heading, style="bold"))
    console.print(Text(f"  expected: {check.expect}"))
    if check.violation:
        console.print(Text(f"  violation: {check.violation}"))
    for quote in verdict.evidence:
        console.print(Text(f"  quote: {quote.utterance} at {quote.start:.1f} s: “{quote.quote}”"))
    for name, text in question.spoken:
        console.print(Text(f"  {name}: {text}", style="dim"))
    for vote in verdict.votes:
        console.print(Text(f"  {vote.judge}: {spaced(vote.outcome)}, {vote.reason}", style="dim"))
    if verdict.reason:
        console.print(Text(f"  reason: {verdict.reason}", style="dim"))


def _answer(question: "Question") -> str:
    """`r`, `s`, `q`, or the key of what is right instead of the verdict; a disputed one cannot be right itself."""
    from voicesim.judge.gold import label_of

    if question.verdict.outcome == "disputed":
        meanings = ", ".join(meaning for _, meaning in _LABELS.values())
        return _ask(f"what is right: {meanings}; [s]kip, [q]uit", "hmnusq")
    answer = _ask("[r]ight, [w]rong, [s]kip, [q]uit", "rwsq")
    if answer != "w":
        return answer
    others = {key: meaning for key, (label, meaning) in _LABELS.items() if label != label_of(question.verdict.outcome)}
    return _ask(f"what is right: {', '.join(others.values())}", "".join(others))


def _ask(text: str, keys: str) -> str:
    while True:
        answer = str(typer.prompt(text)).strip().lower()[:1]
        if answer and answer in keys:
            return answer
