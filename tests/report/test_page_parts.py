"""The parts of a scorecard that need no browser: words, waveforms, data, quotes, the gate."""

import io
import json
import math

import numpy as np
import pytest
import soundfile
from markupsafe import Markup

from voicesim.audio.samples import RATE
from voicesim.judge.gate import Gate, gate
from voicesim.judge.model import Evidence, Failure, Score, Verdict, Vote
from voicesim.recording.manifest import Validity
from voicesim.report.checks import groups
from voicesim.report.clip import LEAD, PULSE, encode
from voicesim.report.embedded_json import embedded_json
from voicesim.report.peaks import loudest, outline, peaks
from voicesim.report.quotes import Place, locate, tokens
from voicesim.report.wording import clock, date, number, percent, shown, span, visible, whole_seconds
from voicesim.transcript.model import Utterance, Word


def test_a_missing_value_is_a_dash_and_never_a_number() -> None:
    for write in (span, whole_seconds, percent, number):
        assert [write(None), write(math.nan), write(math.inf)] == ["—", "—", "—"]


def test_times_are_rounded_before_they_are_split() -> None:
    assert [clock(0), clock(59.94), clock(59.96), clock(83.25), clock(-0.2)] == [
        "0:00.0",
        "0:59.9",
        "1:00.0",
        "1:23.2",
        "0:00.0",
    ]
    assert [span(0.35), span(1.2404), span(9.9994), span(9.9995), span(-0.05)] == [
        "350 ms",
        "1,240 ms",
        "9,999 ms",
        "10.0 s",
        "-50 ms",
    ]
    assert [whole_seconds(4.6), whole_seconds(59.96), whole_seconds(71.6)] == ["4.6 s", "1 min 0.0 s", "1 min 11.6 s"]


def test_a_share_is_not_rounded_to_all_or_nothing() -> None:
    assert [percent(one) for one in (0.0, 0.0002, 0.76, 0.631579, 0.9999, 1.0)] == [
        "0%",
        "0.1%",
        "76%",
        "63.2%",
        "99.9%",
        "100%",
    ]


def test_a_date_that_is_none_stays_as_it_is() -> None:
    assert date("2026-03-09T10:41:07+00:00") == "2026-03-09 10:41 UTC"
    assert date("yesterday") == "yesterday"


def test_characters_that_turn_a_line_around_are_named() -> None:
    assert visible("a\u202eb\u2066c\x1b[0m\u200f") == "a[U+202E]b[U+2066]c[U+001B][0m[U+200F]"
    assert shown("\u202e") == "[U+202E]"
    assert shown(Markup("<b>")) == "<b>"
    assert shown(3) == 3


@pytest.mark.parametrize(
    "hidden", [*"\u200b\u200c\u200d\u2060\u2064\u00ad\u3164\u2800\ufeff\udcff\u2028", "\U000e0041"]
)
def test_characters_that_nobody_sees_are_named(hidden: str) -> None:
    assert visible(f"take 5{hidden}0 mg") == f"take 5[U+{ord(hidden):04X}]0 mg"


@pytest.mark.parametrize("text", ["می‌خواهم", "👩‍⚕️ today", "क्‍ष", "שלום‏"])
def test_what_a_script_or_an_emoji_needs_is_not_named(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", ["</script>", "<!--", "\u2028\u2029", "]]>", "&lt;", '"\\', "日本"])
def test_no_text_leaves_the_data_block(text: str) -> None:
    block = str(embedded_json({"text": text}))
    assert json.loads(block) == {"text": text}
    assert not set(block) & set("<>&\u2028\u2029")


def test_the_data_block_takes_no_value_that_json_has_not() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        embedded_json({"value": math.nan})


def test_peaks_are_the_lowest_and_highest_sample_of_each_slice() -> None:
    pcm = np.array([0, 16384, -8192, 0, -32768, 4096, 1, 2], dtype=np.int16)
    # slices of two samples; 16384 / 32768 = 0.5 and so on
    assert peaks(pcm, 4).tolist() == [[0.0, 0.5], [-0.25, 0.0], [-1.0, 0.125], [1 / 32768, 2 / 32768]]


def test_peaks_miss_no_sample_where_slices_differ_in_length() -> None:
    pcm = np.zeros(10, dtype=np.int16)
    pcm[9] = 32767
    assert peaks(pcm, 3)[:, 1].tolist() == [0.0, 0.0, 32767 / 32768]  # starts 0, 3, 6
    assert peaks(pcm[:0], 3).tolist() == [[0.0, 0.0]] * 3
    assert peaks(np.array([8192, -8192], dtype=np.int16), 4).tolist() == [[0.25, 0.25]] * 2 + [[-0.25, -0.25]] * 2
    with pytest.raises(ValueError, match="at least one"):
        peaks(pcm, 0)


def test_both_sides_are_drawn_on_one_scale_and_noise_is_not_drawn_as_loud() -> None:
    quiet = np.array([[-0.01, 0.01]], dtype=np.float32)
    loud = np.array([[-0.25, 0.5]], dtype=np.float32)
    assert loudest(quiet, quiet) == 0.05
    assert loudest(quiet, loud) == 0.5
    # upper edge: 100 - 0.5 / 0.5 * 100 = 0; lower edge: 100 + 0.25 / 0.5 * 100 = 150
    assert outline(loud, 0.5) == "M0 0L0 150Z"
    assert outline(np.zeros((2, 2), dtype=np.float32), 0.5) == "M0 99L1 99L1 101L0 101Z"


def test_the_clip_begins_where_its_pulse_says() -> None:
    second = np.zeros(RATE, dtype=np.int16)
    second[12_000:12_024] = 20_000
    clip = encode(second, np.zeros(RATE, dtype=np.int16))
    assert clip is not None
    decoded, rate = soundfile.read(io.BytesIO(clip.mp3), dtype="float32")
    assert rate == RATE
    pulse = int(np.argmax(np.abs(decoded[:LEAD, 0])))
    start = pulse - PULSE + LEAD
    loudest_at = int(np.argmax(np.abs(decoded[start:, 0])))
    assert 12_000 <= loudest_at < 12_024
    assert np.abs(decoded[start:, 1]).max() < 0.1 * np.abs(decoded[start:, 0]).max()  # the sides stay apart


def test_the_clip_is_small_and_needs_sides_of_one_length() -> None:
    noise = np.random.default_rng(0).normal(0, 2000, 10 * RATE).astype(np.int16)
    clip = encode(noise, noise)
    assert clip is not None
    assert len(clip.base64) < 12_000 * 10  # 64 kbit/s is 8 kB a second, and a third more as text
    assert encode(noise[:0], noise[:0]) is None
    with pytest.raises(ValueError, match="240000 samples, the agent 1"):
        encode(noise, noise[:1])


def said(text: str, words: tuple[str, ...] = ()) -> Utterance:
    """An utterance whose words take a second each."""
    timed = tuple(
        Word(text=word, start=float(n), end=n + 1.0, probability=0.4 if n == 1 else 0.9) for n, word in enumerate(words)
    )
    return Utterance(id="A1", side="agent", start=0, end=9, text=text, voiced=((0, 9),), words=timed, source="whisper")


def quoted(text: str, start: float = 0.0, end: float = 0.0) -> Evidence:
    return Evidence(utterance="A1", quote=text, start=start, end=end)


def test_tokens_take_the_times_of_their_words_and_keep_the_text() -> None:
    pieces = tokens(said("- Take 250 mg, now.", (" Take", " 250", " mg,", " now.")))
    assert [(one.text, one.gap) for one in pieces] == [("- Take", " "), ("250", " "), ("mg,", " "), ("now.", "")]
    assert [one.word.start if one.word else None for one in pieces] == [0.0, 1.0, 2.0, 3.0]
    assert [one.weak for one in pieces] == [False, True, False, False]


def test_a_language_without_spaces_is_cut_at_its_words() -> None:
    pieces = tokens(said("熱はありますか", ("熱", "は", "ありますか")))
    assert [(one.text, one.gap) for one in pieces] == [("熱", ""), ("は", ""), ("ありますか", "")]


def test_words_that_are_not_those_of_the_text_give_no_times() -> None:
    pieces = tokens(said("I have a cough", ("I", "have", "cold")))
    assert [one.text for one in pieces] == ["I", "have", "a", "cough"]
    assert [one.word for one in pieces] == [None] * 4
    assert tokens(said("  ")) == ()


def test_a_quote_is_found_by_its_words_and_else_by_its_time() -> None:
    one = said(
        "Take two hundred fifty milligrams, twice.", ("Take", "two", "hundred", "fifty", "milligrams,", "twice.")
    )
    pieces = tokens(one)
    assert locate(quoted("take 250 mg"), one, pieces) == Place(0, 4)
    assert locate(quoted("twice"), one, pieces) == Place(5, 5)
    assert locate(quoted("something else", 1.5, 2.5), one, pieces) == Place(1, 2)
    assert locate(quoted("something else", 20, 21), one, pieces) is None


RUBRIC = [
    {"id": "late_one", "group": "close", "weight": 0.4, "expect": "Says it."},
    {"id": "first", "group": "critical", "weight": 0.6, "expect": "Asks it."},
]


def test_critical_checks_come_first_and_a_check_without_verdict_is_shown_as_such() -> None:
    verdict = Verdict(check="late_one", group="close", weight=0.4, outcome="hit")
    critical, close = groups(RUBRIC, [verdict], {})
    assert (critical.id, critical.hits, critical.checks[0].label) == ("critical", 0, "no verdict")
    assert (close.id, close.hits, close.weight, close.checks[0].title) == ("close", 1, 0.4, "Late one")


def test_a_quote_from_an_utterance_that_is_not_there_is_kept_and_marked() -> None:
    verdict = Verdict(check="first", group="critical", weight=0.6, outcome="hit", evidence=(quoted("is it"),))
    (quote,) = groups(RUBRIC, [verdict], {})[0].checks[0].quotes
    assert (quote.text, quote.in_transcript, quote.place) == ("is it", False, None)


def test_a_verdict_on_a_check_that_the_case_has_not_is_kept() -> None:
    verdict = Verdict(check="older", group="must_ask", weight=0.2, outcome="miss")
    assert [group.id for group in groups(RUBRIC, [verdict], {})] == ["critical", "must_ask", "close"]


def test_who_decided_and_what_failed_is_shown_with_the_check() -> None:
    votes = (Vote(judge="cues", outcome="miss"), Vote(judge="openai:m", repeat=2, outcome="cannot_assess"))
    judged = Verdict(check="first", group="critical", weight=0.6, outcome="miss", votes=votes)
    coded = Verdict(check="late_one", group="close", weight=0.4, outcome="miss", by="code")
    failures = (
        Failure(tag="other", by="judge", check="first", note="It laughed."),
        Failure(tag="wrong_tool", by="code", check="late_one"),
    )
    critical, close = groups(RUBRIC, [judged, coded], {}, failures)
    (first,), (late,) = critical.checks, close.checks
    assert first.votes == ("cues: miss", "repeat 2: cannot assess")
    assert first.failures == ("other (named by the judge): It laughed.",)
    assert (late.by_code, late.failures) == (True, ("wrong tool (named by code)",))


GOOD, SPOILED = Validity(valid=True), Validity(valid=False, reason="tts_failed", detail="no sound")


@pytest.mark.parametrize(
    ("validity", "score", "expected"),
    [
        (GOOD, Score(value=0.4, coverage=1), Gate("passed")),
        (
            GOOD,
            Score(value=0.99, coverage=1, failed_critical=("red_flag",)),
            Gate("failed", "critical check missed: red flag"),
        ),
        (
            GOOD,
            Score(value=None, unscored="cut off", coverage=0.3, failed_critical=("a",)),
            Gate("failed", "critical check missed: a"),
        ),
        (GOOD, Score(value=None, unscored="the line was lost", coverage=0), Gate("unscored", "the line was lost")),
        (GOOD, None, Gate("unscored", "not judged yet")),
        (SPOILED, Score(value=1.0, coverage=1), Gate("invalid", "tts failed: no sound")),
        (None, Score(value=1.0, coverage=1), Gate("invalid", "the call was never finished")),
    ],
)
def test_the_gate_stands_above_the_number(validity: Validity | None, score: Score | None, expected: Gate) -> None:
    assert gate(validity, score) == expected
