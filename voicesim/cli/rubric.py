"""`voicesim rubric`: rubrics out of evidence, and answers scored by them."""

import json
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import options
from voicesim.cli import rubric_inputs as inputs
from voicesim.cli.telling import echo

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)

RubricFile = Annotated[Path, typer.Argument(help="A rubric file: YAML, or rows of {criterion, axis, points} as JSON.")]
Evidence = Annotated[
    Path | None,
    typer.Option(help="Folder of documents (Markdown, text, HTML, PDF); by default those that come with voicesim."),
]
Model = Annotated[str, typer.Option(help="openai:MODEL or a model file. Without one everything is done by rules.")]
JudgeName = Annotated[
    str, typer.Option("--judge", help="Who reads the answers: openai:MODEL or a model file; by default rules.")
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Write it here, and not to the terminal.")]


@app.callback()
def _rubric() -> None:
    """Rubrics: draft them from evidence, check them, score and rank answers by them, make cases of them."""


@app.command()
def draft(
    subject: Annotated[str, typer.Argument(help="A case's id or file, or a question in quotation marks.")],
    evidence: Evidence = None,
    live: Annotated[
        list[str] | None,
        typer.Option(help="Also look it up: pubmed, openfda, dailymed, medlineplus, cdc, who; or all. Repeatable."),
    ] = None,
    model: Model = "",
    out: Out = None,
) -> None:
    """Draft a rubric: facts with their quotes, what the question asks for, and criteria with points.

    It is a draft until a person has signed every criterion (`voicesim rubric sign`).
    """
    from voicesim.rubrics.draft import draft as extracted
    from voicesim.rubrics.files import to_yaml

    documents, question = inputs.documents(evidence), inputs.question(subject)
    found_live, notes = inputs.looked_up(question.text, live or [])
    documents = (*documents, *found_live)
    if model:
        from voicesim.rubrics.drafting import ModelDrafter

        drafted = ModelDrafter(inputs.chat(model, "rubric"), date.today()).draft(question, documents)
        rubric, notes = drafted.rubric, (*notes, *drafted.notes)
    else:
        rubric = extracted(question, documents)
    _write(to_yaml(rubric), out)
    for note in (*notes, *(f"{' and '.join(each.facts)} do not agree: {each.says}" for each in rubric.conflicts)):
        echo(f"look at: {note}", err=True)


@app.command()
def check(
    rubric: RubricFile,
    evidence: Evidence = None,
    years: Annotated[float, typer.Option(min=0, help="How old a source may be, in years.")] = 5.0,
    as_json: options.AsJson = False,
) -> None:
    """Find what is wrong with a rubric: duplicates, contradictions, points outside their tier, lost quotes, and more.

    Ends with 1 when there is a finding.
    """
    from voicesim.rubrics.audit import Limits, audit
    from voicesim.rubrics.files import read_rubrics

    documents = inputs.documents(evidence) if evidence else ()
    limits = Limits(date.today(), years)
    findings = [(each.id, finding) for each in read_rubrics(rubric) for finding in audit(each, limits, documents)]
    if as_json:
        rows = [{"rubric": name, "rule": f.rule, "criterion": f.criterion, "says": f.says} for name, f in findings]
        echo(json.dumps(rows, indent=2), is_json=True)
    else:
        for name, finding in findings:
            echo(f"{name}: {finding}")
        echo(f"{len(findings)} findings" if findings else "no findings")
    if findings:
        raise typer.Exit(1)


@app.command()
def score(
    subject: Annotated[Path, typer.Argument(help="A file with an answer, a recording, or - for standard input.")],
    rubric: Annotated[Path, typer.Option(help="The rubric file.")],
    judge: JudgeName = "",
    as_json: options.AsJson = False,
) -> None:
    """Score an answer, or the agent of a recording: points met over points that can be had, with a quote each."""
    from voicesim.cli.rubric_tables import as_data, as_text
    from voicesim.rubrics.answers import score_answer, score_transcript
    from voicesim.rubrics.files import read_rubric

    wanted = read_rubric(rubric)
    if subject.is_dir():
        scored = score_transcript(wanted, inputs.transcript(subject), inputs.judge(judge))
    else:
        scored = score_answer(wanted, inputs.text(subject), inputs.judge(judge))
    text = json.dumps(as_data(scored), indent=2, ensure_ascii=False) if as_json else as_text(scored)
    echo(text, is_json=as_json)


@app.command()
def rank(
    answers: Annotated[list[Path], typer.Argument(help="Files with an answer each.")],
    rubric: Annotated[Path, typer.Option(help="The rubric file.")],
    judge: JudgeName = "",
    as_json: options.AsJson = False,
) -> None:
    """Put answers in order: less harm first, then more points."""
    from voicesim.cli.rubric_tables import as_data
    from voicesim.rubrics.files import read_rubric
    from voicesim.rubrics.ranking import rank as ranked

    order = ranked(read_rubric(rubric), {str(path): inputs.text(path) for path in answers}, inputs.judge(judge))
    if as_json:
        rows = [{"place": each.place, "answer": each.name, **as_data(each.scored)} for each in order]
        echo(json.dumps(rows, indent=2, ensure_ascii=False), is_json=True)
        return
    for each in order:
        harms = "".join(f"\n     harm: {harm.criterion.says}" for harm in each.scored.harms)
        echo(f"{each.place:>2}. {each.name}: {each.scored.points}{harms}")


@app.command()
def refine(
    answer: Annotated[Path, typer.Argument(help="A file with an answer, or - for standard input.")],
    rubric: Annotated[Path, typer.Option(help="The rubric file.")],
    model: Annotated[str, typer.Option(help="Who rewrites: openai:MODEL or a model file.")],
    judge: JudgeName = "",
    steps: Annotated[int, typer.Option(min=1, max=20, help="Rewrites at most.")] = 5,
    out: Out = None,
) -> None:
    """Let a model rewrite an answer until nothing improves; harm is never traded for points, and each step is shown."""
    from voicesim.rubrics.drafting import ModelRewriter
    from voicesim.rubrics.files import read_rubric
    from voicesim.rubrics.refine import refine as refined

    taken = refined(
        read_rubric(rubric),
        inputs.text(answer),
        ModelRewriter(inputs.chat(model, "rewriter")),
        inputs.judge(judge),
        most=steps,
    )
    for number, step in enumerate(taken):
        state = "kept" if step.taken else "dropped"
        echo(f"step {number}: {step.scored.points}, {state}: {step.why}", err=True)
    _write([step for step in taken if step.taken][-1].answer + "\n", out)


@app.command("to-case")
def to_case(
    rubric: RubricFile,
    case: Annotated[str, typer.Option(help="A case whose patient is kept: its id or file.")] = "",
    out: Out = None,
) -> None:
    """Make a case of a rubric: weights that add up to 1, safety critical, harms to be avoided, cues proposed."""
    from voicesim.rubrics.casing import to_case as made
    from voicesim.rubrics.files import case_yaml, read_rubric

    wanted = read_rubric(rubric)
    base = inputs.case(case or wanted.case) if case or wanted.case else None
    note = "Made of a rubric" if wanted.signed else "Made of a rubric that is a draft: a person has to sign each check"
    _write(case_yaml(made(wanted, base), note), out)


@app.command("from-case")
def from_case(case: Annotated[str, typer.Argument(help="A case's id or file.")], out: Out = None) -> None:
    """Make a rubric of the checks of a case."""
    from voicesim.rubrics.casing import from_case as made
    from voicesim.rubrics.files import to_yaml

    _write(to_yaml(made(inputs.case(case))), out)


@app.command("to-lines")
def to_lines(rubrics: Annotated[list[Path], typer.Argument(help="Rubric files.")], out: Out = None) -> None:
    """Write rubrics as HealthBench's JSON lines; facts, needs and signatures have no place there."""
    from voicesim.rubrics.files import read_rubrics
    from voicesim.rubrics.healthbench import write_lines

    _write(write_lines(rubric for path in rubrics for rubric in read_rubrics(path)), out)


@app.command()
def sign(
    rubric: RubricFile,
    by: Annotated[str, typer.Option(help="Who signs.")],
    criterion: Annotated[list[str] | None, typer.Option(help="Only these; repeatable. By default all.")] = None,
) -> None:
    """Stand behind criteria, by name and with today's date; the file is changed."""
    from voicesim.rubrics.casing import signed
    from voicesim.rubrics.files import read_rubric, to_yaml

    wanted = signed(read_rubric(rubric), by, date.today(), tuple(criterion or ()))
    _write(to_yaml(wanted), rubric, again=True)


@app.command("eval")
def evaluate(
    rubric: Annotated[Path | None, typer.Argument(help="A rubric; by default drafts of all cases.")] = None,
    evidence: Evidence = None,
    reference: Annotated[Path | None, typer.Option(help="A person's rubric: how much of it is covered?")] = None,
    judge: JudgeName = "",
    as_json: options.AsJson = False,
) -> None:
    """Tell whether rubrics are any good: near misses told apart, and the share of a person's rubric that is covered."""
    from voicesim.cli.rubric_tables import coverage_table, near_miss_table

    documents = inputs.documents(evidence)
    tables = near_miss_table(documents, rubric, inputs.judge(judge), as_json=as_json)
    echo(tables, is_json=as_json)
    if reference is not None and rubric is not None:
        echo(coverage_table(reference, rubric, as_json=as_json), is_json=as_json)


def _write(text: str, out: Path | None, *, again: bool = False) -> None:
    from voicesim.errors import UsageError
    from voicesim.recording import files

    if out is None:
        echo(text, nl=False)
        return
    if out.exists() and not again:
        raise UsageError(f"{out}: there is a file already; name another with --out")
    files.write_text(out, text)
    echo(str(out), err=True)
