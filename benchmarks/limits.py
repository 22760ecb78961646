"""How the benchmarks tell a limit: the value, what it has to keep to, and whether it did."""


class Limits:
    """Prints a line for each limit and remembers whether all were kept."""

    def __init__(self) -> None:
        self.missed = 0

    def at_most(self, what: str, value: float, limit: float, unit: str = "") -> None:
        """The value may not be larger than the limit."""
        self._tell(what, value, f"at most {limit:g}", unit, value <= limit)

    def at_least(self, what: str, value: float, limit: float, unit: str = "") -> None:
        """The value may not be smaller than the limit."""
        self._tell(what, value, f"at least {limit:g}", unit, value >= limit)

    def _tell(self, what: str, value: float, limit: str, unit: str, held: bool) -> None:
        self.missed += not held
        print(f"{what:56}{value:9.3g} {unit:4} {limit:16}{'held' if held else 'MISSED'}")
