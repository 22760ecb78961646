"""A share of counted things, as it stands in every table."""

from voicesim.bench import figures
from voicesim.bench.figures import Interval
from voicesim.frozen import Frozen


class Rate(Frozen):
    """`part` of `whole`, with its Wilson interval; None where whole is 0."""

    part: int
    whole: int
    value: float | None
    interval: Interval | None


def rate(part: int, whole: int) -> Rate:
    """A share with its interval."""
    return Rate(part=part, whole=whole, value=figures.share(part, whole), interval=figures.wilson(part, whole))
