"""`voicesim rubric`: rubrics out of evidence, and answers scored by them."""

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voicesim.cli import options

if TYPE_CHECKING:
    from voicesim.catalog.model import Case
    from voicesim.judge.base import Judge
    from voicesim.llm.client import ChatModel
    from voicesim.rubrics.documents import Document
    from voicesim.rubrics.draft import Question
    from voicesim.transcript.model import Transcript

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)
_SECONDS = 120.0

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
    model: Model = "",
    out: Out = None,
) -> None:
    """Draft a rubric: facts with their quotes, what the question asks for, and criteria with points.

    It is a draft until a person has signed every criterion (`voicesim rubric sign`).
    """
    from voicesim.rubrics.draft import draft as extracted
    from voicesim.rubrics.files import to_yaml

    documents, question = _documents(evidence), _question(subject)
    notes: tuple[str, ...] = ()
    if model:
        from voicesim.rubrics.drafting import ModelDrafter

        drafted = ModelDrafter(_chat(model, "rubric"), date.today()).draft(question, documents)
        rubric, notes = drafted.rubric, drafted.notes
    else:
        rubric = extracted(question, documents)
    _write(to_yaml(rubric), out)
    for note in (*notes, *(f"{' and '.join(each.facts)} do not agree: {each.says}" for each in rubric.conflicts)):
        typer.echo(f"look at: {note}", err=True)


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

    documents = _documents(evidence) if evidence else ()
    limits = Limits(date.today(), years)
    findings = [(each.id, finding) for each in read_rubrics(rubric) for finding in audit(each, limits, documents)]
    if as_json:
        rows = [{"rubric": name, "rule": f.rule, "criterion": f.criterion, "says": f.says} for name, f in findings]
        typer.echo(json.dumps(rows, indent=2))
    else:
        for name, finding in findings:
            typer.echo(f"{name}: {finding}")
        typer.echo(f"{len(findings)} findings" if findings else "no findings")
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
        scored = score_transcript(wanted, _transcript(subject), _judge(judge))
    else:
        scored = score_answer(wanted, _text(subject), _judge(judge))
    typer.echo(json.dumps(as_data(scored), indent=2, ensure_ascii=False) if as_json else as_text(scored))


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

    order = ranked(read_rubric(rubric), {str(path): _text(path) for path in answers}, _judge(judge))
    if as_json:
        rows = [{"place": each.place, "answer": each.name, **as_data(each.scored)} for each in order]
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for each in order:
        harms = "".join(f"\n     harm: {harm.criterion.says}" for harm in each.scored.harms)
        typer.echo(f"{each.place:>2}. {each.name}: {each.scored.points}{harms}")


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
        read_rubric(rubric), _text(answer), ModelRewriter(_chat(model, "rewriter")), _judge(judge), most=steps
    )
    for number, step in enumerate(taken):
        state = "kept" if step.taken else "dropped"
        typer.echo(f"step {number}: {step.scored.points}, {state}: {step.why}", err=True)
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
    base = _case(case or wanted.case) if case or wanted.case else None
    note = "Made of a rubric" if wanted.signed else "Made of a rubric that is a draft: a person has to sign each check"
    _write(case_yaml(made(wanted, base), note), out)


@app.command("from-case")
def from_case(case: Annotated[str, typer.Argument(help="A case's id or file.")], out: Out = None) -> None:
    """Make a rubric of the checks of a case."""
    from voicesim.rubrics.casing import from_case as made
    from voicesim.rubrics.files import to_yaml

    _write(to_yaml(made(_case(case))), out)


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

    documents = _documents(evidence)
    tables = near_miss_table(documents, rubric, _judge(judge), as_json=as_json)
    typer.echo(tables)
    if reference is not None and rubric is not None:
        typer.echo(coverage_table(reference, rubric, as_json=as_json))


def _documents(folder: Path | None) -> "tuple[Document, ...]":
    from voicesim.catalog.find import shipped
    from voicesim.errors import UsageError
    from voicesim.rubrics.documents import read_folder

    came_with = shipped()
    if folder is None and came_with is None:
        raise UsageError("no evidence came with this voicesim; name a folder with --evidence")
    return read_folder(folder if folder is not None else (came_with or Path()) / "evidence")


def _case(name: str) -> "Case":
    from voicesim.catalog.find import Catalogue

    return Catalogue.here().case(name)


def _question(subject: str) -> "Question":
    from voicesim.catalog.find import Catalogue
    from voicesim.rubrics.draft import Question, of_case

    if " " not in subject.strip() or subject.endswith((".yaml", ".yml", ".json")):
        return of_case(Catalogue.here().case(subject))
    from voicesim.catalog.load import id_from_name

    return Question(id_from_name(Path("-".join(subject.split()[:8]))), subject)


def _chat(model: str, role: str) -> "ChatModel":
    from voicesim.catalog.model_names import resolve_model
    from voicesim.llm.client import ChatModel

    return ChatModel(resolve_model(model.removeprefix("openai:")), role, _SECONDS)


def _judge(name: str) -> "Judge | None":
    from voicesim.judge.judges import make_judge

    return make_judge(name) if name else None


def _text(path: Path) -> str:
    from voicesim.errors import UsageError

    if str(path) == "-":
        return typer.get_text_stream("stdin").read()
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as text: {error}") from error


def _transcript(folder: Path) -> "Transcript":
    from voicesim.errors import UsageError
    from voicesim.recording import files
    from voicesim.recording.read import open_recording
    from voicesim.transcript.model import Transcript

    open_recording(folder)
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: no {files.TRANSCRIPT} yet; run `voicesim transcribe {folder}` first")
    return files.load(folder, files.TRANSCRIPT, Transcript)


def _write(text: str, out: Path | None, *, again: bool = False) -> None:
    from voicesim.errors import UsageError
    from voicesim.recording import files

    if out is None:
        typer.echo(text, nl=False)
        return
    if out.exists() and not again:
        raise UsageError(f"{out}: there is a file already; name another with --out")
    files.write_text(out, text)
    typer.echo(str(out), err=True)
