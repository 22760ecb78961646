"""What was misheard on either side: rows of the table of figures, and each mishearing with its sounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.audio.samples import Pcm, samples
from voicesim.metrics.model import AgentHearing, Metrics, Misheard, Share, SpeechFidelity, SpeechQuality
from voicesim.recording.read import Recording
from voicesim.report import clip
from voicesim.report.figures import Figure
from voicesim.report.wording import MISSING, percent
from voicesim.transcript.model import Transcript, Utterance

MOST_ROWS = 60
"""Mishearings as many as the page shows."""
MOST_CLIPS = 12
"""Lines whose clean sound is in the page: some 30 kB each."""
AROUND = 0.1
"""Seconds of sound before and behind an utterance."""
_FAULTS = {
    "agent": "our transcriber understood it from the same sound: the agent misheard",
    "line": "our transcriber did not understand it either: the voice or the line",
    None: "",
}


@dataclass(frozen=True)
class MisheardRow:
    """One mishearing of the page: `what` was said and understood, when (seconds), and the clean sound as base64 MP3."""

    utterance: str
    kind: str
    said: str
    understood: str
    fault: str
    start: float
    end: float
    clean: str = ""


def figures(metrics: Metrics) -> list[Figure]:
    """Rows for what the agent understood and for its own speech; none where nothing is known of it."""
    return [
        *_hearing(metrics.agent_hearing),
        *_fidelity(metrics.speech_fidelity),
        *_quality(metrics.speech_quality),
    ]


def by_agent(metrics: Metrics, transcript: Transcript, recording: Recording) -> list[MisheardRow]:
    """What the agent misheard or, where it does not tell, what the line had lost; with the clean sound of each line."""
    hearing = metrics.agent_hearing
    if hearing is None:
        return []
    entries = [entry for entry in hearing.misheard if hearing.source == "told" or entry.fault]
    lines = list(dict.fromkeys(entry.utterance for entry in entries))[:MOST_CLIPS]
    spans = {utterance.id: utterance for utterance in transcript.of("caller")}
    sounds = {name: _sound(recording.clean, spans[name]) for name in lines if name in spans}
    return _rows(entries, spans, sounds)


def in_voice(metrics: Metrics, transcript: Transcript) -> list[MisheardRow]:
    """What the agent tells that it said and is not heard in its voice."""
    entries = metrics.speech_fidelity.misheard if metrics.speech_fidelity else ()
    return _rows(entries, {utterance.id: utterance for utterance in transcript.of("agent")}, {})


def _rows(entries: Sequence[Misheard], spans: dict[str, Utterance], sounds: dict[str, str]) -> list[MisheardRow]:
    return [
        MisheardRow(
            entry.utterance,
            entry.kind,
            entry.said,
            entry.understood,
            _FAULTS[entry.fault],
            max(0.0, spans[entry.utterance].start - AROUND),
            spans[entry.utterance].end + AROUND,
            sounds.get(entry.utterance, ""),
        )
        for entry in entries[:MOST_ROWS]
        if entry.utterance in spans
    ]


def _sound(clean: Pcm, line: Utterance) -> str:
    return clip.plain(clean[samples(max(0.0, line.start - AROUND)) : samples(line.end + AROUND)])


def _hearing(hearing: AgentHearing | None) -> list[Figure]:
    if hearing is None or not hearing.entities.n:
        return []
    note = _kinds(hearing.by_kind)
    if hearing.wer is not None:
        note += f"; word error rate {percent(hearing.wer)}"
    if hearing.wer_line is not None:
        note += f", our transcriber {percent(hearing.wer_line)} on the same sound"
    links = tuple(dict.fromkeys(entry.utterance for entry in hearing.misheard if entry.fault == "agent"))
    if hearing.source == "told":
        faults = [entry.fault for entry in hearing.misheard]
        shares = f"{faults.count('agent')} misheard by the agent, {faults.count('line')} lost on the line; "
        return [
            Figure(
                "Understood", _of(hearing.entities), f"clinical entities, by the agent's word; {shares}{note}", links
            )
        ]
    return [Figure("Taken up", _of(hearing.entities), f"clinical entities that its words or tools show; {note}", links)]


def _fidelity(fidelity: SpeechFidelity | None) -> list[Figure]:
    if fidelity is None:
        return []
    rate = MISSING if fidelity.wer is None else percent(fidelity.wer)
    note = f"clinical entities of its own transcript that are heard in its voice; word error rate {rate}"
    kinds = _kinds(fidelity.by_kind)
    links = tuple(dict.fromkeys(entry.utterance for entry in fidelity.misheard))
    return [Figure("Speech fidelity", _of(fidelity.entities), f"{note}; {kinds}" if kinds else note, links)]


def _quality(quality: SpeechQuality | None) -> list[Figure]:
    if quality is None:
        return []
    note = (
        f"of 5, as a network hears {quality.seconds:.0f} s of the agent: signal {quality.signal:.1f}, "
        f"background {quality.background:.1f}, continuity {quality.continuity:.1f}"
    )
    return [Figure("Speech quality", f"{quality.overall:.1f}", note)]


def _kinds(by_kind: dict[str, Share]) -> str:
    return ", ".join(f"{kind} {_of(share)}" for kind, share in by_kind.items())


def _of(share: Share) -> str:
    return f"{share.count} of {share.n}"
