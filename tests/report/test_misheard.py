"""Mishearings on the scorecard: what was said and understood, and both sounds of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from page_browser import Browser, chromium
from sample_call import Call, sample

from voicesim.metrics.model import AgentHearing, Misheard, Share, SpeechFidelity
from voicesim.report.json_report import summary
from voicesim.report.scorecard import scorecard

HOSTILE = "</script><img src=x onerror='window.hacked = 1'>"
HEARING = AgentHearing(
    source="told",
    wer=0.1,
    wer_line=0.02,
    entities=Share(n=12, count=9, share=0.75),
    by_kind={"medicine": Share(n=3, count=2, share=0.6667)},
    misheard=(
        Misheard(kind="medicine", said="metformin", understood=HOSTILE, utterance="P3", fault="agent"),
        Misheard(kind="negation", said="no", utterance="P5", fault="line"),
        Misheard(kind="duration", said="", understood="ten days", utterance="P1"),
        Misheard(kind="dose", said="5 mg", utterance="P99"),
    ),
)
FIDELITY = SpeechFidelity(
    wer=0.03,
    entities=Share(n=5, count=4, share=0.8),
    by_kind={},
    misheard=(Misheard(kind="dose", said="500 mg", understood="50 mg", utterance="A4"),),
)


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Call:
    return sample(tmp_path_factory.mktemp("call") / "recording")


@pytest.fixture(scope="module")
def text(call: Call) -> str:
    heard = call.metrics.model_copy(update={"agent_hearing": HEARING, "speech_fidelity": FIDELITY})
    return scorecard(call.recording, call.transcript, heard, call.verdicts)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def test_a_call_without_mishearings_has_no_such_table(call: Call) -> None:
    assert 'id="misheard"' not in scorecard(call.recording, call.transcript, call.metrics, call.verdicts)
    assert summary(call.recording.manifest, call.metrics, None)["metrics"]["agent_hearing"] is None


def test_of_an_agent_that_does_not_tell_only_what_the_line_lost_is_shown(call: Call) -> None:
    shown = HEARING.model_copy(update={"source": "shown", "wer": None})
    metrics = call.metrics.model_copy(update={"agent_hearing": shown})
    text = scorecard(call.recording, call.transcript, metrics, call.verdicts)
    assert "ten days" not in text
    assert "Taken up" in text


def test_figures_tell_recall_and_whose_fault_a_loss_was(text: str, call: Call) -> None:
    assert "9 of 12" in text
    assert "1 misheard by the agent, 1 lost on the line; medicine 2 of 3; word error rate 10" in text
    told = summary(call.recording.manifest, call.metrics.model_copy(update={"agent_hearing": HEARING}), None)
    assert told["metrics"]["agent_hearing"]["entities"] == {"n": 12, "count": 9, "share": 0.75}


@pytest.mark.page
def test_each_mishearing_can_be_heard_before_and_behind_the_line(browser: Browser, text: str, tmp_path: Path) -> None:
    path = tmp_path / "scorecard.html"
    path.write_text(text, encoding="utf-8")
    browser.open(path)
    assert browser.run("return window.hacked === undefined")
    # An utterance that is not there has no row.
    assert browser.run("return document.querySelectorAll('#misheard tbody tr').length") == 3
    browser.run(
        "window.sounds = [...document.querySelectorAll('#misheard audio')];"
        "window.sounds.forEach((sound) => { sound.preload = 'metadata'; sound.load(); });"
    )
    browser.until("window.sounds.length === 3 && window.sounds.every((sound) => sound.duration > 1)")
    browser.click("#misheard .moment")
    browser.until("voicesim.player.now() > 0.1")
    assert browser.run("return document.querySelectorAll('#unfaithful tbody tr').length") == 1
