"""Live calls in parallel on this machine: `python benchmarks/parallel_calls.py [CALLS]`, 8 if not told.

A row is a call of half a minute over WebRTC, all at the same time: how late its ticks were. The agents they
call run on the same cores.
"""

import sys

from limits import Limits
from live_calls import agents, calls

TRANSPORTS = 6
LIMIT = 10.0
"""Milliseconds: the 99th percentile of lateness that each call has to keep."""


def main(count: int) -> int:
    """Print the tables; how many limits were missed."""
    with agents(count, TRANSPORTS) as urls:
        manifests = calls(urls, TRANSPORTS)
    print(f"{'late, ms':>8}{'seconds':>9}{'ticks':>7}{'p50':>7}{'p99':>7}{'max':>7}")
    limits, worst = Limits(), 0.0
    for n, manifest in enumerate(manifests, 1):
        late = manifest.lateness
        assert late is not None
        worst = max(worst, 1000 * late.p99)
        figures = "".join(f"{1000 * seconds:7.1f}" for seconds in (late.p50, late.p99, late.max))
        print(f"{n:8}{manifest.duration:9.1f}{late.ticks:7}{figures}")
    limits.at_most(f"p99 of the tick lateness, the worst of {count} calls", worst, LIMIT, "ms")
    return limits.missed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 8) > 0)
