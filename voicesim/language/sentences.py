"""Sentences, and whether one of them asks for something.

Written for what speech recognition gives: mostly good punctuation, now and then a question mark lost.
"""

import re

from voicesim.language.grammar import AUXILIARIES, FILLERS, FINITE, POINTING, SUBJECTS, word_set
from voicesim.language.patterns import patterns

# Never the end of a sentence, whatever follows.
_TITLES = word_set("dr mr mrs ms st prof mt sr jr vs approx eg ie e.g i.e fig")
_STOP = re.compile(r"(?<![.!?])[.!?](?:[.!?]*)[\"'”’)\]]*(?=\s)|\n+")
_NEXT = re.compile(r"\s*(\S?)")
_LOOK = 200
"""Characters before a mark that tell whether it ends a sentence; a text of any length is gone through once."""
_ASKING = AUXILIARIES | frozenset(verb + "n't" for verb in word_set("is are was were do does did have has could would"))
_HOW = word_set("long many much often old high far bad severe about are is do does did have has was were")
_TAGS = re.compile(r",? (?:right|correct|is that right|is that correct|isn't it|aren't you|don't you|yes or no)$")
_TELL = re.compile(
    r"""(?:(?:can|could|would|will)\ you\ |please\ |kindly\ |i(?:'d\ like|\ want|\ need)\ you\ to\ )*
    (?:tell\ me\ (?!if\ it\ |if\ any|if\ your\ |that\ )\w+
    |describe\ \w+|confirm\ \w+|(?:walk|talk)\ me\ through|remind\ me|i\ wonder
    |let\ me\ know\ (?:what|how|when|where|which|who|whether|about|if\ you(?:'re|\ have|\ take))
    |(?:may|can|could)\ i\ ask
    |give\ me\ (?:your|an\ idea|a\ sense|the)|list\ (?:your|any|all|the)|share\ (?:your|any|the)
    |i(?:'d|\ would)\ like\ to\ (?:ask|know|hear|check)
    |i\ (?:need|want|have)\ to\ (?:ask|know|check)
    |i(?:'m|\ was)\ wondering)""",
    re.VERBOSE,
)


def split(text: str) -> list[str]:
    """The sentences of a text, in order, each with its end mark; nothing is lost but white space.

    A decimal, a title such as `Dr.`, `10 a.m. every day`, a list number (`1. Rest`) and dots of
    hesitation (`And now... I can't`) do not end a sentence.
    """
    sentences: list[str] = []
    start = 0
    for mark in _STOP.finditer(text):
        end = text[max(start, mark.end() - _LOOK) : mark.end()].strip()
        if "\n" not in mark.group() and not _ends(end, _after(text, mark.end())):
            continue
        if piece := text[start : mark.end()].strip():
            sentences.append(piece)
        start = mark.end()
    rest = text[start:].strip()
    return [*sentences, rest] if rest else sentences


def _after(text: str, place: int) -> str:
    """The first character behind a place that is no white space."""
    following = _NEXT.match(text, place)
    return following[1] if following else ""


def _ends(piece: str, after: str) -> bool:
    """Whether the mark at the end of a piece ends a sentence; `after` is the first character behind it."""
    body = piece.rstrip("\"'”’)]")
    if body.endswith(".."):
        return False
    if not body.endswith("."):
        return True
    last = body[:-1].split()[-1].lower() if body[:-1].split() else ""
    if last.lstrip("(\"'“") in _TITLES:
        return False
    if re.fullmatch(r"\(?\d+", body[:-1].strip()):
        return False
    # "at 10 a.m. every day" goes on; "at 10 a.m. Then" does not.
    return not (re.fullmatch(r"(?:[a-z]\.)+[a-z]", last) and after.islower())


def is_question(sentence: str, language: str = "en") -> bool:
    """Whether a sentence asks the listener to tell something.

    Of another language than English, a sentence that ends or begins as its data file `turns` says.

    True with a question mark. Without one: an opening such as `how long`, `what ... do you`, `are you` or
    `any allergies`; a request to tell (`tell me about`, `please describe`, `I'd like to ask`), also after
    a first clause (`Before I advise you, do you ...`); a tag at the end (`..., right`). A condition
    (`should it get worse, call`) does not ask.
    """
    plain = sentence.strip().replace("’", "'").rstrip("\"'”)] ")
    if plain.endswith("?"):
        return True
    if language != "en":
        return any(pattern.expression.search(plain.rstrip(".!… ").lower()) for pattern in patterns("turns", language))
    plain = plain.rstrip(".!… ").lower()
    if _TAGS.search(plain):
        return True
    clauses = re.split(r"[,;:–—]\s*|\s-\s", plain)
    heads = [words for words in map(_without_fillers, clauses) if words]
    if heads and _wh_start(heads[0]):
        return True
    starts = (_aux_start, _how_start, _any_start, _tell_start)
    return any(starts_so(words) for words in heads for starts_so in starts)


def _without_fillers(clause: str) -> list[str]:
    words = clause.split()
    while words and words[0] in FILLERS:
        thanked = words[:2] == ["thank", "you"]
        words = words[2:] if thanked else words[1:]
    return words


def _wh_start(words: list[str]) -> bool:
    """`what/which/who/whose/where/when/why` that asks; `when you cough` and `what you have is` do not."""
    head, rest = words[0], words[1:]
    if head in ("what's", "where's", "who's", "when's") and rest:
        return True
    if head in ("when", "why", "where", "who"):
        rest = [word for word in rest if word not in ("exactly", "else", "about")]
        return bool(rest) and rest[0] in _ASKING
    if head not in ("what", "which", "whose"):
        return False
    for place, word in enumerate(rest[:6]):
        if word in _ASKING:
            asked = rest[place + 1] if place + 1 < len(rest) else ""
            return place == 0 or asked.endswith("ing") or asked in SUBJECTS - POINTING
        if word in SUBJECTS:
            return False
    return bool(rest) and rest[0] in ("about", "else", "kind", "sort")


def _aux_start(words: list[str]) -> bool:
    # "had you" without a question mark is a condition, as "should you" is; "have it checked" is advice.
    asked = len(words) > 1 and words[0] in _ASKING - {"had"} and words[1] in SUBJECTS
    return asked and not (words[0] == "have" and words[1] in {"it", "this", "that", "someone", "he", "she"})


def _how_start(words: list[str]) -> bool:
    return len(words) > 1 and words[0] == "how" and words[1] in _HOW


def _any_start(words: list[str]) -> bool:
    """`any fever or chest pain`, but not `any fever above 39 needs a doctor`."""
    if words[0] not in ("any", "anything", "anyone"):
        return False
    return 1 < len(words) <= 10 and not FINITE.intersection(words[1:])


def _tell_start(words: list[str]) -> bool:
    return _TELL.match(" ".join(words) + " ") is not None
