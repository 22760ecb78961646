"""The other side's voice, which comes out of the loudspeaker and into the microphone."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from voicesim.audio.samples import samples
from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Out, Place, Sound
from voicesim.channel.fir import Fir, band_pass


class Echo(Effect):
    """What the speaker hears comes back `delay_ms` later and `loss_db` weaker, through a small loudspeaker."""

    key: ClassVar[str] = "echo"

    loss_db: float = Field(default=20.0, ge=0, le=80)
    delay_ms: float = Field(default=80.0, ge=20, le=1_000)

    def stage(self, place: Place) -> "EchoStage":
        return EchoStage(self)


class EchoStage:
    """See Echo."""

    delay = 0

    def __init__(self, echo: Echo) -> None:
        self._speaker = Fir(band_pass(300.0, 6_000.0))
        self._gain = 10 ** (-echo.loss_db / 20)
        self._held = np.zeros(max(0, samples(echo.delay_ms / 1_000) - self._speaker.delay))

    def process(self, tick: Sound, far: Sound) -> Out:
        joined = np.concatenate([self._held, self._speaker.process(far)])
        self._held = joined[len(tick) :]
        return Out(tick + self._gain * joined[: len(tick)])
