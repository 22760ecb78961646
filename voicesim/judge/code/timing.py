"""Rules about time: how long the patient waits, how fast the agent stops, how long it talks over her."""

from voicesim.catalog.rules import Latency, TalkOver, Yield
from voicesim.judge.base import Call, Finding
from voicesim.judge.model import Evidence, Seen
from voicesim.metrics.intervals import Interval, length, shared
from voicesim.metrics.model import Interruption
from voicesim.transcript.model import Transcript, Utterance

_NOT_MEASURED = "the call was not measured"


def latency(rule: Latency, call: Call) -> Finding:
    """By the response latencies of the measures. Evidence of a miss is the answer that took longest."""
    if call.metrics is None:
        return Finding("cannot_assess", reason=_NOT_MEASURED)
    measured = call.metrics.response_latency
    value: float | None = getattr(measured, rule.statistic)
    if not measured.n:
        return Finding("cannot_assess", reason="no response latency could be measured")
    if value is None:
        return Finding("cannot_assess", reason=f"{measured.n} response latencies are too few for a {rule.statistic}")
    told = f"{rule.statistic} of {measured.n} response latencies is {value:.2f} s, at most {rule.at_most:g} s allowed"
    slowest = max((turn for turn in call.metrics.turns if turn.latency is not None), key=lambda turn: turn.latency or 0)
    wait, answered = slowest.latency or 0.0, slowest.agent_start or slowest.caller_end
    what = f"the slowest answer: {slowest.agent} after {slowest.caller}, {wait:.2f} s"
    seen = (Seen(what=what, start=slowest.caller_end, end=answered),)
    if value <= rule.at_most:
        if rule.statistic == "max" and any(turn.harness_late is not None for turn in call.metrics.turns):
            return Finding("cannot_assess", reason="voicesim itself was late in a turn")
        return Finding("hit", reason=told, seen=seen)
    proof = _whole(call.transcript, slowest.agent)
    return Finding("miss", proof, told, happened=True, seen=seen, tag="slow_answer")


def yields(rule: Yield, call: Call) -> Finding:
    """By the interruptions of the measures; without one the check is not applicable."""
    if call.metrics is None:
        return Finding("cannot_assess", reason=_NOT_MEASURED)
    if not call.metrics.interruptions:
        return Finding("not_applicable", reason="the patient interrupted nothing")
    timed = [one for one in call.metrics.interruptions if one.harness_late is None]
    for one in timed:
        if one.yield_time is None or one.yield_time > rule.at_most:
            took = "did not stop" if one.yield_time is None else f"stopped after {one.yield_time:.2f} s"
            told = f"interrupted at {one.start:.1f} s, the agent {took}, at most {rule.at_most:g} s allowed"
            proof = _whole(call.transcript, one.agent)
            return Finding("miss", proof, told, happened=True, seen=(_stop(one),), tag="did_not_yield")
    if len(timed) < len(call.metrics.interruptions):
        return Finding("cannot_assess", reason="voicesim itself was late at an interruption")
    told = f"stopped in time at each of {len(timed)} interruptions"
    return Finding("hit", reason=told, seen=tuple(map(_stop, timed)))


def talk_over(rule: TalkOver, call: Call) -> Finding:
    """By the time in which both sound, for each line of the patient; backchannels (`ignore`) are none."""
    agent = call.transcript.of("agent")
    lines = [one for one in call.transcript.of("caller") if one.intent != "ignore"]
    if not agent or not lines:
        return Finding("cannot_assess", reason="one of the two sides said nothing")
    worst, over = max(((line, _over(line, agent)) for line in lines), key=lambda pair: pair[1])
    told = f"the agent sounds for {over:.2f} s of {worst.id}, at most {rule.at_most:g} s allowed"
    both = _both(worst, agent)
    what = f"both sound, for {over:.2f} s of {worst.id}"
    seen = (Seen(what=what, start=both[0][0], end=both[-1][1]),) if both else ()
    if over <= rule.at_most:
        return Finding("hit", reason=told if both else "the two never sound at once", seen=seen)
    loudest = max(agent, key=lambda one: _over(worst, (one,)))
    proof = _whole(call.transcript, loudest.id)
    return Finding("miss", proof, told, happened=True, seen=seen, tag="talked_over_patient")


def _over(line: Utterance, agent: tuple[Utterance, ...]) -> float:
    """Seconds of a line in which the agent sounds too."""
    return length(_both(line, agent))


def _both(line: Utterance, agent: tuple[Utterance, ...]) -> list[Interval]:
    return shared(line.voiced, [span for one in agent for span in one.voiced])


def _stop(one: Interruption) -> Seen:
    took = "does not stop" if one.yield_time is None else f"stops after {one.yield_time:.2f} s"
    end = one.start + (one.overlap if one.yield_time is None else one.yield_time)
    return Seen(what=f"{one.caller} interrupts {one.agent}, which {took}", start=one.start, end=end)


def _whole(transcript: Transcript, name: str | None) -> tuple[Evidence, ...]:
    """An utterance in full as evidence; nothing when no words were understood in it."""
    found = [one for one in transcript.utterances if one.id == name and one.text.strip()]
    return tuple(Evidence(utterance=one.id, quote=one.text.strip(), start=one.start, end=one.end) for one in found)
