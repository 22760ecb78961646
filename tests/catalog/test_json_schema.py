"""The JSON Schemas for editors: they take every file that came with voicesim, and mark what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from voicesim.catalog.find import FOLDERS, Kind
from voicesim.catalog.json_schema import MODELS, json_schema
from voicesim.suite.starting import start_project

ROOT = Path(__file__).parents[2]


def entries(path: Path) -> list[Any]:
    """What a file holds, as JSON; a file may hold a list."""
    read = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [json.loads(json.dumps(entry, default=str)) for entry in (read if isinstance(read, list) else [read])]


@pytest.mark.parametrize("kind", MODELS)
def test_a_schema_is_one(kind: Kind) -> None:
    Draft202012Validator.check_schema(json_schema(kind))


@pytest.mark.parametrize("kind", ["case", "persona", "profile", "accent"])
def test_every_shipped_file_fits(kind: Kind) -> None:
    validator = Draft202012Validator(json_schema(kind))
    paths = sorted((ROOT / FOLDERS[kind]).glob("*.yaml"))
    assert paths
    wrong = [f"{path.name}: {error.message}" for path in paths for entry in entries(path) for error in
             validator.iter_errors(entry)]  # fmt: skip
    assert wrong == []


def test_the_files_of_a_new_project_fit(tmp_path: Path) -> None:
    start_project(tmp_path / "mine")
    for kind in ("case", "persona", "profile", "agent", "suite"):
        validator = Draft202012Validator(json_schema(kind))
        for path in (tmp_path / "mine").rglob(f"{FOLDERS[kind]}/*.yaml"):
            for entry in entries(path):
                assert [error.message for error in validator.iter_errors(entry)] == []


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("persona", {"id": "p", "title": "p", "turn_taking": {"reply_gap": [0.1]}}),
        ("persona", {"id": "p", "title": "p", "rat": 1.0}),
        ("profile", {"id": "p", "title": "p", "chain": [{"nosie": {}}]}),
        ("profile", {"id": "p", "title": "p", "chain": [{"loss": {"rate": 2}}]}),
        ("agent", {"agent": 7}),
        ("suite", {"cases": "cold-*", "repeats": "many"}),
    ],
)
def test_what_is_wrong_is_marked(kind: Kind, entry: dict[str, Any]) -> None:
    assert list(Draft202012Validator(json_schema(kind)).iter_errors(entry))
