"""Every word list and pattern that clauses are read by holds in its own examples, and not beside them."""

import pytest

from voicesim.language.entries import FILES, Entry, entries
from voicesim.language.words import read

ROWS = [(file, row) for file in FILES for row in entries(file).values()]


@pytest.mark.parametrize(("file", "row"), ROWS, ids=[f"{file}:{row.name}" for file, row in ROWS])
def test_an_entry_holds_in_its_examples_and_fails_beside_them(file: str, row: Entry) -> None:
    assert row.holds, f"{file}: {row.name} has no example"
    assert row.fails or row.name == "lead", f"{file}: {row.name} has no example of what it is not"
    assert [text for text in row.holds if not row.pattern.search(" ".join(read(text).texts))] == []
    assert [text for text in row.fails if row.pattern.search(" ".join(read(text).texts))] == []
