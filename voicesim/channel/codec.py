"""A speech codec on the line: down to its rate, through it packet by packet, and up again."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Protocol

import numpy as np
from pydantic import AfterValidator, Field

from voicesim.audio.g711 import alaw_decode, alaw_encode, decode, encode
from voicesim.audio.samples import RATE, TICK, Pcm, to_pcm
from voicesim.catalog.entry import named_in
from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Drops, Out, Place, Sound
from voicesim.channel.fir import Fir, low_pass
from voicesim.errors import UsageError
from voicesim.registry import CODECS

_PASSBAND = 0.9
"""Share of half its rate up to which a codec's band reaches, for levels behind it."""


class PacketCodec(Protocol):
    """20 ms of sound through a codec and back, at the codec's own rate in Hz."""

    rate: int
    conceals: bool
    """Whether it knows what to play instead of a lost packet."""

    def packet(self, pcm: Pcm, lost: bool) -> Pcm:
        """What is heard of the next 20 ms; of a lost packet, what the codec plays instead."""
        ...


class Codec(Effect):
    """A codec by name, at a bit rate where it has several. Opus and AMR conceal loss in their own way."""

    key: ClassVar[str] = "codec"
    main: ClassVar[str] = "kind"

    kind: Annotated[str, AfterValidator(named_in(CODECS))]
    bitrate: int | None = Field(default=None, ge=4_000, le=128_000, description="bits a second, for opus and amr")

    def stage(self, place: Place) -> "CodecStage":
        make: Callable[[int | None], PacketCodec] = CODECS.load(self.kind)
        return CodecStage(lambda: make(self.bitrate))


class CodecStage:
    """See Codec. Its delay is that of the filters and of the codec itself, found once by sending a vowel through."""

    def __init__(self, make: Callable[[], PacketCodec]) -> None:
        self._line = _CodecPath(make())
        self.delay = _delay_of(_CodecPath(make()))
        self.conceals = self._line.conceals
        self._drops: list[Drops] = []

    def ask(self, drops: Drops) -> None:
        self._drops.append(drops)

    def process(self, tick: Sound, far: Sound) -> Out:
        happened = tuple(event for drops in self._drops if (event := drops.lost()) is not None)
        return Out(self._line.process(tick, bool(happened)), happened)

    def response(self, hz: Sound) -> Sound:
        return np.asarray(hz <= _PASSBAND * self._line.rate / 2, float)


class _CodecPath:
    """24,000 Hz in ticks to the codec's rate in packets, and back: one packet a tick."""

    def __init__(self, codec: PacketCodec) -> None:
        self._codec, self.rate, self.conceals = codec, codec.rate, codec.conceals
        self._down = RateChange(RATE, codec.rate) if codec.rate != RATE else None
        self._up = RateChange(codec.rate, RATE) if codec.rate != RATE else None

    def process(self, tick: Sound, lost: bool) -> Sound:
        packet = self._down.process(tick) if self._down else tick
        heard = self._codec.packet(to_pcm(packet), lost).astype(np.float64) / 32768.0
        return self._up.process(heard) if self._up else heard


class RateChange:
    """From one rate (Hz) to another by a short linear-phase filter, as many samples each tick.

    It works on floats in whole ticks; the transports' StreamResampler takes int16 in blocks of any size.
    """

    def __init__(self, source: int, target: int) -> None:
        common = int(np.gcd(source, target))
        self._up, self._down = target // common, source // common
        edge, between = min(source, target), source * self._up
        # Passes 85 % of the band and stops it by 70 dB; the same 10 ms at every rate.
        self._fir = Fir(self._up * low_pass(0.4625 * edge, between // 100 + 1, between))

    def process(self, sound: Sound) -> Sound:
        spread = np.zeros(len(sound) * self._up)
        spread[:: self._up] = sound
        return self._fir.process(spread)[:: self._down]


def _delay_of(line: _CodecPath) -> int:
    """Samples by which sound comes out later, where something like a vowel fits best behind itself."""
    vowel = np.zeros(60 * TICK)
    count = 25 * TICK
    phase = 2 * np.pi * np.cumsum(np.linspace(105.0, 190.0, count)) / RATE
    vowel[5 * TICK :][:count] = 0.05 * np.hanning(count) * sum(np.sin(n * phase) / n for n in range(1, 12))
    heard = np.concatenate([line.process(vowel[at : at + TICK], False) for at in range(0, len(vowel), TICK)])
    size = 2 * len(vowel)
    fit = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(vowel, size)), size)
    return int(np.argmax(fit[: 10 * TICK]))


class MuLaw:
    """G.711 mu-law. It has no concealment: what a receiver plays instead of a lost packet is the loss effect's."""

    rate = 8_000
    conceals = False

    def __init__(self, bitrate: int | None = None) -> None:
        _has_one_bitrate("mulaw", bitrate)

    def packet(self, pcm: Pcm, lost: bool) -> Pcm:
        return decode(encode(pcm))


class ALaw:
    """G.711 A-law; see MuLaw."""

    rate = 8_000
    conceals = False

    def __init__(self, bitrate: int | None = None) -> None:
        _has_one_bitrate("alaw", bitrate)

    def packet(self, pcm: Pcm, lost: bool) -> Pcm:
        return alaw_decode(alaw_encode(pcm))


def _has_one_bitrate(name: str, bitrate: int | None) -> None:
    if bitrate is not None:
        raise UsageError(f"the codec {name} has one bit rate: leave `bitrate` out")
