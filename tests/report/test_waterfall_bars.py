"""The new measures on the scorecard and in the summary."""

import json
from pathlib import Path
from typing import Any

from quiet_call import measured
from sample_call import manifest, sample

from voicesim.metrics.model import Glitch, NeverHeard, Reply, ReplyPart, Summary, Turn, Urgency
from voicesim.report.figures import figures
from voicesim.report.json_report import summary
from voicesim.report.scorecard import scorecard
from voicesim.report.waterfall import bars

REPLY = Reply(
    caller="P1",
    agent="A2",
    latency=0.8,
    parts=(
        ReplyPart(name="speech_to_text", seconds=0.2, detail="Whisper#0"),
        ReplyPart(name="model", seconds=0.4),
        ReplyPart(name="unexplained", seconds=0.2),
    ),
)
OVER = Reply(
    caller="P2",
    agent="A3",
    latency=1.0,
    parts=(ReplyPart(name="model", seconds=1.6), ReplyPart(name="unexplained", seconds=-0.6)),
)


def rows(**changes: Any) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    return {one.name: (one.value, one.note, one.links) for one in figures(measured(10.0, **changes), manifest(10.0))}


def test_bars_share_one_scale_and_run_past_the_mark_when_the_parts_are_more() -> None:
    first, second = bars([REPLY, OVER])
    # the longest is 1.6 s: 0.2 / 1.6 = 12.5 %, 0.8 / 1.6 = 50 %, 1.0 / 1.6 = 62.5 %
    assert [(one.kind, one.x, one.width) for one in first.segments] == [
        ("speech_to_text", 0.0, 12.5),
        ("model", 12.5, 25.0),
        ("unexplained", 37.5, 12.5),
    ]
    assert (first.heard, second.heard) == (50.0, 62.5)
    assert [(one.x, one.width) for one in second.segments] == [(0.0, 100.0), (100.0, 0.0)]
    assert second.parts[-1] == ("unexplained", "unexplained", "-600 ms")
    assert first.segments[0].title == "speech to text: 200 ms (Whisper#0)"


def test_no_replies_no_bars() -> None:
    assert bars([]) == ()


def test_the_page_shows_a_waterfall_only_where_the_agent_told_its_parts(tmp_path: Path) -> None:
    call = sample(tmp_path / "r")
    plain = scorecard(call.recording, call.transcript, call.metrics, call.verdicts)
    assert 'id="waterfall"' not in plain
    told = call.metrics.model_copy(update={"replies": (REPLY, OVER)})
    page = scorecard(call.recording, call.transcript, told, call.verdicts)
    assert 'id="waterfall"' in page
    assert "unexplained -600 ms" in page


def test_holes_haste_and_words_never_heard_have_their_rows() -> None:
    told = rows(
        monologues=Summary(n=2, median=4.0, p90=7.0, p95=7.5, max=8.0, values=(2.0, 8.0)),
        speaking_rate=181.6,
        glitches=(Glitch(utterance="A1", start=1.0, end=1.05), Glitch(utterance="A1", start=2.0, end=2.02)),
        urgency=Urgency(caller="P1", flagged_at=2.0, agent="A2", instructed_at=5.0, seconds=3.0),
        never_heard=(NeverHeard(utterance="A3", heard_words=5, text="with water and never"),),
    )
    assert told["Longest monologue"][0] == "8.0 s"
    assert told["Speaking rate"][0] == "182 wpm"
    assert told["Glitches"] == ("2", "holes in the agent's words, longest 50 ms", ("A1",))
    assert told["Emergency told"] == ("3,000 ms", "from the red flag to the instruction", ("P1", "A2"))
    assert told["Never heard"][0] == "4 words"


def test_the_first_byte_is_shown_where_the_line_noted_it() -> None:
    turn = Turn(
        caller="P1", caller_end=1.0, agent="A1", agent_start=1.8, latency=0.8, outcome="answered", first_byte=0.55
    )
    assert rows(turns=(turn,))["First byte"][0] == "550 ms"
    assert "First byte" not in rows(turns=(turn.model_copy(update={"first_byte": None}),))
    assert summary(manifest(10.0), measured(10.0, turns=(turn,)), None)["metrics"]["first_byte_median"] == 0.55


def test_what_was_not_looked_for_is_not_zero() -> None:
    told = rows()
    assert told["Glitches"][0] == told["Longest monologue"][0] == told["Speaking rate"][0] == "—"
    assert rows(glitches=())["Glitches"][0] == "0"
    assert "Emergency told" not in told
    assert rows(urgency=Urgency(caller="P1", flagged_at=2.0))["Emergency told"][0] == "never"


def test_the_summary_names_the_slowest_turn_and_counts_what_came_of_the_others() -> None:
    turns = tuple(
        Turn(caller=f"P{n}", caller_end=n, agent=f"A{n}", agent_start=n + late, latency=late, outcome="answered")
        for n, late in enumerate((0.8, 0.8, 5.0, 0.8), start=1)
    )
    cut_in = Turn(caller="P5", caller_end=9.0, agent="A5", agent_start=8.5, outcome="cut_in")
    told = summary(manifest(10.0), measured(10.0, turns=(*turns, cut_in), replies=(REPLY,)), None)["metrics"]
    assert told["slowest"] == {"caller": "P3", "agent": "A3", "latency": 5.0}
    assert told["turns"] == {
        "n": 5, "answered": 4, "cut_in": 1, "cut_off": 0, "aborted": 0, "unanswered": 0, "farewell": 0,
    }  # fmt: skip
    assert told["replies"][0]["parts"] == {"speech_to_text": 0.2, "model": 0.4, "unexplained": 0.2}
    assert told["glitches"] is None
    json.dumps(told, allow_nan=False)
