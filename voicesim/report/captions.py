"""A transcript as captions (SRT, WebVTT), as a table of who spoke when (RTTM), and as Markdown."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from voicesim.judge.model import Verdicts
from voicesim.recording.manifest import Manifest
from voicesim.report.markdown import escaped
from voicesim.report.wording import visible
from voicesim.transcript.model import Transcript, Utterance

WHO = MappingProxyType({"agent": "Agent", "caller": "Patient"})


def srt(transcript: Transcript) -> str:
    """SubRip: numbered captions, each with its speaker."""
    blocks = [
        f"{number}\n{_clock(utterance.start, ',')} --> {_clock(_end(utterance), ',')}\n{_said(utterance)}\n"
        for number, utterance in enumerate(transcript.utterances, start=1)
    ]
    return "\n".join(blocks)


def vtt(transcript: Transcript) -> str:
    """WebVTT, with voice tags; signs that could be markup are escaped."""
    blocks = [
        f"{_escaped(utterance.id)}\n{_clock(utterance.start, '.')} --> {_clock(_end(utterance), '.')}\n"
        f"<v {WHO[utterance.side]}>{_escaped(utterance.text)}\n"
        for utterance in transcript.utterances
    ]
    return "\n".join(["WEBVTT\n", *blocks])


def rttm(transcript: Transcript) -> str:
    """Rich Transcription Time Marked (NIST, 2009): a line for every stretch of sound, with its onset and length."""
    name = "_".join(visible(transcript.call_id).split()) or "call"
    lines = [
        f"SPEAKER {name} {1 if utterance.side == 'caller' else 2} {start:.3f} {end - start:.3f} "
        f"<NA> <NA> {WHO[utterance.side].lower()} <NA> <NA>"
        for utterance in transcript.utterances
        for start, end in utterance.voiced
    ]
    return "".join(f"{line}\n" for line in sorted(lines, key=lambda line: float(line.split()[3])))


def markdown(manifest: Manifest, transcript: Transcript, verdicts: Verdicts | None = None) -> str:
    """The call to read: what it was, who said what and when, and the verdicts with their quotes."""
    title = manifest.case.content.get("title", manifest.case.id)
    lines = [
        f"# {escaped(str(title))}",
        "",
        f"- call: {escaped(manifest.call_id)}",
        f"- agent: {escaped(manifest.agent.id)}",
    ]
    lines += [f"- length: {transcript.duration:.1f} s", f"- ended: {manifest.end_reason}", "", "## Transcript", ""]
    lines += [
        f"**{escaped(utterance.id)}** {WHO[utterance.side]}, {utterance.start:.2f} s: {escaped(utterance.text)}  "
        for utterance in transcript.utterances
    ]
    if verdicts is not None:
        score = "no score" if verdicts.score.value is None else f"score {verdicts.score.value:.2f}"
        lines += [
            "",
            f"## Verdicts of {escaped(verdicts.judge)}: {score}",
            "",
            "| check | verdict | evidence |",
            "|---|---|---|",
        ]
        for verdict in verdicts.verdicts:
            quotes = "; ".join(f"{escaped(quote.utterance)}: “{escaped(quote.quote)}”" for quote in verdict.evidence)
            lines.append(f"| {escaped(verdict.check)} | {verdict.outcome} | {quotes} |")
    return "\n".join(lines) + "\n"


CAPTIONS: Mapping[str, Callable[[Transcript], str]] = MappingProxyType({"srt": srt, "vtt": vtt, "rttm": rttm})
"""Formats that need the transcript alone, by their name and suffix."""


def _end(utterance: Utterance) -> float:
    """A caption that is shown for no time is never seen."""
    return max(utterance.end, utterance.start + 0.1)


def _said(utterance: Utterance) -> str:
    return f"{WHO[utterance.side]}: {_one_line(utterance.text)}"


def _clock(second: float, point: str) -> str:
    whole = round(second * 1000)
    hours, minutes = whole // 3_600_000, whole // 60_000 % 60
    return f"{hours:02d}:{minutes:02d}:{whole // 1000 % 60:02d}{point}{whole % 1000:03d}"


def _one_line(text: str) -> str:
    """Text of the call in one line, as a person sees it; an arrow of captions is none."""
    return visible(" ".join(text.split())).replace("-->", "→")


def _escaped(text: str) -> str:
    return _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
