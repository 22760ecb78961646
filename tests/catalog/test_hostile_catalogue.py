"""Catalogue files from strangers that would take for ever, or more memory than there is: refused by their place."""

import json
import re
import time
from pathlib import Path

import pytest
from conftest import Write

from voicesim.catalog.accent_file import SHORTHANDS
from voicesim.catalog.find import Catalogue
from voicesim.catalog.load import read_accent
from voicesim.catalog.model import Accent
from voicesim.catalog.suite_file import read_suite_file
from voicesim.catalog.yaml_tree import read_tree
from voicesim.errors import CatalogueError, UsageError
from voicesim.suite import matrix
from voicesim.suite.matrix import planned_calls
from voicesim.tts import accents

ACCENT = """\
id: mine
title: Mine
spoken_as: an accent
sources: {book: A book}
rules:
  - {find: 'FIND', say: 'SAY', why: so, source: book}
"""
SUITE = """\
cases: [cold-01-andi]
agents: [realtime]
seeds: SEEDS
"""
SLOW = (
    "(a+)+{end}",
    "(a|a)*b",
    "a*a*a*a*b",
    "(?:a?){9}b",
    "a{1,9999}",
    "[a]+",
    r"\*+",
    "a?" * 30 + "a" * 30,
    "a|" * 20,
)
QUICK = (
    "{start}([ˈˌ]?)([sb])(?=[pt])",
    "(?<=[ptk])t{end}",
    r"\*",
    "[*+{]",
    "[]*]a",
    "ɔ(?!ɹ)",
    "a|b",
    "(a)(b)",
    "(?:a|b)?",
)


def accent(write: Write, find: str, say: str = "b") -> Path:
    return write("accents/mine.yaml", ACCENT, ("FIND", find.replace("'", "''")), ("SAY", say))


@pytest.mark.parametrize("find", SLOW)
def test_a_rule_of_an_accent_that_could_take_for_ever_is_refused(write: Write, find: str) -> None:
    with pytest.raises(CatalogueError, match=r"mine\.yaml:6: rules.*find"):
        read_accent(accent(write, find))


@pytest.mark.parametrize("find", QUICK)
def test_a_rule_about_neighbours_is_taken_and_quick_on_any_text(write: Write, find: str) -> None:
    (rule,) = read_accent(accent(write, find)).entry.rules
    begun = time.thread_time()
    for sounds in ("a" * 5_000, "ˈsp" * 2_000, "*" * 5_000, "ab" * 2_500):
        assert rule.pattern.sub("", sounds) is not None
    assert time.thread_time() - begun < 1
    assert set(SHORTHANDS) == {"{start}", "{end}"}


def test_an_accent_that_doubles_every_sound_again_and_again_is_refused(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = accent(write, "æ", "ææ")
    path.write_text(path.read_text() + "  - {find: 'æ', say: 'ææ', why: so, source: book}\n" * 60)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CatalogueError, match="far more sounds"):
        accents.accented("æ b æ", Accent(name="mine"), 0)


@pytest.mark.parametrize("seed", ["-1", str(2**63), "1" + "0" * 400])
def test_a_seed_that_no_table_holds_is_refused(write: Write, seed: str) -> None:
    with pytest.raises(CatalogueError, match=r"s\.yaml:3: seeds"):
        read_suite_file(write("suites/s.yaml", SUITE, ("SEEDS", f"[{seed}]")))


def test_a_suite_of_more_calls_than_anybody_waits_for_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Those that are the same call count as well: going through them takes as long."""
    monkeypatch.setattr(matrix, "MOST_CALLS", 5)
    text = SUITE + "include: [{seeds: [1]}, {seeds: [1]}, {seeds: [1]}, {seeds: [1]}, {seeds: [1]}]\n"
    suite = read_suite_file(write("suites/s.yaml", text, ("SEEDS", "[1]"))).entry
    with pytest.raises(UsageError, match="more than 5 calls"):
        planned_calls(suite, Catalogue.here(), tmp_path / "s")


def test_many_includes_are_refused(write: Write) -> None:
    text = SUITE + f"include: [{', '.join(['{repeats: 1000}'] * 101)}]\n"
    with pytest.raises(CatalogueError, match=r"s\.yaml:4: include"):
        read_suite_file(write("suites/s.yaml", text, ("SEEDS", "[1]")))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({f"k{n}": n for n in range(15_000)}),
        "[" + "[]," * 30_000 + "[]]",
        '{"a":' * 31 + "1" + "}" * 31,
        '["' + "\\u0061" * 40_000 + '"]',
    ],
)
def test_a_full_file_is_read_in_seconds(write: Write, text: str) -> None:
    path = write("cases/a.json", text)
    begun = time.thread_time()
    read_tree(path, "a.json")
    assert time.thread_time() - begun < 20


def test_the_test_says_what_takes_for_ever() -> None:
    """One of the refused expressions, on thirty sounds: otherwise nothing would be shown by refusing it."""
    begun = time.thread_time()
    re.search("(a+)+$", "a" * 22 + "b")
    assert time.thread_time() - begun > 0.05
