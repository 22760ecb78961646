"""The measures of a call as the rows of a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from voicesim.metrics.model import (
    AfterInterruption,
    Cost,
    Interruption,
    LineQuality,
    Metrics,
    NeverHeard,
    ReplyTime,
    Selectivity,
    Summary,
    Turn,
    Urgency,
)
from voicesim.metrics.reply_time import SLOW
from voicesim.metrics.summary import summarize
from voicesim.recording.manifest import Lateness, Manifest
from voicesim.registry import MEASURES
from voicesim.report.wording import MISSING, known, number, percent, plain, sentence, spaced, span, whole_seconds
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
    first, *rest = (span(quantile if n else None) for quantile in quantiles)
    return (str(n), first, rest[0], rest[1], rest[2])


def figures(metrics: Metrics, manifest: Manifest) -> tuple[Figure, ...]:
    """Everything else that was measured, a missing value as an em-dash with a note that says so."""
    rows = [
        _turns(metrics.turns),
        *_first_byte(metrics.turns),
        _measured("First word", metrics.first_word, span(metrics.first_word), "from connection to the agent's voice"),
        Figure("Cut-ins", str(metrics.cut_ins), "the agent began before the patient had ended"),
        _interruptions(metrics.interruptions),
        Figure("False yields", str(metrics.false_yields), "the agent stopped for an aside or a cough"),
        *_selectivity(metrics.selectivity),
        *_after_interruptions(metrics.after_interruptions),
        _measured("Overlap", metrics.overlap, span(metrics.overlap), "both speak at once"),
        _measured(
            "Talk ratio",
            metrics.talk_ratio,
            percent(metrics.talk_ratio),
            f"the agent's share: {whole_seconds(metrics.agent_talk)}, patient {whole_seconds(metrics.caller_talk)}",
        ),
        _dead_air(metrics),
        _monologues(metrics.monologues),
        _measured(
            "Speaking rate",
            metrics.speaking_rate,
            f"{number(metrics.speaking_rate, 0)} wpm",
            "the agent's words per minute of its own sound",
        ),
        _glitches(metrics),
        *_urgency(metrics.urgency),
        *_never_heard(metrics.never_heard),
        *_reply_time(metrics.reply_time),
        *_line(metrics.line),
        _measured("Set-up", manifest.setup_seconds, span(manifest.setup_seconds), "part of no latency"),
        _lateness(manifest.lateness),
        _cost(metrics.cost),
        *(_other(name, value) for name, value in metrics.others.items()),
    ]
    return tuple(rows)


def _other(name: str, value: object) -> Figure:
    """The row of a measure of another package, which may have given any plain data."""
    about = MEASURES.row(name).about if name in MEASURES else ""
    text = plain(value)
    return Figure(sentence(spaced(name)), text, NOT_MEASURED if text == MISSING else about or "of another package")


def slowest_turn(turns: Sequence[Turn]) -> Turn | None:
    """The first turn with the longest latency; None when none has one."""
    timed = [turn for turn in turns if known(turn.latency) is not None]
    return max(timed, key=lambda turn: turn.latency or 0.0) if timed else None


def slowest(metrics: Metrics, transcript: Transcript) -> tuple[Turn, str] | None:
    """The turn with the longest latency, and the patient's words that it answers."""
    turn = slowest_turn(metrics.turns)
    if turn is None:
        return None
    words = next((utterance.text for utterance in transcript.utterances if utterance.id == turn.caller), "")
    return turn, words


def median_yield(interruptions: Sequence[Interruption]) -> float | None:
    """Median of the yield times (seconds); None when the agent never yielded."""
    return summarize(
        interruption.yield_time for interruption in interruptions if interruption.yield_time is not None
    ).median


def _measured(name: str, value: float | None, text: str, note: str) -> Figure:
    return Figure(name, text, note) if known(value) is not None else Figure(name, MISSING, NOT_MEASURED)


def _interruptions(interruptions: Sequence[Interruption]) -> Figure:
    count = len(interruptions)
    if not count:
        return Figure("Interruptions", "0", "the patient did not interrupt")
    stubborn = tuple(interruption.agent for interruption in interruptions if not interruption.yielded)
    parts = []
    if len(stubborn) < count:
        parts.append(f"{count - len(stubborn)} yielded, median {span(median_yield(interruptions))}")
    if stubborn:
        parts.append(f"{len(stubborn)} not yielded")
    return Figure("Interruptions", str(count), "; ".join(parts), stubborn)


def _selectivity(selectivity: Selectivity | None) -> list[Figure]:
    """A row for each kind of sound that came up while the agent spoke; interruptions have a row of their own."""
    if selectivity is None:
        return []
    kinds = (
        ("Backchannels", selectivity.backchannels, "talked through: a sign of listening is no turn"),
        ("Side talk", selectivity.side_talk, "talked through: words with somebody else in the room"),
        ("Coughs", selectivity.coughs, "talked through"),
    )
    return [Figure(name, f"{share.count} of {share.n}", note) for name, share, note in kinds if share.n]


def _after_interruptions(entries: Sequence[AfterInterruption]) -> list[Figure]:
    """A row for calls in which the agent gave way: what it said next, as far as its words tell."""
    if not entries:
        return []
    parts = []
    for name, values in (
        ("answered", [entry.answered for entry in entries]),
        ("said the same again", [entry.repeated for entry in entries]),
        ("took up what was left", [entry.resumed for entry in entries]),
    ):
        known = [value for value in values if value is not None]
        parts += [f"{name}: {sum(known)} of {len(known)}"] if known else []
    links = tuple(entry.agent for entry in entries)
    return [Figure("After interruptions", str(len(entries)), "; ".join(parts) or NOT_MEASURED, links)]


def _dead_air(metrics: Metrics) -> Figure:
    """The silences in which the agent was waited for; those of the patient are told, and held against nobody."""
    lengths = [silence.end - silence.start for silence in metrics.dead_air if silence.waiting_for == "agent"]
    patient = len(metrics.dead_air) - len(lengths)
    beside = f"; {patient} more waiting for the patient" if patient else ""
    if not lengths:
        return Figure("Dead air", "0", f"no silence over {metrics.dead_air_limit:g} s waits for the agent{beside}")
    total = f"over {metrics.dead_air_limit:g} s, waiting for the agent; {whole_seconds(sum(lengths))} in all"
    return Figure("Dead air", str(len(lengths)), f"{total}, longest {whole_seconds(max(lengths))}{beside}")


def _cost(cost: Cost | None) -> Figure:
    if cost is None:
        return Figure("Cost", MISSING, NOT_MEASURED)
    if cost.amount is None:
        return Figure("Cost", "unknown", "; ".join(cost.unknown))
    billed = f"{cost.responses} responses" if cost.minutes is None else f"{cost.minutes:.2f} minutes"
    note = f"{billed} at the prices of {cost.prices_as_of}"
    return Figure("Cost", f"{cost.amount:.4f} {cost.currency}", note)


def _turns(turns: Sequence[Turn]) -> Figure:
    counts = Counter(turn.outcome for turn in turns)
    listed = ", ".join(f"{counts[count]} {spaced(count)}" for count in counts)
    return Figure("Turns", str(len(turns)), listed or "the patient asked for no answer")


def first_byte(turns: Sequence[Turn]) -> float | None:
    """Median time to the first byte of an answer (seconds); None when the line noted none."""
    return summarize(turn.first_byte for turn in turns if turn.first_byte is not None).median


def _first_byte(turns: Sequence[Turn]) -> list[Figure]:
    """A row for lines that note when the sound of an answer began to arrive."""
    value = first_byte(turns)
    if value is None:
        return []
    return [Figure("First byte", span(value), "median, when an answer began to arrive; it is heard later")]


def _monologues(stretches: Summary) -> Figure:
    name = "Longest monologue"
    if stretches.max is None:
        return Figure(name, MISSING, NOT_MEASURED)
    note = f"the agent without the patient's word; median {whole_seconds(stretches.median)} of {stretches.n}"
    return Figure(name, whole_seconds(stretches.max), note)


def _glitches(metrics: Metrics) -> Figure:
    name = "Glitches"
    if metrics.glitches is None:
        return Figure(name, MISSING, NOT_MEASURED)
    if not metrics.glitches:
        return Figure(name, "0", "the agent's sound had no holes")
    places = tuple(dict.fromkeys(glitch.utterance for glitch in metrics.glitches))
    longest = max(glitch.end - glitch.start for glitch in metrics.glitches)
    return Figure(name, str(len(metrics.glitches)), f"holes in the agent's words, longest {span(longest)}", places)


def _line(line: LineQuality | None) -> list[Figure]:
    """What the line did to the patient's voice, beside what the profile asks for; no rows where neither is known."""
    if line is None:
        return []
    rows = []
    if line.snr_db is not None or line.asked_snr_db is not None:
        value = MISSING if line.snr_db is None else f"{line.snr_db:.1f} dB"
        asked = "no noise asked for" if line.asked_snr_db is None else f"the profile asks for {line.asked_snr_db:g} dB"
        rows.append(Figure("Patient's SNR", value, f"measured from the recording; {asked}"))
    if line.lost.count or line.asked_loss:
        asked = "no loss asked for" if line.asked_loss is None else f"the profile asks for {percent(line.asked_loss)}"
        rows.append(Figure("Patient's loss", percent(line.lost.share), f"{line.lost.count} packets of 20 ms; {asked}"))
    if line.level_db is not None:
        rows.append(Figure("Patient's level", f"{line.level_db:.1f} dBFS", "active speech level as sent (ITU-T P.56)"))
    return rows


def _urgency(urgency: Urgency | None) -> list[Figure]:
    """A row for calls in which a red flag came up; others have nothing to tell."""
    if urgency is None:
        return []
    links = (urgency.caller, urgency.agent) if urgency.agent else (urgency.caller,)
    if urgency.seconds is None:
        return [Figure("Emergency told", "never", "no emergency instruction after the red flag", links)]
    return [Figure("Emergency told", span(urgency.seconds), "from the red flag to the instruction", links)]


def _never_heard(lost: Sequence[NeverHeard]) -> list[Figure]:
    """A row for calls in which the agent tells of words that were never heard."""
    if not lost:
        return []
    words = sum(len(line.text.split()) for line in lost)
    links = tuple(line.utterance for line in lost)
    return [Figure("Never heard", f"{words} words", "generated, by the agent's own transcript, and cut off", links)]


def _reply_time(measured: ReplyTime | None) -> list[Figure]:
    """Two rows for calls that tell what the persona drew: how late its replies were, and whom they cut off."""
    if measured is None or not measured.replies:
        return []
    slow = tuple(reply.caller for reply in measured.replies if (reply.excess or 0.0) > SLOW)
    early = tuple(reply.caller for reply in measured.replies if reply.cut_off)
    note = (
        f"beyond the silence its persona leaves: median of {measured.excess.n}, p95 {span(measured.excess.p95)}; "
        f"drawn {span(measured.drawn.median)}, got {span(measured.got.median)}"
    )
    cut_off = f"{measured.cut_off.count} of {measured.cut_off.n}"
    return [
        Figure("Patient's reply time", span(measured.excess.median), note, slow),
        Figure("Cut off by the patient", cut_off, "replies into a turn of the agent that was not over", early),
    ]


def _lateness(lateness: Lateness | None) -> Figure:
    name = "Harness lateness"
    if lateness is None or not lateness.ticks:
        return Figure(name, MISSING, NOT_MEASURED)
    note = (
        f"p99 of {lateness.ticks:,} ticks; median {number(lateness.p50 * 1000, 1)} ms, "
        f"max {number(lateness.max * 1000, 1)} ms, {percent(lateness.late_share)} late"
    )
    return Figure(name, f"{number(lateness.p99 * 1000, 1)} ms", note)
