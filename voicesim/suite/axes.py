"""The axes of a sweep: what `--axis snr=30,20,10` stands for, and a call at one of its values."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Accent, AudioProfile, Loss, Noise, Persona, Voice
from voicesim.catalog.persona_changes import changed
from voicesim.catalog.profile import Effect
from voicesim.errors import UsageError, near
from voicesim.registry import EFFECTS
from voicesim.tts.synthesize import synthesize

NOISE = "babble"
"""The background of an SNR in a profile that has none of its own."""


@dataclass(frozen=True)
class Spot:
    """What an axis changes of a call."""

    persona: Persona
    profile: AudioProfile


@dataclass(frozen=True)
class Axis:
    """An axis and its values, as they are written; an axis of `numbers` goes from gentle to harsh, or back."""

    name: str
    values: tuple[str, ...]
    numbers: bool

    def at(self, value: str, spot: Spot, catalogue: Catalogue) -> Spot:
        """A call at one value. Raises UsageError and CatalogueError for a value that there is not."""
        return _AXES[self.name](value, spot, catalogue)


def parse_axis(text: str) -> Axis:
    """`snr=30,20`, `loss=0,0.05`, `accent=indian:0,0.5,1`, `voice=hibari:heart,pico:gb@british`, `profile=FILE,FILE`.

    Raises UsageError for an axis that there is not, with the near names, and for one without two values.
    """
    name, sign, listed = text.partition("=")
    name = name.strip().lower()
    if name not in _AXES or not sign:
        raise UsageError(
            f"an axis is NAME=VALUE,VALUE..., such as snr=30,20,10; there is no axis {name!r}.{near(name, _AXES)}"
        )
    values = [value.strip() for value in listed.split(",")]
    if "" in values:
        raise UsageError(f"--axis {text}: a value is missing between two commas")
    if name == "accent":
        values = _with_names(values, text)
    if len(set(values)) < len(values):
        raise UsageError(f"--axis {text}: a value stands there twice")
    if len(values) < 2:
        raise UsageError(f"--axis {text}: a sweep needs two values at least")
    numbers = name in ("snr", "loss") or (name == "accent" and len({value.split(":")[0] for value in values}) == 1)
    return Axis(name, tuple(values), numbers)


def parse_axes(texts: Sequence[str]) -> tuple[Axis, ...]:
    """One or two axes, each of another name. Raises UsageError otherwise."""
    axes = tuple(parse_axis(text) for text in texts)
    if not 1 <= len(axes) <= 2:
        raise UsageError(f"a sweep has one axis or two, not {len(axes)}")
    if len({axis.name for axis in axes}) < len(axes):
        raise UsageError(f"the axis {axes[0].name!r} is given twice: list all its values in one")
    return axes


def at(axes: Sequence[Axis], values: Sequence[str], spot: Spot, catalogue: Catalogue) -> Spot:
    """A call at a value of each axis; what a profile brings is set first, so that the others can change it."""
    order = list(_AXES)
    for axis, value in sorted(zip(axes, values, strict=True), key=lambda pair: order.index(pair[0].name)):
        spot = axis.at(value, spot, catalogue)
    return spot


def _with_names(values: Sequence[str], text: str) -> list[str]:
    """Strengths with the accent before them: `indian:0,0.5` is `indian:0` and `indian:0.5`."""
    named, name = [], ""
    for value in values:
        if re.fullmatch(r"[\d.]+", value):
            if not name:
                raise UsageError(f"--axis {text}: which accent has the strength {value}? Write indian:{value}")
            value = f"{name}:{value}"
        name = value.partition(":")[0]
        named.append(value)
    return named


def _profile(value: str, spot: Spot, catalogue: Catalogue) -> Spot:
    return replace(spot, profile=catalogue.profile(value))


def _voice(value: str, spot: Spot, catalogue: Catalogue) -> Spot:
    """ENGINE:NAME, and behind an @ the accent that it speaks with where the persona's own is none of its accents."""
    voice, _, accent = value.partition("@")
    persona = changed(spot.persona, voice=voice, accent=accent or None)
    return replace(spot, persona=_named(persona, persona.voice.engine, persona.voice.name, *filter(None, [accent])))


def _accent(value: str, spot: Spot, catalogue: Catalogue) -> Spot:
    persona = changed(spot.persona, accent=value)
    return replace(spot, persona=_named(persona, persona.accent.name, f"{persona.accent.strength:g}"))


def _snr(value: str, spot: Spot, catalogue: Catalogue) -> Spot:
    """The noise of the profile at another ratio; where it has none, babble behind the room."""
    ratio, profile = _number("snr", value, -20, 60), spot.profile
    has_its_own = any(isinstance(effect, Noise) for effect in profile.chain)
    if not profile.chain:
        noise = profile.noise or Noise(kind=NOISE, snr_db=ratio)
        profile = profile.model_copy(update={"noise": noise.model_copy(update={"snr_db": ratio})})
    elif has_its_own:
        # Several backgrounds stay as far apart as they are; the loudest has the ratio.
        loudest = min(effect.snr_db for effect in profile.chain if isinstance(effect, Noise))
        chain = [_moved(effect, ratio - loudest) if isinstance(effect, Noise) else effect for effect in profile.chain]
        profile = profile.model_copy(update={"chain": tuple(chain)})
    else:
        begin = sum(effect.key == "room" for effect in profile.chain)
        noise = EFFECTS.load("background")(kind=NOISE, snr_db=ratio)
        profile = profile.model_copy(update={"chain": (*profile.chain[:begin], noise, *profile.chain[begin:])})
    return replace(spot, profile=_renamed(profile, "snr", value))


def _loss(value: str, spot: Spot, catalogue: Catalogue) -> Spot:
    """The loss of the profile at another rate; where it has none, single packets at the end of the line."""
    rate, profile = _number("loss", value, 0, 0.99), spot.profile
    if not profile.chain:
        lost = (profile.loss or Loss(rate=rate)).model_copy(update={"rate": rate})
        profile = profile.model_copy(update={"loss": lost})
    else:
        chain = [_rated(effect, rate) for effect in profile.chain]
        if not any(isinstance(effect, Loss) for effect in chain):
            chain.append(EFFECTS.load("loss")(rate=rate))
        profile = profile.model_copy(update={"chain": tuple(chain)})
    return replace(spot, profile=_renamed(profile, "loss", value))


def _moved(effect: Noise, by: float) -> Effect:
    return effect.model_copy(update={"snr_db": effect.snr_db + by})


def _rated(effect: Effect, rate: float) -> Effect:
    return effect.model_copy(update={"rate": rate}) if isinstance(effect, Loss) else effect


def _number(axis: str, value: str, low: float, high: float) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise UsageError(f"--axis {axis}: {value!r} must be a number from {low:g} to {high:g}")
    return number


def _named(persona: Persona, *parts: str) -> Persona:
    return persona.model_copy(update={"id": _slug(persona.id, *parts)})


def _renamed(profile: AudioProfile, *parts: str) -> AudioProfile:
    title = f"{profile.title}; {' '.join(parts)}"
    return profile.model_copy(update={"id": _slug(profile.id, *parts), "title": title})


def _slug(*parts: str) -> str:
    """An id of letters, digits, `-` and `_`; a minus sign is `m`, a point `p`."""
    text = "_".join(parts).lower().replace("_-", "_m").replace(".", "p")
    return re.sub(r"[^a-z0-9_-]", "-", text)[:100]


_Set = Callable[[str, Spot, Catalogue], Spot]
_AXES: Mapping[str, _Set] = {"profile": _profile, "voice": _voice, "accent": _accent, "snr": _snr, "loss": _loss}
"""In the order in which they are set."""


def plain(persona: Persona, catalogue: Catalogue) -> Spot:
    """The control: the same patient in a plain voice without an accent, on a clean line."""
    speaker = persona.model_copy(update={"voice": Voice(), "accent": Accent(), "id": _slug(persona.id, "plain")})
    return Spot(speaker, catalogue.profile("clean"))


def checked(axes: Sequence[Axis], spot: Spot, catalogue: Catalogue) -> None:
    """Raises UsageError or CatalogueError for the first value of an axis that there is not.

    Whether a voice has an accent only the voice knows: each says a word.
    """
    places = [at(axes, values, spot, catalogue) for values in product(*(axis.values for axis in axes))]
    for persona in {place.persona.id: place.persona for place in places}.values():
        try:
            synthesize("Hello.", persona, 0)
        except UsageError as error:
            raise UsageError(f"{error} A voice of an axis can name its accent: pico:gb@british") from error
