"""What people write: cases, personas and audio profiles, as frozen, validated models."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from voicesim.catalog.entry import Cues, Slug, named_in
from voicesim.catalog.entry import Entry as Entry
from voicesim.catalog.patient import Fact as Fact
from voicesim.catalog.patient import Insists as Insists
from voicesim.catalog.patient import Patient as Patient
from voicesim.catalog.patient import Slip as Slip
from voicesim.catalog.profile import AudioProfile as AudioProfile
from voicesim.catalog.profile import Loss as Loss
from voicesim.catalog.profile import Noise as Noise
from voicesim.catalog.rubric_line import Check as Check
from voicesim.catalog.rubric_line import Cited as Cited
from voicesim.catalog.rubric_line import Demand as Demand
from voicesim.catalog.rubric_line import Group as Group
from voicesim.catalog.rubric_line import Kind as Kind
from voicesim.catalog.rubric_line import Listening as Listening
from voicesim.catalog.rubric_line import Step as Step
from voicesim.catalog.scene import Scene
from voicesim.catalog.tools import Tool
from voicesim.catalog.turn_taking import Habits as Habits
from voicesim.catalog.turn_taking import ReplyGap as ReplyGap
from voicesim.catalog.turn_taking import Span as Span
from voicesim.catalog.turn_taking import TurnTaking as TurnTaking
from voicesim.errors import near
from voicesim.language.codes import LanguageCode
from voicesim.registry import TOOL_SYSTEMS, VOICES


class Reference(Entry):
    """A published fact that a case rests on."""

    source: str
    topic: str
    fact: str


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
            ids = [check.id for check in self.rubric if check.kind == "tell" and check.cues]
            if self.urgent.instruction not in ids:
                raise ValueError(
                    f"urgent.instruction {self.urgent.instruction!r} is no check of kind tell with cues."
                    + near(self.urgent.instruction, ids)
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
