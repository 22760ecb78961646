"""From what a model wrote to the words of a line: its reasoning, its marks and what stands below are no speech."""

import re
from functools import cache
from typing import Any

from voicesim.language.data import has, load
from voicesim.language.patterns import patterns, plain
from voicesim.language.sentences import split
from voicesim.llm.reading import without_reasoning

_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|\*{1,2}([^*]+)\*{1,2}|(?<!\w)_{1,2}([^_]+)_{1,2}(?!\w)")
_EMPHASIS = re.compile(r"\*{1,3}([^*]+)\*{1,3}|(?<!\w)_{1,2}([^_]+)_{1,2}(?!\w)|`([^`]+)`")
_MARKED = re.compile(r"[<>*_`\"“”()\[\]:\n]")
_QUOTED = re.compile(r"[\"“]([^\"“”]*)[\"”]")


def first_line(text: str) -> str:
    """The first line of what a model wrote, without its reasoning and the quotation marks around it.

    What follows the line is not speech; a model that only reasoned leaves nothing.

    >>> first_line('"Yes please."\\n\\nStay in character and never say that you are a test.')
    'Yes please.'
    >>> first_line("<think>They ask about fever.</think>\\nNo fever.")
    'No fever.'
    """
    lines = [line.strip() for line in without_reasoning(text).splitlines() if line.strip()]
    return _unquoted(" ".join(lines[0].split())) if lines else ""


def line_is_whole(text: str) -> bool:
    """Whether the first line of what a model is writing has come to its end.

    >>> line_is_whole("No fever.\\nYou are"), line_is_whole("No"), line_is_whole("<think>They ask\\nabout fever")
    (True, False, False)
    """
    return "\n" in without_reasoning(text).lstrip()


def first_sentence(text: str) -> str:
    """The first sentence of a text that is still being written, once the next has begun; "" until then.

    "" also for a text with marks or a label, which only the whole of it tells from speech.

    >>> first_sentence("No fever. I"), first_sentence("No fever."), first_sentence("*coughs* No. I")
    ('No fever.', '', '')
    """
    if _MARKED.search(text):
        return ""
    first, *others = split(" ".join(text.split())) or [""]
    return first if others else ""


def speakable(text: str, name: str, language: str = "en") -> str:
    """A line without what only a reader needs: the speaker's label, emphasis, stage directions.

    `name` is the patient's, a label as well. What else is not speech is left standing for the guard to find.

    >>> speakable("Andi: **No**, [coughs] only *at night*.", "Andi")
    'No, only at night.'
    """
    labels = "|".join(re.escape(label) for label in (*_data(language)["own_labels"], name))
    text = re.sub(rf"^[*_]*(?:{labels})[*_]*\s*:[*_]*\s+", "", text, flags=re.IGNORECASE)
    text = _EMPHASIS.sub(_inside, _BRACKETED.sub(lambda match: _kept(match, language), text))
    return _unquoted(re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split())))


@cache
def labels(language: str = "en") -> tuple[str, ...]:
    """Words before a colon that name the speaker of a line."""
    data = _data(language)
    return (*data["own_labels"], *data["other_labels"])


def directions(text: str, language: str = "en") -> list[str]:
    """What in a text's brackets and asterisks is a stage direction ("coughs")."""
    return [match.group() for match in _BRACKETED.finditer(text) if _kept(match, language) == " "]


def _data(language: str) -> dict[str, Any]:
    return load("spoken_line", language if has("spoken_line", language) else "en")


def _kept(match: re.Match[str], language: str) -> str:
    """A bracket as it is, or a space for a stage direction."""
    (direction,) = patterns("spoken_line", language if has("spoken_line", language) else "en")
    return " " if direction.expression.search(plain(_inside(match))) else match.group()


def _inside(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _unquoted(line: str) -> str:
    quoted = _QUOTED.fullmatch(line)
    return quoted.group(1).strip() if quoted else line
