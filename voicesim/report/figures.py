"""The measures of a call as the rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.metrics.model import Cost, Interruption, Metrics, Summary, Turn
from voicesim.metrics.summary import summarize
from voicesim.recording.manifest import Lateness, Manifest
from voicesim.report.wording import MISSING, known, number, percent, span, whole_seconds
from voicesim.transcript.model import Transcript

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Figure:
    """One row: what, its value, and what is worth knowing about it. `links` are utterance ids."""

    name: str
    value: str
    note: str = ""
    links: tuple[str, ...] = ()


def latency_row(summary: Summary) -> tuple[str, str, str, str, str]:
    """Count, median, p90, p95 and maximum of the response latency."""
    n = summary.n
    quantiles = (summary.median, summary.p90, summary.p95, summary.max)
    first, *rest = (span(one if n else None) for one in quantiles)
    return (str(n), first, rest[0], rest[1], rest[2])


def figures(metrics: Metrics, manifest: Manifest) -> tuple[Figure, ...]:
    """Everything else that was measured, a missing value as an em-dash with a note that says so."""
    rows = [
        _measured("First word", metrics.first_word, span(metrics.first_word), "from connection to the agent's voice"),
        Figure("Cut-ins", str(metrics.cut_ins), "the agent began before the patient had ended"),
        _interruptions(metrics.interruptions),
        Figure("False yields", str(metrics.false_yields), "the agent stopped for an aside or a cough"),
        _measured("Overlap", metrics.overlap, span(metrics.overlap), "both speak at once"),
        _measured(
            "Talk ratio",
            metrics.talk_ratio,
            percent(metrics.talk_ratio),
            f"the agent's share: {whole_seconds(metrics.agent_talk)}, patient {whole_seconds(metrics.caller_talk)}",
        ),
        _dead_air(metrics),
        _measured("Set-up", manifest.setup_seconds, span(manifest.setup_seconds), "part of no latency"),
        _lateness(manifest.lateness),
        _cost(metrics.cost),
    ]
    return tuple(rows)


def slowest(metrics: Metrics, transcript: Transcript) -> tuple[Turn, str] | None:
    """The turn with the longest latency, and the patient's words that it answers."""
    timed = [turn for turn in metrics.turns if known(turn.latency) is not None]
    if not timed:
        return None
    turn = max(timed, key=lambda one: one.latency or 0.0)
    words = next((one.text for one in transcript.utterances if one.id == turn.caller), "")
    return turn, words


def median_yield(interruptions: Sequence[Interruption]) -> float | None:
    """Median of the yield times (seconds); None when the agent never yielded."""
    return summarize(one.yield_time for one in interruptions if one.yield_time is not None).median


def _measured(name: str, value: float | None, text: str, note: str) -> Figure:
    return Figure(name, text, note) if known(value) is not None else Figure(name, MISSING, NOT_MEASURED)


def _interruptions(interruptions: Sequence[Interruption]) -> Figure:
    count = len(interruptions)
    if not count:
        return Figure("Interruptions", "0", "the patient did not interrupt")
    stubborn = tuple(one.agent for one in interruptions if not one.yielded)
    parts = []
    if len(stubborn) < count:
        parts.append(f"{count - len(stubborn)} yielded, median {span(median_yield(interruptions))}")
    if stubborn:
        parts.append(f"{len(stubborn)} not yielded")
    return Figure("Interruptions", str(count), "; ".join(parts), stubborn)


def _dead_air(metrics: Metrics) -> Figure:
    if not metrics.dead_air:
        return Figure("Dead air", "0", "no long silence")
    lengths = [one.end - one.start for one in metrics.dead_air]
    agent = sum(one.waiting_for == "agent" for one in metrics.dead_air)
    note = f"{whole_seconds(sum(lengths))} in all, longest {whole_seconds(max(lengths))}; {agent} waiting for the agent"
    return Figure("Dead air", str(len(lengths)), note)


def _cost(cost: Cost | None) -> Figure:
    if cost is None:
        return Figure("Cost", MISSING, NOT_MEASURED)
    if cost.amount is None:
        return Figure("Cost", "unknown", "; ".join(cost.unknown))
    note = f"{cost.responses} responses at the prices of {cost.prices_as_of}"
    return Figure("Cost", f"{cost.amount:.4f} {cost.currency}", note)


def _lateness(lateness: Lateness | None) -> Figure:
    name = "Harness lateness"
    if lateness is None or not lateness.ticks:
        return Figure(name, MISSING, NOT_MEASURED)
    note = (
        f"p99 of {lateness.ticks:,} ticks; median {number(lateness.p50 * 1000, 1)} ms, "
        f"max {number(lateness.max * 1000, 1)} ms, {percent(lateness.late_share)} late"
    )
    return Figure(name, f"{number(lateness.p99 * 1000, 1)} ms", note)
