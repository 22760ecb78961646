"""Whether a case's opening line may be spoken: it must not hold what is only given when asked."""

import re

from voicesim.caller.guard import LineProblem, unspeakable
from voicesim.caller.lexicon import medicines
from voicesim.caller.out_of_role import denies
from voicesim.caller.phrases import voiced
from voicesim.caller.words import content, shown, stem
from voicesim.catalog.model import Case, Fact
from voicesim.errors import CatalogueError
from voicesim.language.fold import fold
from voicesim.language.sentences import split

WHOLE = 0.75
"""Share of a fact's content (or of a sentence of three words and more of it) that counts as all of it."""
HALF = 0.5
"""The same where every medicine and measured number of the fact is said."""


def opening_problem(case: Case) -> LineProblem | None:
    """What is wrong with the opening line of a case, or None."""
    text = case.patient.says_first
    language = voiced(case.language)
    problem = unspeakable(split(text), case.patient, language)
    if problem is not None:
        return problem
    for fact in case.patient.reveal_only_if_asked:
        if _gives_away(text, fact, language):
            shared = shown(text, content(fact.says, language))
            return LineProblem("caller_leaked_fact", f"it gives away the fact {fact.id!r} ({shared})")
    return None


def opening_fault(case: Case) -> str:
    """What `voicesim check` says of the opening line of a case; "" when nothing is wrong with it."""
    wrong = opening_problem(case)
    return f"this opening line cannot be used, {wrong.detail}" if wrong else ""


def check_opening(case: Case) -> None:
    """Raises CatalogueError (with the case's id for a file) if the opening line must not be spoken."""
    problem = opening_problem(case)
    if problem is not None:
        raise CatalogueError(
            f"this opening line cannot be used, {problem.detail}; say in it only what nobody has to ask for",
            file=case.id,
            key="patient.says_first",
        )


def _gives_away(text: str, fact: Fact, language: str) -> bool:
    words, said = content(fact.says, language), content(text, language)
    if len(words) <= 2:
        denied = denies(fact.says)
        return bool(words) and any(words <= content(part, language) and denies(part) == denied for part in split(text))
    named = _named(fact.says)
    if named and named <= said and _share(words, said, named) >= HALF:
        return True
    parts = [part for sentence in split(fact.says) if len(part := content(sentence, language)) >= 3]
    return any(_share(part, said, named) >= WHOLE for part in (words, *parts))


def _share(words: frozenset[str], said: frozenset[str], named: frozenset[str]) -> float:
    """How much of some words was said, where a medicine or a measured number weighs three other words."""
    there = words & said
    return (len(there) + 2 * len(there & named)) / (len(words) + 2 * len(words & named))


def _named(text: str) -> frozenset[str]:
    figures = (word for word in fold(text) if re.fullmatch(r"\d+(?:\.\d+)?", word))
    measured = (figure for figure in figures if "." in figure or int(figure) > 12)
    return frozenset((*map(stem, medicines(text)), *measured))
