"""The tables of parts: every row can be loaded and is documented, and other packages add rows without a change here."""

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from voicesim import registry
from voicesim.errors import UsageError
from voicesim.parts import Registry, Row

TABLES = {name: table for name, table in vars(registry).items() if isinstance(table, Registry)}
DOCS = "\n".join(path.read_text() for path in (Path(__file__).parents[1] / "docs").glob("*.md"))


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_every_row_can_be_loaded_and_stands_in_the_documents(table: Registry) -> None:
    assert [name for name in table if table.load(name) is None] == []
    assert [name for name in table if not re.search(rf"\b{re.escape(name)}\b", DOCS)] == []


def test_the_groups_of_entry_points_are_all_different_and_documented() -> None:
    groups = [table.group for table in TABLES.values()]
    assert len(set(groups)) == len(groups)
    assert all(group.startswith("voicesim.") for group in groups)


@pytest.mark.parametrize("kind", TABLES)
def test_another_package_adds_a_row_to_any_table(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TABLES[kind]
    points = [EntryPoint("theirs", "json:dumps", table.group)]
    monkeypatch.setattr("voicesim.parts.entry_points", lambda group: points if group == table.group else [])
    fresh = Registry(table.kind, table.group, {"ours": Row("json:loads")})
    assert set(fresh) == {"ours", "theirs"}
    assert fresh.load("theirs").__name__ == "dumps"


def test_a_name_of_ours_cannot_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicesim.parts.entry_points", lambda group: [EntryPoint("ours", "json:dumps", group)])
    assert Registry("part", "voicesim.parts", {"ours": Row("json:loads")}).load("ours").__name__ == "loads"


def test_what_is_not_there_is_told_with_its_near_names() -> None:
    table = Registry("part", "voicesim.none", {"realtime": Row("json:loads"), "broken": Row("json:nothing")})
    with pytest.raises(UsageError, match=r"unknown part 'realtiem'\. Did you mean realtime\?"):
        table.load("realtiem")
    with pytest.raises(UsageError, match="part 'broken' cannot be loaded from json:nothing"):
        table.load("broken")
