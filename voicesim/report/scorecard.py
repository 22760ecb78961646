"""The scorecard: one page with the call's sound in it, which needs no network and no other file."""

from collections.abc import Sequence
from typing import Any

from voicesim.audio.samples import RATE
from voicesim.judge.gate import gate
from voicesim.judge.model import Verdicts
from voicesim.metrics.model import Metrics
from voicesim.recording.events import Warning_
from voicesim.recording.read import Recording
from voicesim.report import clip, figures, misheard
from voicesim.report.agent_claims import heard_pairs, pairs
from voicesim.report.checks import RIGHT_ANSWERS, CheckView, GroupView, Spoken, failure, groups
from voicesim.report.conversation import conversation
from voicesim.report.embedded_json import embedded_json
from voicesim.report.quotes import tokens
from voicesim.report.template import render
from voicesim.report.time_axis import timeline
from voicesim.report.tools import tool_rows
from voicesim.report.waterfall import bars
from voicesim.transcript.model import Transcript

_STYLES = ("base.css", "parts.css", "timeline.css")
MOST_WARNINGS = 300
_SCRIPTS = ("player.js", "page.js", "label.js")


def scorecard(recording: Recording, transcript: Transcript, metrics: Metrics, verdicts: Verdicts) -> str:
    """The page as HTML text. The same inputs give the same text.

    Text of the call is only ever text in it: it is escaped in the markup and in the script's data, and the
    page's policy lets no script run but its own. Raises RecordingError when the sound cannot be read.
    """
    content = recording.manifest.case.content
    spoken = {utterance.id: (utterance, tokens(utterance)) for utterance in transcript.utterances}
    by_group = groups(content.get("rubric", ()), verdicts.verdicts, spoken, verdicts.tags)
    checks = [check for group in by_group for check in group.checks]
    said = conversation(spoken, checks, metrics)
    page: dict[str, Any] = {
        "data": embedded_json(_data(recording, spoken, checks) | {"labels": _labels(recording, verdicts, checks)}),
        "manifest": recording.manifest,
        "title": content.get("title", recording.manifest.case.id),
        "patient": content.get("patient", {}),
        "persona_title": recording.manifest.persona.content.get("title", ""),
        "profile_title": recording.manifest.profile.content.get("title", ""),
        "duration": recording.duration,
        "verdicts": verdicts,
        "score": verdicts.score,
        "gate": gate(recording.manifest.validity, verdicts.score),
        "has_critical": any(group.id == "critical" for group in by_group),
        "groups": by_group,
        "right_answers": tuple(RIGHT_ANSWERS.items()),
        "bar": _bar(by_group),
        "lines": sorted((*said, *tool_rows(recording.events)), key=lambda line: line.start),
        "failures": [failure(tag) for tag in verdicts.tags if not tag.check],
        "timeline": timeline(
            recording.caller, recording.agent, recording.duration, transcript.utterances, metrics, checks
        ),
        "transcript": transcript,
        "metrics": metrics,
        "latency": figures.latency_row(metrics.response_latency),
        "slowest": figures.slowest(metrics, transcript),
        "figures": (*figures.figures(metrics, recording.manifest), *misheard.figures(metrics)),
        "misheard": misheard.by_agent(metrics, transcript, recording),
        "unfaithful": misheard.in_voice(metrics, transcript),
        "waterfall": bars(metrics.replies),
        "own_words": pairs(recording.events, transcript.of("agent")),
        "understood": heard_pairs(recording.events, transcript.of("caller")),
        "warnings": _warnings(recording),
    }
    return render("scorecard.html", _STYLES, _SCRIPTS, page)


def _warnings(recording: Recording) -> list[tuple[float, str]]:
    """When something was warned of, and what; how many more there are than a page can show."""
    every = [(event.t, event.message) for event in recording.events if isinstance(event, Warning_)]
    more = len(every) - MOST_WARNINGS
    return every if more <= 0 else [*every[:MOST_WARNINGS], (every[MOST_WARNINGS][0], f"… and {more:,} warnings more")]


def _data(
    recording: Recording,
    spoken: Spoken,
    checks: Sequence[CheckView],
) -> dict[str, Any]:
    """What the script needs: the sound, and times in seconds. Texts it takes from the page."""
    sound = clip.encode(recording.caller, recording.agent)
    return {
        "duration": recording.duration,
        "sound": sound.base64 if sound else None,
        "rate": RATE,
        "lead": clip.LEAD,
        "pulse": clip.PULSE,
        "utterances": [
            {
                "id": utterance.id,
                "start": utterance.start,
                "end": utterance.end,
                "words": [[token.word.start, token.word.end] if token.word else None for token in pieces],
            }
            for utterance, pieces in spoken.values()
        ],
        "checks": {
            check.id: [
                {
                    "utterance": quote.utterance,
                    "start": quote.start,
                    "end": quote.end,
                    "first": quote.place.first if quote.place else None,
                    "last": quote.place.last if quote.place else None,
                }
                for quote in check.quotes
                if quote.in_transcript
            ]
            for check in checks
        },
    }


def _labels(recording: Recording, verdicts: Verdicts, checks: Sequence[CheckView]) -> dict[str, Any]:
    """What a label that a person gives on the page says of the call and of the verdict, beside their answer."""
    return {
        "call": {"item": recording.manifest.call_id, "case": recording.manifest.case.id, "judge": verdicts.judge},
        "checks": {
            check.id: {
                "outcome": check.outcome,
                "label": check.agrees_with,
                "evidence": [{"utterance": quote.utterance, "quote": quote.text} for quote in check.quotes],
            }
            for check in checks
            if check.agrees_with
        },
    }


def _bar(by_group: Sequence[GroupView]) -> list[tuple[float, float, CheckView]]:
    """The rubric as one bar: where each check begins and how wide it is (percent of all weight)."""
    total = sum(group.weight for group in by_group)
    bar, at = [], 0.0
    for group in by_group:
        for check in group.checks:
            width = 100 * check.weight / total
            bar.append((round(at, 3), round(width, 3), check))
            at += width
    return bar
