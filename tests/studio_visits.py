"""Finished visits in folders: what was said is written down, heard as tones, and really measured and judged."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from conftest import CASE, PERSONA

from voicesim.audio.samples import RATE, Pcm
from voicesim.bench.scripted import transcript_of
from voicesim.call.assembly import resolve
from voicesim.catalog.load import load_case
from voicesim.catalog.model import Case
from voicesim.judge.judges import Panel
from voicesim.judge.kept import verdicts_file
from voicesim.judge.model import Outcome, Verdicts
from voicesim.judge.panel import convene
from voicesim.judge.run import score_together
from voicesim.metrics.measure import measure
from voicesim.recording import files
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import EndReason, Resolved, Validity, bare_manifest
from voicesim.recording.read import open_recording
from voicesim.report.write import write_scorecard
from voicesim.transcript.model import Side, Transcript

SAID = (
    "A: Hello, this is the nurse line. What can I help you with?",
    "P: My throat hurts.",
    "A: Do you have trouble breathing?",
    "P: No.",
    "A: Please rest, and drink plenty.",
    "P: Thank you. Goodbye.",
    "A: Goodbye.",
)


def make_visit(
    recordings: Path,
    place: str,
    case: Case,
    said: Sequence[str] = SAID,
    agent: str = "first-agent",
    end: EndReason = "completed",
    started: str = "2026-11-02T09:00:00Z",
    validity: Validity | None = None,
) -> Verdicts:
    """A visit at SUITE/CALL, judged by the cues."""
    suite, _, call = place.partition("/")
    folder = recordings / place
    transcript = transcript_of(said, call)
    entry = {"id": agent, "sha256": "0" * 64, "content": {}}
    manifest = bare_manifest(call, suite).model_copy(
        update={
            "case": resolve(case.id, case),
            "agent": Resolved(**entry),
            "persona": Resolved(**entry | {"id": case.patient.persona}),
            "profile": Resolved(**entry | {"id": "clean"}),
            "mind": "cues",
            "started_at": started,
        }
    )
    with LiveRecording(folder, manifest) as live:
        live.write("agent", 0, _tones(transcript, "agent"))
        for channel in ("clean", "caller"):
            live.write(channel, 0, _tones(transcript, "caller"))
        ended = {"end_reason": end, "validity": validity or Validity(valid=True)}
        live.finish(lambda old, duration: old.model_copy(update={"duration": duration, **ended}))
    files.save(folder, files.TRANSCRIPT, transcript)
    files.save(folder, files.METRICS, measure(open_recording(folder), transcript))
    judged = score_together(folder, Panel(("cues",)).seated()).verdicts
    write_scorecard(folder)
    return judged


def add_judge(folder: Path, judge: str, outcomes: dict[str, Outcome], reason: str = "") -> Verdicts:
    """Another judge's verdicts beside those of the cues, some of them other ones, and the panel of the two."""
    first = files.load(folder, verdicts_file("cues"), Verdicts)
    rows = (
        verdict.model_copy(update={"outcome": outcomes[verdict.check], "reason": reason, "evidence": ()})
        if verdict.check in outcomes
        else verdict
        for verdict in first.verdicts
    )
    other = first.model_copy(update={"judge": judge, "verdicts": tuple(rows)})
    files.save(folder, verdicts_file(judge), other)
    panel = convene((first, other), "")
    files.save(folder, verdicts_file(panel.judge), panel)
    return panel


def _tones(transcript: Transcript, side: Side) -> Pcm:
    """A tone for each utterance of a side, silence between them."""
    sound = np.zeros(round(transcript.duration * RATE), dtype=np.int16)
    for utterance in transcript.utterances:
        if utterance.side == side:
            first, last = round(utterance.start * RATE), round(utterance.end * RATE)
            wave = np.sin(2 * np.pi * (220 if side == "agent" else 330) * np.arange(last - first) / RATE)
            sound[first:last] = (8000 * wave).astype(np.int16)
    return sound


def own_case(data: Path, **models: str) -> Case:
    """The sore throat of tests as a case of a studio's own, with its persona, under the studio's data.

    `models` are names of models and the addresses of their servers.
    """
    entries = [("cases", "sore-throat", CASE), ("personas", "plain", PERSONA)]
    entries += [("models", name, f"id: {name}\nmodel: some-model\nbase_url: {url}\n") for name, url in models.items()]
    for folder, name, text in entries:
        (data / "catalogue" / folder).mkdir(parents=True, exist_ok=True)
        (data / "catalogue" / folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return load_case(data / "catalogue" / "cases" / "sore-throat.yaml")
