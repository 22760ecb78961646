"""Truth, measurement and error of every transport."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from voicesim.call.real import run_real
from voicesim.call.virtual import run_virtual
from voicesim.errors import UsageError, near
from voicesim.scratch import scratch_folder
from voicesim.selftest.agent import Action, Kind, TimedAgent, Truth
from voicesim.selftest.call import make_call
from voicesim.selftest.measurements import Measurement, Measurements, measure_call
from voicesim.selftest.transports import TransportUnderTest, transports_under_test

# No two alike, and none a whole number of ticks.
DELAYS = (0.4137, 0.7311, 1.0973, 0.2519, 0.8897, 0.5723)
STOPS = (0.3511, 0.1723, 0.6419)
CUT_INS = (0.5519, 0.3307, 0.8231)


@dataclass(frozen=True)
class Instant:
    """One instant in seconds: what the agent did, and what the measures say.

    `measured` is None when they missed it, or say that they were held up (`harness_late`).
    """

    kind: Kind
    truth: float
    measured: float | None
    harness_late: bool = False


@dataclass(frozen=True)
class Delay:
    """The constant delay of a wire in seconds: of where a sound begins, and of where it ends.

    A codec lets a sound that breaks off ring on for some milliseconds, so the two differ.
    """

    onset: float = 0.0
    end: float = 0.0

    def of(self, kind: Kind) -> float:
        """The delay that is in a figure of some kind: a yield time ends with a sound, the others with an onset."""
        return self.end if kind == "yield" else self.onset


@dataclass(frozen=True)
class Result:
    """What came out of a transport. `delay` was taken out of every measured value; `spoiled` is why none count."""

    transport: str
    limit: float
    delay: Delay
    instants: tuple[Instant, ...]
    spoiled: str = ""
    broken_off: str = ""
    """Why the call did not come to its goodbye; empty when it did."""

    def errors(self, kind: Kind | None = None) -> list[float]:
        """Measured less truth, in seconds, of all instants that were measured (of one kind)."""
        return [
            instant.measured - instant.truth
            for instant in self.instants
            if instant.measured is not None and (kind is None or instant.kind == kind)
        ]

    @property
    def missed(self) -> int:
        """How many instants the measures did not find."""
        return sum(instant.measured is None and not instant.harness_late for instant in self.instants)

    @property
    def harness_late(self) -> int:
        """How many instants were not timed because voicesim itself was late."""
        return sum(instant.harness_late for instant in self.instants)

    @property
    def passed(self) -> bool:
        """Whether everything was found, and the 99th percentile of the errors' size is within the limit."""
        errors = self.errors()
        return not self.spoiled and not self.missed and bool(errors) and p99(errors) <= self.limit


def p99(errors: Sequence[float]) -> float:
    """99th percentile of the errors' size (linear interpolation between ranks)."""
    return float(np.quantile(np.abs(errors), 0.99))


def script(turns: int) -> list[Action]:
    """Actions for a number of caller lines: replies, replies to be interrupted, and cut-ins, in turn."""
    actions = []
    for turn in range(turns):
        delay = DELAYS[turn % len(DELAYS)]
        if turn % 4 == 2:
            actions.append(Action("yield", delay, STOPS[turn // 4 % len(STOPS)]))
        elif turn % 4 == 3:
            actions.append(Action("cut_in", CUT_INS[turn // 4 % len(CUT_INS)]))
        else:
            actions.append(Action("latency", delay))
    return actions


def chosen(names: Sequence[str]) -> tuple[TransportUnderTest, ...]:
    """The transports by name, all without names. Raises UsageError for a name that there is none of."""
    known = {transport.name: transport for transport in transports_under_test()}
    for name in names:
        if name not in known:
            raise UsageError(f"the self-test knows no transport {name!r}.{near(name, known)}")
    return tuple(known[name] for name in names or known)


def examine(transport: TransportUnderTest, turns: int) -> Result:
    """Call over a transport and compare: first for its constant delay where it has one, then the call that counts.

    Raises TransportError when no call came about.
    """
    delay = calibrated(_call(transport, turns)[0]) if transport.calibrated else Delay()
    instants, measured = _call(transport, turns)
    timed = tuple(_without(delay, instant) for instant in instants)
    spoiled = too_busy(measured, transport.limit)
    return Result(transport.name, transport.limit, delay, timed, spoiled, measured.broken_off)


def calibrated(instants: Sequence[Instant]) -> Delay:
    """The median error of what ends with an onset, and of what ends with the end of a sound; 0 where none is."""
    errors: dict[bool, list[float]] = {True: [], False: []}
    for instant in instants:
        if instant.measured is not None:
            errors[instant.kind == "yield"].append(instant.measured - instant.truth)
    onsets, ends = errors[False], errors[True]
    return Delay(round(median(onsets or [0.0]), 4), round(median(ends or [0.0]), 4))


def _without(delay: Delay, instant: Instant) -> Instant:
    measured = None if instant.measured is None else round(instant.measured - delay.of(instant.kind), 4)
    return replace(instant, measured=measured)


def _call(under_test: TransportUnderTest, turns: int) -> tuple[tuple[Instant, ...], Measurements]:
    agent = TimedAgent(script(turns))
    with scratch_folder() as scratch:
        folder = scratch / under_test.name

        async def talk() -> None:
            async with under_test.reach(agent) as transport:
                await make_call(transport, turns, folder)

        (run_virtual if under_test.clock == "virtual" else run_real)(talk())
        measured = measure_call(folder)
    return pair(agent.truths, measured), measured


def too_busy(call: Measurements, limit: float) -> str:
    """Why a call cannot show whether errors stay under a limit (seconds), in words; nothing when it can."""
    if not call.validity.valid:
        return f"{call.validity.reason}: {call.validity.detail}"
    if call.late > limit:
        return f"late_harness: one tick in a hundred was {call.late * 1000:.1f} ms late or more"
    late = [measurement.harness_late for measurements in call.by_kind.values() for measurement in measurements]
    return "late_harness: every figure was held up" if late and all(late) else ""


def pair(truths: Sequence[Truth], call: Measurements) -> tuple[Instant, ...]:
    """Each truth with what was measured of it: the n-th of a kind with the n-th of that kind."""
    left = {kind: iter(measurements) for kind, measurements in call.by_kind.items()}
    missed = Measurement(None)
    pairs = [(truth, next(left[truth.kind], missed)) for truth in truths]
    return tuple(
        Instant(truth.kind, truth.seconds, measurement.value, measurement.harness_late) for truth, measurement in pairs
    )
