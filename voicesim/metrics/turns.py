"""What came of each patient utterance that wants an answer, and how long the answer took."""

from collections.abc import Iterable, Sequence

from voicesim.language.listening import only_listens
from voicesim.metrics.intervals import length
from voicesim.metrics.model import Turn
from voicesim.metrics.reply_time import REACTION
from voicesim.recording.events import FIRST_BYTE, AgentMetric, Event
from voicesim.transcript.model import Transcript, Utterance

ABORTED = 0.15
MURMUR = 1.0
"""Seconds up to which words that only show that the agent listens take no turn."""


def turns(transcript: Transcript) -> tuple[Turn, ...]:
    """One turn for every patient utterance of intent `respond`, in order.

    - `cut_in`: the agent started to speak after the patient had started and before it had ended, a pause
      inside the utterance included. No latency. A short `mm-hmm` or `I see` that ends before the patient does is none.
    - `cut_off`: as `cut_in`, but the agent had been speaking before, and went on within 0.25 s of the patient's start:
      the patient spoke into a pause of the agent's turn. No latency, and not the agent's doing.
    - `answered`: otherwise, the first agent utterance that starts after the patient's end and before the
      patient's next `respond` utterance starts. Its latency is agent start minus patient end. Speech that
      was running before is no answer.
    - `aborted`: all that came in that time were sounds of at most 150 ms. No latency.
    - `unanswered`: nothing came.
    """
    wanting = [utterance for utterance in transcript.of("caller") if utterance.intent == "respond"]
    limits = [utterance.start for utterance in wanting[1:]] + [float("inf")]
    agent = transcript.of("agent")
    return tuple(
        _turn(utterance, limit, agent, _agent_before(transcript, utterance))
        for utterance, limit in zip(wanting, limits, strict=False)
    )


def _agent_before(transcript: Transcript, caller: Utterance) -> bool:
    """Whether the agent was the last to speak before a patient utterance."""
    before = [utterance for utterance in transcript.utterances if utterance.start < caller.start]
    return bool(before) and max(before, key=lambda utterance: utterance.end).side == "agent"


def with_farewell(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns of a call that was completed: a last one that nothing came after is the goodbye that ended it."""
    if not turns or turns[-1].outcome != "unanswered":
        return tuple(turns)
    return (*turns[:-1], turns[-1].model_copy(update={"outcome": "farewell"}))


def with_first_bytes(turns: Sequence[Turn], events: Iterable[Event]) -> tuple[Turn, ...]:
    """The turns with the arrival of each answer's first sound, where the line noted it.

    It is the first such note after the patient's last voiced sample and not after the agent's first one.
    """
    arrivals = [event.t for event in events if isinstance(event, AgentMetric) and event.name == FIRST_BYTE]
    return tuple(_with_first_byte(turn, arrivals) for turn in turns)


def _with_first_byte(turn: Turn, arrivals: Sequence[float]) -> Turn:
    if turn.latency is None or turn.agent_start is None:
        return turn
    within = [t for t in arrivals if turn.caller_end <= t <= turn.agent_start]
    return turn.model_copy(update={"first_byte": round(within[0] - turn.caller_end, 4)}) if within else turn


def _murmurs(agent: Utterance, caller: Utterance) -> bool:
    """Whether the agent only shows that it listens, while the patient goes on."""
    short = agent.end <= caller.end and length(agent.voiced) <= MURMUR
    return short and bool(agent.text.strip()) and only_listens(agent.text)


def _turn(caller: Utterance, limit: float, agent: tuple[Utterance, ...], resumes: bool) -> Turn:
    """`resumes`: the agent was the last to speak before the patient."""
    for utterance in agent:
        if caller.start < utterance.start < caller.end and not _murmurs(utterance, caller):
            went_on = resumes and utterance.start - caller.start <= REACTION
            return Turn(
                caller=caller.id,
                caller_end=caller.end,
                agent=utterance.id,
                agent_start=utterance.start,
                outcome="cut_off" if went_on else "cut_in",
            )
    replies = [utterance for utterance in agent if caller.end <= utterance.start < limit]
    answer = next((reply for reply in replies if length(reply.voiced) > ABORTED), None)
    if answer is not None:
        return Turn(
            caller=caller.id,
            caller_end=caller.end,
            agent=answer.id,
            agent_start=answer.start,
            latency=round(answer.start - caller.end, 4),
            outcome="answered",
        )
    if replies:
        return Turn(
            caller=caller.id,
            caller_end=caller.end,
            agent=replies[0].id,
            agent_start=replies[0].start,
            outcome="aborted",
        )
    return Turn(caller=caller.id, caller_end=caller.end, outcome="unanswered")
