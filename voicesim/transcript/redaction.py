"""A copy of a recording without some words: silence or a tone in its sound, a mark in every text.

What is taken out is found in the transcript. The same words, and words a letter away from them, are marked wherever a
text of the recording holds them. Pages are not copied: they are made again.
"""

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from voicesim.audio.samples import RATE, Pcm, samples, to_wave
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.model import Case
from voicesim.errors import UsageError
from voicesim.language.personal import Entity, personal
from voicesim.recording import files, flac
from voicesim.recording.events import Warning_
from voicesim.recording.manifest import Redacted
from voicesim.recording.read import Recording, open_recording, read_events
from voicesim.stt import align
from voicesim.stt.model import HeardWord
from voicesim.transcript.marking import WORD, Marker
from voicesim.transcript.model import Transcript, Utterance

AGENT_PAD, PATIENT_PAD = 0.1, 0.25
"""Seconds around words; the patient's are placed by their sound alone, and less exactly."""
TONE_HZ, TONE_LEVEL = 1_000, 1_000
Span = tuple[float, float]


@dataclass(frozen=True)
class Wanted:
    """What is to be taken out: words, kinds of personal details, and what the sound becomes."""

    words: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    sound: Literal["silence", "tone"] = "silence"


def redact_recording(folder: Path, out: Path, wanted: Wanted) -> Redacted:
    """Write the redacted copy; the original is not touched. Nothing is left when something goes wrong.

    Raises UsageError when nothing is asked for, nothing is found, there is no transcript, or `out` is there already.
    """
    if not wanted.words and not wanted.entities:
        raise UsageError("say what to redact: --words or --entity")
    if out.exists():
        raise UsageError(f"{out}: there is something already; a recording is never written over")
    recording = open_recording(folder)
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: transcribe it first; what is redacted is found in its transcript")
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    marker = Marker(found_phrases(recording, transcript, wanted))
    spans = {side: _spans(recording, transcript, side, marker) for side in ("caller", "agent")}
    count = sum(map(len, spans.values()))
    if not count:
        raise UsageError(f"{folder}: nothing of what is to be redacted is in its transcript")
    redacted = Redacted(stretches=count, sound=wanted.sound)
    out.parent.mkdir(parents=True, exist_ok=True)
    scrap = out.with_name(f".{out.name}.redacting")
    shutil.rmtree(scrap, ignore_errors=True)
    try:
        scrap.mkdir()
        _write_sound(recording, scrap, spans, wanted.sound)
        _write_texts(folder, scrap, marker, redacted)
        open_recording(scrap)
        scrap.rename(out)
    except BaseException:
        shutil.rmtree(scrap, ignore_errors=True)
        raise
    return redacted


def found_phrases(recording: Recording, transcript: Transcript, wanted: Wanted) -> tuple[str, ...]:
    """The words to take out, longest first: those asked for, and the personal details in the transcript and case."""
    patient = recording.manifest.case.content.get("patient")
    name = str(patient.get("name", "")) if isinstance(patient, dict) else ""
    names = [name, *name.split()] if "name" in wanted.entities and name else []
    texts = [utterance.text for utterance in transcript.utterances]
    texts += [event.text for event in recording.events if hasattr(event, "text")]
    details = {detail.text for text in texts for detail in personal(text, wanted.entities, names, transcript.language)}
    every = {phrase.strip() for phrase in (*wanted.words, *names, *details) if WORD.search(phrase)}
    return tuple(sorted(every, key=lambda phrase: (-len(phrase), phrase)))


def _spans(recording: Recording, transcript: Transcript, side: str, marker: Marker) -> list[Span]:
    return [
        span
        for utterance in transcript.utterances
        if utterance.side == side
        for span in _sounding(recording, utterance, marker.places(utterance.text), transcript.language)
    ]


def _sounding(
    recording: Recording, utterance: Utterance, hidden: Sequence[tuple[int, int]], language: str
) -> Iterator[Span]:
    """Where characters [start, end) of an utterance sound; all of it where its words cannot be placed."""
    written = [(match.start(), match.end()) for match in re.finditer(r"\S+", utterance.text)]
    pad = PATIENT_PAD if utterance.source == "line" else AGENT_PAD
    timed = [(word.start, word.end) for word in utterance.words]
    if hidden and len(timed) != len(written):
        if language != align.LANGUAGE or not recording.has_clean or utterance.side == "agent":
            yield utterance.start - pad, utterance.end + pad
            return
        timed = _aligned(recording, utterance)
    for start, end in hidden:
        inside = [n for n, (first, last) in enumerate(written) if first < end and last > start]
        yield timed[inside[0]][0] - pad, timed[inside[-1]][1] + pad


def _aligned(recording: Recording, utterance: Utterance) -> list[Span]:
    """The times of a line's words in the clean stem: first by their letters, then by their sound."""
    words = utterance.text.split()
    ends = np.cumsum([len(word) + 1 for word in words])
    share = (utterance.end - utterance.start) / float(ends[-1])
    guessed = [
        HeardWord(
            word, utterance.start + float(last - len(word) - 1) * share, utterance.start + float(last) * share, 1.0
        )
        for word, last in zip(words, ends, strict=True)
    ]
    placed = align.align(to_wave(recording.clean), guessed, utterance.start, utterance.end)
    return [
        (min(first.start, second.start), max(first.end, second.end))
        for first, second in zip(guessed, placed, strict=True)
    ]


def _write_sound(recording: Recording, out: Path, spans: dict[str, list[Span]], kind: str) -> None:
    """The copies' sound; where both sides are heard in a channel, both are silenced."""
    imported = recording.manifest.imported
    mixed = imported is not None and (imported.crosstalk or imported.uncertain)
    both = [span for side in spans.values() for span in side]
    caller = _without(recording.caller, both if mixed else spans["caller"], kind)
    agent = _without(recording.agent, both if mixed else spans["agent"], kind)
    flac.write(out, files.AUDIO, 2, _blocks(np.stack([caller, agent], axis=1)))
    if recording.has_clean:
        flac.write(out, files.CLEAN, 1, _blocks(_without(recording.clean, spans["caller"], kind)[:, None]))


def _without(sound: Pcm, spans: Iterable[Span], kind: str) -> Pcm:
    changed = sound.copy()
    for start, end in spans:
        first, last = max(0, samples(start)), max(0, min(len(sound), samples(end)))
        tone = TONE_LEVEL * np.sin(2 * np.pi * TONE_HZ * np.arange(max(0, last - first)) / RATE)
        changed[first:last] = np.rint(tone).astype(np.int16) if kind == "tone" else 0
    return changed


def _blocks(frames: Pcm) -> Iterator[Pcm]:
    for start in range(0, len(frames), flac.BLOCK):
        yield frames[start : start + flac.BLOCK]


def _write_texts(folder: Path, out: Path, marker: Marker, redacted: Redacted) -> None:
    """Every JSON file of the recording with marks in it."""
    for path in sorted((*folder.glob("*.json"), *folder.glob(f"{files.VERDICTS}/*.json"))):
        name = path.relative_to(folder).as_posix()
        content = marker.json(files.load_json(folder, name))
        if name == files.MANIFEST:
            content["redacted"] = redacted.model_dump(mode="json")
            _new_fingerprint(content)
        files.write_text(out / name, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    warning = Warning_(t=0.0, message=f"a redacted copy: {redacted.stretches} stretches are {redacted.sound}")
    events = (warning, *read_events(folder))
    marks = (marker.json(event.model_dump(mode="json")) for event in events)
    files.write_text(out / files.EVENTS, "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in marks))


def _new_fingerprint(manifest: dict[str, Any]) -> None:
    """The sha256 of the case without the words; none where what is left is no case that could be judged."""
    case = manifest.get("case", {})
    try:
        case["sha256"] = fingerprint(Case.model_validate(case.get("content")))
    except ValueError:
        case["sha256"] = ""
