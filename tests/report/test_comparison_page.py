"""`voicesim compare` and its page in a browser."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_suite import write_call
from many_rows import made_up
from page_browser import Browser, chromium
from sample_call import resolved
from typer.testing import CliRunner, Result

from voicesim.cli.app import build
from voicesim.report.many.comparison import Comparison, compare
from voicesim.report.many.comparison_page import comparison_page
from voicesim.report.many.sides import Side, sides
from voicesim.report.many.write import write_comparison
from voicesim.results.read import open_suite


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def comparisons() -> list[Comparison]:
    first, *others = sides({"night": made_up({"good": 0.95, "middling": 0.8, "bad": 0.5})})
    return [compare(first, other) for other in others]


@pytest.fixture(scope="module")
def page(comparisons: list[Comparison], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("comparison") / "comparison.html"
    path.write_text(comparison_page(comparisons), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs of three calls each: the second agent always asks for the duration, and answers half a second later."""
    root = tmp_path_factory.mktemp("runs")
    for seed in range(3):
        modular, realtime = resolved("modular", {"agent": "modular"}), resolved("realtime", {"agent": "realtime"})
        write_call(root / "before" / f"{seed}", {}, ("duration",), latencies=(0.8, 0.9), agent=modular, seed=seed)
        write_call(root / "after" / f"{seed}", {}, latencies=(1.3, 1.4), agent=realtime, seed=seed)
    return root / "before", root / "after"


def voicesim(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), ["compare", *map(str, arguments)])


@pytest.mark.page
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_quiet_and_nothing_stands_out_at_the_side(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    assert browser.complaints() == []
    assert browser.requests() == []
    assert browser.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.page
def test_one_screen_answers_which_is_better_and_how_sure(browser: Browser, page: Path) -> None:
    browser.open(page, height=1000)
    answers = browser.one("#vs-2 .answers")
    assert [head.text for head in browser.all("#vs-2 .answer h3")] == ["good", "bad", "No difference shown"]
    assert "Score" in browser.all("#vs-2 .answer")[0].text
    assert "four times in five" in browser.one("#vs-2").text
    assert float(browser.one("#detectable-2").text) > 0
    assert answers.size["height"] < 700


@pytest.mark.page
def test_numbers_lead_to_calls_and_changes_to_scorecards(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("#differences-1 tbody tr:first-child td:nth-child(2) .cite")
    shown = browser.run(
        "return [...document.querySelectorAll('.calls tbody tr:not([hidden])')].map(r => r.dataset.agent)"
    )
    assert set(shown) == {"good"}
    links = browser.run("return [...document.querySelectorAll('#changes-1 td a')].map(a => a.getAttribute('href'))")
    assert len(links) == 2 * len(browser.all("#changes-1 tbody tr"))
    assert all(link.endswith("/scorecard.html") for link in links)
    browser.click("[data-more=changes-1]")
    assert all(row.is_displayed() for row in browser.all("#changes-1 tbody tr"))


def test_a_name_is_text_and_nothing_else(comparisons: list[Comparison]) -> None:
    first = comparisons[0].first
    hostile = Side("<img src=x onerror=alert(1)>", tuple(replace(row) for row in comparisons[0].second.rows))
    text = comparison_page([compare(first, hostile)])
    assert "<img" not in text
    assert "&lt;img src=x" in text


def test_two_runs_are_compared_to_a_page_a_file_and_a_table(folders: tuple[Path, Path], tmp_path: Path) -> None:
    result = voicesim(*folders, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "modular" in result.stdout
    assert "3 pairs of calls over 1 case." in result.stdout
    assert " ".join(result.stdout.split()).count("passed, then passed; only realtime hit duration") == 3
    text = (tmp_path / "out" / "comparison.html").read_text(encoding="utf-8")
    assert "With one case, nothing is said of other cases" in text
    (told,) = json.loads((tmp_path / "out" / "comparison.json").read_text())["comparisons"]
    by_name = {entry["name"]: entry for entry in told["differences"]}
    # 1.00 - 0.88 in every pair, and (1.3 + 1.4) / 2 - (0.8 + 0.9) / 2.
    assert by_name["Score"]["estimate"]["value"] == pytest.approx(0.12)
    assert by_name["Latency"]["estimate"]["value"] == pytest.approx(0.5)
    assert [check["check"] for check in told["by_check"] if check["hits"][0] != check["hits"][1]] == ["duration"]


def test_only_the_calls_of_a_plan_count_where_a_folder_has_others(folders: tuple[Path, Path], tmp_path: Path) -> None:
    keys = [call.planned.key for folder in folders for call in open_suite(folder).calls[:2]]
    written = write_comparison(folders, tmp_path, keys=keys)
    assert [len(comparison.pairs) for comparison in written.comparisons] == [2]
    assert written.unasked == sum(len(open_suite(folder).calls) - 2 for folder in folders)


def test_json_is_all_that_is_printed(folders: tuple[Path, Path], tmp_path: Path) -> None:
    result = voicesim(*folders, "--json", "--out", tmp_path)
    assert json.loads(result.stdout)["schema_version"] == 1


def test_another_judge_is_refused_unless_it_is_wanted(folders: tuple[Path, Path], tmp_path: Path) -> None:
    strict = tmp_path / "strict"
    write_call(strict / "0", {}, judge="other", agent=resolved("realtime", {}), seed=0)
    out = tmp_path / "out"
    refused = voicesim(folders[0], strict, "--out", out)
    assert refused.exit_code == 2
    assert "the judge differs: cues for modular, other for realtime" in refused.stderr
    assert not out.exists()
    assert voicesim(folders[0], strict, "--out", out, "--anyway").exit_code == 0
    assert "Compared all the same" in (out / "comparison.html").read_text(encoding="utf-8")


def test_what_cannot_be_compared_ends_with_2(folders: tuple[Path, Path], tmp_path: Path) -> None:
    for arguments, told in (
        ((folders[0],), "needs two folders of calls"),
        ((folders[0], folders[0]), "cannot be compared with itself"),
        ((folders[0], tmp_path), "no recording here or below"),
        ((*folders, "--agent", "modluar"), "Did you mean modular?"),
        (("modular", "--case", "cold-01-andi"), "a comparison needs two agents to call"),
        (("modular", "reltime", "--case", "cold-01-andi"), "unknown agent 'reltime'"),
    ):
        result = voicesim(*arguments, "--out", tmp_path / "none")
        assert (result.exit_code, told in result.stderr.replace("\n", " ")) == (2, True), result.stderr
    assert not (tmp_path / "none").exists()
