"""How long packets are under way: the shortest transit of late, and the drift between two clocks."""

from collections import deque
from itertools import islice

import numpy as np

RECENT = 25
"""Packets, half a second of 20 ms ones, that tell a sender that stood still from one late packet."""
REMEMBERED = 500
"""Packets, ten seconds, over which the shortest transit is taken; a drift of 100 ppm moves it by 1 ms."""
STALL = 0.02
"""Seconds by which all recent packets must be slower before the sender is taken to have stood still."""
LEAST_MINUTE = 30
"""Seconds of packets without which no drift is told."""


class Transit:
    """Arrival time minus media time of every packet. Its zero is arbitrary; its changes are not."""

    def __init__(self) -> None:
        self._transits: deque[float] = deque(maxlen=REMEMBERED)
        self._by_second: dict[int, float] = {}

    def see(self, arrival: float, media: float) -> None:
        """A packet that left at `media` by the sender's clock and came at `arrival` by ours, in seconds."""
        transit = arrival - media
        self._transits.append(transit)
        second = int(arrival)
        self._by_second[second] = min(transit, self._by_second.get(second, transit))

    def shortest(self) -> float:
        """The shortest transit of the last ten seconds; of the last half second, if all of that was slower.

        A single late packet is ours or the network's; when none comes in time any more, the sender's media
        time stood still, and what it sends now is heard when it comes.
        """
        recent = min(islice(reversed(self._transits), RECENT))
        best = min(self._transits)
        return recent if recent - best > STALL else best

    def drift_ppm(self) -> float | None:
        """How much faster our clock runs than the sender's, in parts per million; None for short calls.

        The slope of the line through each second's shortest transit, by Theil and Sen (the median of all
        pairwise slopes), which single stalls do not bend.
        """
        if len(self._by_second) < LEAST_MINUTE:
            return None
        from scipy.stats import theilslopes

        seconds = np.fromiter(self._by_second.keys(), float)
        slope = theilslopes(np.fromiter(self._by_second.values(), float), seconds).slope
        return round(float(slope) * 1e6, 1)
