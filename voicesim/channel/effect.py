"""What an effect of the channel is: settings in a profile, and a stage that does it tick by tick."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from voicesim.channel.spectrum import SpeechSpectrum

Sound = NDArray[np.float64]
"""Mono at 24,000 Hz; a tick of it is 480 samples."""
Response = Callable[[Sound], Sound]
"""Frequencies in Hz to the gain in power that a filter has there."""


class Happened(NamedTuple):
    """Something that an effect did: a kind for the event log, how much of it, and at which sample of the tick."""

    kind: str
    amount: float = 1.0
    at: int = 0


class Out(NamedTuple):
    """A tick as it leaves a stage, and what happened in it."""

    sound: Sound
    happened: tuple[Happened, ...] = ()


class Stage(Protocol):
    """One effect at work on one leg of one call. `delay` in samples is the same for the whole call."""

    @property
    def delay(self) -> int: ...

    def process(self, tick: Sound, far: Sound) -> Out:
        """The next tick of 480 samples; `far` is what the other side is heard saying meanwhile."""
        ...


@runtime_checkable
class Filters(Protocol):
    """A stage that filters, so that levels behind it can be told: its gain in power at frequencies in Hz."""

    def response(self, hz: Sound) -> Sound: ...


@runtime_checkable
class Travels(Protocol):
    """A stage whose delay is travel time, which is meant to be heard: `transit` samples of it."""

    @property
    def transit(self) -> int: ...


@runtime_checkable
class Drops(Protocol):
    """A stage that loses packets. A codec with concealment of its own asks it, and it then changes nothing itself."""

    def left_to_codec(self) -> None:
        """From now on somebody else conceals: `process` gives sound back as it is."""
        ...

    def lost(self) -> Happened | None:
        """What became of the next packet: None when it arrives."""
        ...


@runtime_checkable
class Conceals(Protocol):
    """A codec; `conceals` says whether it knows what to play instead of a lost packet."""

    conceals: bool

    def ask(self, drops: Drops) -> None:
        """Ask `drops` about every packet."""
        ...


@dataclass(frozen=True)
class Place:
    """Where in a chain an effect stands: its own random numbers, what the effects behind it do to frequencies, and
    how the speech is spread over them."""

    random: Generator
    later: Response
    speech: SpeechSpectrum


@runtime_checkable
class Builds(Protocol):
    """What an Effect's class adds to its settings."""

    def stage(self, place: Place) -> Stage:
        """Raises CatalogueError and UsageError for a sound, voice or package that is not there."""
        ...
