"""The measures that every call has, as functions of the call: what the rows of the table of measures name."""

from voicesim.metrics import after_interruption, own_words, speaking, talk_share, waterfall
from voicesim.metrics import cost as costs
from voicesim.metrics import glitches as holes
from voicesim.metrics import reply_time as reply_times
from voicesim.metrics import selectivity as selective
from voicesim.metrics import urgency as red_flags
from voicesim.metrics.base import MeasuredCall
from voicesim.metrics.harness_delay import timed
from voicesim.metrics.interruptions import false_yields as yields
from voicesim.metrics.line import line_quality
from voicesim.metrics.model import (
    AfterInterruption,
    Cost,
    DeadAir,
    Glitch,
    Interruption,
    LineQuality,
    NeverHeard,
    Reply,
    ReplyTime,
    Selectivity,
    Summary,
    Turn,
    Urgency,
)
from voicesim.metrics.summary import summarize


def response_latency(call: MeasuredCall) -> Summary:
    """Seconds from the patient's last voiced sample to the agent's first, over all answered turns."""
    return summarize(turn.latency for turn in call.turns if turn.latency is not None)


def turns(call: MeasuredCall) -> tuple[Turn, ...]:
    """What came of each patient utterance that wants an answer."""
    return call.turns


def cut_ins(call: MeasuredCall) -> int:
    """How often the agent began before the patient had ended."""
    return sum(turn.outcome == "cut_in" for turn in call.turns)


def interruptions(call: MeasuredCall) -> tuple[Interruption, ...]:
    """What came of each patient utterance that wants the agent to stop."""
    return call.interruptions


def false_yields(call: MeasuredCall) -> int:
    """How often the agent stopped for an aside or a cough."""
    return yields(call.transcript)


def overlap(call: MeasuredCall) -> float:
    """Seconds in which both speak."""
    return talk_share.overlap(call.transcript)


def dead_air(call: MeasuredCall) -> tuple[DeadAir, ...]:
    """Silences longer than the limit, and whose turn it was."""
    return talk_share.dead_air(call.transcript, call.dead_air_limit, completed=call.completed)


def agent_talk(call: MeasuredCall) -> float:
    """Seconds in which the agent speaks."""
    return talk_share.talk(call.transcript, "agent")


def caller_talk(call: MeasuredCall) -> float:
    """Seconds in which the patient speaks."""
    return talk_share.talk(call.transcript, "caller")


def talk_ratio(call: MeasuredCall) -> float | None:
    """The agent's share of all talk."""
    return talk_share.talk_ratio(agent_talk(call), caller_talk(call))


def first_word(call: MeasuredCall) -> float | None:
    """Seconds from connection to the agent's voice; None where voicesim itself was late meanwhile."""
    return timed(talk_share.first_word(call.transcript), call.harness_late)


def monologues(call: MeasuredCall) -> Summary:
    """How long the agent speaks at a stretch."""
    return summarize(speaking.monologues(call.transcript))


def speaking_rate(call: MeasuredCall) -> float | None:
    """The agent's words a minute of its own sound."""
    return speaking.speaking_rate(call.transcript)


def glitches(call: MeasuredCall) -> tuple[Glitch, ...] | None:
    """Holes in the agent's speech; None without its sound."""
    return None if call.agent is None else holes.glitches(call.transcript, call.agent)


def urgency(call: MeasuredCall) -> Urgency | None:
    """From a red flag to the emergency instruction."""
    return red_flags.urgency(call.transcript, call.case)


def replies(call: MeasuredCall) -> tuple[Reply, ...]:
    """What the time of each answer went into, where the agent tells its parts."""
    return waterfall.waterfalls(call.turns, call.events)


def never_heard(call: MeasuredCall) -> tuple[NeverHeard, ...]:
    """What the agent generated and nobody heard, as it was cut off."""
    return own_words.never_heard(call.transcript, call.events)


def reply_time(call: MeasuredCall) -> ReplyTime | None:
    """How soon the patient answered, beyond the silence its persona leaves."""
    return reply_times.reply_time(call.transcript, call.events)


def selectivity(call: MeasuredCall) -> Selectivity:
    """What the agent stopped for, by kind."""
    return selective.selectivity(call.transcript, call.interruptions)


def after_interruptions(call: MeasuredCall) -> tuple[AfterInterruption, ...]:
    """What an agent that yielded said next."""
    return after_interruption.after_interruptions(call.transcript, call.interruptions, never_heard(call))


def line(call: MeasuredCall) -> LineQuality | None:
    """Level, SNR and loss of the patient's voice as sent; None without its sound."""
    if call.clean is None or call.caller is None:
        return None
    return line_quality(call.clean, call.caller, call.events, call.profile)


def cost(call: MeasuredCall) -> Cost | None:
    """What the agent's tokens cost; None without the call's sound and prices."""
    return None if call.agent is None else costs.cost(call.events, call.prices)
