"""`voicesim reflect`: a better wording of disputed checks, as a diff to read."""

from pathlib import Path
from typing import Annotated

import typer

from voicesim.cli import judging
from voicesim.cli.telling import echo
from voicesim.llm.server import TIMEOUT


def reflect(
    case: Annotated[str, typer.Argument(help="A case by its id or its file.")],
    gold: Annotated[Path, typer.Option(help="The JSONL file of labels with the disputed verdicts.")],
    model: Annotated[str, typer.Option(help="Who proposes: openai:MODEL, or a model file.")],
    timeout: judging.Timeout = TIMEOUT,
) -> None:
    """Propose another wording for each check whose verdicts people disputed; nothing is changed.

    Prints unified diffs of the case's file, for `git apply --unidiff-zero` once they were read.
    """
    from voicesim.bench.examine import calls
    from voicesim.bench.reflect import proposer
    from voicesim.bench.reflect import reflect as reflections
    from voicesim.bench.rewording import place_of
    from voicesim.catalog.find import Catalogue
    from voicesim.judge.gold import load_gold

    catalogue = Catalogue.here()
    path = catalogue.path("case", case)
    if not place_of(path).exists():
        echo(f"# copy {path} to {place_of(path)} first: a case there goes before the one that came with voicesim")
    labelled = calls(load_gold(gold), gold.parent, catalogue.case)
    for reflection in reflections(path, labelled, proposer(model, timeout)):
        echo(f"# {reflection.check}: {reflection.disputes} disputed. {reflection.reason}")
        echo(reflection.diff or "# no change proposed\n", nl=False)
