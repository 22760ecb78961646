"""A sentence in clauses: how far a negation, a condition or a question in it reaches."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voicesim.language.entries import pattern, word_list
from voicesim.language.words import HARD, SOFT, Words, read

Act = Literal["asks", "offers", "advises", "permits", "forbids", "tells", "condition", "aside"]
"""What a clause does."""


@dataclass(frozen=True)
class Clause:
    """Words [start, end) of a sentence. `opener` is the word that joins it to what stands before, or "".

    `hard` tells that a full stop, semicolon or colon stands before it. `bare` is a clause without a verb of its own,
    which goes on with what the clause before it did (`avoid aspirin, naproxen`).
    """

    words: tuple[str, ...]
    start: int
    end: int
    opener: str
    hard: bool
    conditional: bool
    bare: bool

    @property
    def text(self) -> str:
        return " ".join(self.words)


_OWNERS = frozenset(("your", "the", "her", "his", "their", "any"))
_WIDEST = 80
"""Words that are looked back over for the mark before a word; nobody says as many without a pause."""


@lru_cache(maxsize=8192)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence, in order; together they hold all its words."""
    words = read(sentence)
    if not words.texts:
        return ()
    starts = _whole([0, *(i for i in range(1, len(words)) if _begins(words, i))], words)
    ends = [*starts[1:], len(words)]
    return tuple(_clause(words, start, end) for start, end in zip(starts, ends, strict=True))


def _clause(words: Words, start: int, end: int) -> Clause:
    texts = words.texts[start:end]
    opener = texts[0] if texts[0] in word_list("clauses", "openers") else ""
    conditional = _is_condition(texts)
    return Clause(
        texts, start, end, opener, words.marks[start] == HARD, conditional, not conditional and _is_bare(texts)
    )


def _begins(words: Words, i: int) -> bool:
    """Whether a clause begins at word i, seen from the words around it alone."""
    text, before = words.texts[i], words.texts[i - 1]
    behind = words.texts[i + 1] if i + 1 < len(words) else ""
    if words.marks[i]:
        return True
    if text == "but" and before in ("anything", "everything", "nothing", "all", "any", "none"):
        return False
    if text in ("even", "only", "except") and behind in ("if", "when"):
        return True
    if text in word_list("clauses", "cutting"):
        return before not in word_list("clauses", "not_cutting")
    if text in ("so", "because", "then", "and", "or", "plus", "until", "till", "while", "since", "when", "once", "nor"):
        return _joins(words, i, behind)
    return _begins_main(words, i)


def _joins(words: Words, i: int, behind: str) -> bool:
    """Whether `and`, `so`, `when` at word i joins two clauses, and not two words."""
    text, before = words.texts[i], words.texts[i - 1]
    if text in ("until", "till", "while", "when", "since", "once"):
        starts = behind in word_list("clauses", "subjects") or behind in ("your", "the", "her", "his", "any")
        return starts and before not in (
            "since",
            "from",
            "and",
            "or",
            "until",
            "but",
            "only",
            "even",
            "know",
            "tell",
            "ask",
        )
    follows = words.texts[i + 2 : i + 5]
    subject = behind in word_list("clauses", "subjects") and behind not in ("this", "that", "these", "those")
    pointed = behind in ("this", "that", "these", "those", "your", "the", "my", "her") and (
        bool(word_list("clauses", "finite").intersection(follows)) or text == "so"
    )
    asked = behind in word_list("clauses", "auxiliaries") | {"what", "which", "how", "when", "where", "why", "any"}
    ordered = behind in word_list("clauses", "directives") | {"please", "do", "if", "just", "then"}
    return (
        subject
        or pointed
        or asked
        or (ordered and not _inside_condition(words, i))
        or behind in ("if", "when", "please")
    )


def _begins_main(words: Words, i: int) -> bool:
    """Whether the main clause begins at word i behind words that no mark sets off: `if it hurts call us`."""
    text, before = words.texts[i], words.texts[i - 1]
    behind = words.texts[i + 1] if i + 1 < len(words) else ""
    since = _since(words, i)
    if text == "please" and len(since) >= 3 and behind in word_list("clauses", "directives") | {"do", "not"}:
        return True
    if before in word_list("clauses", "unbroken") or before in word_list("clauses", "auxiliaries") or len(since) < 3:
        return False
    if text in ("you", "she", "he", "i", "we", "they", "there", "it", "this", "that"):
        if behind in ("should", "must", "need") or (
            behind in word_list("clauses", "main_verbs") | {"is"} and _inside_condition(words, i)
        ):
            if (before, text) == ("you", "i"):
                return True  # "if I were you I would"
            return before not in word_list("clauses", "subjects") | word_list("clauses", "believes")
        return False
    if not (_inside_condition(words, i) or _inside_reason(words, i)):
        return False
    starts = text in word_list("clauses", "directives") or (text in ("do", "never", "still") and behind)
    with_you = before == "you" and words.texts[i - 2] in word_list("clauses", "prepositions")
    if text == "do" and len(since) == 3 and since[1] in _OWNERS:
        return False  # "if your lips do not look pink"
    held = word_list("clauses", "subjects") | {"your", "a", "the", "any", "no", "in", "at", "of"}
    return bool(starts) and (with_you or before not in held)


def _since(words: Words, i: int) -> tuple[str, ...]:
    """The words from the last mark or joining word up to word i."""
    start = i
    least = max(0, i - _WIDEST)
    while start > least and not words.marks[start] and words.texts[start] not in word_list("clauses", "cutting"):
        start -= 1
    return words.texts[start:i]


def _last_mark(words: Words, i: int) -> int:
    """The word before word i that a mark stands before, or the first one that is looked at."""
    start, least = i - 1, max(0, i - _WIDEST)
    while start > least and not words.marks[start]:
        start -= 1
    return start


def _inside_condition(words: Words, i: int) -> bool:
    start = _last_mark(words, i)
    return _is_condition(words.texts[start:i]) and not any(_begins_main(words, j) for j in range(start + 3, i))


def _inside_reason(words: Words, i: int) -> bool:
    start = _last_mark(words, i)
    return words.texts[start] in ("since", "because", "as") and words.texts[start + 1] in word_list(
        "clauses", "subjects"
    )


def _is_condition(texts: tuple[str, ...]) -> bool:
    """Whether a clause says when something holds: `if it hurts`, `should it hurt`, `the moment it hurts`."""
    return bool(pattern("acts", "condition_opens").search(" ".join(texts)))


def _is_bare(texts: tuple[str, ...]) -> bool:
    """Whether a clause has neither a subject nor a verb: one more item of a list, a name, an afterthought."""
    rest = list(texts)
    while rest and rest[0] in word_list("clauses", "fillers") | {"nor", "not"}:
        rest = rest[1:]
    if rest and (rest[0] in word_list("clauses", "directives") or word_list("clauses", "persons").intersection(rest)):
        return False
    return not word_list("clauses", "finite").intersection(rest)


def _whole(starts: list[int], words: Words) -> list[int]:
    """The starts of clauses without those that a comma makes inside one: an insertion, or a clause that goes on."""
    whole_starts = [0]
    inserted = False
    for start in starts[1:]:
        before = words.texts[whole_starts[-1] : start]
        opens = words.texts[start]
        soft = words.marks[start] == SOFT
        unfinished = (
            soft
            and opens not in ("but", "so")
            and (
                before[-1] in word_list("clauses", "unfinished")
                or (before[-1] == "that" and before[-2] in word_list("clauses", "believes"))
            )
            and before != ("not",)
        )
        goes_on = soft and opens == "to"
        if (
            goes_on
            and len(whole_starts) > 1
            and len(before) <= 3
            and words.marks[whole_starts[-1]] == SOFT
            and _is_bare(before)
        ):
            whole_starts.pop()
        if unfinished or goes_on or (inserted and words.marks[start] == SOFT):
            inserted = unfinished and not inserted
            continue
        inserted = False
        whole_starts.append(start)
    return whole_starts
