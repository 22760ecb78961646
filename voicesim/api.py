"""The Python API: from a case and an agent to a scored call, and each step of a recording on its own.

Everything here is also reachable as `voicesim.NAME`; see docs/python.md.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, TypedDict, TypeVar, Unpack

from voicesim.call.assembly import Order, dial
from voicesim.call.real import run_real
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import worker_processes
from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import AudioProfile, Case, Persona
from voicesim.catalog.resolve import ChosenAgent, resolve_agent
from voicesim.errors import UsageError
from voicesim.judge.gate import State, gate
from voicesim.judge.judges import Panel
from voicesim.judge.model import Verdicts
from voicesim.judge.run import score_together
from voicesim.language.codes import language_code
from voicesim.metrics.measure import measure as measure_recording
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.events import Event
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import Recording, open_recording
from voicesim.report import write
from voicesim.suite.after import audit_patient
from voicesim.suite.after import transcribe as transcribe_recording
from voicesim.suite.plan import suite_name
from voicesim.suite.reaching import reach
from voicesim.suite.reference import fitted
from voicesim.transcript.model import Transcript
from voicesim.transports.base import Transport
from voicesim.transports.inprocess import InProcess, InProcessAgent
from voicesim.transports.spec import transport_spec

T = TypeVar("T")
Agent = str | Path | ChosenAgent | InProcessAgent | Callable[[], InProcessAgent]
"""An agent string or file as on the command line, or an in-process agent: the object, or what makes one a call."""
AnyRecording = Recording | Path | str


@dataclass(frozen=True)
class CallResult:
    """A call that was recorded, transcribed, measured, judged and reported.

    `gate` is passed, failed, unscored or invalid, and `reason` says why it is not passed.
    """

    folder: Path
    manifest: Manifest
    transcript: Transcript
    metrics: Metrics
    verdicts: Verdicts
    scorecard: Path

    @property
    def score(self) -> float | None:
        """Weight of hits over weight of hits and misses, 0 to 1; None where the call has no score."""
        return self.verdicts.score.value

    @property
    def gate(self) -> State:
        """What the call came to."""
        return gate(self.manifest.validity, self.verdicts.score).state

    @property
    def reason(self) -> str:
        """Why the call did not pass; "" when it did."""
        return gate(self.manifest.validity, self.verdicts.score).reason

    @property
    def passed(self) -> bool:
        """Valid, scored, and no critical check missed."""
        return self.gate == "passed"

    def __str__(self) -> str:
        number = "no score" if self.score is None else f"score {self.score:.2f}"
        return f"{self.manifest.call_id}: {self.gate}, {number}" + (f" ({self.reason})" if self.reason else "")


def load_case(name: str | Path) -> Case:
    """A case by id (./cases, then the shipped ones) or by file. Raises CatalogueError with every problem of it."""
    return Catalogue.here().case(str(name))


def load_persona(name: str | Path) -> Persona:
    """A persona by id or by file. Raises CatalogueError with every problem of it."""
    return Catalogue.here().persona(str(name))


def load_profile(name: str | Path) -> AudioProfile:
    """An audio profile by id or by file. Raises CatalogueError with every problem of it."""
    return Catalogue.here().profile(str(name))


def load_agent(name: str | Path) -> ChosenAgent:
    """An agent by its string (`openai:MODEL`, `realtime`, ...) or agent file.

    Raises UsageError for a string that names nothing, CatalogueError for a file that is wrong.
    """
    return resolve_agent(str(name))


class CallOptions(TypedDict, total=False):
    """What a call may be told beside its case and its agent.

    `persona` (default: the case's own) and `profile` (`clean`) are models, ids or files. `mind` plays the patient
    and `judge` decides the checks, both as on the command line (`cues`); several judges are a panel. `seed` (0) fixes
    every random choice. `out` (`recordings`) is the folder under which the recording is made. `whisper` (`base`) is the
    model of the transcript, by name or folder, `ear` (`base`) the one with which the patient understands. `max_turns`
    (30) and `max_duration` (300 seconds) end a call. `clock="virtual"` is for
    in-process agents: no waiting, the same bytes every time. `watch` sees every event as it happens.
    """

    persona: Persona | str
    profile: AudioProfile | str
    mind: str
    judge: str | Sequence[str]
    seed: int
    out: str | Path
    whisper: str
    ear: str
    max_turns: int
    max_duration: float
    clock: Literal["live", "virtual"]
    watch: Callable[[Event], None]


async def simulate_async(case: Case | str | Path, agent: Agent, **options: Unpack[CallOptions]) -> CallResult:
    """Make one call and all that follows it, on the running loop; see `simulate` and `CallOptions`.

    Timers of a common event loop fire up to some milliseconds late, and a loop that does other work holds the
    call up; `simulate` runs it on a loop of its own.
    """
    order = _order(case, options)
    judge = options.get("judge", "cues")
    panel = Panel((judge,) if isinstance(judge, str) else tuple(judge))
    panel.seated()  # a judge or a mind that is not there is told before the agent is called
    make_mind(order.mind, order.case)
    async with _reached(agent, order) as (order, transport):
        with worker_processes() as processes:
            await dial(order, transport, processes, options.get("watch", lambda event: None))
    return await asyncio.to_thread(_finish, order, panel)


def simulate(case: Case | str | Path, agent: Agent, **options: Unpack[CallOptions]) -> CallResult:
    """Let the patient of a case call an agent; record, transcribe, measure, judge and report the call.

    `case` is a model, an id or a file; `agent` is what `--agent` takes, or an in-process agent; for the keyword
    arguments see `CallOptions`. Works in a notebook too: the call then has a thread and a loop of its own.

    Raises CatalogueError and UsageError for what is wrong before the call, TransportError when no call came about.
    What goes wrong in the call itself is in the result.
    """
    run = run_virtual if options.get("clock") == "virtual" else run_real
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run(simulate_async(case, agent, **options))
    return _in_a_thread(lambda: run(simulate_async(case, agent, **options)))


def transcribe(recording: AnyRecording, *, whisper: str = "base", language: str | None = None) -> Transcript:
    """Write transcript.json (and metrics.json) of a recording anew; `language` replaces the case's own."""
    from voicesim.stt.whisper import load_whisper

    spoken = language_code(language) if language else None
    return transcribe_recording(_folder(recording), load_whisper(whisper, threads=2), spoken)[0]


def measure(recording: AnyRecording) -> Metrics:
    """Write metrics.json of a transcribed recording anew. Raises UsageError when it has no transcript yet."""
    folder = _folder(recording)
    metrics = measure_recording(open_recording(folder), _transcript(folder))
    files.save(folder, files.METRICS, metrics)
    return metrics


def score(recording: AnyRecording, judge: str | Sequence[str] = "cues", *, repeats: int = 1) -> Verdicts:
    """Let a judge, or a panel of several, decide the checks of a transcribed recording; the verdicts are kept.

    Raises UsageError for a judge that is not there, and when the recording has no transcript yet.
    """
    panel = Panel((judge,) if isinstance(judge, str) else tuple(judge), repeats)
    return score_together(_folder(recording), panel.seated(), repeats).verdicts


def write_scorecard(recording: AnyRecording, judge: str | None = None) -> Path:
    """Write scorecard.html of a judged recording; `judge` names whose verdicts, None takes the newest."""
    return write.write_scorecard(_folder(recording), judge)[0]


def _order(case: Case | str | Path, options: CallOptions) -> Order:
    chosen = case if isinstance(case, Case) else load_case(case)
    caller, profile = options.get("persona", chosen.patient.persona), options.get("profile", "clean")
    suite = suite_name([chosen.id], datetime.now())
    return Order(
        case=chosen,
        persona=caller if isinstance(caller, Persona) else load_persona(caller),
        profile=profile if isinstance(profile, AudioProfile) else load_profile(profile),
        agent="",
        folder=_unused(Path(options.get("out", "recordings")) / suite, chosen.id),
        suite=suite,
        mind=options.get("mind", "cues"),
        seed=options.get("seed", 0),
        whisper=options.get("whisper", "base"),
        ear=options.get("ear", "base"),
        clock=options.get("clock", "live"),
        max_turns=options.get("max_turns", 30),
        max_duration=options.get("max_duration", 300.0),
    )


@asynccontextmanager
async def _reached(agent: Agent, order: Order) -> AsyncIterator[tuple[Order, Transport]]:
    """The order with its agent named, and an unopened transport; a reference agent runs meanwhile."""
    if isinstance(agent, str | Path | ChosenAgent):
        chosen = fitted(agent if isinstance(agent, ChosenAgent) else load_agent(agent), order.case)
        if order.clock == "virtual" and not transport_spec(chosen.name.transport).in_process:
            raise UsageError(f"{chosen.label} runs in real time; the virtual clock is for in-process agents")
        async with reach(chosen, case=order.case) as new_transport:
            yield replace(order, agent=chosen.label, settings=chosen.settings), new_transport()
        return
    # A class has a tick, too, and is what makes an agent.
    made = agent() if isinstance(agent, type) or not isinstance(agent, InProcessAgent) else agent
    if not isinstance(made, InProcessAgent):
        raise UsageError(f"{type(made).__name__} is no in-process agent: it has no tick(caller)")
    name = f"python:{type(made).__name__}"
    yield replace(order, agent=name), InProcess(made, name)


def _finish(order: Order, panel: Panel) -> CallResult:
    from voicesim.stt.whisper import load_whisper

    folder, whisper = order.folder, load_whisper(order.whisper, threads=2)
    transcript, metrics = transcribe_recording(folder, whisper)
    audit_patient(folder, order.case, whisper)
    judged = score_together(folder, panel.seated(), panel.repeats)
    path, _ = write.write_scorecard(folder, judged.verdicts.judge)
    return CallResult(folder, judged.recording.manifest, transcript, metrics, judged.verdicts, path)


def _transcript(folder: Path) -> Transcript:
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: no {files.TRANSCRIPT} yet; transcribe the recording first")
    return files.load(folder, files.TRANSCRIPT, Transcript)


def _folder(recording: AnyRecording) -> Path:
    return recording.folder if isinstance(recording, Recording) else Path(recording)


def _unused(folder: Path, name: str) -> Path:
    """A call folder that is not there yet: the name with the next number behind it."""
    number = 1
    while (path := folder / f"{name}_{number:02d}").exists():
        number += 1
    return path


def _in_a_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a thread of its own, and give back what it gave or raised."""
    outcome: list[T] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            failure.append(error)

    thread = threading.Thread(target=target, name="voicesim-call")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
