"""Live calls in parallel on this machine: `python benchmarks/parallel_calls.py [CALLS]`, 8 if not told.

A row is a call of half a minute over WebRTC, all at the same time: how late its ticks were. The agents they
call run on the same cores.
"""

import sys

from live_calls import agents, calls

LINES = 6
LIMIT = 0.010
"""Seconds: the 99th percentile of lateness that each call has to keep."""


def main(count: int) -> int:
    """Print the table; how many calls missed the limit."""
    with agents(count, LINES) as urls:
        found = calls(urls, LINES)
    print(f"{count} calls at once; lateness of ticks in ms, limit of p99 {LIMIT * 1000:g}")
    print(f"{'call':>4}{'seconds':>9}{'ticks':>7}{'p50':>7}{'p99':>7}{'max':>7}  ")
    missed = 0
    for n, manifest in enumerate(found, 1):
        late = manifest.lateness
        assert late is not None
        kept = late.p99 < LIMIT and manifest.validity is not None and manifest.validity.valid
        missed += not kept
        figures = "".join(f"{1000 * one:7.1f}" for one in (late.p50, late.p99, late.max))
        print(f"{n:4}{manifest.duration:9.1f}{late.ticks:7}{figures}  {'ok' if kept else 'MISSED'}")
    return missed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 8) > 0)
