"""Cue words in a sentence, and whether they stand there under a negation or a warning."""

import re
from dataclasses import dataclass
from functools import lru_cache

from voicesim.language.fold import Token, tokens
from voicesim.language.grammar import (
    CONJUNCTIONS,
    CONTRACTED,
    DIRECTIVES,
    MODALS,
    NEGATORS,
    PRONOUNS,
    REFUSALS,
    REFUSING_PHRASES,
    SPENDING,
    SPENDING_AT_ONCE,
    WARNINGS,
)


@dataclass(frozen=True)
class Words:
    """The words of a sentence; `breaks[i]` is the mark right before word i: `;`, `,` or nothing."""

    texts: tuple[str, ...]
    breaks: tuple[str, ...]


def cue_in(cue: str, sentence: str) -> bool:
    """Whether a cue occurs in a sentence.

    Case, punctuation, contractions and number forms are folded. A cue of several words matches them in a
    row. The last word of a cue is a word beginning (`smok` is in `smoking`), and a plural also finds its
    singular; words of three letters or fewer and numbers match whole (`ob` is neither in `probably` nor in
    `obvious`, `40` not in `4000`).
    """
    return bool(places(read(cue).texts, read(sentence).texts))


def negated(sentence: str, cue: str, *, warnings: bool = True) -> bool:
    """Whether every place of a cue in a sentence is turned down; False when the cue is not there.

    Turned down means, outside the cue's own words and within its clause: before it a negation (`not`, `no`,
    `never`, `without`, `against`) or a refusal (`avoid`, `stop`, `skip`, `instead of`, `stay away from`);
    behind it `is not`, `should be avoided`, `will not`, `-free` or, with `warnings`, a danger (`can harm`).
    A clause ends at a full stop or `;`, at a conjunction (`but`, `so`, `if`), at `and` with a new subject or
    directive behind it, and at a comma, unless what follows is just one more item of a list (`avoid
    ibuprofen, naproxen or aspirin`). `do not stop` and `do not hesitate to` turn nothing down.
    """
    words = read(sentence)
    wanted = read(cue).texts
    found = places(wanted, words.texts)
    return bool(found) and all(
        _denied_before(words, place) or _denied_behind(words, place + len(wanted), warnings) for place in found
    )


def denied_before(sentence: str, character: int) -> bool:
    """Whether what begins at a character of a sentence stands under a negation before it in its clause."""
    place = len(read(sentence[:character]).texts)
    return _denied_before(read(sentence), place)


def denied_behind(sentence: str, character: int) -> bool:
    """Whether what ends before a character of a sentence is turned down behind it in its clause."""
    place = len(read(sentence[:character]).texts)
    return _denied_behind(read(sentence), place, warnings=False)


@lru_cache(maxsize=2048)
def read(sentence: str) -> Words:
    """The folded words of a sentence, contractions written out, each with the mark before it."""
    texts: list[str] = []
    breaks: list[str] = []
    end = 0
    for token in tokens(sentence):
        mark = _break(sentence, end, token)
        for text in CONTRACTED.get(token.text, (token.text,)):
            texts.append(text)
            breaks.append(mark)
            mark = ""
        end = token.end
    return Words(tuple(texts), tuple(breaks))


def _break(sentence: str, end: int, token: Token) -> str:
    between = sentence[end : token.start]
    if re.search(r"[;.!?()]", between):
        return ";"
    return "," if re.search(r"[,:–—]|\s-+\s", between) else ""


def places(cue: tuple[str, ...], words: tuple[str, ...]) -> list[int]:
    """Where the words of a cue begin in the words of a sentence; both as `read` gives them."""
    size = len(cue)
    if not size:
        return []
    return [
        i
        for i in range(len(words) - size + 1)
        if words[i : i + size - 1] == cue[:-1] and _begins(cue[-1], words[i + size - 1])
    ]


def _begins(cue: str, word: str) -> bool:
    if word == cue:
        return True
    if cue[0].isdigit() or len(cue) <= 3:
        return not cue[0].isdigit() and word == cue + "s"
    return word.startswith(_singular(cue))


def _singular(word: str) -> str:
    if len(word) < 5 or not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-2] if word.endswith("sses") else word[:-1]


def _denied_before(words: Words, place: int) -> bool:
    """Scans from a place to the left until a negation or the clause's beginning."""
    for i in range(place - 1, -1, -1):
        if _clause_begins(words, i + 1, place):
            return False
        if _refuses(words, i, place) and not _spent(words, i, place):
            return True
        if words.texts[i] in CONJUNCTIONS:
            return False
    return False


def _refuses(words: Words, i: int, place: int) -> bool:
    """Whether word i turns down what follows it, as far as itself and the words before it tell."""
    text, before = words.texts[i], words.texts[max(0, i - 2) : i]
    if text in REFUSALS:
        # "do not stop", "you don't have to avoid", "no reason to skip": these turn nothing down.
        return not {"not", "never", "no"}.intersection(_run_before(words, i))
    if text in NEGATORS:
        # "no one", "whether or not", "no reason not to", "why don't you"
        whole = words.texts[i : i + 2] != ("no", "1") and before[-1:] != ("or",)
        return whole and before != ("no", "reason") and "why" not in _run_before(words, i)
    return any(words.texts[i : i + len(phrase)] == phrase and i + len(phrase) <= place for phrase in REFUSING_PHRASES)


def _run_before(words: Words, i: int) -> tuple[str, ...]:
    """Up to four words before word i, from the last mark, conjunction or `and` on."""
    start = i
    while start > max(0, i - 4) and not words.breaks[start]:
        if words.texts[start - 1] in CONJUNCTIONS or words.texts[start - 1] == "and":
            break
        start -= 1
    return words.texts[start:i]


def _spent(words: Words, i: int, place: int) -> bool:
    """Whether the negation at i belongs to a word soon behind it (`not hesitate`, `never stop`)."""
    if words.texts[i] in REFUSALS:
        return False
    behind: list[str] = []
    for n in range(i + 1, min(i + 5, place)):
        if words.breaks[n] or words.texts[n] in CONJUNCTIONS or words.texts[n] == "and":
            break
        behind.append(words.texts[n])
    return bool((SPENDING | REFUSALS).intersection(behind) or SPENDING_AT_ONCE.intersection(behind[:1]))


def _clause_begins(words: Words, i: int, place: int) -> bool:
    """Whether a new clause begins at word i, seen from a place at or behind it."""
    mark, text = (
        words.breaks[i] if i < len(words.breaks) else "",
        words.texts[i] if i < len(words.texts) else "",
    )
    if mark == ";":
        return True
    if mark == "," and not _list_item(words, i):
        return True
    if i >= place or i == 0:
        return False
    if text == "and" and i + 1 < len(words.texts):
        behind = words.texts[i + 1]
        return behind in PRONOUNS or behind in DIRECTIVES or behind in MODALS
    return text == "or" and i + 1 < len(words.texts) and words.texts[i + 1] in PRONOUNS


def _list_item(words: Words, i: int) -> bool:
    """Whether the words from i to the next mark only go on with a list: no subject, no verb, no `instead`."""
    end = i + 1
    while end < len(words.texts) and not words.breaks[end]:
        end += 1
    item = words.texts[i:end]
    while item and item[0] in ("and", "or", "nor"):
        item = item[1:]
    if item[:1] == ("which",) or item[:2] == ("such", "as"):
        return True
    if not item or item[0] in PRONOUNS or item[0] in DIRECTIVES or item[0] in CONJUNCTIONS:
        return False
    return not MODALS.intersection(item) and "instead" not in item


def _denied_behind(words: Words, place: int, warnings: bool) -> bool:
    """Scans from a place to the right until a denial or the clause's end."""
    if words.texts[place : place + 1] == ("free",):
        return True
    for i in range(place, len(words.texts)):
        text, ahead = words.texts[i], words.texts[i + 1 : i + 4]
        if words.breaks[i] == ";" or (words.breaks[i] == "," and text not in MODALS):
            return False
        if text in CONJUNCTIONS or text in ("and", "or", "to", "that") or (text in PRONOUNS and i > place):
            return False
        aux_before = i > 0 and words.texts[i - 1] in MODALS
        if text in ("not", "never", "no") and aux_before:
            # "is not only", "is not harmful", "should not be avoided", "has no risk"
            excused = (SPENDING | REFUSALS).intersection(ahead) or SPENDING_AT_ONCE.intersection(ahead[:1])
            return not excused and text != "no"
        if text in ("avoided", "unlikely", "doubtful") and aux_before:
            return True
        if warnings and text in WARNINGS:
            return True
    return False
