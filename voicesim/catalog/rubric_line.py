"""One line of a case's rubric: what the agent has to ask, tell or avoid, and what a judge goes by."""

from typing import Literal, Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Cues, Entry, Slug, Words
from voicesim.catalog.rules import AnyRule
from voicesim.catalog.signature import Day, Signature
from voicesim.catalog.tags import Tag

Group = Literal["must_ask", "critical", "close"]
Kind = Literal["ask", "tell", "avoid", "ordered", "code"]


class Cited(Entry):
    """Where a check comes from: a document, and the words of it that say so."""

    title: str = Field(min_length=1)
    publisher: str = ""
    url: str = ""
    published: Day | None = None
    quote: str = Field(min_length=1)


class Listening(Entry):
    """What a judge that goes by words listens for; `expect` is for people and models, and is never read for it.

    - `cues`: one of these is said, in a question (`ask`) or a statement (`tell`); of `avoid`, what must not be
      recommended.
    - `also`: further lists; of each of them something has to be said as well, in the same sentence or another.
    - `whom`: who is asked about, or told about: the patient on the phone, or a child somebody calls about.
    - `condition`: of `tell`, words of the condition that it has to be told under (`if you can't breathe, ...`);
      without it, a
      conditional sentence does not decide. Of `avoid`, words of a condition that excuses what is recommended.
    - `advice`: of `tell`, whether the patient has to be told to do it; a mention is not enough.
    - `hedged`: of `tell`, whether it has to be left open (`probably`, `I can't be sure`).
    - `against`: of `tell`, what the agent may turn down instead of saying one of the cues (`leave the Panadol out`).
    - `opposite`: of `tell`, what takes it back or says the contrary, earlier or later.
    """

    cues: Cues = ()
    also: tuple[Cues, ...] = ()
    whom: Literal["patient", "child"] = "patient"
    condition: Cues = ()
    advice: bool = False
    hedged: bool = False
    against: Cues = ()
    opposite: Cues = ()


class Step(Listening):
    """One of the two things whose order an `ordered` check is about."""

    kind: Literal["ask", "tell"]
    expect: str = Field(min_length=1)


class Demand(Listening):
    """What a judge goes by beside the words it listens for, in a check of a case and in a criterion of a rubric.

    With a `premise`, it applies only when the premise came up in the call. For a judge that goes by words:

    - `before_advice`: of `ask`, whether it has to be asked before anything is recommended.
    - `claims`: of `avoid`, what must not be said at all (`just the flu`); a recommendation is not needed.
    - `allowed`: of `avoid`, what may be recommended; whatever is neither a cue nor allowed leaves the check undecided.
    - `either_way`: of `avoid`, whether telling not to is a violation as well (`keep taking it`, `stop it`).
    - `asked_first`: of `avoid`, what excuses a recommendation when it was asked about before.
    - `premise_cues`: words of the premise. Of `avoid` anybody's words bring it up, of `tell` something the agent
      recommends.
    """

    violation: str = ""
    not_violation: Words = ()
    premise: str = ""
    before_advice: bool = False
    claims: Cues = ()
    allowed: Cues = ()
    either_way: bool = False
    asked_first: Cues = ()
    premise_cues: Cues = ()
    signed: Signature | None = Field(default=None, description="the person who stands behind it; no judge reads it")


class Check(Demand):
    """One line of the rubric.

    `ask` and `tell` are hit by something the agent said; `avoid` is hit when its `violation` never
    happens; `ordered` when the agent did `first`, and no `then` before it; `code` by its `rule` alone.
    On a check of another kind a `rule` can only fail it. `tag` names the failure that a miss is. `state` are lists of
    the backend's state that a model judge is shown with the check, as they were before the call. `sources` are the
    documents that it stands on; no judge reads them.
    """

    id: Slug
    group: Group
    kind: Kind
    weight: float = Field(gt=0, le=1)
    expect: str = Field(min_length=1)
    first: Step | None = None
    then: Step | None = None
    rule: AnyRule | None = None
    tag: Tag | None = None
    state: Words = ()
    sources: tuple[Cited, ...] = ()

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> Self:
        if self.kind == "avoid" and not self.violation:
            raise ValueError(f"check {self.id!r} is of kind avoid and needs a `violation`: what the agent must not do")
        for name in ("first", "then"):
            if (getattr(self, name) is not None) != (self.kind == "ordered"):
                raise ValueError(f"`{name}` belongs to checks of kind ordered, which need it; {self.id!r} is wrong")
        if self.kind == "code" and self.rule is None:
            raise ValueError(f"check {self.id!r} is of kind code and needs a `rule`")
        if self.kind == "code" and self.premise:
            raise ValueError(f"a `premise` is nothing that code can decide; check {self.id!r} is of kind code")
        return self
