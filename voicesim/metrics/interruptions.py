"""How the agent takes it when the patient speaks into its reply."""

from voicesim.metrics.intervals import length, shared
from voicesim.metrics.model import Interruption
from voicesim.transcript.cut import AT_THE_END, YIELD_LIMIT
from voicesim.transcript.model import Transcript, Utterance


def interruptions(transcript: Transcript) -> tuple[tuple[Interruption, ...], tuple[str, ...]]:
    """One interruption for every `stop` utterance that begins while the agent speaks, and warnings.

    The interrupted reply is the agent utterance that was running, and every further one that starts before
    the patient has ended: an agent that pauses and talks on has not given way. It yielded when it fell
    silent before the patient ended, or within 1.5 s of the patient's start; `yield_time` runs from that
    start to its last voiced sample. A reply that sounds up to the end of the recording (to within 100 ms)
    has not yielded. `overlap` is the time in which both sound.

    A `stop` utterance that begins in the agent's silence interrupts nothing; it is told in a warning.
    """
    agent = transcript.of("agent")
    measured, warnings = [], []
    for stop in (utterance for utterance in transcript.of("caller") if utterance.intent == "stop"):
        running = running_at(agent, stop.start)
        if running is None:
            warnings.append(f"{stop.id} at {stop.start:.2f} s was meant to interrupt, but the agent was not speaking")
            continue
        reply = [running, *(utterance for utterance in agent if stop.start < utterance.start < stop.end)]
        end = max(utterance.end for utterance in reply)
        in_time = end <= max(stop.end, stop.start + YIELD_LIMIT)
        yielded = in_time and transcript.duration - end >= AT_THE_END
        voiced = [span for utterance in reply for span in utterance.voiced]
        measured.append(
            Interruption(
                caller=stop.id,
                agent=running.id,
                start=stop.start,
                yield_time=round(end - stop.start, 4) if yielded else None,
                yielded=yielded,
                overlap=round(length(shared(stop.voiced, voiced)), 4),
            )
        )
    return tuple(measured), tuple(warnings)


def false_yields(transcript: Transcript) -> int:
    """How many `ignore` utterances made the agent stop.

    Counted are those that begin while the agent speaks, when that utterance ends within 1.5 s of their start
    and is marked as cut: it broke off, where a reply that was at its end fades.
    """
    agent = transcript.of("agent")
    stopped = 0
    for aside in (utterance for utterance in transcript.of("caller") if utterance.intent == "ignore"):
        running = running_at(agent, aside.start)
        if running is not None and running.cut and running.end <= aside.start + YIELD_LIMIT:
            stopped += 1
    return stopped


def running_at(utterances: tuple[Utterance, ...], moment: float) -> Utterance | None:
    """The utterance that has started and not ended at a moment, pauses inside it included."""
    return next((utterance for utterance in utterances if utterance.start <= moment < utterance.end), None)
