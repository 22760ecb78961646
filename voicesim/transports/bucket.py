"""An allowance: so much at once, and so much more each second."""

from collections.abc import Callable


class Bucket:
    """An allowance that fills up again: `capacity` at first and at most, `rate` more each second of `now`."""

    def __init__(self, capacity: float, rate: float, now: Callable[[], float]) -> None:
        self._capacity, self._rate, self._now = capacity, rate, now
        self._level, self._filled = capacity, 0.0

    def spend(self, amount: float = 1) -> bool:
        """Take an amount; False, and nothing is taken, when there is not as much."""
        now = self._now()
        self._level = min(self._capacity, self._level + (now - self._filled) * self._rate)
        self._filled = now
        if amount > self._level:
            return False
        self._level -= amount
        return True
