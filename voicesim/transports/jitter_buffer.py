"""A jitter buffer for RTP audio that follows senders which stop sending while they are silent.

RTP timestamps should count the pauses of the sender, but many senders count only what they send, start anew
after a pause, or jump by something else. When a packet comes much later (or earlier) than its timestamp says, its
successors tell which it was. After a network that stood still they come in a burst and belong where their timestamps
say. After a sender that stood still they come at the pace of speech and belong where they arrive.
"""

from collections import deque
from dataclasses import dataclass, field

PREFETCH = 4
"""Later packets that must have come before one is given out, so that packets out of order can be put in order."""
IDLE = 0.08
"""Seconds without a packet after which nothing is held back any more; as long as PREFETCH packets take."""
JUMP = 0.1
"""Seconds by which a packet must be later or earlier than the one before it, against its timestamp, to be looked at."""
UNDECIDED = 0.1
"""Seconds of packets after a jump that are looked at; the ear stays farther behind than that."""
BURST = 0.2
"""Seconds that packets must catch up to be a burst; less could be our own loop, which was held up."""
TRUSTED = 1.0
"""Seconds by which packets of a sender that sends its silence too may be late before they are looked at."""
BEGINNING = 0.5
"""Seconds of a stream in which it is taken for such a sender's; both sides are busiest when a call begins."""
RECENT = 250
"""Packets (five seconds of 20 ms) whose shortest way is what others are compared with."""
RESTART = 100
"""Sequence numbers by which a packet lies away from the last to be the first of a new stream."""


@dataclass
class _Run:
    """Packets between two jumps. `shift` (seconds) is added to their timestamps, None while it is undecided.

    `began` is the timestamp of the first, in seconds of the stream.
    """

    shift: float | None
    began: float
    ways: list[tuple[float, float]] = field(default_factory=list)
    """Arrival, and arrival less timestamp, of each packet; both in seconds."""


@dataclass(frozen=True)
class RtpPacket:
    """A packet as it came: `sequence` of 16 bits, `timestamp` of 32."""

    sequence: int
    timestamp: int
    payload: bytes


@dataclass(frozen=True)
class _Packet:
    payload: bytes
    time: float
    run: _Run


class JitterBuffer:
    """Takes packets in the order of their arrival and gives their payloads in the order of the sender."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Packet] = {}
        self._run = _Run(0.0, 0.0)
        self._shift = 0.0
        self._recent: deque[float] = deque(maxlen=RECENT)
        self._sequence: int | None = None
        self._given = 0
        self._timestamp = 0
        self._time = self._arrival = self._end = 0.0
        self.steady = False
        """Whether the sender is known to send its silence too: what comes late is held up then, and no pause."""

    def add(self, packet: RtpPacket, rate: int, arrival: float) -> list[tuple[bytes, float]]:
        """A packet that arrived at `arrival` (seconds of any clock); gives what can be played now.

        `rate` is that of its timestamp, in Hz. Each payload comes with the sender's time of its first sample:
        seconds from any origin, the sender's pauses included.
        """
        if self._sequence is None:
            self._sequence, self._timestamp, self._given = packet.sequence, packet.timestamp, packet.sequence - 1
        step = _signed(packet.sequence - self._sequence, 16)
        place, restarted = self._sequence + step, abs(step) >= RESTART
        ready = self.flush() if restarted else []
        if restarted:
            self._given = place - 1
        if place <= self._given or place in self._waiting:
            return ready
        time = self._time + _signed(packet.timestamp - self._timestamp, 32) / rate
        if step >= 0 or restarted:
            self._follow(time, arrival)
            self._sequence, self._timestamp, self._time, self._arrival = place, packet.timestamp, time, arrival
        self._waiting[place] = _Packet(packet.payload, time, self._run)
        return ready + self._ready(PREFETCH)

    def idle(self, now: float) -> list[tuple[bytes, float]]:
        """What is still held back when nothing has come for a while; to be asked for about every 20 ms."""
        return self.flush() if self._waiting and now - self._arrival >= IDLE else []

    def flush(self) -> list[tuple[bytes, float]]:
        """All that is held back."""
        self._decide()
        return self._ready(0)

    def _follow(self, time: float, arrival: float) -> None:
        """Note how long a packet was under way, and begin a new run when that has jumped."""
        way = arrival - time
        if self._run.ways and abs(way - self._run.ways[-1][1]) > JUMP:
            self._decide()
            self._run = _Run(None, time)
        self._run.ways.append((arrival, way))
        if self._run.shift is None:
            if arrival - self._run.ways[0][0] >= UNDECIDED or self._caught_up() > BURST:
                self._decide()
        else:
            self._recent.append(way - self._run.shift)
            del self._run.ways[:-1]

    def _caught_up(self) -> float:
        """Seconds by which the packets of this run have caught up with the first of it."""
        ways = [way for _, way in self._run.ways]
        return ways[0] - min(ways)

    def _decide(self) -> None:
        """Where the packets of this run belong: as their timestamps say after a burst, else as they arrive."""
        run = self._run
        if run.shift is not None:
            return
        usual = min(self._recent)
        late = run.ways[0][1] - self._shift - usual
        trusted = 0 < late <= TRUSTED and (self.steady or run.began < BEGINNING)
        burst = trusted or (late > 0 and self._caught_up() > min(BURST, late / 2))
        run.shift = self._shift = self._shift if burst else min(way for _, way in run.ways) - usual
        self._recent.extend(way - run.shift for _, way in run.ways)

    def _ready(self, behind: int) -> list[tuple[bytes, float]]:
        """What has so many later packets behind it and a place that is decided, in order."""
        ready = []
        for place in sorted(self._waiting):
            packet = self._waiting[place]
            if len(self._waiting) <= behind or packet.run.shift is None:
                break
            del self._waiting[place]
            self._given = place
            self._end = max(self._end, packet.time + packet.run.shift)
            ready.append((packet.payload, self._end))
        return ready


def _signed(value: int, bits: int) -> int:
    """A difference of counters of so many bits as the small number, with its sign, that it stands for."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half
