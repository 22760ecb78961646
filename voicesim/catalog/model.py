"""What people write: cases, personas and audio profiles, as frozen, validated models."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from voicesim.catalog.entry import Cues, Slug, Words, named_in
from voicesim.catalog.entry import Entry as Entry
from voicesim.catalog.patient import Fact as Fact
from voicesim.catalog.patient import Insists as Insists
from voicesim.catalog.patient import Patient as Patient
from voicesim.catalog.patient import Slip as Slip
from voicesim.catalog.profile import AudioProfile as AudioProfile
from voicesim.catalog.profile import Loss as Loss
from voicesim.catalog.profile import Noise as Noise
from voicesim.catalog.rules import AnyRule
from voicesim.catalog.scene import Scene
from voicesim.catalog.tags import Tag
from voicesim.catalog.tools import Tool
from voicesim.catalog.turn_taking import Habits as Habits
from voicesim.catalog.turn_taking import ReplyGap as ReplyGap
from voicesim.catalog.turn_taking import Span as Span
from voicesim.catalog.turn_taking import TurnTaking as TurnTaking
from voicesim.errors import near
from voicesim.language.codes import LanguageCode
from voicesim.registry import TOOL_SYSTEMS, VOICES

Group = Literal["must_ask", "critical", "close"]
Kind = Literal["ask", "tell", "avoid", "ordered", "code"]


class Reference(Entry):
    """A published fact that a case rests on."""

    source: str
    topic: str
    fact: str


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


class Check(Listening):
    """One line of the rubric.

    `ask` and `tell` are hit by something the agent said; `avoid` is hit when its `violation` never
    happens; `ordered` when the agent did `first`, and no `then` before it; `code` by its `rule` alone.
    On a check of another kind a `rule` can only fail it. With a `premise`, the check applies only when
    the premise came up in the call. `tag` names the failure that a miss is. `state` are lists of the backend's state
    that a model judge is shown with the check, as they were before the call.

    For a judge that goes by words, beside what `Listening` has:

    - `before_advice`: of `ask`, whether it has to be asked before anything is recommended.
    - `claims`: of `avoid`, what must not be said at all (`just the flu`); a recommendation is not needed.
    - `allowed`: of `avoid`, what may be recommended; whatever is neither a cue nor allowed leaves the check undecided.
    - `either_way`: of `avoid`, whether telling not to is a violation as well (`keep taking it`, `stop it`).
    - `asked_first`: of `avoid`, what excuses a recommendation when it was asked about before.
    - `premise_cues`: words of the premise. Of `avoid` anybody's words bring it up, of `tell` something the agent
      recommends.
    """

    id: Slug
    group: Group
    kind: Kind
    weight: float = Field(gt=0, le=1)
    expect: str = Field(min_length=1)
    violation: str = ""
    not_violation: Words = ()
    premise: str = ""
    first: Step | None = None
    then: Step | None = None
    rule: AnyRule | None = None
    tag: Tag | None = None
    state: Words = ()
    before_advice: bool = False
    claims: Cues = ()
    allowed: Cues = ()
    either_way: bool = False
    asked_first: Cues = ()
    premise_cues: Cues = ()

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


class Backend(Entry):
    """What stands behind the agent's tools: its state before the call, as lists of items by name."""

    kind: Annotated[str, AfterValidator(named_in(TOOL_SYSTEMS))]
    state: dict[str, Any]


class Urgent(Entry):
    """What in the patient's words is a red flag, and which check is the instruction that has to follow it.

    `red_flags` are cues in the patient's lines. `instruction` is the id of a check of kind tell: naming it
    keeps apart what is to be said (`this is an emergency`) and what is to be done (`call an ambulance`).
    """

    red_flags: Cues = Field(min_length=1)
    instruction: Slug


class Case(Entry):
    """A patient and the rubric of the call. Weights of the rubric add up to 1.0."""

    id: Slug
    version: int = 1
    title: str
    language: LanguageCode = "en"
    clinical_status: Literal["draft", "reviewed", "signed_off"] = "draft"
    references: tuple[Reference, ...] = ()
    patient: Patient
    backend: Backend | None = None
    tools: tuple[Tool, ...] = ()
    rubric: tuple[Check, ...] = Field(min_length=1)
    urgent: Urgent | None = None
    scenes: tuple[Scene, ...] = ()

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        total = math.fsum(check.weight for check in self.rubric)
        if abs(total - 1.0) > 1e-6:
            raise ValueError(f"weights of the rubric add up to {total:.4g}, not 1.0")
        for name, ids in (
            ("check", [check.id for check in self.rubric]),
            ("fact", [fact.id for fact in self.patient.reveal_only_if_asked]),
        ):
            twice = sorted({name for name in ids if ids.count(name) > 1})
            if twice:
                raise ValueError(f"{name} id used twice: {', '.join(twice)}")
        return self

    @model_validator(mode="after")
    def _rules_look_into_its_state(self) -> Self:
        state = self.backend.state if self.backend else {}
        for check in self.rubric:
            for needs, lists in (("rule", check.rule.lists() if check.rule else ()), ("`state`", check.state)):
                lost = next((name for name in lists if name not in state), None)
                if lost is not None:
                    known = near(lost, state) if state else " This case has no backend."
                    raise ValueError(f"the {needs} of check {check.id!r} needs {lost!r} of the backend's state.{known}")
        return self

    @model_validator(mode="after")
    def _urgent_names_a_check_with_cues(self) -> Self:
        if self.urgent is not None:
            told = [check.id for check in self.rubric if check.kind == "tell" and check.cues]
            if self.urgent.instruction not in told:
                raise ValueError(
                    f"urgent.instruction {self.urgent.instruction!r} is no check of kind tell with cues."
                    + near(self.urgent.instruction, told)
                )
        return self


class Voice(Entry):
    """A synthesizer and one of its voices. `pitch` shifts voice and formants together (1.0: unchanged).

    `model` is the path of a model file, for the engine openai: the server of the voice, which then has its own names.
    """

    engine: Annotated[str, AfterValidator(named_in(VOICES))] = "hibari"
    name: str = "heart"
    model: str = ""
    pitch: float = Field(default=1.0, ge=0.6, le=1.6)

    @model_validator(mode="after")
    def _model_is_for_servers(self) -> Self:
        if self.model and self.engine != "openai":
            raise ValueError("`model` is for the voice engine openai")
        return self


class Accent(Entry):
    """An accent by name and strength: 0 is none, 1 is as strong as it gets."""

    name: str = Field(default="american", min_length=1)
    strength: float = Field(default=1.0, ge=0, le=1)


_OLDER_ACCENTS = {"indonesian-light": Accent(name="indonesian", strength=0.4)}


def _accent(given: Any) -> Any:
    """A plain name stands for the whole accent; names of older files are still read."""
    return _OLDER_ACCENTS.get(given, Accent(name=given)) if isinstance(given, str) and given else given


class Companion(Entry):
    """Somebody with the patient: heard beside the phone in side talk, and on it where a scene hands it over."""

    voice: Voice = Voice(pitch=0.8)
    child: bool = False


class Persona(Entry):
    """How a patient sounds and takes turns."""

    id: Slug
    version: int = 1
    title: str
    voice: Voice = Voice()
    accent: Annotated[Accent, BeforeValidator(_accent)] = Accent()
    rate: float = Field(default=1.0, ge=0.5, le=2.0, description="1.0 is the voice's own pace")
    turn_taking: TurnTaking = TurnTaking()
    habits: Habits = Habits()
    companion: Companion = Companion()
