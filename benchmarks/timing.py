"""How exact the measures are: `python benchmarks/timing.py [OTHERS]`.

The self-test over every transport. With OTHERS, so many live calls run on the machine meanwhile, and each
transport has to be right to 20 ms or to say that it was late itself.
"""

import sys
from dataclasses import replace
from statistics import median

from limits import Limits
from live_calls import others

from voicesim.selftest.timing import Result, examine, p99
from voicesim.selftest.transports import transports_under_test

TURNS, MORE_TURNS = 8, 12
"""Lines of the patient in a call: alone, and beside others, where some may be held up."""
UNDER_LOAD = 0.020
"""Seconds: the 99th percentile of the errors' size beside other calls."""


def examined(count: int) -> list[Result]:
    """Every transport on a quiet machine; those with a wire beside other calls."""
    if not count:
        return [examine(transport, TURNS) for transport in transports_under_test()]
    wired = [transport for transport in transports_under_test() if transport.name in ("openai+ws", "smallwebrtc")]
    with others(count):
        return [examine(replace(transport, limit=UNDER_LOAD), MORE_TURNS) for transport in wired]


def main(count: int) -> int:
    """Print the tables; how many limits were missed."""
    results, limits = examined(count), Limits()
    print(f"{'error, ms':18}{'n':>4}{'held up':>9}{'median':>8}{'p99':>8}{'onsets':>8}{'ends':>8} taken out")
    for result in results:
        errors = result.errors() or [float("nan")]
        sizes = median(abs(error) for error in errors), p99(errors), result.delay.onset, result.delay.end
        figures = "".join(f"{1000 * size:8.1f}" for size in sizes)
        print(f"{result.transport:18}{len(result.errors()):4}{result.harness_late:9}{figures}")
    for result in results:
        if result.spoiled:
            print(f"{result.transport}: not to be judged, {result.spoiled}")
        elif result.errors():
            limits.at_most(
                f"{result.transport}: p99 of the error", 1000 * p99(result.errors()), 1000 * result.limit, "ms"
            )
            limits.at_most(f"{result.transport}: instants not found", result.missed, 0)
    return limits.missed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 0) > 0)
