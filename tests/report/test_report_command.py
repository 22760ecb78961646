"""`voicesim report` over a folder, the summary for machines and the table for people."""

import html
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quiet_call import measured
from rich.console import Console
from sample_call import manifest, sample, transcript_of, write_recording
from typer.testing import CliRunner, Result

from voicesim.cli.app import build
from voicesim.judge.model import Score, Verdict, Verdicts
from voicesim.metrics.model import Interruption, Metrics, Summary
from voicesim.recording import files
from voicesim.recording.manifest import Validity
from voicesim.report.json_report import summary
from voicesim.report.scorecard import scorecard
from voicesim.report.table import table

COMMANDS = (
    ("report", "voicesim.cli.report:report", "Write scorecards."),
    ("check", "voicesim.cli.check:check", "A second command, so that the first has to be named."),
)


def voicesim(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(COMMANDS), [str(one) for one in arguments])


def metrics(**changes: Any) -> Metrics:
    happened: dict[str, Any] = {
        "response_latency": Summary(n=2, median=0.8, p90=0.9, p95=1.25, max=1.25, values=(0.8, 1.25)),
        "cut_ins": 1,
        "interruptions": (
            Interruption(caller="P1", agent="A1", start=1, yield_time=0.35, yielded=True, overlap=0.35),
            Interruption(caller="P2", agent="A2", start=1, yield_time=None, yielded=False, overlap=1),
        ),
    }
    return measured(2.0, **{**happened, **changes})


def verdicts(judge: str = "cues", value: float | None = 0.5) -> Verdicts:
    return Verdicts(
        call_id="c",
        judge=judge,
        judge_version="1",
        verdicts=(
            Verdict(check="breathing_now", group="critical", weight=0.5, outcome="hit"),
            Verdict(check="fever", group="must_ask", weight=0.25, outcome="miss"),
            Verdict(check="history", group="must_ask", weight=0.25, outcome="cannot_assess"),
        ),
        score=Score(value=value, coverage=0.75),
    )


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A short silent recording with everything a scorecard needs."""
    folder = tmp_path / "suite" / "call"
    write_recording(folder, np.zeros(48_000, dtype=np.int16), np.zeros(48_000, dtype=np.int16))
    files.save(folder, files.TRANSCRIPT, transcript_of((), 2.0))
    files.save(folder, files.METRICS, metrics())
    files.save(folder, "verdicts/cues.json", verdicts())
    return folder


def test_the_page_is_written_and_its_path_printed(recording: Path) -> None:
    result = voicesim("report", recording)
    assert result.exit_code == 0, result.output
    page = recording / "scorecard.html"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert f"scorecard: {page}" in result.stdout
    assert "critical" not in result.stderr


def test_a_folder_of_recordings_gives_one_page_each(recording: Path) -> None:
    result = voicesim("report", recording.parent, recording, "--json")
    (row,) = json.loads(result.stdout)["recordings"]  # named twice, written once
    assert row["scorecard"] == str(recording / "scorecard.html")
    assert (row["gate"], row["score"]) == ("passed", 0.5)


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("transcript.json", "voicesim transcribe"),
        ("metrics.json", "voicesim transcribe"),
        ("verdicts/cues.json", "voicesim score"),
    ],
)
def test_what_is_missing_is_told_with_the_command_that_makes_it(recording: Path, missing: str, command: str) -> None:
    (recording / missing).unlink()
    result = voicesim("report", recording)
    assert result.exit_code == 2
    assert f"run `{command} {recording}` first" in result.stderr
    assert not (recording / "scorecard.html").exists()


def test_the_newest_verdicts_are_shown_unless_a_judge_is_named(recording: Path) -> None:
    newer = files.save(recording, "verdicts/openai_some-model.json", verdicts("openai:some-model", 0.75))
    os.utime(recording / "verdicts/cues.json", ns=(1_000, 1_000))
    os.utime(newer, ns=(2_000, 2_000))
    assert json.loads(voicesim("report", recording, "--json").stdout)["recordings"][0]["judge"] == "openai:some-model"
    os.utime(newer, ns=(500, 500))
    assert json.loads(voicesim("report", recording, "--json").stdout)["recordings"][0]["judge"] == "cues"
    named = voicesim("report", recording, "--json", "--judge", "openai:some-model")
    assert json.loads(named.stdout)["recordings"][0]["score"] == 0.75


def test_a_judge_that_has_not_judged_is_an_error_with_the_near_name(recording: Path) -> None:
    result = voicesim("report", recording, "--judge", "cue")
    assert result.exit_code == 2
    assert "no verdicts of judge 'cue' yet" in result.stderr
    assert "Did you mean cues?" in result.stderr


def test_a_file_that_is_broken_is_named(recording: Path) -> None:
    (recording / "metrics.json").write_text("{}", encoding="utf-8")
    result = voicesim("report", recording)
    assert result.exit_code == 2
    assert "metrics.json: call_id: Field required" in result.stderr
    assert voicesim("report", recording / "nowhere").exit_code == 2


def test_the_summary_counts_by_group_and_says_nothing_it_does_not_know() -> None:
    told = summary(manifest(2.0), metrics(talk_ratio=None), verdicts())
    assert told["groups"] == {
        "critical": {"hit": 1, "miss": 0, "undecided": 0, "checks": 1},
        "must_ask": {"hit": 0, "miss": 1, "undecided": 1, "checks": 2},
    }
    assert told["metrics"]["response_latency"] == {"n": 2, "median": 0.8, "p90": 0.9, "p95": 1.25, "max": 1.25}
    assert (told["metrics"]["interruptions"], told["metrics"]["yielded"]) == (2, 1)
    assert told["metrics"]["yield_median"] == 0.35
    assert told["metrics"]["talk_ratio"] is None
    json.dumps(told, allow_nan=False)


def test_a_call_that_was_not_judged_has_a_summary_too() -> None:
    told = summary(manifest(2.0), None, None)
    assert (told["gate"], told["gate_reason"]) == ("unscored", "not judged yet")
    assert told["score"] is told["groups"] is told["metrics"] is None


def printed(*told: dict[str, Any], width: int = 80) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(table(told))
    return console.export_text()


def test_the_table_fits_a_terminal_and_says_all_that_matters() -> None:
    spoiled = manifest(2.0, validity=Validity(valid=False, reason="late_harness"), end_reason="agent_hung_up")
    text = printed(summary(manifest(2.0), metrics(), verdicts()), summary(spoiled, None, None))
    assert max(len(line) for line in text.splitlines()) <= 80
    for expected in ("50%", "PASSED", "crit. 1/1", "must  0/2", "med 800 ms", "p95 1,250 ms", "cut-ins 1"):
        assert expected in text
    assert "interrupts 2" in text
    assert "yielded 1" in text
    assert "cold-01-andi, modular: INVALID, late harness" in text
    assert re.search(r"agent\s+hung up|agent hung\s", text)


def test_nothing_in_the_table_is_taken_for_markup() -> None:
    told = summary(manifest(2.0, end_reason="completed"), metrics(), verdicts())
    told["agent"] = "[red]x[/red]\x1b[2J"
    assert "[red]x[/red][U+001B][2J" in printed(told, width=120)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The page of one call of 72 s, made twice."""
    call = sample(tmp_path_factory.mktemp("twice") / "call")
    return [scorecard(call.recording, call.transcript, call.metrics, call.verdicts) for _ in range(2)]


def test_the_same_call_gives_the_same_page(pages: list[str]) -> None:
    assert pages[0] == pages[1]
    assert len(pages[0]) < 1_200_000  # so that three minutes stay under 3 MB


def test_the_page_names_no_address_to_load_from(pages: list[str]) -> None:
    without_links = re.sub(r"<a\s[^>]*>", "", pages[0])  # a link is only followed by who clicks on it
    loaded = re.findall(r"""(?:src|href|action|poster|srcset)\s*=\s*["']?([^"'\s>]+)""", without_links)
    assert {address for address in loaded if not address.startswith(("#", "data:"))} == set()
    assert re.search(r"url\((?!#)", pages[0]) is None
    assert "@import" not in pages[0]
    assert "default-src 'none'" in html.unescape(pages[0])
