"""What the clock and the sound prove: waits, interruptions, talking over."""

from collections.abc import Sequence

import pytest
from spoken import shipped

from voicesim.catalog.rules import RuleSettings
from voicesim.judge.base import Call, Finding
from voicesim.judge.code.decide import decide
from voicesim.judge.code.latency import Latency
from voicesim.judge.code.talk_over import TalkOver
from voicesim.judge.code.yields import Yield
from voicesim.judge.model import Seen
from voicesim.metrics.measure import measure_transcript
from voicesim.recording.events import Event, Intent, Late
from voicesim.transcript.model import Transcript, Utterance


def patient(number: int, start: float, end: float, intent: Intent = "respond") -> Utterance:
    return Utterance(
        id=f"P{number}",
        side="caller",
        start=start,
        end=end,
        text="I feel dizzy.",
        voiced=((start, end),),
        intent=intent,
        source="line",
    )


def agent(number: int, start: float, end: float, *pauses: tuple[float, float]) -> Utterance:
    edges = [start, *(edge for pause in pauses for edge in pause), end]
    voiced = tuple(zip(edges[::2], edges[1::2], strict=True))
    return Utterance(
        id=f"A{number}",
        side="agent",
        start=start,
        end=end,
        text=f"This is sentence {number}.",
        voiced=voiced,
        source="whisper",
    )


def found(rule: RuleSettings, *said: Utterance, events: Sequence[Event] = ()) -> Finding:
    """What a rule comes to in a call of 60 s with these utterances, measured."""
    spoken = Transcript(
        call_id="made",
        duration=60.0,
        language="en",
        model="none",
        utterances=tuple(sorted(said, key=lambda one: one.start)),
    )
    return decide(rule, Call(shipped("clinic-01"), spoken, metrics=measure_transcript(spoken, events)))


# Latencies 0.8, 0.8 and 5.0 s.
SLOW_ONCE = (
    patient(1, 1.0, 2.0),
    agent(1, 2.8, 4.0),
    patient(2, 5.0, 6.0),
    agent(2, 6.8, 8.0),
    patient(3, 9.0, 10.0),
    agent(3, 15.0, 16.0),
)


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        (Latency(statistic="median", at_most=0.8), "hit"),
        (Latency(statistic="max", at_most=5.0), "hit"),
        (Latency(statistic="max", at_most=4.9), "miss"),
    ],
)
def test_a_latency_limit_goes_by_its_statistic(rule: Latency, outcome: str) -> None:
    assert found(rule, *SLOW_ONCE).outcome == outcome


def test_a_missed_limit_points_at_the_answer_that_took_longest() -> None:
    finding = found(Latency(at_most=4.0), *SLOW_ONCE)
    (proof,) = finding.evidence
    assert (proof.utterance, proof.start, proof.quote) == ("A3", 15.0, "This is sentence 3.")
    assert finding.reason == "max of 3 response latencies is 5.00 s, at most 4 s allowed"
    assert finding.seen == (Seen(what="the slowest answer: A3 after P3, 5.00 s", start=10.0, end=15.0),)
    assert finding.tag == "slow_answer"


def test_without_latencies_or_measures_nothing_is_decided() -> None:
    assert found(Latency(at_most=4.0), agent(1, 1.0, 2.0)).outcome == "cannot_assess"
    bare = Call(shipped("clinic-01"), Transcript(call_id="x", duration=1, language="en", model="", utterances=()))
    assert decide(Latency(at_most=4.0), bare).outcome == "cannot_assess"
    assert decide(Yield(at_most=1.0), bare).outcome == "cannot_assess"
    assert decide(TalkOver(at_most=1.0), bare).outcome == "cannot_assess"


@pytest.mark.parametrize(
    ("ends", "at_most", "outcome"),
    [(2.35, 0.35, "hit"), (2.35, 0.3, "miss"), (8.0, 1.0, "miss")],
    ids=["in time", "too late", "never"],
)
def test_a_yield_limit(ends: float, at_most: float, outcome: str) -> None:
    # Interrupted at 2.0 s: it stops 0.35 s later, or talks on beyond the patient's end.
    finding = found(Yield(at_most=at_most), agent(1, 1.0, ends), patient(1, 2.0, 3.0, "stop"))
    assert finding.outcome == outcome
    assert [one.utterance for one in finding.evidence] == (["A1"] if outcome == "miss" else [])
    assert [one.start for one in finding.seen] == [2.0]
    assert finding.tag == ("did_not_yield" if outcome == "miss" else None)


def test_without_an_interruption_the_yield_limit_does_not_apply() -> None:
    assert found(Yield(at_most=1.0), *SLOW_ONCE).outcome == "not_applicable"


def test_where_voicesim_itself_was_late_no_limit_counts_as_kept() -> None:
    late = [Late(t=12.0, what="tick", seconds=0.1)]  # in the wait of 5.0 s
    assert found(Latency(at_most=4.0), *SLOW_ONCE, events=late).outcome == "cannot_assess"
    assert found(Latency(at_most=4.0, statistic="median"), *SLOW_ONCE, events=late).outcome == "hit"
    assert found(Latency(at_most=0.7), *SLOW_ONCE, events=late).outcome == "miss"
    stop = (agent(1, 1.0, 2.35), patient(1, 2.0, 3.0, "stop"))
    assert found(Yield(at_most=0.35), *stop, events=[Late(t=2.3, what="tick", seconds=0.1)]).outcome == "cannot_assess"


def test_talking_over_counts_the_seconds_in_which_both_sound() -> None:
    # The patient speaks from 2 to 6 s, the agent from 1 to 3 and from 4 to 7 s: both sound for 1 + 2 = 3 s.
    said = (patient(1, 2.0, 6.0), agent(1, 1.0, 7.0, (3.0, 4.0)))
    assert found(TalkOver(at_most=3.0), *said).outcome == "hit"
    finding = found(TalkOver(at_most=2.9), *said)
    assert (finding.outcome, finding.evidence[0].utterance) == ("miss", "A1")
    assert finding.reason == "the agent sounds for 3.00 s of P1, at most 2.9 s allowed"
    # Both sound first at 2.0 s and last at 6.0 s.
    assert finding.seen == (Seen(what="both sound, for 3.00 s of P1", start=2.0, end=6.0),)
    assert finding.tag == "talked_over_patient"


def test_lines_are_counted_one_by_one_and_backchannels_not_at_all() -> None:
    # Two lines with 1 s each are not 2 s of one; the agent may speak on through an "mm-hm".
    two = (patient(1, 1.0, 3.0), agent(1, 2.0, 5.0), patient(2, 4.0, 6.0))
    assert found(TalkOver(at_most=1.0), *two).outcome == "hit"
    aside = (patient(1, 1.0, 2.0), agent(1, 3.0, 9.0), patient(2, 4.0, 8.0, "ignore"))
    assert found(TalkOver(at_most=1.0), *aside).outcome == "hit"
