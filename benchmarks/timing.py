"""How exact the measures are: `python benchmarks/timing.py [OTHERS]`.

The self-test over every line. With OTHERS, so many live calls run on the machine meanwhile, and each line has to be
right to 20 ms or to say that it was late itself.
"""

import sys
from dataclasses import replace
from statistics import median

from limits import Limits
from live_calls import others

from voicesim.selftest.timing import Result, examine, p99
from voicesim.selftest.transports import TRANSPORTS

TURNS, MORE_TURNS = 8, 12
"""Lines of the patient in a call: alone, and beside others, where some may be held up."""
UNDER_LOAD = 0.020
"""Seconds: the 99th percentile of the errors' size beside other calls."""


def examined(count: int) -> list[Result]:
    """Every line on a quiet machine; those with a wire beside other calls."""
    if not count:
        return [examine(line, TURNS) for line in TRANSPORTS]
    wired = [line for line in TRANSPORTS if line.name in ("openai-websocket", "webrtc")]
    with others(count):
        return [examine(replace(line, limit=UNDER_LOAD), MORE_TURNS) for line in wired]


def main(count: int) -> int:
    """Print the tables; how many limits were missed."""
    results, limits = examined(count), Limits()
    print(f"{'error, ms':18}{'n':>4}{'held up':>9}{'median':>8}{'p99':>8}{'onsets':>8}{'ends':>8} taken out")
    for one in results:
        errors = one.errors() or [float("nan")]
        sizes = median(abs(error) for error in errors), p99(errors), one.delay.onset, one.delay.end
        figures = "".join(f"{1000 * size:8.1f}" for size in sizes)
        print(f"{one.line:18}{len(one.errors()):4}{one.harness_late:9}{figures}")
    for one in results:
        if one.spoiled:
            print(f"{one.line}: not to be judged, {one.spoiled}")
        elif one.errors():
            limits.at_most(f"{one.line}: p99 of the error", 1000 * p99(one.errors()), 1000 * one.limit, "ms")
            limits.at_most(f"{one.line}: instants not found", one.missed, 0)
    return limits.missed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 0) > 0)
