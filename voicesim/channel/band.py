"""The band of a line or a microphone."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Out, Place, Sound
from voicesim.channel.fir import Fir, band_pass, power_at


class Band(Effect):
    """Passes what lies between two frequencies, and stops what lies 130 Hz outside by 60 dB."""

    key: ClassVar[str] = "band"

    low_hz: float = Field(default=300.0, gt=0, le=12_000)
    high_hz: float = Field(default=3_400.0, gt=0, le=12_000)

    @model_validator(mode="after")
    def _is_a_band(self) -> Self:
        if self.low_hz >= self.high_hz:
            raise ValueError("`low_hz` must lie below `high_hz`")
        return self

    def stage(self, place: Place) -> "BandStage":
        return BandStage(self)


class BandStage:
    """See Band."""

    def __init__(self, band: Band) -> None:
        self._fir = Fir(band_pass(band.low_hz, band.high_hz))

    @property
    def delay(self) -> int:
        return self._fir.delay

    def process(self, tick: Sound, far: Sound) -> Out:
        return Out(self._fir.process(tick))

    def response(self, hz: Sound) -> Sound:
        return power_at(self._fir.taps, hz)
