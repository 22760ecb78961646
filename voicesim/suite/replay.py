"""From a recording to the patient in it, ready to call again: its lines, their sound, and what they answered."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from voicesim.audio.samples import Pcm, samples
from voicesim.call.assembly import Order
from voicesim.caller.divergence import told_facts
from voicesim.caller.recorded import Mode, OnDivergence, Replay, Spoken
from voicesim.catalog.find import Catalogue
from voicesim.catalog.load import PERSONA_KEYS, renamed_keys
from voicesim.catalog.model import AudioProfile, Case, Persona, ReplyGap, TurnTaking
from voicesim.errors import RecordingError, UsageError
from voicesim.recording import files
from voicesim.recording.case import case_of
from voicesim.recording.events import CallerLine, Effect, Heard
from voicesim.recording.read import Recording, open_recording
from voicesim.transcript.model import Transcript

AS_RECORDED = AudioProfile(id="as-recorded", title="As recorded")
"""The line of a call from outside: its effects are in the sound already."""
FADE = samples(0.01)


@dataclass(frozen=True)
class ReplayOptions:
    """How recordings are replayed. `profile` replaces the recorded one; `meaning` is a model that tells divergence."""

    mode: Mode = "turns"
    on_divergence: OnDivergence = "go_on"
    sent: bool = False
    profile: AudioProfile | None = None
    meaning: str = ""


def replay_of(recording: Recording, options: ReplayOptions) -> Replay:
    """The recorded patient of a call.

    Raises UsageError for a call from outside that is not transcribed yet, and for one in which no patient speaks.
    """
    case = case_of(recording.manifest)
    outside = not recording.has_clean
    lines = _heard_lines(recording, case) if outside else _lines(recording)
    if not any(line.turn for line in lines):
        raise UsageError(f"{recording.folder}: no line of a patient in it; there is nothing to replay")
    voice = _voice(recording, lines, sent=options.sent or outside)
    return Replay(
        call_id=recording.manifest.call_id,
        mode=options.mode,
        on_divergence=options.on_divergence,
        lines=lines,
        clean=voice,
        sent=recording.caller,
        effects=tuple(event for event in recording.events if isinstance(event, Effect)),
        completed=recording.manifest.end_reason == "completed",
        meaning=options.meaning,
        sound="sent" if options.sent or outside else "clean",
    )


def replay_order(folder: Path, options: ReplayOptions, order: Order) -> Order:
    """An order for a call in which the patient of a recording calls again, with all else as in `order`.

    Case, persona, profile and seed are those of the recording.
    """
    recording = open_recording(folder)
    manifest, replay = recording.manifest, replay_of(recording, options)
    case = case_of(manifest)
    turns = len([line for line in replay.lines if line.event.intent == "respond"])
    hands_over = options.on_divergence == "hand_over"
    return replace(
        order,
        case=case,
        persona=_persona(manifest.persona.content, case),
        profile=options.profile or _profile(manifest.profile.content, sent=replay.sound == "sent"),
        seed=manifest.seed,
        replay=replay,
        max_turns=order.max_turns if hands_over else max(order.max_turns, turns + 3),
    )


def _lines(recording: Recording) -> tuple[Spoken, ...]:
    """The patient's lines by their events, each with what was heard of the agent before it."""
    lines: list[Spoken] = []
    heard = ""
    for event in recording.events:
        if isinstance(event, Heard):
            heard = event.text
        elif isinstance(event, CallerLine):
            lines.append(Spoken(event, heard if event.intent == "respond" else ""))
            heard = "" if event.intent == "respond" else heard
    return tuple(lines)


def _heard_lines(recording: Recording, case: Case) -> tuple[Spoken, ...]:
    """The same for a call from outside, by its transcript."""
    if not (recording.folder / files.TRANSCRIPT).is_file():
        raise UsageError(
            f"{recording.folder}: transcribe it first: a call from outside has its lines in its transcript"
        )
    transcript = files.load(recording.folder, files.TRANSCRIPT, Transcript)
    if transcript.call_id != recording.manifest.call_id:
        raise RecordingError(f"{recording.folder}: its transcript is of another call; transcribe it again")
    lines: list[Spoken] = []
    heard: list[str] = []
    facts = case.patient.reveal_only_if_asked
    for utterance in transcript.utterances:
        if utterance.side == "agent":
            heard.append(utterance.text)
            continue
        event = CallerLine(
            t=utterance.start,
            text=utterance.text or "(unclear)",
            spoken=utterance.text,
            intent=utterance.intent or "respond",
            kind=utterance.kind or "line",
            facts=told_facts(utterance.text, facts, case.language),
            start=max(0.0, utterance.start - 0.02),
            end=min(recording.duration, utterance.end + 0.05),
        )
        lines.append(Spoken(event, " ".join(heard) if event.intent == "respond" else ""))
        heard = [] if event.intent == "respond" else heard
    return tuple(lines)


def _voice(recording: Recording, lines: tuple[Spoken, ...], *, sent: bool) -> Pcm:
    """The patient's voice: the clean stem, or what was sent with silence where the patient does not speak."""
    if not sent:
        return recording.clean
    voice = np.zeros_like(recording.caller)
    ramp = np.linspace(0.0, 1.0, FADE)
    for line in lines:
        first, last = samples(line.event.start), min(samples(line.event.end), len(voice))
        stretch = recording.caller[first:last].astype(np.float64)
        if len(stretch) > 2 * FADE:
            stretch[:FADE] *= ramp
            stretch[-FADE:] *= ramp[::-1]
        voice[first:last] = np.rint(stretch).astype(np.int16)
    return voice


def _persona(content: dict[str, object], case: Case) -> Persona:
    """The recorded persona; the case's own with plain turn-taking where there was none."""
    if content:
        return Persona.model_validate(renamed_keys(content, PERSONA_KEYS)[0])
    own = Catalogue.here().persona(case.patient.persona)
    plain = TurnTaking(reply_gap=ReplyGap(between=(0.3, 0.6)), end_of_turn=1.5)
    return own.model_copy(update={"turn_taking": plain})


def _profile(content: dict[str, object], *, sent: bool) -> AudioProfile:
    return AudioProfile.model_validate(content) if content and not sent else AS_RECORDED
