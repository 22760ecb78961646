"""What a call came to, for machines: plain values, None where there is nothing to tell."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from voicesim.judge.gate import gate
from voicesim.judge.model import Verdicts
from voicesim.metrics.model import Metrics, Reply, ReplyTime, Summary, Turn
from voicesim.recording.manifest import Manifest
from voicesim.report.checks import GROUPS
from voicesim.report.figures import first_byte, median_yield, slowest_turn
from voicesim.report.wording import known


def summary(manifest: Manifest, metrics: Metrics | None, verdicts: Verdicts | None) -> dict[str, Any]:
    """The call as one JSON object; times in seconds, shares of 1. What was not made yet is None.

    `gate` is passed, failed, unscored or invalid, and `gate_reason` says why it is not passed.
    """
    score = verdicts.score if verdicts else None
    state = gate(manifest.validity, score)
    return {
        "call_id": manifest.call_id,
        "suite": manifest.suite,
        "case": manifest.case.id,
        "agent": manifest.agent.id,
        "persona": manifest.persona.id,
        "profile": manifest.profile.id,
        "seed": manifest.seed,
        "valid": bool(manifest.validity and manifest.validity.valid),
        "repaired": manifest.repaired,
        "end_reason": manifest.end_reason,
        "end_detail": manifest.end_detail,
        "duration": manifest.duration,
        "gate": state.state,
        "gate_reason": state.reason,
        "judge": verdicts.judge if verdicts else None,
        "score": known(score.value) if score else None,
        "coverage": known(score.coverage) if score else None,
        "failed_critical": list(score.failed_critical) if score else None,
        "checks": _checks(verdicts) if verdicts else None,
        "disputed": [verdict.check for verdict in verdicts.verdicts if verdict.outcome == "disputed"]
        if verdicts
        else None,
        "failures": [tag.model_dump(mode="json") for tag in verdicts.tags] if verdicts else None,
        "groups": _groups(verdicts) if verdicts else None,
        "metrics": _metrics(metrics) if metrics else None,
        "lateness_p99": known(manifest.lateness.p99) if manifest.lateness else None,
    }


def _checks(verdicts: Verdicts) -> dict[str, str]:
    return {verdict.check: verdict.outcome for verdict in verdicts.verdicts}


def _groups(verdicts: Verdicts) -> dict[str, dict[str, int]]:
    """By group: how many checks were hit, missed, left undecided, and there are."""
    groups: dict[str, dict[str, int]] = {}
    for group in GROUPS:
        outcomes = [verdict.outcome for verdict in verdicts.verdicts if verdict.group == group]
        hit, miss = outcomes.count("hit"), outcomes.count("miss")
        if outcomes:
            groups[group] = {
                "hit": hit,
                "miss": miss,
                "undecided": len(outcomes) - hit - miss,
                "checks": len(outcomes),
            }
    return groups


def _metrics(metrics: Metrics) -> dict[str, Any]:
    return {
        "response_latency": _quantiles(metrics.response_latency),
        "first_word": known(metrics.first_word),
        "cut_ins": metrics.cut_ins,
        "interruptions": len(metrics.interruptions),
        "yielded": sum(interruption.yielded for interruption in metrics.interruptions),
        "yield_median": known(median_yield(metrics.interruptions)),
        "false_yields": metrics.false_yields,
        "selectivity": metrics.selectivity.model_dump() if metrics.selectivity else None,
        "after_interruptions": [entry.model_dump() for entry in metrics.after_interruptions],
        "overlap": known(metrics.overlap),
        "talk_ratio": known(metrics.talk_ratio),
        "dead_air": [[silence.start, silence.end] for silence in metrics.dead_air if silence.waiting_for == "agent"],
        "dead_air_of_the_patient": [
            [silence.start, silence.end] for silence in metrics.dead_air if silence.waiting_for == "caller"
        ],
        "dead_air_limit": known(metrics.dead_air_limit),
        "turns": _turns(metrics.turns),
        "first_byte_median": known(first_byte(metrics.turns)),
        "slowest": _slowest(metrics.turns),
        "monologue": {name: known(getattr(metrics.monologues, name)) for name in ("median", "max")},
        "speaking_rate": known(metrics.speaking_rate),
        "glitches": None if metrics.glitches is None else len(metrics.glitches),
        "urgency": metrics.urgency.model_dump() if metrics.urgency else None,
        "replies": [_reply(reply) for reply in metrics.replies],
        "reply_time": _reply_time(metrics.reply_time) if metrics.reply_time else None,
        "never_heard": [rest.model_dump() for rest in metrics.never_heard],
        "warnings": list(metrics.warnings),
        "agent_hearing": metrics.agent_hearing.model_dump() if metrics.agent_hearing else None,
        "speech_fidelity": metrics.speech_fidelity.model_dump() if metrics.speech_fidelity else None,
        "speech_quality": metrics.speech_quality.model_dump() if metrics.speech_quality else None,
        "cost": metrics.cost.model_dump(mode="json") if metrics.cost else None,
        "others": metrics.others,
    }


def _turns(turns: Sequence[Turn]) -> dict[str, int]:
    """How many turns there were, and what came of them."""
    counts = Counter[str](turn.outcome for turn in turns)
    outcomes = ("answered", "cut_in", "cut_off", "aborted", "unanswered", "farewell")
    return {"n": len(turns)} | {name: counts[name] for name in outcomes}


def _slowest(turns: Sequence[Turn]) -> dict[str, Any] | None:
    """The turn with the longest latency, by the ids of its utterances."""
    turn = slowest_turn(turns)
    return {"caller": turn.caller, "agent": turn.agent, "latency": turn.latency} if turn else None


def _reply(reply: Reply) -> dict[str, Any]:
    """Where the time of an answer went; seconds by part."""
    parts = {part.name: part.seconds for part in reply.parts}
    return {"caller": reply.caller, "agent": reply.agent, "latency": reply.latency, "parts": parts}


def _reply_time(measured: ReplyTime) -> dict[str, Any]:
    """How soon the patient answered: seconds drawn and got, what is left between them, and whom it cut off."""
    return {
        "drawn": _quantiles(measured.drawn),
        "got": _quantiles(measured.got),
        "excess": _quantiles(measured.excess),
        "cut_off": measured.cut_off.model_dump(),
        "replies": [reply.model_dump() for reply in measured.replies],
    }


def _quantiles(values: Summary) -> dict[str, Any]:
    """Without values there are no quantiles, whatever the file holds in their place."""
    names = ("median", "p90", "p95", "max")
    return {"n": values.n} | {name: known(getattr(values, name)) if values.n else None for name in names}
