"""Virtual calls in text over all cases, personas and seeds: each ends, leaks nothing, and is the same again.

python benchmarks/many_calls.py [CALLS]        200 calls take some minutes; ends with 1 when one went wrong
"""

import filecmp
import sys
import tempfile
from itertools import cycle, islice, product
from pathlib import Path

from voicesim.call.virtual import run_virtual
from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import open_recording
from voicesim.reference_agents.nurse_line import NurseLineBrain
from voicesim.selftest.text_call import text_call
from voicesim.suite.audit import line_findings
from voicesim.testing import PeakVad

ENDS = {"completed", "max_turns", "agent_silent"}
AGAIN = 10
"""Every so many-th call is made twice, and its files are compared."""


def call(folder: Path, case: str, persona: str, seed: int) -> Manifest:
    """One call into a folder."""
    here = Catalogue.here()
    chosen = here.case(case)
    brain = NurseLineBrain("Hello, this is the nurse line. How can I help?")
    mind = make_mind("cues", chosen)
    return run_virtual(text_call(folder, brain, chosen, here.persona(persona), mind=mind, vad=PeakVad(), seed=seed))


def problem(manifest: Manifest, folder: Path, case: str) -> str:
    """What went wrong in a call; "" for nothing."""
    for finding in line_findings(open_recording(folder).events, Catalogue.here().case(case)):
        return f"{finding.reason}: {finding.detail} ({finding.text!r})"
    if manifest.validity is None or not manifest.validity.valid:
        return f"invalid: {manifest.validity}"
    return "" if manifest.end_reason in ENDS else f"ended by {manifest.end_reason}"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    here = Catalogue.here()
    pairs = islice(cycle(product(here.ids("persona"), here.ids("case"))), count)
    wrong, ends = 0, dict[str, int]()
    with tempfile.TemporaryDirectory() as folder:
        for number, (persona, case) in enumerate(pairs):
            first = Path(folder, f"{number}")
            manifest = call(first, case, persona, number)
            trouble = problem(manifest, first, case)
            if number % AGAIN == 0:
                again = Path(folder, f"{number}-again", f"{number}")
                call(again, case, persona, number)
                names = ("audio.flac", "caller_clean.flac", "events.jsonl")
                _, other, _ = filecmp.cmpfiles(
                    first, Path(folder, f"{number}-again", f"{number}"), names, shallow=False
                )
                trouble = trouble or (f"not the same again: {', '.join(other)}" if other else "")
            ends[str(manifest.end_reason)] = ends.get(str(manifest.end_reason), 0) + 1
            wrong += bool(trouble)
            if trouble:
                print(f"{case} {persona} seed {number}: {trouble}")
    print(f"{count} calls, {wrong} wrong; they ended: {ends}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
