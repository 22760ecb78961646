"""A recorded patient calls again: the same agent gives the same call, another agent diverges where it is another."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from spoken_agent import SpokenAgent

from voicesim.api import score
from voicesim.call.assembly import Order, dial
from voicesim.call.virtual import run_virtual
from voicesim.call.worker_pool import Processes, worker_processes
from voicesim.caller.recorded import Mode, OnDivergence
from voicesim.catalog.find import Catalogue
from voicesim.errors import UsageError
from voicesim.metrics.model import Metrics
from voicesim.recording.events import CallerLine, Divergence
from voicesim.recording.import_call import ImportOrder, import_call
from voicesim.recording.read import Recording, open_recording
from voicesim.stt.whisper import Whisper, load_whisper
from voicesim.suite.after import transcribe
from voicesim.suite.replay import ReplayOptions, replay_of, replay_order
from voicesim.transports.inprocess import InProcess

LINES = (
    "Hello, nurse line. How can I help you?",
    "Do you have any fever?",
    "It is probably a cold. Take care, goodbye.",
)
OTHER = (LINES[0], "Do you have any allergies?", LINES[2])


@dataclass(frozen=True)
class Made:
    recording: Recording
    metrics: Metrics
    outcomes: dict[str, str]


class Calls:
    """Makes calls of one case to agents in this process, with the worker processes shared."""

    def __init__(self, folder: Path, whisper: Whisper, processes: Processes) -> None:
        self.folder, self.whisper, self.processes = folder, whisper, processes
        catalogue = Catalogue.here()
        case = catalogue.case("cold-01-andi")
        persona, profile = catalogue.persona(case.patient.persona), catalogue.profile("clean")
        self.order = Order(
            case, persona, profile, "python:x", folder / "first", "s", clock="virtual", ear="tiny.en", seed=5
        )

    def make(self, order: Order, lines: tuple[str, ...]) -> Made:
        async def call() -> None:
            await dial(order, InProcess(SpokenAgent(lines), "x"), self.processes, lambda event: None)

        run_virtual(call())
        transcript, metrics = transcribe(order.folder, self.whisper)
        assert transcript.utterances
        outcomes: dict[str, str] = {verdict.check: verdict.outcome for verdict in score(order.folder).verdicts}
        return Made(open_recording(order.folder), metrics, outcomes)

    def again(self, name: str, options: ReplayOptions, lines: tuple[str, ...]) -> Made:
        wanted = replace(self.order, folder=self.folder / name, mind="cues")
        return self.make(replay_order(self.folder / "first", options, wanted), lines)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calls]:
    with worker_processes() as processes:
        yield Calls(tmp_path_factory.mktemp("calls"), load_whisper("tiny.en", threads=2), processes)


@pytest.fixture(scope="module")
def first(calls: Calls) -> Made:
    """The stored call."""
    return calls.make(calls.order, LINES)


@pytest.mark.parametrize("mode", ["turns", "clock", "exact"])
def test_the_same_agent_gives_the_same_call(mode: Mode, calls: Calls, first: Made) -> None:
    again = calls.again(mode, ReplayOptions(mode=mode), LINES)
    assert again.outcomes == first.outcomes
    latencies = [call.metrics.response_latency.values for call in (first, again)]
    assert len(latencies[0]) == 2
    assert latencies[1] == pytest.approx(latencies[0], abs=0.020)
    assert again.recording.manifest.end_reason == first.recording.manifest.end_reason
    assert again.recording.manifest.replayed is not None
    assert again.recording.manifest.replayed.mode == mode
    assert not [event for event in again.recording.events if isinstance(event, Divergence)]
    if mode == "exact":
        np.testing.assert_array_equal(again.recording.caller, first.recording.caller)


@pytest.mark.parametrize(
    ("mode", "action"), [("turns", "stop"), ("turns", "hand_over"), ("clock", "go_on"), ("exact", "hand_over")]
)
def test_another_question_is_marked_where_it_is_asked(
    mode: Mode, action: OnDivergence, calls: Calls, first: Made
) -> None:
    again = calls.again(f"{mode}-{action}", ReplayOptions(mode=mode, on_divergence=action), OTHER)
    marks = [event for event in again.recording.events if isinstance(event, Divergence)]
    assert (marks[0].kind, marks[0].action) == ("never_answered", action)
    assert "allergies" in marks[0].detail
    assert "allerg" in marks[0].heard.lower()
    said = " ".join(event.text for event in again.recording.events if isinstance(event, CallerLine))
    assert ("No allergies" in said) == (action == "hand_over")
    assert ("hot on the first night" in said) == (action == "go_on")
    assert again.metrics.others["divergences"][0]["kind"] == "never_answered"
    if action == "stop":
        assert again.recording.manifest.end_reason == "caller_hung_up"
        assert "allergies" in again.recording.manifest.end_detail
        assert len(marks) == 1


def test_a_call_from_outside_is_replayed_by_its_transcript(calls: Calls, first: Made, tmp_path: Path) -> None:
    import soundfile

    recording = first.recording
    soundfile.write(tmp_path / "call.wav", np.stack([recording.caller, recording.agent], axis=1), 24_000)
    case = Catalogue.here().case("cold-01-andi")
    import_call(ImportOrder((tmp_path / "call.wav",), case, tmp_path / "imported"))
    with pytest.raises(UsageError, match="transcribe it first"):
        replay_of(open_recording(tmp_path / "imported"), ReplayOptions())
    transcribe(tmp_path / "imported", calls.whisper)
    replay = replay_of(open_recording(tmp_path / "imported"), ReplayOptions())
    own = replay_of(recording, ReplayOptions())
    assert [line.event.facts for line in replay.turns][:2] == [line.event.facts for line in own.turns][:2]
    assert replay.sound == "sent"
    order = replace(calls.order, folder=tmp_path / "again")
    made = calls.make(replay_order(tmp_path / "imported", ReplayOptions(), order), LINES)
    assert len(made.metrics.response_latency.values) == 2
    assert made.recording.manifest.profile.id == "as-recorded"


def test_a_recording_without_a_patient_is_refused(tmp_path: Path) -> None:
    from made_recording import make_recording

    recording = make_recording(tmp_path / "silent", np.zeros(24_000, np.int16))
    case = Catalogue.here().case("cold-01-andi").model_dump(mode="json")
    manifest = recording.manifest.model_copy(
        update={"case": recording.manifest.case.model_copy(update={"content": case})}
    )
    with pytest.raises(UsageError, match="nothing to replay"):
        replay_of(replace(recording, manifest=manifest), ReplayOptions())
