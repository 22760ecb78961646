"""The catalogue of a working directory: names, precedence and what is refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from voicesim.catalog.find import Catalogue, shipped
from voicesim.errors import CatalogueError

Write = Callable[..., Path]
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def both(write: Write, tmp_path: Path, persona_text: str, profile_text: str) -> Catalogue:
    """A user's root over a shipped one, each with one case, a persona and a profile in the shipped one."""
    write("own/cases/mine.yaml")
    write("came/cases/theirs.yaml")
    write("came/personas/plain.yaml", persona_text)
    write("came/audio_profiles/quiet.yaml", profile_text)
    return Catalogue((tmp_path / "own", tmp_path / "came"))


def test_entries_are_found_by_their_id(both: Catalogue) -> None:
    assert both.case("sore-throat").title == "A sore throat"
    assert both.persona("plain").title == "Plain speaker"
    assert both.profile("quiet").codec == "none"


def test_a_users_own_folder_wins_over_the_shipped_one(both: Catalogue, write: Write, case_text: str) -> None:
    write("own/cases/mine.yaml", case_text, ("A sore throat", "My own sore throat"))
    write("came/cases/other.yaml", case_text, ("id: sore-throat", "id: earache"))
    assert both.case("sore-throat").title == "My own sore throat"
    assert both.ids("case") == ("earache", "sore-throat")


def test_a_path_to_a_file_is_a_name_too(both: Catalogue, tmp_path: Path) -> None:
    assert both.case(str(tmp_path / "own/cases/mine.yaml")).id == "sore-throat"
    with pytest.raises(CatalogueError, match=r"there is no case file .*nope\.yaml"):
        both.case(str(tmp_path / "nope.yaml"))


def test_the_beginning_of_one_id_is_taken_for_it(both: Catalogue, write: Write, case_text: str) -> None:
    assert both.case("sore").id == "sore-throat"
    write("own/cases/other.yaml", case_text, ("id: sore-throat", "id: sore-knee"))
    with pytest.raises(CatalogueError, match=r"'sore' is the beginning of several: sore-knee, sore-throat"):
        both.case("sore")
    assert both.case("sore-k").id == "sore-knee"


def test_a_file_may_hold_a_list_of_entries(both: Catalogue, write: Write, tmp_path: Path, case_text: str) -> None:
    first = yaml.safe_load(case_text)
    rows = [first | {"id": "one"}, first | {"id": "two", "title": "Second"}]
    path = write("own/cases/all.json", json.dumps(rows, indent=1))
    assert both.ids("case") == ("one", "sore-throat", "two")
    assert both.case("two").title == both.case(f"{path}#two").title == "Second"
    with pytest.raises(CatalogueError, match=r"all\.json: holds 2 entries; name one of them as .*all\.json#one"):
        both.case(str(path))
    with pytest.raises(CatalogueError, match=r"has no entry 'tow'\. Did you mean two\?"):
        both.case(f"{path}#tow")


def test_an_entry_of_a_list_is_refused_with_its_own_line(both: Catalogue, write: Write, case_text: str) -> None:
    first = yaml.safe_load(case_text)
    broken = {**first, "id": "two", "titel": "x"}
    path = write("own/cases/all.json", json.dumps([first | {"id": "one"}, broken], indent=1))
    line = path.read_text().splitlines().index('  "titel": "x"') + 1
    with pytest.raises(CatalogueError, match=rf"all\.json#two:{line}: titel: unknown key\. Did you mean title\?"):
        both.case("two")


def test_an_unknown_name_is_told_its_near_ones(both: Catalogue) -> None:
    with pytest.raises(CatalogueError, match=r"there is no case 'sore-thraot'\. Did you mean sore-throat\?"):
        both.case("sore-thraot")
    with pytest.raises(CatalogueError, match=r"there is no persona 'zz'\. Known: plain\."):
        both.persona("zz")


def test_a_case_of_an_unknown_persona_is_refused_with_its_line(both: Catalogue, write: Write, case_text: str) -> None:
    path = write("own/cases/mine.yaml", case_text, ("persona: plain", "persona: plan"))
    with pytest.raises(CatalogueError) as caught:
        both.case("sore-throat")
    assert str(caught.value) == (f"{path}:7: patient.persona: there is no persona 'plan'. Did you mean plain?")


def test_two_files_with_one_id_in_a_folder_are_both_named(both: Catalogue, write: Write) -> None:
    write("own/cases/copy.yaml")
    with pytest.raises(CatalogueError, match=r"mine\.yaml: id: 'sore-throat' is the id of .*copy\.yaml too"):
        both.case("sore-throat")


def test_a_broken_neighbour_does_not_keep_a_case_from_being_called(both: Catalogue, write: Write) -> None:
    write("own/cases/broken.yaml", "id: [")
    assert both.case("sore-throat").id == "sore-throat"
    with pytest.raises(CatalogueError, match=r"broken\.yaml:1: broken YAML"):
        both.case("broken")


def test_without_any_folder_the_message_says_that(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="there is no personas folder here"):
        Catalogue((tmp_path,)).persona("plain")


def test_in_a_checkout_the_folders_beside_the_package_are_the_shipped_ones() -> None:
    assert shipped() == REPOSITORY


def test_in_an_installed_package_the_folders_inside_it_are_the_shipped_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "voicesim"
    for folder in ("cases", "personas"):
        (package / "_catalogue" / folder).mkdir(parents=True)
    monkeypatch.setattr("importlib.resources.files", lambda name: tmp_path / name)
    assert shipped() == package / "_catalogue"
    shutil.rmtree(package / "_catalogue")
    assert shipped() is None


def test_the_working_directory_comes_first_and_is_not_looked_at_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Catalogue.here().roots == (Path(), REPOSITORY)
    monkeypatch.chdir(REPOSITORY)
    assert Catalogue.here().roots == (Path(),)


def test_the_whole_shipped_catalogue_loads() -> None:
    catalogue = Catalogue((REPOSITORY,))
    cases = [catalogue.case(name) for name in catalogue.ids("case")]
    assert len(cases) >= 10
    assert {case.patient.persona for case in cases} <= set(catalogue.ids("persona"))
    assert all(catalogue.persona(name).id == name for name in catalogue.ids("persona"))
    profiles = [catalogue.profile(name).id for name in catalogue.ids("profile")]
    assert {"clean", "telephone", "cafe_15db", "street_10db", "babble_5db", "lossy_mobile"} <= set(profiles)


def test_patterns_and_lists_become_single_names(both: Catalogue, write: Write, case_text: str) -> None:
    first = yaml.safe_load(case_text)
    path = write("own/cases/all.json", json.dumps([first | {"id": "one"}, first | {"id": "two"}]))
    assert both.matching("case", ["t*", "sore-throat", "two"]) == ("two", "sore-throat")
    assert both.matching("case", [str(path)]) == (f"{path}#one", f"{path}#two")
    with pytest.raises(CatalogueError, match=r"no case fits 'thre\*'"):
        both.matching("case", ["thre*"])
