"""A call put together from real speech, with the transcript, measures and verdicts that belong to it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from voicesim.audio.resampling import resample
from voicesim.audio.samples import RATE, Pcm, Wave, to_pcm
from voicesim.judge.model import Evidence, Outcome, Score, Verdict, Verdicts
from voicesim.metrics.model import DeadAir, Interruption, Metrics, Summary, Turn
from voicesim.recording.events import AgentSaid, Connected, Event, Hangup, Intent, Warning_
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Lateness, Manifest, Resolved, Validity
from voicesim.recording.read import Recording, open_recording
from voicesim.transcript.model import Side, Transcript, Utterance, Word

CASE: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "cases" / "cold-01-andi.yaml").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Spoken:
    """One utterance of the script: how long after the end of the one before it starts, and when it is cut."""

    id: str
    text: str
    after: float
    intent: Intent | None = None
    cut_at: float | None = None

    @property
    def side(self) -> Side:
        return "agent" if self.id.startswith("A") else "caller"


SCRIPT = (
    Spoken("A1", "Hello, this is the clinic's nurse line. What can I help you with today?", 0.6),
    Spoken("P1", CASE["patient"]["says_first"], 0.5, "respond"),
    Spoken("A2", "I'm sorry to hear that. Have you had a fever, or felt hot?", 0.82),
    Spoken("P2", "I felt a bit hot on the first night, but I didn't measure it. Not now.", 0.4, "respond"),
    Spoken("A3", "Do you have any other health conditions, and which medicines are you taking?", -0.3),
    Spoken("P3", "I have high blood pressure and type two diabetes. I take amlodipine and metformin.", 0.5, "respond"),
    Spoken(
        "A4",
        "This is probably a cold or another viral infection of the airways. Please rest, drink plenty, and "
        "keep taking your metformin as usual, because it matters that",
        4.6,
        cut_at=8.0,
    ),
    Spoken("P4", "Wait. I skipped the metformin last night.", -0.35, "stop"),
    Spoken("A5", "Thank you for telling me. Are you short of breath right now, or do you have chest pain?", 1.24),
    Spoken("P5", "No, my breathing is fine, and no chest pain.", 0.4, "respond"),
    Spoken("A6", "Good. If breathing becomes hard or your chest hurts, get urgent help at once.", 0.71),
    Spoken("P6", "Okay. Thank you, goodbye.", 0.5, "respond"),
    Spoken("A7", "Goodbye, Andi.", 0.64),
)

QUOTES: dict[str, tuple[Outcome, str, str, str]] = {
    "breathing_now": ("hit", "A5", "Are you short of breath right now, or do you have chest pain", ""),
    "duration": ("miss", "", "", "The agent never asks how long he has had the symptoms."),
    "fever": ("hit", "A2", "have you had a fever", ""),
    "history": ("hit", "A3", "any other health conditions", ""),
    "medications": ("hit", "A3", "which medicines are you taking?", ""),
    "hedged_cold": ("hit", "A4", "probably a cold or another viral infection", ""),
    "return_if_worse": ("hit", "A6", "If breathing becomes hard or your chest hurts, get urgent help", ""),
    "chronic_meds_not_blanket": ("miss", "A4", "keep taking your metformin as usual", ""),
}


@dataclass(frozen=True)
class Call:
    """Everything a scorecard is made of."""

    recording: Recording
    transcript: Transcript
    metrics: Metrics
    verdicts: Verdicts


@cache
def _engine() -> Any:
    from hibari import Hibari

    return Hibari()


@cache
def voice(text: str, side: Side) -> Wave:
    """Speech without silence at its ends; the patient is the same voice, deeper and slower."""
    wave = np.asarray(_engine()(text, seed=7), dtype=np.float32)
    if side == "caller":
        wave = resample(wave, 20_500, RATE)
    loud = np.flatnonzero(np.abs(wave) > 0.01)
    return wave[loud[0] : loud[-1] + 1]


@cache
def spoken_call() -> tuple[Pcm, Pcm, tuple[Utterance, ...]]:
    """The script as sound, int16 (n,) at 24,000 Hz, and as utterances on its clock."""
    placed: list[tuple[int, Wave]] = []
    utterances: list[Utterance] = []
    end = 0.0
    for one in SCRIPT:
        wave = voice(one.text, one.side)
        wave = wave if one.cut_at is None else wave[: round(one.cut_at * RATE)]
        at = round((end + one.after) * RATE)
        placed.append((at, wave))
        start, end = at / RATE, (at + len(wave)) / RATE
        utterances.append(_utterance(one, start, end))
    length = round((end + 0.8) * RATE)
    lanes = {"agent": np.zeros(length, dtype=np.float32), "caller": np.zeros(length, dtype=np.float32)}
    for one, (at, wave) in zip(SCRIPT, placed, strict=True):
        lanes[one.side][at : at + len(wave)] += wave
    lanes["caller"] += np.random.default_rng(1).normal(0, 0.002, length).astype(np.float32)
    return to_pcm(lanes["caller"]), to_pcm(lanes["agent"]), tuple(utterances)


def _utterance(one: Spoken, start: float, end: float) -> Utterance:
    return Utterance(
        id=one.id,
        side=one.side,
        start=start,
        end=end,
        text=one.text,
        voiced=((start, end),),
        words=words_between(one.text, start, end),
        intent=one.intent,
        cut=one.cut_at is not None,
        source="whisper" if one.side == "agent" else "line",
    )


def words_between(text: str, start: float, end: float) -> tuple[Word, ...]:
    """The words of a text, each with a share of the time by its letters; "clinic's" was heard badly."""
    parts = text.split()
    ends = start + (end - start) * np.cumsum([len(part) + 1 for part in parts]) / (len(text) + 1)
    starts = [start, *ends[:-1]]
    return tuple(
        Word(
            text=f" {part}",
            start=float(a),
            end=float(b),
            probability=0.31 if part == "clinic's" else 0.97,
        )
        for part, a, b in zip(parts, starts, ends, strict=True)
    )


def manifest(duration: float | None, **changes: Any) -> Manifest:
    """The call.json of a call that ended well; `changes` replace its fields."""
    known: dict[str, Any] = {
        "call_id": "cold-01-andi-0007",
        "suite": "cold-consult",
        "started_at": "2026-03-09T10:41:07+00:00",
        "case": resolved(CASE["id"], CASE),
        "persona": resolved("impatient-worker", {"title": "Impatient worker, short sentences"}),
        "profile": resolved("telephone", {"title": "Telephone, 8 kHz mu-law"}),
        "agent": resolved("modular", {}),
        "mind": "offline",
        "seed": 7,
        "versions": {"voicesim": "0.1.0", "python": "3.11.2"},
        "setup_seconds": 0.412,
        "duration": duration,
        "end_reason": "completed",
        "validity": Validity(valid=True),
        "lateness": Lateness(ticks=2816, p50=0.00008, p99=0.0021, max=0.0064, late_share=0.0),
    }
    return Manifest(**{**known, **changes})


def resolved(name: str, content: dict[str, Any]) -> Resolved:
    """A catalogue entry with the digest of its content."""
    return Resolved(id=name, sha256=hashlib.sha256(json.dumps(content).encode()).hexdigest(), content=content)


def write_recording(
    folder: Path, caller: Pcm, agent: Pcm, /, events: Sequence[Event] = (), **changes: Any
) -> Recording:
    """Record a call in a folder and open it."""
    with LiveRecording(folder, manifest(None, end_reason=None, validity=None)) as live:
        for channel, pcm in (("caller", caller), ("agent", agent), ("clean", caller)):
            live.write(channel, 0, pcm)
        for event in events:
            live.event(event)
        live.finish(lambda _, duration: manifest(duration, **changes))
    return open_recording(folder)


def transcript_of(utterances: tuple[Utterance, ...], duration: float) -> Transcript:
    """The utterances as a transcript."""
    return Transcript(
        call_id="cold-01-andi-0007",
        duration=duration,
        language="en",
        model="whisper-base",
        utterances=utterances,
    )


def metrics_of(utterances: tuple[Utterance, ...], duration: float) -> Metrics:
    """The script's measures, from its own gaps: four answers, a cut-in, an interruption, dead air."""
    by_id = {one.id: one for one in utterances}
    answers = (("P1", "A2"), ("P2", "A3"), ("P3", "A4"), ("P5", "A6"), ("P6", "A7"))
    turns = tuple(_turn(by_id[a], by_id[b]) for a, b in answers)
    timed = tuple(sorted(turn.latency for turn in turns if turn.latency is not None))
    talk = {side: sum(one.end - one.start for one in utterances if one.side == side) for side in ("agent", "caller")}
    stop = by_id["P4"]
    return Metrics(
        call_id="cold-01-andi-0007",
        duration=duration,
        response_latency=Summary(
            n=len(timed), median=(timed[1] + timed[2]) / 2, p90=timed[3], p95=timed[3], max=timed[3], values=timed
        ),
        turns=turns,
        cut_ins=1,
        interruptions=(
            Interruption(caller="P4", agent="A4", start=stop.start, yield_time=0.35, yielded=True, overlap=0.35),
        ),
        false_yields=0,
        overlap=0.65,
        dead_air=(DeadAir(start=by_id["P3"].end, end=by_id["A4"].start, waiting_for="agent"),),
        agent_talk=talk["agent"],
        caller_talk=talk["caller"],
        talk_ratio=talk["agent"] / (talk["agent"] + talk["caller"]),
        first_word=0.6,
    )


def _turn(asked: Utterance, answer: Utterance) -> Turn:
    cut_in = answer.start < asked.end
    return Turn(
        caller=asked.id,
        caller_end=asked.end,
        agent=answer.id,
        agent_start=answer.start,
        latency=None if cut_in else answer.start - asked.end,
        outcome="cut_in" if cut_in else "answered",
    )


def verdicts_of(utterances: tuple[Utterance, ...]) -> Verdicts:
    """Verdicts with their quotes: 0.16 + 5 * 0.12 = 0.76 of the weight is hit."""
    by_id = {one.id: one for one in utterances}
    verdicts = []
    for check in CASE["rubric"]:
        outcome, where, quote, reason = QUOTES[check["id"]]
        evidence = (_evidence(by_id[where], quote),) if where else ()
        verdicts.append(
            Verdict(
                check=check["id"],
                group=check["group"],
                weight=check["weight"],
                outcome=outcome,
                evidence=evidence,
                reason=reason,
            )
        )
    return Verdicts(
        call_id="cold-01-andi-0007",
        judge="cues",
        judge_version="1",
        verdicts=tuple(verdicts),
        score=Score(value=0.76, coverage=1.0),
    )


def _evidence(utterance: Utterance, quote: str) -> Evidence:
    words = [word.text.strip() for word in utterance.words]
    count = len(quote.split())
    first = next(
        at
        for at in range(len(words))
        if " ".join(words[at : at + count]).casefold().rstrip("?.,") == quote.casefold().rstrip("?.,")
    )
    return Evidence(
        utterance=utterance.id,
        quote=quote,
        start=utterance.words[first].start,
        end=utterance.words[first + count - 1].end,
    )


EVENTS: tuple[Event, ...] = (
    Connected(t=0.0, setup_seconds=0.412, line="smallwebrtc"),
    AgentSaid(t=0.7, text="Hello, this is the clinic's nurse line. What can I help you with today?"),
    AgentSaid(t=12.0, text="I'm sorry to hear that. Have you had a fever, or felt hot?"),
    Warning_(t=14.2, message="STUN server stun:192.0.2.1:3478 does not answer; connected without it"),
    AgentSaid(
        t=31.0,
        text="This is probably a cold or another viral infection of the airways. Please rest, drink plenty, and keep "
        "taking your metformin as usual, because it matters that your blood sugar stays even.",
    ),
    Hangup(t=55.0, by="caller", reason="completed"),
)


def sample(folder: Path, **changes: Any) -> Call:
    """The whole call, its recording written to `folder`; `changes` are to the manifest."""
    caller, agent, utterances = spoken_call()
    duration = len(caller) / RATE
    return Call(
        recording=write_recording(folder, caller, agent, EVENTS, **changes),
        transcript=transcript_of(utterances, duration),
        metrics=metrics_of(utterances, duration),
        verdicts=verdicts_of(utterances),
    )
