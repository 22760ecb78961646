"""An audio profile: what the line does to the patient's voice, and to the agent's, as effects in physical order."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from voicesim.catalog.entry import Entry, Slug, named_in
from voicesim.catalog.scene import Scene
from voicesim.errors import UsageError, near
from voicesim.registry import BACKGROUNDS, CODECS, EFFECTS


class Effect(Entry):
    """Settings of one channel effect. Each effect's own class, in the table EFFECTS, adds what it does."""

    key: ClassVar[str] = ""
    """The effect's key in a profile: its name in the table."""
    main: ClassVar[str] = ""
    """The setting that a plain value stands for: `codec: mulaw` for `codec: {kind: mulaw}`."""


class Noise(Effect):
    """Background sound at a level set against the speech: SNR in dB over the speech only."""

    kind: Annotated[str, AfterValidator(named_in(BACKGROUNDS, "file"))]
    snr_db: float = Field(ge=-20, le=60)
    path: str = Field(default="", description="the sound file, for kind file")

    @model_validator(mode="after")
    def _file_has_a_path(self) -> Self:
        if (self.kind == "file") != bool(self.path):
            raise ValueError("noise of kind file needs `path`, and no other kind takes one")
        return self


class Loss(Effect):
    """Packets of 20 ms that never arrive: overall share, and mean length of a burst in packets."""

    rate: float = Field(ge=0, lt=1)
    burst: float = Field(default=1.0, ge=1.0)


def _read(item: Any) -> Effect:
    """One link of a chain: `{background: {kind: cafe, snr_db: 15}}`, or `agc` for an effect without settings."""
    if isinstance(item, Effect):
        return item
    if isinstance(item, str):
        item = {item: {}}
    if not isinstance(item, Mapping) or len(item) != 1:
        raise ValueError("must be one effect and its settings, such as `background: {kind: cafe, snr_db: 15}`")
    ((name, settings),) = item.items()
    try:
        effect: type[Effect] = EFFECTS.load(str(name))
    except UsageError as error:
        raise ValueError(str(error)) from error
    if settings is None:
        settings = {}
    elif effect.main and not isinstance(settings, Mapping):
        settings = {effect.main: settings}
    if not isinstance(settings, Mapping):
        raise ValueError(f"`{name}` needs its settings as keys: {', '.join(effect.model_fields)}")
    try:
        return effect.model_validate_json(json.dumps(settings), strict=True)
    except ValidationError as error:
        raise _placed(error, str(name), effect) from error


def _placed(error: ValidationError, name: str, effect: type[Effect]) -> ValidationError:
    """The same errors, at the effect's key; an unknown key is told with the near ones of this effect."""
    details: list[InitErrorDetails] = []
    for detail in error.errors():
        kind: Any = detail["type"]
        context: dict[str, Any] = dict(detail.get("ctx", {}))
        if kind == "extra_forbidden":
            unknown = "unknown key." + near(str(detail["loc"][-1]), effect.model_fields)
            kind, context = "value_error", {"error": ValueError(unknown)}
        elif kind not in _KNOWN:
            kind = PydanticCustomError("value_error", "{error}", {"error": detail["msg"]})
            context = {}
        details.append(InitErrorDetails(type=kind, loc=(name, *detail["loc"]), input=detail["input"], ctx=context))
    return ValidationError.from_exception_data(error.title, details)


_KNOWN = frozenset(
    {"value_error", "missing", "float_type", "int_type", "bool_type", "string_type", "greater_than", "less_than",
     "greater_than_equal", "less_than_equal", "literal_error", "string_too_short", "too_short", "too_long",
     "tuple_type", "finite_number", "string_pattern_mismatch"}
)  # fmt: skip


def _written(effect: Effect) -> dict[str, Any]:
    return {effect.key: effect.model_dump(mode="json")}


Link = Annotated[Effect, BeforeValidator(_read), PlainSerializer(_written)]


class AudioProfile(Entry):
    """What the line does to the patient's voice.

    Either the short form (`noise`, `band_hz`, `codec`, `loss`, done in this order) or a `chain` of any effects.
    With an `agent_leg`, the patient hears the agent through that chain, and so does the recording.
    """

    id: Slug
    version: int = 1
    title: str
    band_hz: tuple[float, float] | None = None
    codec: Annotated[str, AfterValidator(named_in(CODECS, "none"))] = "none"
    noise: Noise | None = None
    loss: Loss | None = None
    chain: tuple[Link, ...] = ()
    agent_leg: tuple[Link, ...] = ()
    scenes: tuple[Scene, ...] = ()

    @model_validator(mode="after")
    def _band_is_a_band(self) -> Self:
        if self.band_hz is not None and not 0 < self.band_hz[0] < self.band_hz[1] <= 12_000:
            raise ValueError("band_hz must be [low, high] with 0 < low < high <= 12000")
        return self

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        short = [key for key in ("band_hz", "codec", "noise", "loss") if getattr(self, key) not in (None, "none")]
        if self.chain and short:
            raise ValueError(f"`chain` and {', '.join(short)} do not go together: write all effects in the chain")
        return self
