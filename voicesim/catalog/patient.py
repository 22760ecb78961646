"""The patient of a case: who it is, what it says first, and the facts that it gives when it is asked."""

from typing import Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Cues, Entry, Slug, Words
from voicesim.errors import near


class Slip(Entry):
    """A slip of the tongue: the patient says `wrong`, and at once `right`, which the fact's words have to hold."""

    wrong: str = Field(min_length=1)
    right: str = Field(min_length=1)


class Fact(Entry):
    """One thing the patient knows and gives only when asked; cues are word beginnings that ask for it.

    With a `slip`, the patient corrects itself in mid-sentence the first time it tells the fact. A fact that `replaces`
    another is a change of mind: it is told instead of that one when that is asked for again, or, with `after_turn`,
    once the patient has answered so many turns of the agent.
    """

    id: Slug
    says: str = Field(min_length=1)
    cues: Cues = ()
    slip: Slip | None = None
    replaces: Slug | None = Field(
        default=None, description="the id of a fact before it that this one takes the place of"
    )
    after_turn: int | None = Field(default=None, ge=1, description="turns of the agent answered before it does so")

    @model_validator(mode="after")
    def _has_something_to_replace(self) -> Self:
        if self.after_turn is not None and self.replaces is None:
            raise ValueError(
                f"the fact {self.id!r} has after_turn, which says when it `replaces` another; name that one"
            )
        return self

    @model_validator(mode="after")
    def _slip_is_of_its_words(self) -> Self:
        if self.slip is not None and self.slip.right.lower() not in self.says.lower():
            raise ValueError(f"the slip of fact {self.id!r} is of {self.slip.right!r}, which it does not say")
        return self


class Insists(Entry):
    """What the patient presses for, and the lines used for it, in order, at most `at_most` times."""

    when: str = Field(min_length=1)
    at_most: int = Field(default=3, ge=1)
    says: Words = Field(min_length=1)


class Patient(Entry):
    """Who calls: the one line said first, and the facts revealed only if asked."""

    name: str
    age: int = Field(ge=0, le=130)
    sex: str
    occupation: str = ""
    manner: str = ""
    persona: Slug
    says_first: str = Field(min_length=1)
    insists: Insists | None = None
    most_replies: int | None = Field(default=None, ge=1, description="lines that want an answer, the first included")
    reveal_only_if_asked: tuple[Fact, ...] = ()

    @model_validator(mode="after")
    def _facts_replace_what_is_there(self) -> Self:
        before: list[str] = []
        replaced: dict[str, str] = {}
        for fact in self.reveal_only_if_asked:
            if fact.replaces is not None:
                if fact.replaces not in before:
                    raise ValueError(
                        f"the fact {fact.id!r} replaces {fact.replaces!r}, which is no fact before it."
                        f"{near(fact.replaces, before)}"
                    )
                if fact.replaces in replaced:
                    raise ValueError(
                        f"the facts {replaced[fact.replaces]!r} and {fact.id!r} both replace {fact.replaces!r}"
                    )
                replaced[fact.replaces] = fact.id
            before.append(fact.id)
        return self
