"""What a network does with time: a constant delay, packets that come too late, and gaps."""

from typing import ClassVar, Self

import numpy as np
from numpy.random import Generator
from pydantic import Field, model_validator

from voicesim.audio.samples import TICK, TICK_SECONDS, samples
from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Happened, Out, Place, Sound
from voicesim.channel.loss import Concealer


class Delay(Effect):
    """Everything comes later by so many milliseconds, as over a satellite."""

    key: ClassVar[str] = "delay"
    main: ClassVar[str] = "ms"

    ms: float = Field(ge=0, le=2_000)

    def stage(self, place: Place) -> "DelayLine":
        return DelayLine(samples(self.ms / 1_000))


class DelayLine:
    """See Delay."""

    def __init__(self, delay: int) -> None:
        self.delay = self.transit = delay
        self._held = np.zeros(delay)

    def process(self, tick: Sound, far: Sound) -> Out:
        joined = np.concatenate([self._held, tick])
        self._held = joined[len(tick) :]
        return Out(joined[: len(tick)])


class Jitter(Effect):
    """Packets that travel for different times, and a receiver that holds each one back for `buffer_ms`.

    A packet's extra time is drawn from a gamma distribution of shape 2 with mean `mean_ms`, half of which carries over
    to the next packet, since queues empty slowly. One that comes later than the buffer waits counts as lost.
    """

    key: ClassVar[str] = "jitter"

    mean_ms: float = Field(gt=0, le=500)
    buffer_ms: float = Field(default=60.0, ge=0, le=1_000)

    def stage(self, place: Place) -> "JitterBuffer":
        return JitterBuffer(self, place.random)


class JitterBuffer(Concealer):
    """See Jitter."""

    def __init__(self, jitter: Jitter, random: Generator) -> None:
        super().__init__()
        self._jitter, self._random, self._extra = jitter, random, 0.0
        self._line = DelayLine(samples(jitter.buffer_ms / 1_000))

    @property
    def delay(self) -> int:  # type: ignore[override]
        return self._line.delay

    @property
    def transit(self) -> int:
        return self._line.delay

    def process(self, tick: Sound, far: Sound) -> Out:
        return super().process(self._line.process(tick, far).sound, far)

    def lost(self) -> Happened | None:
        self._extra = 0.5 * self._extra + self._random.gamma(2.0, self._jitter.mean_ms / 4.0)
        late = self._extra - self._jitter.buffer_ms
        return Happened("late_packet", round(late / 1_000, 4)) if late > 0 else None


class Dropouts(Effect):
    """Gaps in which nothing comes through, so many a minute on average, each between two lengths (seconds)."""

    key: ClassVar[str] = "dropouts"

    per_minute: float = Field(gt=0, le=60)
    seconds: tuple[float, float] = (0.2, 0.8)

    @model_validator(mode="after")
    def _is_a_span(self) -> Self:
        if not 0 < self.seconds[0] <= self.seconds[1] <= 10:
            raise ValueError("`seconds` must be [shortest, longest] with 0 < shortest <= longest <= 10")
        return self

    def stage(self, place: Place) -> "Gaps":
        return Gaps(self, place.random)


class Gaps:
    """See Dropouts. A gap begins and ends with a fade of 5 ms."""

    delay = 0

    def __init__(self, dropouts: Dropouts, random: Generator) -> None:
        self._dropouts, self._random = dropouts, random
        self._left = 0
        self._gain = 1.0

    def process(self, tick: Sound, far: Sound) -> Out:
        happened: tuple[Happened, ...] = ()
        draw = self._random.random()
        if not self._left and draw < self._dropouts.per_minute * TICK_SECONDS / 60.0:
            length = self._random.uniform(*self._dropouts.seconds)
            self._left = max(1, round(length / TICK_SECONDS))
            happened = (Happened("dropout", round(self._left * TICK_SECONDS, 3)),)
        target = 0.0 if self._left else 1.0
        self._left = max(0, self._left - 1)
        gain = np.full(TICK, target)
        if target != self._gain:
            gain[: TICK // 4] = np.linspace(self._gain, target, TICK // 4)
            self._gain = target
        return Out(tick * gain if not gain.all() or target == 0.0 else tick, happened)
