"""The scorecard in a browser, opened from the file system."""

import base64
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from page_browser import Browser, chromium
from sample_call import EVENTS, Call, resolved, sample, transcript_of, words_between, write_recording
from selenium.webdriver.support.wait import WebDriverWait

from voicesim.audio.samples import RATE, Pcm
from voicesim.judge.gold import load_gold
from voicesim.judge.model import Evidence, Failure, Score, Seen, Verdict, Vote
from voicesim.recording.events import AgentSaid, ToolCall, ToolResult, Warning_
from voicesim.recording.manifest import Validity
from voicesim.recording.read import Recording
from voicesim.report.clip import LEAD, encode
from voicesim.report.scorecard import scorecard
from voicesim.transcript.model import Utterance

pytestmark = pytest.mark.page

HOSTILE = (
    '</script><script>window.hacked = 1</script> <img src=x onerror="window.hacked = 2"> <!-- ]]> \u2028 '
    "\u202egnp.exe \u200f" + "\u05d0\u05d1\u05d2 " + "W" * 400 + " {{ 7 * 7 }} &lt;b&gt;"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Call:
    return sample(tmp_path_factory.mktemp("call") / "recording")


@pytest.fixture(scope="module")
def page(call: Call) -> Path:
    return write(call)


def write(call: Call, name: str = "scorecard.html") -> Path:
    path = call.recording.folder / name
    path.write_text(scorecard(call.recording, call.transcript, call.metrics, call.verdicts), encoding="utf-8")
    return path


class NoSound(Recording):
    """A recording that ended before its first sample."""

    @property
    def caller(self) -> Pcm:
        return np.zeros(0, dtype=np.int16)

    agent = caller


def starts(browser: Browser) -> None:
    """Records offset and length (seconds in the decoded sound) of all that is played from here on."""
    script = """window.starts = [];
        const start = AudioBufferSourceNode.prototype.start;
        AudioBufferSourceNode.prototype.start = function (when, offset, length) {
          window.starts.push([offset, length]);
          return start.call(this, when, offset, length);
        };"""
    browser.run(script)


def test_the_page_is_quiet_and_asks_the_network_for_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("#play")
    browser.until("voicesim.player.now() > 0.1")
    assert browser.complaints() == []
    assert browser.requests() == []


def test_a_chip_leads_to_its_quote_and_plays_it(browser: Browser, page: Path, call: Call) -> None:
    browser.open(page)
    starts(browser)
    quote = next(one for one in call.verdicts.verdicts if one.check == "return_if_worse").evidence[0]
    browser.click("[data-check=return_if_worse] .chip")
    browser.until("voicesim.player.playing")
    assert quote.start <= browser.run("return voicesim.player.now()") < quote.end
    offset, length = browser.run("return starts[0]")
    assert offset == pytest.approx(quote.start + browser.run("return voicesim.player.sound.shift"), abs=1e-6)
    assert length == pytest.approx(quote.end - quote.start, abs=1e-6)
    highlighted = "".join(str(one.get_attribute("textContent")) for one in browser.all(".quoted"))
    assert highlighted == "If breathing becomes hard or your chest hurts, get urgent help"
    assert [one.get_attribute("id") for one in browser.all(".utterance.chosen")] == ["A6"]
    assert browser.one("[data-check=return_if_worse] .chip").get_attribute("aria-pressed") == "true"
    box = browser.run("return document.getElementById('A6').getBoundingClientRect().toJSON()")
    assert box["top"] >= 0
    assert box["bottom"] <= 1000


def test_a_quote_is_played_to_its_end_and_no_further(browser: Browser, page: Path, call: Call) -> None:
    browser.open(page)
    quote = next(one for one in call.verdicts.verdicts if one.check == "history").evidence[0]
    browser.click("[data-check=history] .quote")
    browser.until("voicesim.player.playing")
    browser.until("!voicesim.player.playing")
    assert browser.run("return voicesim.player.now()") == pytest.approx(quote.end, abs=1e-6)
    assert float(str(browser.one("#seek").get_attribute("value"))) == pytest.approx(quote.end, abs=0.006)


def test_an_utterance_shows_the_checks_it_counted_for_and_is_played(browser: Browser, page: Path, call: Call) -> None:
    browser.open(page)
    browser.click("#A3 .text")
    browser.until("voicesim.player.playing")
    utterance = next(one for one in call.transcript.utterances if one.id == "A3")
    assert utterance.start <= browser.run("return voicesim.player.now()") < utterance.start + 1.0
    assert [one.get_attribute("data-check") for one in browser.all(".check.linked")] == ["history", "medications"]
    assert browser.one("#status").get_attribute("textContent") == "A3 counted for: History, Medications"
    browser.click("#P4 .go")
    assert browser.all(".check.linked") == []
    assert browser.one("#status").get_attribute("textContent") == "P4 counted for no check"


def test_the_tag_below_an_utterance_leads_to_its_check(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("[data-outcome=hit]")
    browser.click("#A4 .tag.miss")
    chosen = browser.one(".check.chosen")
    assert chosen.get_attribute("data-check") == "chronic_meds_not_blanket"
    assert chosen.is_displayed()  # the filter, which hid it, has given way
    assert browser.one("[data-outcome=all]").get_attribute("aria-pressed") == "true"


def test_only_missed_checks_are_left_by_the_filter(browser: Browser, page: Path) -> None:
    browser.open(page)
    shown = "return [...document.querySelectorAll('.check')].filter(c => c.offsetParent).map(c => c.dataset.check)"
    assert len(browser.run(shown)) == 8
    browser.click("[data-outcome=miss]")
    assert browser.run(shown) == ["duration", "chronic_meds_not_blanket"]
    assert browser.one("#count").text == "2 of 8"
    assert browser.one("[data-outcome=miss]").get_attribute("aria-pressed") == "true"
    browser.click("[data-only=close]")
    assert browser.run(shown) == ["chronic_meds_not_blanket"]
    browser.click("[data-only=critical]")
    assert browser.run(shown) == []
    assert browser.one("#nothing").is_displayed()


def test_keys_play_pause_and_step_through_the_utterances(browser: Browser, page: Path, call: Call) -> None:
    browser.open(page)
    body = browser.one("body")
    body.send_keys("j")
    body.send_keys("j")
    second = call.transcript.utterances[1]
    assert [one.get_attribute("id") for one in browser.all(".utterance.chosen")] == [second.id]
    assert browser.run("return voicesim.player.now()") == pytest.approx(second.start, abs=1e-6)
    body.send_keys("k")
    assert [one.get_attribute("id") for one in browser.all(".utterance.chosen")] == ["A1"]
    body.send_keys(" ")
    browser.until("voicesim.player.playing")
    body.send_keys(" ")
    browser.until("!voicesim.player.playing")


def test_space_after_a_click_pauses_and_does_not_press_the_button_again(browser: Browser, page: Path) -> None:
    browser.open(page)
    starts(browser)
    browser.click("[data-check=breathing_now] .chip")
    browser.until("voicesim.player.playing")
    browser.chrome.switch_to.active_element.send_keys(" ")
    browser.until("!voicesim.player.playing")
    assert len(browser.run("return starts")) == 1


def test_a_click_on_the_time_line_seeks(browser: Browser, page: Path, call: Call) -> None:
    browser.open(page)
    browser.click("#line")  # its middle
    assert browser.run("return voicesim.player.now()") == pytest.approx(call.recording.duration / 2, rel=0.01)
    assert float(str(browser.one("#playhead").get_attribute("x1")).rstrip("%")) == pytest.approx(50, abs=0.5)


def test_one_side_can_be_heard_alone(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run(
        """window.gains = [];
        const make = AudioContext.prototype.createGain;
        AudioContext.prototype.createGain = function () {
          const gain = make.call(this);
          window.gains.push(gain);
          return gain;
        };"""
    )
    browser.click("#play")
    browser.until("voicesim.player.playing")
    levels = "return gains.map(gain => gain.gain.value)"
    assert browser.run(levels) == [1, 0, 0, 1]  # patient left, agent right
    browser.click("[data-side=caller]")
    assert browser.run(levels) == [1, 1, 0, 0]  # patient on both ears
    browser.click("[data-side=agent]")
    assert browser.run(levels) == [0, 0, 1, 1]
    assert browser.one("[data-side=both]").get_attribute("aria-pressed") == "false"


def onset(browser: Browser, start: float) -> float:
    """When the agent's channel first passes 5% of full scale after `start` - 0.3 s, in call seconds."""
    script = """const {buffer, shift} = voicesim.player.sound, rate = buffer.sampleRate;
        const from = Math.round((arguments[0] - 0.3 + shift) * rate);
        const at = buffer.getChannelData(1).subarray(from, from + rate).findIndex((x) => Math.abs(x) > 0.05);
        return (from + at) / rate - shift;"""
    return float(browser.run(script, start))


@pytest.mark.parametrize("kbit", [64, 48])
def test_sound_is_on_the_call_clock_whatever_the_decoder_puts_before_it(
    browser: Browser, page: Path, call: Call, kbit: int
) -> None:
    """At 48 kbit/s the file has no room for the note that tells decoders of the encoder's delay."""
    clip = encode(call.recording.caller, call.recording.agent)
    assert clip is not None
    shown = page
    if kbit == 48:
        other = io.BytesIO()
        sound, _ = soundfile.read(io.BytesIO(clip.mp3), dtype="float32")
        level = (160 - kbit) / (160 - 8)
        with soundfile.SoundFile(
            other, "w", RATE, 2, format="MP3", bitrate_mode="CONSTANT", compression_level=level
        ) as file:
            file.write(sound)
        text = page.read_text(encoding="utf-8")
        assert clip.base64 in text
        shown = page.with_name("delayed.html")
        shown.write_text(text.replace(clip.base64, base64.b64encode(other.getvalue()).decode()), encoding="utf-8")
    browser.open(shown)
    shift = browser.run("return voicesim.player.sound.shift") - LEAD / RATE
    # LAME adds 576 samples and a decoder 529, unless the file says so and the decoder listens.
    assert shift == pytest.approx({64: 0.0, 48: 1105 / RATE}[kbit], abs=2 / RATE)
    for utterance in call.transcript.of("agent"):
        first = round((utterance.start - 0.3) * RATE)
        loud = np.abs(call.recording.agent[max(0, first) : first + RATE].astype(int)) > 0.05 * 32768
        true = (max(0, first) + int(np.argmax(loud))) / RATE
        assert onset(browser, utterance.start) == pytest.approx(true, abs=0.003)


@pytest.mark.parametrize("width", [1000, 1200, 1500])
def test_long_latencies_stay_beside_the_other_figures(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    browser.run("document.querySelectorAll('#latency td + td').forEach((one) => { one.textContent = '9,999 ms'; })")
    edges = "[document.querySelector('#latency').lastElementChild, document.querySelector('.rows')]"
    bounds = "one => one.getBoundingClientRect()"
    cell, rows = browser.run(f"return {edges}.map({bounds})")
    assert cell["right"] < rows["left"] - 8


@pytest.mark.parametrize("width", [360, 768, 1400])
def test_nothing_makes_the_page_scroll_sideways(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.fixture(scope="module")
def hostile(call: Call, tmp_path_factory: pytest.TempPathFactory) -> Call:
    """A call in which everything that comes from outside tries to be markup."""
    recording = write_recording(
        tmp_path_factory.mktemp("hostile") / "recording",
        call.recording.caller,
        call.recording.agent,
        (AgentSaid(t=0.6, text=HOSTILE), Warning_(t=1.0, message=HOSTILE)),
        end_detail=HOSTILE,
    )
    one = Utterance(
        id="A1",
        side="agent",
        start=0.6,
        end=4.0,
        text=HOSTILE,
        voiced=((0.6, 4.0),),
        words=words_between(HOSTILE, 0.6, 4.0),
        source="whisper",
    )
    evidence = Evidence(utterance="A1", quote="window.hacked = 1", start=1.0, end=2.0)
    told = {"evidence": (evidence,), "reason": HOSTILE, "votes": (Vote(judge=HOSTILE, outcome="hit"),)}
    first = call.verdicts.verdicts[0].model_copy(update=told)
    tags = (Failure(tag="other", by="judge", check=first.check, note=HOSTILE),)
    answered = {"judge": HOSTILE, "tags": tags, "models": (HOSTILE,), "warnings": (HOSTILE,)}
    return Call(
        recording,
        transcript_of((one,), recording.duration),
        call.metrics.model_copy(update={"turns": (), "interruptions": (), "dead_air": (), "warnings": (HOSTILE,)}),
        call.verdicts.model_copy(update={"verdicts": (first,), **answered}),
    )


def test_what_the_agent_says_is_only_ever_text(browser: Browser, hostile: Call) -> None:
    browser.open(write(hostile), width=360)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.click("[data-check=breathing_now] .chip")
    assert browser.run("return typeof window.hacked") == "undefined"
    assert browser.run("return [document.scripts.length, document.images.length]") == [2, 0]
    text = str(browser.one("#A1 .text").get_attribute("textContent"))
    # Characters that turn a line around, or that nobody sees, are named.
    shown = HOSTILE.replace("\u202e", "[U+202E]").replace("\u200f", "[U+200F]")
    assert text.split() == shown.split()
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    assert browser.requests() == []
    assert browser.complaints() == []


def bare(call: Call, reason: str) -> Call:
    """The call with every check undecided and no evidence."""
    verdicts = tuple(
        Verdict(check=one.check, group=one.group, weight=one.weight, outcome="cannot_assess")
        for one in call.verdicts.verdicts
    )
    score = Score(value=None, unscored=reason, coverage=0.0)
    return Call(
        call.recording,
        call.transcript,
        call.metrics,
        call.verdicts.model_copy(update={"verdicts": verdicts, "score": score}),
    )


def test_an_unscored_call_without_evidence_says_why(browser: Browser, call: Call) -> None:
    browser.open(write(bare(call, "the agent fell silent"), "unscored.html"))
    assert browser.one("#score").text == "—"
    assert browser.one("#gate").get_attribute("data-state") == "unscored"
    assert "the agent fell silent" in browser.one("#gate").text
    browser.click("[data-check=fever] .chip")
    assert browser.run("return voicesim.player.playing") is False
    assert browser.complaints() == []


TOOLS = (
    ToolCall(t=20.0, call_id="1", name="book", arguments={"slot_id": "s-02"}),
    ToolResult(t=20.2, call_id="1", result={"ok": True, "booking": {"day": "thursday", "time": "09:30"}}),
)


def test_tools_stand_in_the_transcript_and_what_code_saw_is_played(
    browser: Browser, call: Call, tmp_path: Path
) -> None:
    recording = write_recording(tmp_path / "booked", call.recording.caller, call.recording.agent, (*EVENTS, *TOOLS))
    brain = {"agent": resolved("modular", {"brain": "booking"})}
    recording = replace(recording, manifest=recording.manifest.model_copy(update=brain))
    first, *rest = call.verdicts.verdicts
    seen = (Seen(what="book (slot_id s-02): ok", start=20.0, end=20.2),)
    coded = first.model_copy(update={"by": "code", "evidence": (), "seen": seen})
    tags = (Failure(tag="fell_silent", by="code", note="no answer to 2 follow-ups"),)
    verdicts = call.verdicts.model_copy(update={"verdicts": (coded, *rest), "tags": tags})
    browser.open(write(Call(recording, call.transcript, call.metrics, verdicts)))
    assert "Agent's brainbooking" in str(browser.one("#recording").get_attribute("textContent"))
    assert browser.one(".use").text == "book slot_id s-02 → ok booking day thursday, time 09:30"
    before = browser.run("return document.querySelector('.tool').previousElementSibling.id")
    assert max((one.start, one.id) for one in call.transcript.utterances if one.start <= 20.0)[1] == before
    assert "fell silent (named by code): no answer to 2 follow-ups" in browser.one(".score .failure").text
    starts(browser)
    buttons = (f"[data-check={first.check}] .moment", f"[data-check={first.check}] .chip", ".tool .moment")
    for count, button in enumerate(buttons, 1):
        browser.click(button)
        browser.until(f"starts.length === {count}")
    shift = browser.run("return voicesim.player.sound.shift")
    # From a second before the tool was called to two seconds behind its result: 19.0 to 22.2 s.
    played = browser.run("return starts")
    assert played == [pytest.approx([19.0 + shift, 3.2], abs=1e-6)] * 3
    assert browser.complaints() == []


def test_an_invalid_call_is_announced_with_its_reason(
    browser: Browser, call: Call, tmp_path_factory: pytest.TempPathFactory
) -> None:
    invalid = sample(
        tmp_path_factory.mktemp("invalid") / "recording",
        validity=Validity(valid=False, reason="late_harness", detail="4.1% of ticks were late"),
        repaired=True,
    )
    browser.open(write(invalid))
    assert "late harness: 4.1% of ticks were late" in browser.one("#invalid").text
    assert browser.one("#repaired").is_displayed()
    assert browser.one("#gate").get_attribute("data-state") == "invalid"


def test_an_empty_call_gives_a_page_all_the_same(
    browser: Browser, call: Call, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tick = np.zeros(480, dtype=np.int16)
    written = write_recording(tmp_path_factory.mktemp("empty") / "recording", tick, tick, EVENTS[:1])
    recording = NoSound(written.folder, written.manifest, written.events)
    metrics = call.metrics.model_copy(
        update={"duration": 0.0, "turns": (), "interruptions": (), "dead_air": (), "first_word": None}
    )
    empty = bare(Call(recording, transcript_of((), 0.0), metrics, call.verdicts), "the transcript is empty")
    browser.open(write(empty))
    assert "Nothing was said" in browser.one("#transcript").text
    assert browser.one("#play").get_attribute("disabled") == "true"
    assert "there is no sound" in browser.one("#trouble").text
    assert browser.complaints() == []


def test_sound_that_cannot_be_decoded_is_told_and_the_rest_works(browser: Browser, page: Path, call: Call) -> None:
    clip = encode(call.recording.caller, call.recording.agent)
    assert clip is not None
    broken = page.with_name("broken.html")
    broken.write_text(page.read_text(encoding="utf-8").replace(clip.base64, "AAAA"), encoding="utf-8")
    browser.open(broken)
    assert "cannot be played" in browser.one("#trouble").text
    browser.click("[data-check=fever] .chip")
    assert [one.get_attribute("id") for one in browser.all(".utterance.chosen")] == ["A2"]
    assert browser.complaints() == []


def test_verdicts_are_labelled_on_the_page_and_saved_as_gold(browser: Browser, page: Path, tmp_path: Path) -> None:
    browser.open(page)
    browser.chrome.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    assert not browser.one(".labelling").is_displayed()
    browser.click("#label")
    browser.click("[data-check=fever] [data-says=right]")
    browser.click("[data-check=duration] [data-says=wrong]")
    browser.click("[data-check=duration] .labelling input")
    browser.one("[data-check=duration] .labelling input").send_keys("j asked it, k too")
    assert browser.one("#save").text == "Save 2 labels"
    browser.click("#save")
    saved = tmp_path / "labels-cold-01-andi-0007.jsonl"
    WebDriverWait(browser.chrome, 5).until(lambda _: saved.is_file() and saved.stat().st_size > 0)
    duration, fever = sorted(load_gold(saved), key=lambda one: one.check)
    assert (duration.label, duration.outcome, duration.reason) == ("hit", "miss", "j asked it, k too")
    assert (fever.label, fever.outcome, fever.evidence[0].quote) == ("hit", "hit", "have you had a fever")
    assert browser.complaints() == []
