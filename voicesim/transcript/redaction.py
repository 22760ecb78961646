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
from rapidfuzz.distance import Levenshtein

from voicesim.audio.samples import RATE, Pcm, samples, to_wave
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.model import Case
from voicesim.errors import UsageError
from voicesim.language.personal import Entity, personal
from voicesim.recording import files, flac
from voicesim.recording.manifest import Redacted
from voicesim.recording.read import Recording, open_recording
from voicesim.stt import align
from voicesim.stt.model import HeardWord
from voicesim.transcript.model import Transcript, Utterance

MARK = "[redacted]"
AGENT_PAD, PATIENT_PAD = 0.1, 0.25
"""Seconds around words; the patient's are placed by their sound alone, and less exactly."""
TONE_HZ, TONE_LEVEL = 1_000, 1_000
LIKE = 4
"""Letters from which a word a letter away from a redacted one is taken for it."""
KEPT_KEYS = frozenset(
    (
        *("id", "sha256", "type", "kind", "group", "intent", "side", "source", "persona", "suite", "call_id"),
        *("engine", "model", "tag", "outcome", "check", "judge", "by", "cues", "utterance", "version", "language"),
        "key",
    )
)
"""Keys of files whose values are no text of the call."""
_WORD = re.compile(r"\w[\w'’]*")

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
    phrases = found_phrases(recording, transcript, wanted)
    spans = {side: _spans(recording, transcript, side, phrases) for side in ("caller", "agent")}
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
        _write_texts(folder, scrap, phrases, redacted)
        open_recording(scrap)
        scrap.rename(out)
    except BaseException:
        shutil.rmtree(scrap, ignore_errors=True)
        raise
    return redacted


def found_phrases(recording: Recording, transcript: Transcript, wanted: Wanted) -> tuple[str, ...]:
    """The words to take out, longest first: those asked for, and the personal details in the transcript and case."""
    patient = recording.manifest.case.content.get("patient", {})
    name = str(patient.get("name", ""))
    names = [name, *name.split()] if "name" in wanted.entities and name else []
    texts = [utterance.text for utterance in transcript.utterances]
    texts += [event.text for event in recording.events if hasattr(event, "text")]
    details = {detail.text for text in texts for detail in personal(text, wanted.entities, names, transcript.language)}
    every = {phrase.strip() for phrase in (*wanted.words, *names, *details) if _WORD.search(phrase)}
    return tuple(sorted(every, key=lambda phrase: (-len(phrase), phrase)))


def places(text: str, phrases: Iterable[str]) -> list[tuple[int, int]]:
    """Where a text holds one of some phrases, as characters [start, end), in order, joined where they overlap."""
    words = [(match.group().casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]
    spans = []
    for phrase in phrases:
        parts = [match.group().casefold() for match in _WORD.finditer(phrase)]
        for at in range(len(words) - len(parts) + 1):
            if all(_alike(part, words[at + n][0]) for n, part in enumerate(parts)):
                spans.append((words[at][1], words[at + len(parts) - 1][2]))
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def marked(text: str, phrases: Iterable[str]) -> str:
    """A text with a mark in the place of every phrase."""
    for start, end in reversed(places(text, phrases)):
        text = f"{text[:start]}{MARK}{text[end:]}"
    return text


def _alike(part: str, word: str) -> bool:
    if part == word or part == word.removesuffix("'s").removesuffix("’s"):
        return True
    same_start = len(part) == len(word) >= LIKE and part[0] == word[0] and part.isalpha()
    return same_start and Levenshtein.distance(part, word) <= 1


def _spans(recording: Recording, transcript: Transcript, side: str, phrases: Sequence[str]) -> list[Span]:
    return [
        span
        for utterance in transcript.utterances
        if utterance.side == side
        for start, end in places(utterance.text, phrases)
        if (span := _sounding(recording, utterance, start, end, transcript.language)) is not None
    ]


def _sounding(recording: Recording, utterance: Utterance, start: int, end: int, language: str) -> Span:
    """Where characters of an utterance sound; all of it where its words cannot be placed."""
    written = [(match.start(), match.end()) for match in re.finditer(r"\S+", utterance.text)]
    inside = [n for n, (first, last) in enumerate(written) if first < end and last > start]
    pad = PATIENT_PAD if utterance.source == "line" else AGENT_PAD
    timed = [(word.start, word.end) for word in utterance.words]
    if len(timed) != len(written):
        if language != align.LANGUAGE or not recording.has_clean or utterance.side == "agent":
            return utterance.start - pad, utterance.end + pad
        timed = _aligned(recording, utterance)
    return timed[inside[0]][0] - pad, timed[inside[-1]][1] + pad


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


def _write_texts(folder: Path, out: Path, phrases: Sequence[str], redacted: Redacted) -> None:
    """Every JSON file of the recording with marks in it."""
    for path in sorted((*folder.glob("*.json"), *folder.glob(f"{files.VERDICTS}/*.json"))):
        content = _marked_json(json.loads(path.read_text("utf-8-sig")), phrases)
        if path.name == files.MANIFEST and path.parent == folder:
            content["redacted"] = redacted.model_dump(mode="json")
            _new_fingerprint(content)
        files.write_text(out / path.relative_to(folder), json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    lines = (folder / files.EVENTS).read_text("utf-8-sig").splitlines() if (folder / files.EVENTS).is_file() else []
    events = [_marked_json(json.loads(line), phrases) for line in lines if line.strip()]
    warning = {
        "t": 0.0,
        "type": "warning",
        "message": f"a redacted copy: {redacted.stretches} stretches are {redacted.sound}",
    }
    text = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in [warning, *events])
    files.write_text(out / files.EVENTS, text)


def _new_fingerprint(manifest: dict[str, Any]) -> None:
    """The sha256 of the case without the words; none where what is left is no case that could be judged."""
    case = manifest.get("case", {})
    try:
        case["sha256"] = fingerprint(Case.model_validate(case.get("content")))
    except ValueError:
        case["sha256"] = ""


def _marked_json(value: Any, phrases: Sequence[str], key: str = "") -> Any:
    """A JSON value with marks in its texts; an utterance's words are marked as its text is."""
    if isinstance(value, dict):
        changed = {name: _marked_json(item, phrases, name) for name, item in value.items()}
        if isinstance(value.get("words"), list) and isinstance(value.get("text"), str):
            changed["words"] = _marked_words(value["text"], value["words"], phrases)
        if "quote" in value and isinstance(value["quote"], str):
            changed["quote"] = _marked_quote(value["quote"], phrases)
        return changed
    if isinstance(value, list):
        return [_marked_json(item, phrases, key) for item in value]
    return marked(value, phrases) if isinstance(value, str) and key not in KEPT_KEYS else value


def _marked_words(text: str, words: list[Any], phrases: Sequence[str]) -> list[Any]:
    written = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    hidden = places(text, phrases)
    if len(written) != len(words):
        return [] if hidden else words
    return [
        {**word, "text": MARK} if any(first < end and last > start for start, end in hidden) else word
        for word, (first, last) in zip(words, written, strict=True)
    ]


def _marked_quote(quote: str, phrases: Sequence[str]) -> str:
    """A quote with marks; the words of a phrase at its edges are marked, too, where it cuts a phrase."""
    text = marked(quote, phrases)
    parts = [match.group().casefold() for match in _WORD.finditer(quote)]
    for phrase in phrases:
        own = [match.group().casefold() for match in _WORD.finditer(phrase)]
        for size in range(len(own) - 1, 0, -1):
            if parts[:size] == own[-size:] or parts[-size:] == own[:size]:
                return MARK
    return text
