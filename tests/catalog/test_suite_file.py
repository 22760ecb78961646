"""A suite file: what it says, and what is wrong with it, file, key and line."""

from pathlib import Path

import pytest
from conftest import Write

from voicesim.catalog.check import check
from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_file import SuiteFile, read_suite_file
from voicesim.errors import CatalogueError

SUITE = """\
title: Cold line
cases: [cold-01-andi, cold-04-emergency-dyspnea]
profiles: [clean, telephone]
agents: [realtime]
repeats: 2
seed: 7
exclude:
  - {case: cold-01-*, profile: telephone}
include:
  - {cases: [cold-10-antibiotic-request-smoker], seeds: [3]}
limits: {max_turns: 12}
"""


def suite(write: Write, *changes: tuple[str, str]) -> Path:
    return write("suites/cold.yaml", SUITE, *changes)


def test_what_is_left_out_has_the_defaults_of_a_single_call(write: Write) -> None:
    loaded = read_suite_file(suite(write)).entry
    assert (loaded.mind, loaded.judges, loaded.personas, loaded.limits.max_duration) == (
        "cues",
        ("cues",),
        ("own",),
        300,
    )
    own, included = loaded.matrices()
    assert loaded.seeds_of(own) == (7, 8)
    assert loaded.seeds_of(included) == (3,)
    assert included.profiles == ("clean", "telephone")


@pytest.mark.parametrize(
    ("change", "place", "told"),
    [
        (("repeats: 2", "repeat: 2"), ":5: repeat: ", "Did you mean repeats"),
        (("repeats: 2", "repeats: 0"), ":5: repeats: ", "greater than or equal to 1"),
        (("seed: 7", "seeds: [1, 2]"), ":6: seeds: ", "leave `repeats` out"),
        (("seeds: [3]", "seeds: [3, 3]"), ": include.0.seeds: ", "a number twice"),
        (("agents: [realtime]", "agents: []"), ":4: agents: ", "needs at least 1"),
        (("{case: cold-01-*, profile: telephone}", "{}"), ":8: exclude.0", "names nothing to leave out"),
        (("title: Cold line", "mind: cuse"), ":1: mind: ", "Did you mean cues"),
        (("title: Cold line", "judges: [opnai:gpt]"), ":1: judges.0: ", "Did you mean openai"),
        (("title: Cold line", "agents: [modular]"), ": agents: ", "key given twice"),
        (
            ("title: Cold line", "title: sk-proj-abcdefghijklmnopqrstuvwxyz012345"),
            ":1: title: ",
            "looks like a key",
        ),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(write: Write, change: tuple[str, str], place: str, told: str) -> None:
    path = suite(write, change)
    with pytest.raises(CatalogueError) as caught:
        read_suite_file(path)
    assert f"{path}" in str(caught.value)
    assert place in str(caught.value)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("cold-01-andi,", "cold-01-andy,"), ":2: cases.0: there is no case 'cold-01-andy'. Did you mean cold-01-andi"),
        (("telephone]", "telefone]"), ":3: profiles.1: there is no profile 'telefone'. Did you mean telephone"),
        (("[realtime]", "[realtiem]"), ":4: agents.0: "),
        (("[realtime]", "[agents/mine.yaml]"), ":4: agents.0: there is no agent file agents/mine.yaml"),
        (("profile: telephone}", "profile: telefone}"), ":8: exclude.0.profile: there is no profile 'telefone'"),
        (("seeds: [3]", "personas: [own, nobody]"), ":10: include.0.personas.1: there is no persona 'nobody'"),
    ],
)
def test_check_finds_names_that_lead_nowhere(write: Write, change: tuple[str, str], told: str) -> None:
    path = suite(write, change)
    (problem,) = check([path], Catalogue.here()).problems
    assert str(problem).startswith(f"{path}{told}")


def test_check_finds_nothing_wrong_with_a_right_one(write: Write) -> None:
    assert check([suite(write)], Catalogue.here()).problems == ()


def test_an_exclusion_needs_all_of_its_patterns() -> None:
    (exclusion,) = SuiteFile.model_validate(
        {"cases": ("a",), "agents": ("realtime",), "exclude": ({"case": "cold-*", "profile": "telephone"},)}
    ).exclude
    names = {"persona": "p", "agent": "realtime"}
    assert exclusion.fits(case="cold-01", profile="telephone", **names)
    assert not exclusion.fits(case="cold-01", profile="clean", **names)
    assert not exclusion.fits(case="clinic-01", profile="telephone", **names)
