"""Truth, measurement and error of every line."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np

from voicesim.call.real import run_real
from voicesim.call.virtual import run_virtual
from voicesim.errors import UsageError, near
from voicesim.selftest.agent import Act, Kind, ScriptedAgent, Truth
from voicesim.selftest.call import make_call
from voicesim.selftest.measured import Figure, Measured, measured
from voicesim.selftest.transports import TRANSPORTS, TransportUnderTest

# No two alike, and none a whole number of ticks.
DELAYS = (0.4137, 0.7311, 1.0973, 0.2519, 0.8897, 0.5723)
STOPS = (0.3511, 0.1723, 0.6419)
CUT_INS = (0.5519, 0.3307, 0.8231)


@dataclass(frozen=True)
class Sample:
    """One instant in seconds: what the agent did, and what the measures say.

    None when they missed it, or say that they were held up.
    """

    kind: Kind
    truth: float
    measured: float | None
    harness_late: bool = False


@dataclass(frozen=True)
class Delay:
    """The constant delay of a line in seconds: of where a sound begins, and of where it ends.

    A codec lets a sound that breaks off ring on for some milliseconds, so the two differ.
    """

    onset: float = 0.0
    end: float = 0.0

    def of(self, kind: Kind) -> float:
        """The delay that is in a figure of some kind: a yield time ends with a sound, the others with an onset."""
        return self.end if kind == "yield" else self.onset


@dataclass(frozen=True)
class Result:
    """What came out of a line. `delay` was taken out of every measured value; `spoiled` names why none count."""

    line: str
    limit: float
    delay: Delay
    samples: tuple[Sample, ...]
    spoiled: str = ""

    def errors(self, kind: Kind | None = None) -> list[float]:
        """Measured less truth, in seconds, of all samples that were measured (of one kind)."""
        return [
            one.measured - one.truth
            for one in self.samples
            if one.measured is not None and (kind is None or one.kind == kind)
        ]

    @property
    def missed(self) -> int:
        """How many instants the measures did not find."""
        return sum(one.measured is None and not one.harness_late for one in self.samples)

    @property
    def harness_late(self) -> int:
        """How many instants were not timed because voicesim itself was late."""
        return sum(one.harness_late for one in self.samples)

    @property
    def passed(self) -> bool:
        """Whether everything was found, and the 99th percentile of the errors' size is within the limit."""
        errors = self.errors()
        return not self.spoiled and not self.missed and bool(errors) and p99(errors) <= self.limit


def p99(errors: Sequence[float]) -> float:
    """99th percentile of the errors' size (linear interpolation between ranks)."""
    return float(np.quantile(np.abs(errors), 0.99))


def script(turns: int) -> list[Act]:
    """Acts for a number of lines: replies, replies to be interrupted, and cut-ins, in turn."""
    acts = []
    for n in range(turns):
        delay = DELAYS[n % len(DELAYS)]
        if n % 4 == 2:
            acts.append(Act("yield", delay, STOPS[n // 4 % len(STOPS)]))
        elif n % 4 == 3:
            acts.append(Act("cut_in", CUT_INS[n // 4 % len(CUT_INS)]))
        else:
            acts.append(Act("latency", delay))
    return acts


def chosen(names: Sequence[str]) -> tuple[TransportUnderTest, ...]:
    """The lines by name, all without names. Raises UsageError for a name that there is none of."""
    known = {line.name: line for line in TRANSPORTS}
    for name in names:
        if name not in known:
            raise UsageError(f"the self-test knows no line {name!r}.{near(name, known)}")
    return tuple(known[name] for name in names) if names else TRANSPORTS


def examine(line: TransportUnderTest, turns: int) -> Result:
    """Call over a line and compare: a first call for its constant delay where it has one, then the one that counts.

    Raises TransportError when no call came about.
    """
    delay = calibrated(_call(line, turns)[0]) if line.calibrated else Delay()
    found, spoiled = _call(line, turns)
    return Result(line.name, line.limit, delay, tuple(_without(delay, one) for one in found), spoiled)


def calibrated(samples: Sequence[Sample]) -> Delay:
    """The median error of what ends with an onset, and of what ends with the end of a sound; 0 where none is."""
    onsets = [one.measured - one.truth for one in samples if one.measured is not None and one.kind != "yield"]
    ends = [one.measured - one.truth for one in samples if one.measured is not None and one.kind == "yield"]
    return Delay(round(median(onsets or [0.0]), 4), round(median(ends or [0.0]), 4))


def _without(delay: Delay, sample: Sample) -> Sample:
    measured = None if sample.measured is None else round(sample.measured - delay.of(sample.kind), 4)
    return replace(sample, measured=measured)


def _call(line: TransportUnderTest, turns: int) -> tuple[tuple[Sample, ...], str]:
    agent = ScriptedAgent(script(turns))
    with tempfile.TemporaryDirectory(prefix="voicesim-") as scratch:
        folder = Path(scratch) / line.name

        async def talk() -> None:
            async with line.reach(agent) as wire:
                await make_call(wire, turns, folder)

        (run_virtual if line.clock == "virtual" else run_real)(talk())
        found = measured(folder)
    return pair(agent.truths, found), too_busy(found, line.limit)


def too_busy(call: Measured, limit: float) -> str:
    """Why a call cannot show whether errors stay under a limit (seconds), in words; nothing when it can."""
    if not call.validity.valid:
        return f"{call.validity.reason}: {call.validity.detail}"
    if call.late > limit:
        return f"late_harness: one tick in a hundred was {call.late * 1000:.1f} ms late or more"
    every = [one for figures in call.figures.values() for one in figures]
    return "late_harness: every figure was held up" if every and all(one.harness_late for one in every) else ""


def pair(truths: Sequence[Truth], call: Measured) -> tuple[Sample, ...]:
    """Each truth with what was measured of it: the n-th of a kind with the n-th of that kind."""
    left = {kind: iter(found) for kind, found in call.figures.items()}
    missed = Figure(None)
    pairs = [(one, next(left[one.kind], missed)) for one in truths]
    return tuple(Sample(one.kind, one.seconds, found.value, found.harness_late) for one, found in pairs)
