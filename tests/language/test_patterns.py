"""Every pattern of the data files holds in its own examples and not beside them; so do the farewells."""

from importlib.resources import files

import pytest

from voicesim.language.data import load
from voicesim.language.farewells import says_goodbye, wishes_well
from voicesim.language.patterns import Pattern, patterns, plain

DATA = files("voicesim.language") / "data"
LANGUAGES = sorted(folder.name for folder in DATA.iterdir() if folder.is_dir())


def every_pattern() -> list[tuple[str, Pattern]]:
    """All patterns of all languages, with the language and the file they are from."""
    return [
        (f"{language}/{file.name}", pattern)
        for language in LANGUAGES
        for file in sorted((DATA / language).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".yaml") and "patterns" in load(file.name.removesuffix(".yaml"), language)
        for pattern in patterns(file.name.removesuffix(".yaml"), language)
    ]


PATTERNS = every_pattern()


@pytest.mark.parametrize(("file", "pattern"), PATTERNS, ids=[f"{file}:{pattern.name}" for file, pattern in PATTERNS])
def test_a_pattern_holds_in_its_examples_and_misses_the_others(file: str, pattern: Pattern) -> None:
    assert pattern.holds, f"{file}: {pattern.name} has no example"
    assert [text for text in pattern.holds if not pattern.expression.search(plain(text))] == []
    assert [text for text in pattern.misses if pattern.expression.search(plain(text))] == []


@pytest.mark.parametrize("language", [name for name in LANGUAGES if (DATA / name / "farewells.yaml").is_file()])
def test_the_examples_of_farewells_end_the_call_or_do_not(language: str) -> None:
    examples = load("farewells", language)["examples"]
    assert [text for text in examples["ends"] if not says_goodbye(text, language)] == []
    assert [text for text in examples["goes_on"] if says_goodbye(text, language)] == []
    assert [text for text in examples["wishes"] if says_goodbye(text, language)] == []
    assert [text for text in examples["wishes"] if not wishes_well(text, language)] == []
    assert [text for text in (*examples["ends"], *examples["goes_on"]) if wishes_well(text, language)] == []
