"""Checking files and folders: every problem of all of them, each told once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from voicesim.catalog.check import Spoken, check
from voicesim.catalog.find import Catalogue
from voicesim.catalog.load import load_persona

Write = Callable[..., Path]


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue((tmp_path,))


def test_a_root_is_checked_folder_by_folder(
    write: Write, catalogue: Catalogue, tmp_path: Path, persona_text: str, profile_text: str
) -> None:
    write("cases/a.yaml")
    write("cases/.hidden.yaml", "id: [")
    write("cases/notes.txt", "id: [")
    write("personas/plain.yaml", persona_text)
    write("audio_profiles/quiet.yml", profile_text)
    write("elsewhere/broken.yaml", "id: [")
    checked = check([tmp_path], catalogue)
    assert [path.name for path in checked.files] == ["a.yaml", "plain.yaml", "quiet.yml"]
    assert checked.problems == ()


def test_the_kind_is_told_from_the_content_and_else_from_the_folder(
    write: Write, catalogue: Catalogue, tmp_path: Path
) -> None:
    write("mixed/persona.yaml", "id: p\ntitle: P\nrate: 9\n")
    write("mixed/profile.yaml", "id: q\ntitle: Q\ncodec: mp3\n")
    write("mixed/case.yaml", "id: r\ntitle: R\nlanguage: en\n")
    write("mixed/what.yaml", "id: s\ntitle: S\n")
    write("personas/bare.yaml", "id: t\n")
    found = check([tmp_path / "mixed", tmp_path / "personas/bare.yaml"], catalogue).problems
    assert [(Path(one.file).name, one.key) for one in found] == [
        ("case.yaml", "patient"),
        ("case.yaml", "rubric"),
        ("persona.yaml", "rate"),
        ("profile.yaml", "codec"),
        ("what.yaml", ""),
        ("bare.yaml", "title"),
    ]
    assert found[4].message.startswith("is no case (patient, rubric), persona (voice, turn_taking), audio profile")


def test_a_case_may_use_a_persona_that_is_checked_with_it(
    write: Write, catalogue: Catalogue, tmp_path: Path, persona_text: str
) -> None:
    case = write("new/a.yaml")
    persona = write("new/plain.yaml", persona_text + "rate: 1.0\n")
    assert [one.key for one in check([case], catalogue).problems] == ["patient.persona"]
    assert check([case, persona], catalogue).problems == ()


def test_one_file_named_twice_is_checked_once(write: Write, catalogue: Catalogue, tmp_path: Path) -> None:
    path = write("cases/a.yaml", "id: [")
    checked = check([path, tmp_path / "cases", tmp_path], catalogue)
    assert len(checked.files) == 1
    assert [one.line for one in checked.problems] == [1]


def test_an_id_used_by_two_files_of_a_folder_names_both(write: Write, catalogue: Catalogue) -> None:
    first, second = write("new/a.yaml"), write("new/b.yaml")
    clash = check([first, second], catalogue).problems[1]
    assert (clash.file, clash.line, clash.key) == (str(second), 1, "id")
    assert clash.message == f"'sore-throat' is the id of {first} too"


def test_a_voice_and_an_accent_that_the_engine_lacks_are_told_with_near_names(
    write: Write, catalogue: Catalogue
) -> None:
    path = write("personas/p.yaml", "id: p\ntitle: P\nvoice: {name: hart}\naccent: britsh\n")
    spoken = Spoken(voices={"hibari": ("heart",)}, accents={"hibari": ("american", "british")})
    found = check([path], catalogue, lambda: spoken).problems
    assert [(one.line, one.key, one.message) for one in found] == [
        (3, "voice.name", "hibari has no voice 'hart'. Did you mean heart?"),
        (4, "accent", "hibari has no accent 'britsh'. Did you mean british?"),
    ]
    # An engine that is not installed here cannot be asked for its voices.
    assert check([path], catalogue, lambda: Spoken()).problems == ()


def test_an_opening_line_that_may_not_be_spoken_is_told_where_it_stands(write: Write, catalogue: Catalogue) -> None:
    path = write("new/a.yaml")
    told = check([path], catalogue, opening=lambda case: f"{case.id} tells all").problems
    where = [one for one in told if one.key == "patient.says_first"]
    assert [(one.file, one.message) for one in where] == [(str(path), "sore-throat tells all")]
    assert where[0].line is not None
    assert path.read_text().splitlines()[where[0].line - 1].lstrip().startswith("says_first")


def test_voice_engines_are_not_asked_when_there_is_no_persona(write: Write, catalogue: Catalogue) -> None:
    def asked() -> Spoken:
        raise AssertionError("the engines were asked")

    assert len(check([write("a.yaml", "id: q\ntitle: Q\ncodec: none\n")], catalogue, asked).files) == 1


def test_nothing_to_check_is_a_problem(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = check([tmp_path / "empty", tmp_path / "nope"], catalogue).problems
    assert [one.message for one in found] == [
        "has no .yaml, .yml, .json files, "
        "and no cases, personas, audio_profiles, agents, accents, models, suites folder",
        "there is no such file or folder",
    ]


def test_a_case_in_the_published_form_is_noted(write: Write, catalogue: Catalogue, persona_text: str) -> None:
    write("personas/plain.yaml", persona_text)
    path = write(
        "old.json",
        '{"says_first": "Hello.", "persona": "plain", "must_ask": [{"id": "a", "expect": "Asks.", "weight": 1.0}]}',
    )
    checked = check([path], catalogue)
    assert checked.problems == ()
    assert [note for file, note in checked.notes if file == path] == [
        "the published form of a case; what it does not say was derived",
        "patient: name Patient, age 40, sex unspecified",
        "check a: kind ask; cues none",
    ]


def test_a_persona_with_the_old_name_of_a_key_is_read_and_noted(write: Write, catalogue: Catalogue) -> None:
    path = write("personas/p.yaml", "id: p\ntitle: P\nfloor:\n  patience: 5\n")
    checked = check([path], catalogue)
    assert checked.problems == ()
    assert checked.notes == ((path, "`floor` is now called `turn_taking`; rename the key"),)
    assert load_persona(path).turn_taking.patience == 5.0
    wrong = write("personas/q.yaml", "id: q\ntitle: Q\nfloor:\n  patiense: 5\n")
    assert [(problem.key, problem.line) for problem in check([wrong], catalogue).problems] == [("floor.patiense", 4)]
