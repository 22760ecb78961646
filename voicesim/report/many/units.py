"""Values and differences of a comparison in words, by their unit."""

from voicesim.report.many.comparison import Difference, Sure
from voicesim.report.many.measures import Unit
from voicesim.report.wording import MISSING, known, number, span, whole_percent
from voicesim.statistics.intervals import Estimate


def value(amount: float | None, unit: Unit) -> str:
    """A value of a unit.

    >>> value(0.634, "score"), value(0.855, "share"), value(0.82, "seconds"), value(1.5, "count")
    ('0.63', '86%', '820 ms', '1.50')
    """
    if unit == "share":
        return whole_percent(amount)
    if unit == "seconds":
        return span(amount)
    return number(amount, 4 if unit == "money" else 2)


def signed(amount: float | None, unit: Unit) -> str:
    """A difference with its sign; of shares in percentage points.

    >>> signed(0.12, "score"), signed(-0.084, "share"), signed(-0.57, "seconds"), signed(0.0, "count")
    ('+0.12', '−8 points', '−570 ms', '0.00')
    """
    if known(amount) is None or amount is None:
        return MISSING
    size = abs(amount)
    text = f"{100 * size:.0f} points" if unit == "share" else value(size, unit)
    return text if not any(letter in "123456789" for letter in text) else f"{'+' if amount > 0 else '−'}{text}"


def reach(estimate: Estimate | None, unit: Unit) -> str:
    """The interval of a difference."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "no interval"
    if estimate.low == estimate.high == 0:
        return "always equal"
    low, high = signed(estimate.low, unit), signed(estimate.high, unit)
    return f"{low.removesuffix(' points')} to {high}"


def said(difference: Difference, names: tuple[str, str]) -> str:
    """What a difference comes to, in a few words."""
    texts: dict[Sure, str] = {
        "first": f"{names[0]} is better",
        "second": f"{names[1]} is better",
        "open": "no difference shown",
        "unknown": "not compared" if difference.better else "neither is better",
    }
    return texts[difference.sure]
