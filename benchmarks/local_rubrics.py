"""A real local model that drafts rubrics: `python benchmarks/local_rubrics.py [--url URL] [--pairs 8] [CASE ...]`.

For each case (three without a name) the model of `local_model_server.py` drafts a rubric from the evidence that comes
with voicesim. Printed are its criteria, what was dropped and why, how much of the case's own rubric it covers, and how
long it took. Then it reads near misses by the extracted draft, criterion by criterion of the fact that was changed, and
the same pairs are read without a model. Without `--url`, the server is started by the interpreter `--python`.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from local_model import local_server

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model_names import resolve_model
from voicesim.judge.judges import Options, make_judge
from voicesim.llm.client import ChatModel
from voicesim.rubrics.casing import from_case
from voicesim.rubrics.documents import Document, read_folder
from voicesim.rubrics.draft import draft, of_case
from voicesim.rubrics.drafting import ModelDrafter
from voicesim.rubrics.evaluation import Table, coverage, table, tell_apart
from voicesim.rubrics.model import Rubric
from voicesim.rubrics.near_misses import Pair, pairs

CASES = ("cold-06-stacked-paracetamol", "cold-08-pregnancy-congestion", "cold-04-emergency-dyspnea")
SECONDS = 1800.0
ROOMS = (1500, 2500)


def drafted(name: str, documents: Sequence[Document]) -> None:
    """One case, printed."""
    case, begun = Catalogue.here().case(name), time.monotonic()
    chat = ChatModel(resolve_model("local"), "rubric", SECONDS, rooms=ROOMS)
    try:
        made = ModelDrafter(chat, date.today()).draft(of_case(case), documents)
    except Exception as error:  # noqa: BLE001 - whatever a small model does belongs in the table
        print(f"\n{name}: no rubric: {error} ({time.monotonic() - begun:.0f} s)", flush=True)
        return
    share, _ = coverage(from_case(case), made.rubric)
    plain, _ = coverage(from_case(case), draft(of_case(case), documents))
    print(f"\n{name}: {len(made.rubric.facts)} facts, {len(made.rubric.criteria)} criteria", end=", ")
    print(f"{share:.0%} of the case covered (extracted: {plain:.0%}), {time.monotonic() - begun:.0f} s")
    for criterion in made.rubric.criteria:
        stands = ", ".join(criterion.facts or criterion.needs)
        print(f"  {criterion.points:>3} {criterion.kind:4} {criterion.says}  [{stands}]")
    for note in made.notes:
        print(f"  LOOK AT {note}")
    sys.stdout.flush()


def near_misses(documents: Sequence[Document], count: int) -> None:
    """Pairs spread over the kinds of change, read by the model and by words."""
    catalogue = Catalogue.here()
    rubrics: dict[str, Rubric] = {}
    chosen: list[Pair] = []
    for name in CASES:
        rubric = draft(of_case(catalogue.case(name)), documents)
        every = pairs(rubric.facts)
        chosen += every[:: max(1, len(every) * len(CASES) // count)]
        rubrics |= {fact.id: rubric for fact in rubric.facts}

    def about(pair: Pair) -> Rubric:
        whole = rubrics[pair.fact]
        own = tuple(criterion for criterion in whole.criteria if pair.fact in criterion.facts)
        return whole.model_copy(update={"criteria": own, "id": pair.fact})

    read = [pair for pair in chosen if any(pair.fact in c.facts for c in rubrics[pair.fact].criteria)][:count]
    begun = time.monotonic()
    judge = make_judge("openai:local", Options(timeout=SECONDS))
    for name, scored in (("model", tell_apart(read, about, judge)), ("words", tell_apart(read, about))):
        _print(name, table(scored), time.monotonic() - begun)


def _print(name: str, row: Table, seconds: float) -> None:
    print(
        f"{name}: {row.pairs} pairs, {row.wins} right, {row.ties} ties, {row.pairs - row.wins - row.ties} wrong", end=""
    )
    print(f", AUROC {row.auroc:.2f} ({seconds:.0f} s)" if row.auroc is not None else "", flush=True)


def main(cases: Sequence[str], url: str, count: int) -> None:
    os.environ.update(OPENAI_API_KEY="none", OPENAI_BASE_URL=url)
    documents = read_folder(Path(__file__).parents[1] / "evidence")
    for name in cases:
        drafted(name, documents)
    print()
    near_misses(documents, count)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--url", default="")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--pairs", type=int, default=8)
    chosen_options = parser.parse_args()
    if chosen_options.url:
        main(chosen_options.cases, chosen_options.url, chosen_options.pairs)
    else:
        with local_server(chosen_options.python) as address:
            main(chosen_options.cases, address, chosen_options.pairs)
