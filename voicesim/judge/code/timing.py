"""Rules about time: how long the patient waits, how fast the agent stops, how long it talks over her."""

from voicesim.catalog.rules import Latency, TalkOver, Yield
from voicesim.judge.base import Call, Finding
from voicesim.judge.model import Evidence
from voicesim.metrics.intervals import length, shared
from voicesim.transcript.model import Transcript, Utterance

_NOT_MEASURED = "the call was not measured"


def latency(rule: Latency, call: Call) -> Finding:
    """By the response latencies of the measures. Evidence of a miss is the answer that took longest."""
    if call.metrics is None:
        return Finding("cannot_assess", reason=_NOT_MEASURED)
    measured = call.metrics.response_latency
    value: float | None = getattr(measured, rule.statistic)
    if not measured.n or value is None:
        return Finding("cannot_assess", reason="no response latency could be measured")
    told = f"{rule.statistic} of {measured.n} response latencies is {value:.2f} s, at most {rule.at_most:g} s allowed"
    if value <= rule.at_most:
        if rule.statistic == "max" and any(turn.held_up is not None for turn in call.metrics.turns):
            return Finding("cannot_assess", reason="voicesim itself was late in a turn")
        return Finding("hit", reason=told)
    slowest = max((turn for turn in call.metrics.turns if turn.latency is not None), key=lambda turn: turn.latency or 0)
    return Finding("miss", _whole(call.transcript, slowest.agent), told, happened=True)


def yields(rule: Yield, call: Call) -> Finding:
    """By the interruptions of the measures; without one the check is not applicable."""
    if call.metrics is None:
        return Finding("cannot_assess", reason=_NOT_MEASURED)
    if not call.metrics.interruptions:
        return Finding("not_applicable", reason="the patient interrupted nothing")
    timed = [one for one in call.metrics.interruptions if one.held_up is None]
    for one in timed:
        if one.yield_time is None or one.yield_time > rule.at_most:
            took = "did not stop" if one.yield_time is None else f"stopped after {one.yield_time:.2f} s"
            told = f"interrupted at {one.start:.1f} s, the agent {took}, at most {rule.at_most:g} s allowed"
            return Finding("miss", _whole(call.transcript, one.agent), told, happened=True)
    if len(timed) < len(call.metrics.interruptions):
        return Finding("cannot_assess", reason="voicesim itself was late at an interruption")
    return Finding("hit", reason=f"stopped in time at each of {len(timed)} interruptions")


def talk_over(rule: TalkOver, call: Call) -> Finding:
    """By the time in which both sound, for each line of the patient; backchannels (`ignore`) are none."""
    agent = call.transcript.of("agent")
    lines = [one for one in call.transcript.of("caller") if one.intent != "ignore"]
    if not agent or not lines:
        return Finding("cannot_assess", reason="one of the two sides said nothing")
    worst, over = max(((line, _over(line, agent)) for line in lines), key=lambda pair: pair[1])
    told = f"the agent sounds for {over:.2f} s of {worst.id}, at most {rule.at_most:g} s allowed"
    if over <= rule.at_most:
        return Finding("hit", reason=told)
    loudest = max(agent, key=lambda one: _over(worst, (one,)))
    return Finding("miss", _whole(call.transcript, loudest.id), told, happened=True)


def _over(line: Utterance, agent: tuple[Utterance, ...]) -> float:
    """Seconds of a line in which the agent sounds too."""
    return length(shared(line.voiced, [span for one in agent for span in one.voiced]))


def _whole(transcript: Transcript, name: str | None) -> tuple[Evidence, ...]:
    """An utterance in full as evidence; nothing when no words were understood in it."""
    found = [one for one in transcript.utterances if one.id == name and one.text.strip()]
    return tuple(Evidence(utterance=one.id, quote=one.text.strip(), start=one.start, end=one.end) for one in found)
