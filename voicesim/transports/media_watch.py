"""Whether an agent's media still flows: packets that stop look like silence, and are none."""

import numpy as np

from voicesim.audio.samples import RATE, TICK_SECONDS, Pcm

LOST_AFTER = 5.0
"""Seconds without media after which an agent that sends its silence too is gone."""
UNREPORTED = 12.0
"""Seconds without media and without RTCP after which any agent is gone; reports come every 7.5 s at the slowest."""
BREAK = 1.0
"""Seconds without media that are a break: an agent that makes one sends only while it speaks."""
SILENCE = 1.5
"""Seconds of silence in one piece that an agent sends only if it always sends; a voice's own pauses are shorter."""
STEADY = 0.5
"""Seconds of silence in one piece after which sound that comes late is taken for held up, not for a pause before."""
QUIET_PEAK = 300
"""Peak (int16) up to which a frame is silence."""


class MediaWatch:
    """Counts ticks of ours since the last frame: when we are held up ourselves, no tick passes either."""

    def __init__(self) -> None:
        self._quiet = 0
        self._without = self._unreported = 0
        self._always_sends = self._breaks = self._reports = False
        self.spoke = False
        """Whether the agent has sent anything but silence."""
        self.steady = False
        """Whether the agent has sent silence for longer than a voice is silent between two sounds."""

    def frame(self, pcm: Pcm) -> None:
        """A frame of the agent has come (int16, 24,000 Hz)."""
        self._breaks = self._breaks or self._without * TICK_SECONDS > BREAK
        self._without = 0
        quiet = bool(np.abs(pcm.astype(np.int32)).max(initial=0) <= QUIET_PEAK)
        self._quiet = self._quiet + len(pcm) if quiet else 0
        self.spoke = self.spoke or not quiet
        self._always_sends = self._always_sends or self._quiet / RATE >= SILENCE
        self.steady = self.steady or self._quiet / RATE >= STEADY

    def report(self) -> None:
        """The agent's side has sent an RTCP report, as it does whether it speaks or not."""
        self._reports, self._unreported = True, 0

    def tick(self) -> str:
        """Another 20 ms have passed; why the agent is gone, or nothing."""
        self._without += 1
        self._unreported += 1
        if self._always_sends and not self._breaks and self._without * TICK_SECONDS >= LOST_AFTER:
            return f"no media for {LOST_AFTER:g} s after an unbroken stream of it"
        if self._reports and min(self._without, self._unreported) * TICK_SECONDS >= UNREPORTED:
            return f"neither media nor RTCP reports for {UNREPORTED:g} s"
        return ""
