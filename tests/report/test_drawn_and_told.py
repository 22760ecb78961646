"""What is drawn on the time line, and the figures beside it."""

from typing import Any

import numpy as np
import pytest
from quiet_call import measured
from sample_call import manifest

from voicesim.audio.samples import RATE, Pcm
from voicesim.metrics.model import DeadAir, Interruption, Metrics, Summary, Turn
from voicesim.recording.events import AgentHeard, AgentSaid, Connected, Unheard
from voicesim.recording.manifest import Lateness
from voicesim.report.agent_claims import Pair, Piece, heard_pairs, pairs
from voicesim.report.figures import figures, latency_row, slowest
from voicesim.report.time_axis import TimeAxis, timeline
from voicesim.transcript.model import Side, Transcript, Utterance

SILENCE: Pcm = np.zeros(100 * RATE, dtype=np.int16)


def utterance(name: str, start: float, end: float, text: str = "Hello there.") -> Utterance:
    side: Side = "agent" if name.startswith("A") else "caller"
    return Utterance(id=name, side=side, start=start, end=end, text=text, voiced=((start, end),), source="whisper")


def drawn(utterances: tuple[Utterance, ...] = (), **changes: Any) -> TimeAxis:
    return timeline(SILENCE, SILENCE, 100.0, utterances, measured(100.0, **changes), ())


def answered(n: int, end: float, latency: float) -> Turn:
    return Turn(
        caller=f"P{n}",
        caller_end=end,
        agent=f"A{n}",
        agent_start=end + latency,
        latency=latency,
        outcome="answered",
    )


def test_a_latency_is_a_bar_from_the_patients_end_to_the_agents_start() -> None:
    (mark,) = drawn(turns=(answered(1, 20.0, 2.5),)).marks
    # 100 s wide: 20 s stand at 20%, 2.5 s are 2.5% wide
    assert (mark.kind, mark.x, mark.width, mark.text) == ("latency", 20.0, 2.5, "2,500 ms")
    assert mark.title == "A1 answers P1 after 2,500 ms"
    assert mark.label is not None
    assert (mark.label.x, mark.label.row, mark.label.anchor) == (21.25, 0, "middle")


def test_what_is_no_latency_is_drawn_as_what_it_is() -> None:
    turns = (
        Turn(caller="P1", caller_end=10.0, agent="A1", agent_start=9.0, outcome="cut_in"),
        Turn(caller="P2", caller_end=40.0, outcome="unanswered"),
        Turn(caller="P3", caller_end=70.0, agent="A3", agent_start=71.0, outcome="aborted"),
    )
    marks = drawn(turns=turns).marks
    assert [(one.kind, one.x, one.width, one.text) for one in marks] == [
        ("cut_in", 9.0, 1.0, "cut-in"),
        ("unanswered", 40.0, 0.0, "no answer"),
        ("aborted", 70.0, 1.0, "aborted"),
    ]


def test_an_interruption_is_drawn_until_the_agent_yields_or_to_its_end() -> None:
    found = (
        Interruption(caller="P1", agent="A1", start=10.0, yield_time=0.35, yielded=True, overlap=0.35),
        Interruption(caller="P2", agent="A2", start=50.0, yield_time=None, yielded=False, overlap=2.0),
    )
    marks = drawn((utterance("A1", 5, 10.35), utterance("A2", 45, 58)), interruptions=found).marks
    assert [(one.kind, one.x, one.width, one.text) for one in marks] == [
        ("yield", 10.0, 0.35, "yields 350 ms"),
        ("no_yield", 50.0, 8.0, "no yield"),
    ]


def test_what_voicesim_itself_held_up_is_not_drawn() -> None:
    late = Interruption(
        caller="P1", agent="A1", start=10.0, yield_time=None, yielded=True, overlap=0.35, harness_late=0.05
    )
    turn = Turn(caller="P2", caller_end=50.0, agent="A2", agent_start=51.0, outcome="answered", harness_late=0.05)
    assert drawn((utterance("A1", 5, 10.35),), interruptions=(late,), turns=(turn,)).marks == ()


def test_labels_that_would_touch_go_to_a_second_row_and_a_third_is_left_to_its_title() -> None:
    marks = drawn(turns=tuple(answered(n, 50.0 + n, 0.5) for n in range(3))).marks
    # 700 px for 100 s: a second apart is 7 px, and a label of six letters takes 45 px
    assert [one.label.row if one.label else None for one in marks] == [0, 1, None]


def test_labels_at_the_edges_stay_inside() -> None:
    first, last = drawn(turns=(answered(1, 0.0, 0.4), answered(2, 99.0, 0.9))).marks
    assert first.label is not None
    assert last.label is not None
    assert (first.label.anchor, first.label.x) == ("start", 0.0)
    assert (last.label.anchor, last.label.x) == ("end", 99.9)


def test_dead_air_says_how_long_and_for_whom() -> None:
    (block,) = drawn(dead_air=(DeadAir(start=30.0, end=45.0, waiting_for="agent"),)).dead_air
    assert (block.x, block.width, block.id) == (30.0, 15.0, "dead air 15.0 s")
    assert block.title == "dead air of 15.0 s, waiting for the agent"
    (short,) = drawn(dead_air=(DeadAir(start=30.0, end=33.5, waiting_for="caller"),)).dead_air
    assert (short.id, short.named) == ("", False)  # 24 px hold no figure


def test_sides_have_their_own_lane_and_the_axis_fits_its_figures() -> None:
    lines = drawn((utterance("A1", 1, 3), utterance("P1", 4, 8)))
    assert [(one.id, one.x, one.width) for one in lines.agent] == [("A1", 1.0, 2.0)]
    assert [(one.id, one.x, one.width) for one in lines.caller] == [("P1", 4.0, 4.0)]
    assert [one.id for one in lines.ticks][:3] == ["0:00", "0:10", "0:20"]  # 10 s are 70 px
    assert [one.named for one in lines.ticks][-2:] == [True, False]  # 1:40 would stand outside
    assert (lines.width, lines.slices) == (700, 2000)


def test_a_call_of_no_length_is_drawn_too() -> None:
    empty = timeline(SILENCE[:0], SILENCE[:0], 0.0, (), measured(0.0), ())
    assert [one.x for one in empty.ticks] == [0.0]


def test_a_summary_without_values_shows_no_quantile_even_if_one_is_written_there() -> None:
    assert latency_row(Summary(n=0, median=0.0)) == ("0", "—", "—", "—", "—")
    full = Summary(n=3, median=0.9, p90=1.0, p95=1.5, max=12.0)
    assert latency_row(full) == ("3", "900 ms", "1,000 ms", "1,500 ms", "12.0 s")


def rows(metrics: Metrics, **changes: Any) -> dict[str, tuple[str, str]]:
    return {one.name: (one.value, one.note) for one in figures(metrics, manifest(100.0, **changes))}


def test_what_was_not_measured_is_told_as_such() -> None:
    told = rows(measured(100.0, first_word=None), setup_seconds=None, lateness=None)
    for name in ("First word", "Talk ratio", "Set-up", "Harness lateness"):
        assert told[name] == ("—", "not measured")
    assert told["Cut-ins"][0] == "0"


def test_figures_say_what_they_rest_on() -> None:
    interruptions = (
        Interruption(caller="P1", agent="A1", start=1, yield_time=0.3, yielded=True, overlap=0.3),
        Interruption(caller="P2", agent="A2", start=5, yield_time=0.5, yielded=True, overlap=0.5),
        Interruption(caller="P3", agent="A3", start=9, yield_time=None, yielded=False, overlap=3),
    )
    gaps = (DeadAir(start=10, end=14, waiting_for="agent"), DeadAir(start=20, end=26.5, waiting_for="caller"))
    lateness = Lateness(ticks=5000, p50=0.0001, p99=0.0123, max=0.05, late_share=0.004)
    told = rows(
        measured(100.0, interruptions=interruptions, dead_air=gaps, talk_ratio=0.6, agent_talk=30.0, caller_talk=20.0),
        lateness=lateness,
    )
    assert told["Interruptions"] == ("3", "2 yielded, median 400 ms; 1 not yielded")
    assert told["Dead air"] == (
        "1",
        "over 3 s, waiting for the agent; 4.0 s in all, longest 4.0 s; 1 more waiting for the patient",
    )
    assert told["Talk ratio"] == ("60%", "the agent's share: 30.0 s, patient 20.0 s")
    assert told["Harness lateness"] == ("12.3 ms", "p99 of 5,000 ticks; median 0.1 ms, max 50.0 ms, 0.4% late")


def test_the_slowest_turn_is_named_with_its_words() -> None:
    turns = tuple(answered(n, 10.0 * n, latency) for n, latency in enumerate((0.8, 0.8, 5.0, 0.8), start=1))
    spoken = Transcript(
        call_id="c",
        duration=100,
        language="en",
        model="m",
        utterances=(utterance("P3", 28, 30, "Can I fly?"),),
    )
    assert slowest(measured(100.0, turns=turns), spoken) == (turns[2], "Can I fly?")
    assert slowest(measured(100.0), spoken) is None


def test_the_agents_own_words_stand_beside_what_was_heard() -> None:
    heard = (utterance("A1", 1, 3, "Do you have a fever?"), utterance("A2", 8, 9, "I see."))
    events = (
        Connected(t=0, setup_seconds=0.1, line="x"),
        AgentSaid(t=0.9, text="Do you have a fever? Or a cough?"),
        AgentSaid(t=50.0, text="Unheard."),
    )
    assert pairs(events, heard) == (
        Pair(
            1.0,
            "A1",
            (Piece("Do you have a fever?", False), Piece("Or a cough?", True)),
            (Piece("Do you have a fever?", False),),
        ),
        Pair(8.0, "A2", (), (Piece("I see.", False),)),
        Pair(50.0, "", (Piece("Unheard.", False),), ()),
    )


def test_words_that_were_taken_back_stand_behind_what_was_heard() -> None:
    heard = (utterance("A1", 1, 3, "Please rest and drink."),)
    events = (
        AgentSaid(t=1.0, text="Please rest and drink. Take your pills.", response_id="r1"),
        AgentSaid(t=1.0, text="Never heard at all.", response_id="r2"),
        Unheard(t=3.0, text="Take your pills.", seconds=1.2, response_id="r1"),
        Unheard(t=3.0, text="Never heard at all.", seconds=2.0, response_id="r2"),
    )
    assert pairs(events, heard) == (
        Pair(
            1.0,
            "A1",
            (Piece("Please rest and drink.", False), Piece("Take your pills.", True, unheard=True)),
            (Piece("Please rest and drink.", False),),
        ),
        Pair(1.0, "", (Piece("Never heard at all.", True, unheard=True),), ()),
    )


def test_what_the_agent_understood_stands_beside_what_was_said_in_whatever_language() -> None:
    lines = (utterance("P1", 1, 3, "I have a cold."), utterance("P2", 8, 9, "Since Monday."))
    events = (
        AgentHeard(t=8.5, text="Ich habe eine Erkältung.", start=1.2, end=3.5),
        AgentHeard(t=9.8, text="Since Sunday."),
        AgentHeard(t=30.0, text="A cough.", start=20.0, end=21.0),
    )
    assert heard_pairs(events, lines) == (
        Pair(1.0, "P1", (Piece("Ich habe eine Erkältung.", True),), (Piece("I have a cold.", True),)),
        Pair(
            8.0,
            "P2",
            (Piece("Since", False), Piece("Sunday.", True)),
            (Piece("Since", False), Piece("Monday.", True)),
        ),
        Pair(30.0, "", (Piece("A cough.", False),), ()),
    )
    assert heard_pairs((), lines) == ()


def test_an_agent_that_reports_nothing_gets_no_comparison() -> None:
    assert pairs((Connected(t=0, setup_seconds=0.1, line="x"),), (utterance("A1", 1, 3),)) == ()


@pytest.mark.parametrize("text", ["...", "—"])
def test_an_utterance_without_words_is_compared_all_the_same(text: str) -> None:
    pair = pairs((AgentSaid(t=1.0, text="Hello"),), (utterance("A1", 1, 3, text),))[0]
    assert pair.heard == (Piece(text, False),)
