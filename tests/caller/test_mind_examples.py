"""The examples in the docstrings are right."""

import doctest
from types import ModuleType

import pytest

from voicesim.caller import guard, lexicon, moves, own_words, phrases, words


@pytest.mark.parametrize("module", [guard, lexicon, moves, own_words, phrases, words], ids=lambda one: one.__name__)
def test_the_examples_hold(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
