"""An accent as a file: what a speaker's first language does to English sounds, as rules over phonemes."""

import re
from functools import cached_property
from typing import Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Entry, Slug

SHORTHANDS = {"{start}": r"(?<!\w)", "{end}": r"(?=[^\wˈˌᵊᵻ]|$)"}
"""What `find` may use beside a regular expression: the start and the end of a word."""
ENGLISH = frozenset("AIOWYTæɑɔəɐɛɜɪiuʊʌᵊᵻbdfhjklmnpstvwzɡŋɹʃʒðθʤʧˈˌ")
"""The American phonemes that every voice was taught; a rule may write no other."""


MOST_CHOICES = 12
"""Places of a `find` where a matcher has a choice (`?`, `|`): beyond, a short text can keep it busy for ever."""
_SINGLE = re.compile(r"\\.|\[\^?\]?[^\]]*\]|\(\?[:=!]|\(\?<[=!]")
"""Escapes, sets of signs, and beginnings of groups: in none of them is a sign a repetition or a choice."""


class AccentRule(Entry):
    """One sound change: a regular expression over phonemes, and what is said in its place.

    It may make a sound optional (`?`) but not repeat it: a sound change is about neighbours, and an expression without
    repetitions takes no time on any text.

    `from` is the strength at which a speaker begins to do it: what stays in a light accent begins at 0.
    `source` is a key of the file's `sources`.
    """

    find: str = Field(min_length=1, max_length=300)
    say: str = Field(max_length=40)
    why: str = Field(min_length=1)
    source: str
    from_: float = Field(default=0.0, ge=0, lt=1, alias="from")

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        try:
            groups = self.pattern.groups
        except re.error as error:
            raise ValueError(f"`find` is no regular expression: {error}") from error
        if wrong := _takes_time(self.find):
            raise ValueError(f"`find` {wrong}: {self.find!r}")
        if any(int(number) > groups for number in re.findall(r"\\(\d)", self.say)):
            raise ValueError(f"`say` names a group that `find` does not have: {self.say!r}")
        foreign = sorted({sign for sign in re.sub(r"\\\d", "", self.say) if sign not in ENGLISH})
        if foreign:
            raise ValueError(f"`say` has {', '.join(foreign)}, which no voice was taught; known: {_shown(ENGLISH)}")
        return self

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled `find`."""
        text = self.find
        for short, meaning in SHORTHANDS.items():
            text = text.replace(short, meaning)
        return re.compile(text)

    def share(self, strength: float) -> float:
        """The share of its places that the rule is applied to, 0 to 1, at a strength of the accent."""
        return max(0.0, (strength - self.from_) / (1.0 - self.from_))


class AccentFile(Entry):
    """An accent: `spoken_as` tells it to voices that take instructions, the rules make it for all others."""

    id: Slug
    version: int = 1
    title: str
    spoken_as: str = Field(min_length=1)
    sources: dict[str, str] = Field(min_length=1)
    rules: tuple[AccentRule, ...] = Field(min_length=1, max_length=500)

    @model_validator(mode="after")
    def _sources_are_named(self) -> Self:
        for rule in self.rules:
            if rule.source not in self.sources:
                raise ValueError(f"rule {rule.find!r} names the source {rule.source!r}, which is not in `sources`")
        return self


def _takes_time(find: str) -> str:
    """Why an expression may take long on some text; "" when it can't."""
    for short in SHORTHANDS:
        find = find.replace(short, "")
    plain = _SINGLE.sub("", find)
    if set("*+{") & set(plain):
        return "repeats a sound (`*`, `+` or `{`), which no sound change needs"
    choices = plain.count("?") + plain.count("|")
    return f"has {choices} choices (`?`, `|`); {MOST_CHOICES} are enough" if choices > MOST_CHOICES else ""


def _shown(signs: frozenset[str]) -> str:
    return "".join(sorted(signs))
