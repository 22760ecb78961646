"""The examples in the docstrings are right."""

import doctest
from types import ModuleType

import pytest

from voicesim.caller import cleaning, lexicon, own_words, phrases, words
from voicesim.language import farewells, patterns


@pytest.mark.parametrize(
    "module", [cleaning, farewells, lexicon, own_words, patterns, phrases, words], ids=lambda one: one.__name__
)
def test_the_examples_hold(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
