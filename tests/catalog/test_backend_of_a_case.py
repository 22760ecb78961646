"""What a case puts behind the agent's tools is checked where it stands."""

from collections.abc import Callable
from pathlib import Path

import pytest

from voicesim.catalog.load import load_case
from voicesim.catalog.problems import problems_of
from voicesim.errors import CatalogueError

Write = Callable[..., Path]

BACKEND = """\
backend:
  kind: clinic
  state:
    patients:
      - {id: p1, name: Ada Byron, date_of_birth: "1990-12-10"}
    slots:
      - {id: s1, day: monday, time: "10:00", doctor: Dr. Lim, free: true}
tools:
  - {name: book, description: Books.}
rubric:
"""


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("slots:", "slot:", "backend.state.slot", "unknown key. Did you mean slots?"),
        ("date_of_birth:", "birth:", "backend.state.patients[p1].date_of_birth", "is missing"),
        ("1990-12-10", "10 December", "backend.state.patients[p1].date_of_birth", "is not of the form"),
        ("name: book", "name: boook", "tools.0.name", "Did you mean book?"),
        ("kind: clinic", "kind: klinic", "backend.kind", "unknown tool system 'klinic'. Did you mean clinic?"),
    ],
)
def test_a_state_or_tool_that_is_wrong_is_told_with_its_key(
    write: Write, case_text: str, old: str, new: str, key: str, message: str
) -> None:
    path = write("a.yaml", case_text, ("rubric:\n", BACKEND), (old, new))
    with pytest.raises(CatalogueError) as caught:
        load_case(path)
    assert any(one.key == key and message in one.message and one.line for one in problems_of(caught.value))


def test_tools_without_anything_behind_them_are_refused(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ("rubric:\n", "tools: [{name: book}]\nrubric:\n"))
    with pytest.raises(CatalogueError, match="need a `backend`"):
        load_case(path)


def test_an_id_used_twice_is_told(write: Write, case_text: str) -> None:
    twice = BACKEND.replace("      - {id: s1,", "      - {id: s1}\n      - {id: s1,")
    with pytest.raises(CatalogueError, match="id used twice: s1"):
        load_case(write("a.yaml", case_text, ("rubric:\n", twice)))
