"""The axes of a sweep: what is written, and what it makes of a call."""

import pytest

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import AudioProfile, Persona
from voicesim.channel.channel import caller_leg
from voicesim.errors import CatalogueError, UsageError
from voicesim.suite.axes import Spot, at, checked, parse_axes, parse_axis, plain

CATALOGUE = Catalogue.here()


@pytest.fixture(scope="module")
def spot() -> Spot:
    return Spot(CATALOGUE.persona("calm-professional"), CATALOGUE.profile("clean"))


def test_strengths_of_an_accent_share_its_name() -> None:
    axis = parse_axis("accent=indian:0,0.5,1")
    assert axis.values == ("indian:0", "indian:0.5", "indian:1")
    assert axis.numbers
    several = parse_axis("accent=indian:1,french:0.5,french:1")
    assert several.values == ("indian:1", "french:0.5", "french:1")
    assert not several.numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("snrr=1,2", "there is no axis 'snrr'. Did you mean snr"),
        ("snr", "an axis is NAME=VALUE"),
        ("snr=10", "two values at least"),
        ("snr=10,,5", "missing between two commas"),
        ("snr=10,10", "twice"),
        ("accent=0,1", "which accent"),
    ],
)
def test_an_axis_that_is_none_is_told(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_axis(text)


@pytest.mark.parametrize(("texts", "message"), [(("snr=1,2", "snr=3,4"), "twice"), ((), "one axis or two")])
def test_a_sweep_has_one_or_two_axes(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_axes(texts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("snr=10,loud", "'loud' must be a number from -20 to 60"),
        ("loss=0.1,2", "'2' must be a number from 0 to 0.99"),
        ("voice=hibari:heart,hibari:belle", "no voice 'belle'. Did you mean .?bella"),
        ("voice=heart,bella", "a voice is ENGINE:NAME"),
        (
            "voice=hibari:heart@american,pico:gb@american",
            "pico's voice gb speaks british, not american.*pico:gb@british",
        ),
        ("accent=indain:0,1", "accent 'indain'. Did you mean .?indian"),
        ("accent=indian:0,2", "less than or equal to 1"),
        ("profile=clean,telefone", "telephone"),
    ],
)
def test_a_value_that_is_none_is_told_before_anything_starts(spot: Spot, text: str, message: str) -> None:
    with pytest.raises((UsageError, CatalogueError), match=message):
        checked(parse_axes([text]), spot, CATALOGUE)


def placed(spot: Spot, value: str, axis: str) -> Spot:
    return parse_axis(f"{axis}={value},999" if axis == "snr" else f"{axis}={value},0.77").at(value, spot, CATALOGUE)


def profile(**keys: object) -> AudioProfile:
    return AudioProfile.model_validate({"id": "p", "title": "p", **keys})


@pytest.mark.parametrize(
    ("before", "ratios"),
    [
        (profile(), [("babble", 5.0)]),
        (profile(noise={"kind": "car", "snr_db": 20}, codec="mulaw"), [("car", 5.0)]),
        (profile(chain=[{"room": {}}, {"codec": "mulaw"}]), [("babble", 5.0)]),
        # Two backgrounds 10 dB apart stay so; the louder one has what was asked for.
        (profile(chain=[{"background": {"kind": "car", "snr_db": 20}}, {"background": {"kind": "cafe", "snr_db": 10}}]),
         [("car", 15.0), ("cafe", 5.0)]),
    ],
)  # fmt: skip
def test_an_snr_is_that_of_the_profiles_own_noise(
    spot: Spot, before: AudioProfile, ratios: list[tuple[str, float]]
) -> None:
    made = placed(Spot(spot.persona, before), "5", "snr").profile
    leg = caller_leg(made)
    assert [(effect.kind, effect.snr_db) for effect in leg if effect.key == "background"] == ratios  # type: ignore[attr-defined]
    # The noise lies behind the room and before the codec, and the profile can be read back.
    keys = [effect.key for effect in leg]
    assert keys == sorted(keys, key=["room", "background", "codec"].index)
    assert AudioProfile.model_validate_json(made.model_dump_json()).id == "p_snr_5"


def test_a_loss_keeps_the_bursts_of_the_profile(spot: Spot) -> None:
    made = placed(
        Spot(spot.persona, profile(chain=[{"codec": "opus"}, {"loss": {"rate": 0.01, "burst": 4}}])), "0.2", "loss"
    )
    (lost,) = [effect for effect in caller_leg(made.profile) if effect.key == "loss"]
    assert lost.model_dump() == {"rate": 0.2, "burst": 4.0}
    added = placed(Spot(spot.persona, profile(chain=[{"codec": "opus"}])), "0.2", "loss")
    assert [effect.key for effect in caller_leg(added.profile)] == ["codec", "loss"]


def test_a_profile_is_set_before_what_changes_it(spot: Spot) -> None:
    axes = parse_axes(["snr=20,0", "profile=telephone,clean"])
    made = at(axes, ("0", "telephone"), spot, CATALOGUE)
    assert caller_leg(made.profile)[0].key == "background"
    assert made.profile.codec == "mulaw" or any(effect.key == "codec" for effect in made.profile.chain)


def test_voices_and_accents_go_to_the_persona(spot: Spot) -> None:
    axes = parse_axes(["voice=hibari:bella,pico:gb", "accent=german:0.5,1"])
    made = at(axes, ("hibari:bella", "german:0.5"), spot, CATALOGUE).persona
    assert (made.voice.name, made.accent.name, made.accent.strength) == ("bella", "german", 0.5)
    assert Persona.model_validate_json(made.model_dump_json()) == made
    control = plain(made, CATALOGUE)
    assert (control.persona.voice.name, control.persona.accent.name, control.profile.id) == (
        "heart",
        "american",
        "clean",
    )
    assert control.persona.turn_taking == spot.persona.turn_taking
