"""Word lists and patterns of a language: YAML files under `voicesim/language/data/<language>/`."""

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from voicesim.errors import UsageError


def has(name: str, language: str) -> bool:
    """Whether a language has a data file of a name."""
    return (files("voicesim.language") / "data" / language / f"{name}.yaml").is_file()


@cache
def load(name: str, language: str = "en") -> dict[str, Any]:
    """The data file of a name (`units`) in a language (`en`); do not change what you get.

    Raises UsageError for a language that has no such file.
    """
    path = files("voicesim.language") / "data" / language / f"{name}.yaml"
    if not path.is_file():
        raise UsageError(f"there is no data file {name!r} for language {language!r}")
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded
