"""The evidence that comes with voicesim, and a draft for each cold case: made once a run."""

from functools import cache
from pathlib import Path

from voicesim.catalog.load import load_case
from voicesim.rubrics.documents import Document, read_folder
from voicesim.rubrics.draft import draft, of_case
from voicesim.rubrics.model import Rubric

ROOT = Path(__file__).parents[1]
CASES = sorted((ROOT / "cases").glob("cold-*.yaml"))


@cache
def documents() -> tuple[Document, ...]:
    """The evidence that comes with voicesim."""
    return read_folder(ROOT / "evidence")


@cache
def drafts() -> dict[str, Rubric]:
    """A draft for each cold case, by its id."""
    return {path.stem: draft(of_case(load_case(path)), documents()) for path in CASES}
