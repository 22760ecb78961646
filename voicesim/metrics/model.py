"""metrics.json: numbers measured from the sound. All times in seconds on the call clock."""

from typing import Any, Literal

from pydantic import Field

from voicesim.frozen import Frozen, Seconds


class Summary(Frozen):
    """A list of values and its quantiles; None where there is nothing to summarise, never 0 or NaN."""

    n: int
    median: Seconds | None = None
    p90: Seconds | None = None
    p95: Seconds | None = None
    max: Seconds | None = None
    values: tuple[float, ...] = ()


class Turn(Frozen):
    """A patient utterance that wants an answer, and what came of it."""

    caller: str
    caller_end: Seconds
    agent: str | None = None
    agent_start: Seconds | None = None
    latency: Seconds | None = None
    outcome: Literal["answered", "cut_in", "cut_off", "unanswered", "aborted", "farewell"]
    first_byte: Seconds | None = None
    """Seconds from the patient's last voiced sample to the arrival of the answer's first sound, silence in
    front included; None where the line cannot tell (one that sends all the time has no first byte)."""
    harness_late: Seconds | None = None
    """Seconds by which voicesim itself was late meanwhile; there is no latency then."""


class Interruption(Frozen):
    """A patient utterance that wants the agent to stop. yield_time is None when it did not.

    It is None, too, when voicesim itself was late meanwhile, by `harness_late` seconds.
    """

    caller: str
    agent: str
    start: Seconds
    yield_time: Seconds | None
    yielded: bool
    overlap: Seconds
    harness_late: Seconds | None = None


class Share(Frozen):
    """`count` of `n`; `share` is None where there was nothing to count."""

    n: int
    count: int
    share: float | None = None


class Selectivity(Frozen):
    """What the agent stopped for: interruptions yielded to; backchannels, side talk and coughs talked through."""

    yielded: Share
    backchannels: Share
    side_talk: Share
    coughs: Share


class AfterInterruption(Frozen):
    """What an agent that yielded said next, in `agent`. None is what the words cannot tell."""

    caller: str
    agent: str
    answered: bool | None
    repeated: bool | None
    resumed: bool | None


class DeadAir(Frozen):
    """Nobody speaks between start and end; `waiting_for` is the side whose turn it was."""

    start: Seconds
    end: Seconds
    waiting_for: Literal["agent", "caller"]


class Cost(Frozen):
    """What tokens and seconds cost. `amount` is None when that cannot be known, and `unknown` says why.

    `minutes` are those of a session that is billed by the second; None for one billed by tokens.
    """

    currency: str
    amount: float | None
    responses: int
    prices_as_of: str | None = None
    minutes: float | None = None
    unknown: tuple[str, ...] = ()


class Glitch(Frozen):
    """A hole in the agent's sound between start and end, inside an utterance."""

    utterance: str
    start: Seconds
    end: Seconds


PartName = Literal["endpointing", "speech_to_text", "model", "first_audio", "unexplained"]


class ReplyPart(Frozen):
    """A share of a reply's time, as the agent told it; `detail` names who did (Pipecat's processors).

    `unexplained` is what the others leave of the latency that was heard, negative when they are more.
    """

    name: PartName
    seconds: Seconds
    detail: str = ""


class Reply(Frozen):
    """Where the time of an answer went. The parts add up to the latency that was heard."""

    caller: str
    agent: str
    latency: Seconds
    parts: tuple[ReplyPart, ...]


class Urgency(Frozen):
    """From a red flag to the emergency instruction; agent, instructed_at and seconds are None without one."""

    caller: str
    flagged_at: Seconds
    agent: str | None = None
    instructed_at: Seconds | None = None
    seconds: Seconds | None = None


class PatientReply(Frozen):
    """One reply of the patient. `drawn` is the silence that its persona leaves before it, `got` the one it left.

    `excess` is got - drawn. Both are None for a reply that `cut_off` the agent in its turn.
    """

    caller: str
    agent: str
    drawn: Seconds
    got: Seconds | None = None
    excess: Seconds | None = None
    cut_off: bool = False


class ReplyTime(Frozen):
    """How soon the patient answered. `cut_off` counts the replies into a turn that was not over."""

    replies: tuple[PatientReply, ...]
    drawn: Summary
    got: Summary
    excess: Summary
    cut_off: Share


class NeverHeard(Frozen):
    """The rest of an agent utterance that was cut: generated, by the agent's own transcript, never heard."""

    utterance: str
    heard_words: int
    text: str


class LineQuality(Frozen):
    """The patient's voice as it was sent: levels in dBFS over active speech, SNR in dB, packets lost or too late.

    `asked_...` is what the audio profile names; None where it names none, or where there was too little to measure.
    """

    level_db: float | None
    noise_db: float | None
    snr_db: float | None
    asked_snr_db: float | None
    lost: Share
    asked_loss: float | None


class Misheard(Frozen):
    """A clinical entity that was lost (`said`), or that nobody said (`said` is ""), with what was understood instead.

    `utterance` is where it was said. `fault` is `agent` where our own transcriber understood it from the same sound,
    `line` where it did not, None where that cannot be told.
    """

    kind: Literal["medicine", "dose", "number", "duration", "negation", "condition", "name", "date"]
    said: str
    understood: str = ""
    utterance: str = ""
    fault: Literal["agent", "line"] | None = None


class AgentHearing(Frozen):
    """What the agent understood of the patient, as it `told` or as its words and tool calls have `shown`.

    `wer` is the agent's word error rate, `wer_line` that of our own transcriber on the same sound.
    """

    source: Literal["told", "shown"]
    wer: float | None = None
    wer_line: float | None = None
    entities: Share
    by_kind: dict[str, Share]
    misheard: tuple[Misheard, ...] = ()


class SpeechFidelity(Frozen):
    """The agent's own transcript of itself against what is heard in its voice."""

    wer: float | None
    entities: Share
    by_kind: dict[str, Share]
    misheard: tuple[Misheard, ...] = ()


class SpeechQuality(Frozen):
    """Scores of the agent's voice from 1 (bad) to 5, as networks guess what listeners would give.

    `signal`, `background` and `overall` are DNSMOS P.835, `continuity` is PLCMOS; `seconds` of speech were looked at.
    """

    signal: float
    background: float
    overall: float
    continuity: float
    seconds: float


class Metrics(Frozen):
    """The whole of metrics.json. `glitches` is None where there was no sound to look at.

    `others` holds what measures of other packages gave, by their names.
    """

    schema_version: Literal[1] = 1
    call_id: str
    duration: Seconds
    response_latency: Summary
    turns: tuple[Turn, ...]
    cut_ins: int
    interruptions: tuple[Interruption, ...]
    false_yields: int
    overlap: Seconds
    dead_air: tuple[DeadAir, ...]
    agent_talk: Seconds
    caller_talk: Seconds
    talk_ratio: float | None
    first_word: Seconds | None
    dead_air_limit: Seconds = 3.0
    monologues: Summary = Summary(n=0)
    speaking_rate: float | None = None
    glitches: tuple[Glitch, ...] | None = None
    urgency: Urgency | None = None
    replies: tuple[Reply, ...] = ()
    reply_time: ReplyTime | None = None
    never_heard: tuple[NeverHeard, ...] = ()
    selectivity: Selectivity | None = None
    after_interruptions: tuple[AfterInterruption, ...] = ()
    warnings: tuple[str, ...] = ()
    cost: Cost | None = None
    line: LineQuality | None = None
    agent_hearing: AgentHearing | None = None
    speech_fidelity: SpeechFidelity | None = None
    speech_quality: SpeechQuality | None = None
    others: dict[str, Any] = Field(default_factory=dict)
