"""A real local model as the patient's mind: `python benchmarks/local_model.py [--url URL] [--replies 8] [CASE ...]`.

Calls in text on virtual time with the rules of the reference agents, one a case (all ten colds without a name). Prints
each reply as it is thought of, with the facts told and the seconds it took; then what the audit finds in the call. A
reply may be thought of more than once, when the agent went on. Without `--url`, the model of `local_model_server.py` is
started by the interpreter `--python`, which needs its packages.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from voicesim.call.virtual import run_virtual
from voicesim.caller.mind import Memory, MindError, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.recording.read import open_recording
from voicesim.reference_agents.nurse_line import NurseLineBrain
from voicesim.selftest.text_call import text_call
from voicesim.suite.audit import line_findings
from voicesim.testing import PeakVad


@dataclass
class TimedMind:
    """The mind of a case on the model, in a thread, so that virtual time stands still while it thinks."""

    case: Case
    name: str = "local model"
    took: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._mind = make_mind("openai:local", self.case)
        self._mind.take_time()

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind."""
        return await asyncio.get_running_loop().run_in_executor(None, self._reply, heard, memory)

    def _reply(self, heard: str, memory: Memory) -> PatientLine:
        begun = time.monotonic()
        try:
            line = asyncio.run(self._mind.reply(heard, memory))
        except MindError as error:
            print(f"  agent    {heard}\n  refused  {error}", flush=True)
            raise
        self.took.append(time.monotonic() - begun)
        facts = f"   [{', '.join(line.facts)}]" if line.facts else ""
        print(f"  agent    {heard}\n  patient  {line.text}{facts}   ({self.took[-1]:.0f} s)", flush=True)
        return line


@contextmanager
def local_server(python: str) -> Iterator[str]:
    """The address of the model's server while the block runs."""
    script = Path(__file__).with_name("local_model_server.py")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([python, str(script)], text=True, **pipes) as server:  # type: ignore[call-overload]
        try:
            yield server.stdout.readline().strip() + "/v1"
        finally:
            server.terminate()


def call(case: Case, folder: Path, replies: int) -> tuple[str, TimedMind]:
    """One call, printed as it goes on; returns what became of it."""
    print(f"\n{case.id}: {case.patient.says_first}", flush=True)
    short = case.model_copy(update={"patient": case.patient.model_copy(update={"most_replies": replies})})
    mind = TimedMind(short)
    brain = NurseLineBrain("Hello, this is the nurse line. How can I help?")
    persona = Catalogue.here().persona(case.patient.persona)
    manifest = run_virtual(text_call(folder, brain, short, persona, mind=mind, vad=PeakVad(), seed=1))
    events = open_recording(folder).events
    print(f"  ended: {manifest.end_reason}, {manifest.validity}")
    findings = list(line_findings(events, short))
    for finding in findings:
        print(f"  FINDING  {finding.reason}: {finding.detail} in {finding.text!r}")
    valid = manifest.validity is not None and manifest.validity.valid and not findings
    return "valid" if valid else "invalid", mind


def main(cases: Sequence[str], url: str, replies: int) -> None:
    os.environ.update(OPENAI_API_KEY="none", OPENAI_BASE_URL=url)
    outcomes, took = [], list[float]()
    with tempfile.TemporaryDirectory() as folder:
        for name in cases:
            outcome, mind = call(Catalogue.here().case(name), Path(folder, name), replies)
            outcomes.append(outcome)
            took += mind.took
            sys.stdout.flush()
    print(f"\n{len(outcomes)} calls, {outcomes.count('valid')} valid; {len(took)} replies,", end=" ")
    print(f"{sorted(took)[len(took) // 2]:.1f} s of thinking in the median, {max(took):.1f} s at most")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--url", default="")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--replies", type=int, default=8)
    chosen = parser.parse_args()
    named = chosen.cases or Catalogue.here().matching("case", ["cold-*"])
    if chosen.url:
        main(named, chosen.url, chosen.replies)
    else:
        with local_server(chosen.python) as address:
            main(named, address, chosen.replies)
