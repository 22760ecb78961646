"""Whether words are `plain`, `denied` by a negation, a refusal or an exception, or `doubtful`."""

from typing import Literal

from voicesim.language.clauses import Clause, clauses
from voicesim.language.cues import places
from voicesim.language.entries import pattern, word_list

Polarity = Literal["plain", "denied", "doubtful"]

_NEGATION = ("not", "no", "never", "without", "nor", "neither", "none", "nobody", "nothing", "hardly")


def polarity(clause: Clause, first: int, last: int, *, warnings: bool = False) -> Polarity:
    """Of the words [first, last) of a sentence, counted from its first word, in the clause that holds them.

    A negation before them in the clause (`do not take X`) denies them, two leave it open. So does a denial behind
    (`X is not safe`), or with `warnings` a danger (`X can harm you`). `don't hesitate to`, `not only` deny nothing.
    """
    inside = _inside_spent(clause, first, last)
    if inside:
        return inside
    before, behind = _around(clause, first, last)
    excepted = pattern("negation", "excepts").search(before)
    if pattern("negation", "elsewhere").search(before) or (excepted and negations(before[: excepted.start()])):
        return "doubtful"
    count = 1 if excepted else negations(before)
    later = _denied_behind(behind) or (warnings and bool(pattern("negation", "warned").search(behind)))
    if count + later == 0:
        return "plain"
    return "denied" if count + later == 1 else "doubtful"


def _inside_spent(clause: Clause, first: int, last: int) -> Polarity | None:
    """Words that a negation is spent on: `wait` of `do not wait` is denied, `X` of `can't praise X enough` doubtful."""
    starts = _starts(clause)
    start, end = starts[max(0, first - clause.start)], starts[min(len(clause.words), last - clause.start)]
    for match in pattern("negation", "spent").finditer(clause.text):
        if match.start() < end - 1 and start < match.end() and negations_in(match.group()):
            praised = {"enough", "wrong", "hurt"}.intersection(match.group().split())
            return "doubtful" if praised else "denied"
    return None


def _starts(clause: Clause) -> list[int]:
    """Where each word of a clause begins in its text, and where one behind the last would."""
    starts = [0]
    for word in clause.words:
        starts.append(starts[-1] + len(word) + 1)
    return starts


def negations_in(text: str) -> int:
    return sum(word in _NEGATION for word in text.split())


def _around(clause: Clause, first: int, last: int) -> tuple[str, str]:
    """What stands before and behind some words in their clause, without the negations that turn nothing down."""
    starts = _starts(clause)
    left = pattern("negation", "spent").sub(lambda match: "\0" * len(match.group()), clause.text + " ")
    before = left[: starts[max(0, first - clause.start)]]
    behind = left[starts[min(len(clause.words), max(0, last - clause.start))] :]
    return tuple(" ".join(text.replace("\0", " ").split()) for text in (before, behind))  # type: ignore[return-value]


def negations(text: str) -> int:
    """How many negations some words hold that turn down what follows them."""
    left = _unspent(text)
    refused = len(pattern("negation", "refuses").findall(left))
    return refused + negations_in(left)


def _denied_behind(text: str) -> bool:
    return bool(pattern("negation", "denied_behind").search(_unspent(text)))


def is_urging(text: str) -> bool:
    """Whether words are nothing but a negation that turns nothing down: `do not wait`, `no doubt about it`."""
    left = pattern("clauses", "fillers").sub(" ", _unspent(text))
    return bool(pattern("negation", "spent").search(text)) and len(left.split()) <= 1


def _unspent(text: str) -> str:
    """A text without the negations that turn nothing down."""
    return " ".join(pattern("negation", "spent").sub(" ", text).split())


def negated(sentence: str, cue: str, *, warnings: bool = True) -> bool:
    """Whether every place of a cue in a sentence is turned down; False when the cue is not there."""
    spans = places(cue, sentence)
    return bool(spans) and all(denied(sentence, first, last, warnings=warnings) for first, last in spans)


def denied(sentence: str, first: int, last: int, *, warnings: bool = False) -> bool:
    """Whether words [first, last) of a sentence are turned down in their clause, or by the one that it goes on with."""
    parts = clauses(sentence)
    for number, clause in enumerate(parts):
        if clause.start <= first < clause.end:
            kind = polarity(clause, first, last, warnings=warnings)
            return kind == "denied" or (kind == "plain" and _carried(parts, number))
    return False


def _carried(parts: tuple[Clause, ...], number: int) -> bool:
    """Whether a bare clause goes on with a clause that turns down what it lists: `avoid aspirin, naproxen`."""
    clause = parts[number]
    goes_on = clause.bare or clause.words[0] in ("or", "nor", "which")
    if not goes_on or clause.hard or number == 0 or "instead" in clause.words:
        return False
    before = parts[number - 1]
    if len(before.words) == 1 and before.words[0] in ("no", "not"):
        return False
    return negations(before.text) == 1 or _carried(parts, number - 1)


def cut_off(text: str, first: int, last: int) -> bool:
    """Whether words [first, last) of a text, alone, lose a negation over them: `take X` of `do not take X`."""
    parts = clauses(text)
    begins = next(number for number, clause in enumerate(parts) if first < clause.end)
    ends = next(clause for clause in parts if last <= clause.end)
    clause = parts[begins]
    if clause.conditional and word_list("clauses", "finite").intersection(clause.words[first - clause.start + 1 :]):
        return False  # "if you are not pregnant two a day are fine": the main clause begins with the quote
    before, _ = _around(clause, first, first)
    _, behind = _around(ends, last, last)
    if pattern("negation", "excepts").search(before) or negations(before):
        return True
    return _denied_behind(behind) or (first == parts[begins].start and _carried(parts, begins))
