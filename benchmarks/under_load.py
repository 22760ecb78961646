"""How exact the measures are while four other calls run on the machine: `python benchmarks/under_load.py`.

The self-test over each line with a wire. Its call has to be right to 20 ms, or to say that it was late itself.
"""

import sys
from dataclasses import replace
from statistics import median

from live_calls import others

from voicesim.selftest.timing import chosen, examine, p99

OTHERS = 4
TURNS = 12
LIMIT = 0.020
"""Seconds: the 99th percentile of the errors' size."""
LINES = ("openai-websocket", "webrtc")


def main() -> int:
    """Print the table; how many lines were wrong."""
    with others(OTHERS):
        results = [examine(replace(line, limit=LIMIT), TURNS) for line in chosen(LINES)]
    print(f"error of latencies, yield times and cut-ins beside {OTHERS} other calls, ms; limit of p99 {LIMIT * 1000:g}")
    print(f"{'line':18}{'n':>3}{'held up':>9}{'median':>8}{'p99':>7}{'max':>7}  ")
    wrong = 0
    for one in results:
        sizes = [1000 * abs(error) for error in one.errors()] or [0.0]
        wrong += not one.passed and not one.spoiled
        verdict = one.spoiled or ("ok" if one.passed else "WRONG")
        figures = f"{median(sizes):8.1f}{1000 * p99(one.errors() or [0.0]):7.1f}{max(sizes):7.1f}"
        print(f"{one.line:18}{len(one.errors()):3}{one.held_up:9}{figures}  {verdict}")
    return wrong


if __name__ == "__main__":
    sys.exit(main() > 0)
