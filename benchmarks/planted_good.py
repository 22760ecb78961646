"""Good calls that were failed or blamed on the agent: `python benchmarks/planted_good.py [CALLS] [FOLDER]`, 300.

The clean nurse line is called on virtual time by the patients of all cold cases, with a new seed each round. A call
counts against voicesim when its gate is failed, when a detector of conduct (`voicesim selftest faults`) finds a fault
that was not planted, or when voicesim spoiled it. The same folder goes on where it was stopped. Two minutes of
processor time a call; give way to others with `chrt -i 0`.
"""

import sys
from collections import Counter
from pathlib import Path

from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_file import SuiteFile
from voicesim.judge.judges import Panel
from voicesim.results.read import SuiteCall, open_suite
from voicesim.selftest.faults import DETECTORS
from voicesim.statistics.intervals import wilson
from voicesim.suite.asked import plan_of
from voicesim.suite.run import run
from voicesim.suite.watcher import Quiet

AGENT = "python:voicesim.reference_agents.in_process:clean"
CONDUCT = ("ignores_barge_in", "stops_at_backchannels", "cuts_patient_off", "slower", "drops_call", "falls_silent")


def main(calls: int, folder: Path) -> int:
    """Make the calls that are missing, and print what was held against the agent; how many calls that were."""
    catalogue = Catalogue.here()
    cases = catalogue.matching("case", ("cold-*",))
    rounds = -(-calls // len(cases))
    suite = SuiteFile(cases=cases, agents=(AGENT,), seeds=tuple(range(rounds)), clock="virtual", at_once=1)
    run(plan_of(suite, catalogue, folder, Panel()), Quiet())
    made = [call for call in open_suite(folder).calls if call.manifest]
    return told(made)


def told(made: list[SuiteCall]) -> int:
    """Print the figures of some calls."""
    print(f"calls: {len(made)}, {dict(Counter(call.state for call in made))}")
    against = 0
    for name, blamed in (("failed or blamed", _blamed), ("spoiled by voicesim", _spoiled)):
        reasons = [(call, reason) for call in made if (reason := blamed(call))]
        estimate = wilson(len(reasons), len(made))
        if estimate is not None:
            print(f"{name}: {len(reasons)} of {len(made)} (at most {100 * (estimate.high or 0):.1f} %, 95 % interval)")
        for call, reason in reasons:
            print(f"    {call.folder}: {reason}")
        against += len(reasons)
    return against


def _blamed(call: SuiteCall) -> str:
    if not call.valid:
        return ""
    conduct = [by for name in CONDUCT if (by := DETECTORS[name](call))]
    return f"failed: {call.reason}" if call.state == "failed" else ", ".join(conduct)


def _spoiled(call: SuiteCall) -> str:
    return call.reason if call.state == "invalid" else ""


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count, where = int(arguments[0]) if arguments else 300, Path(arguments[1] if arguments[1:] else "planted-good")
    sys.exit(main(count, where) > 0)
