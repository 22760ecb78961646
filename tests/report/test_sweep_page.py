"""The page of a sweep: curves with their intervals and where they break, heat maps, and nothing that runs."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_sweep import call, over, sweep
from page_browser import Browser, chromium

from voicesim.report.sweep_charts import BOTTOM, HEIGHT, TOP, curves, heat_maps
from voicesim.report.sweep_page import DATA, PAGE, data, write
from voicesim.results.sweep import SweepAxis, SweepResult

HOSTILE = "<img src=x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def falling() -> SweepResult:
    """Hearing falls with the SNR and breaks at 20 dB; the call at 0 dB is invalid."""
    points = [
        (call("a", 93, 100, latencies=(0.6, 0.8)),),
        (call("b", 60, 100, score=0.4),),
        (call("c", 20, 100),),
        (call("d", 0, 100, valid=False),),
    ]
    return sweep(*points, control=(call("plain", 95, 100, score=0.9, latencies=(0.5, 0.7)),))


@pytest.fixture(scope="module")
def crossed() -> SweepResult:
    """The agent understands less with noise and with the accent."""
    axes = (
        SweepAxis(name="snr", values=("20", "0"), numbers=True),
        SweepAxis(name="accent", values=("indian:0", HOSTILE), numbers=False),
    )
    return over(axes, tuple((call(f"k{number}", 90 - 20 * number, 100),) for number in range(4)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def test_a_curve_has_its_values_in_place(falling: SweepResult) -> None:
    curve = next(curve for curve in curves(falling) if curve.kind.id == "hearing")
    assert [dot.title.split(" (")[0] for dot in curve.dots] == ["30: 93%", "20: 60%", "10: 20%"]
    # 0.6 of the height between the top and the bottom of the drawing.
    assert curve.dots[1].y == pytest.approx(HEIGHT - BOTTOM - 0.6 * (HEIGHT - TOP - BOTTOM), abs=0.06)
    assert curve.told.startswith("control 95%")
    assert "breaks at 20: 60% (50.2% to 69.1%)" in curve.told
    assert len(curve.runs) == 1
    # The score has one value alone: no line, and no interval of one call.
    score = next(curve for curve in curves(falling) if curve.kind.id == "score")
    assert (len(score.dots), score.runs, score.dots[0].low) == (1, (), None)
    assert heat_maps(falling) == []


def test_a_heat_map_shades_from_the_best_to_the_worst(crossed: SweepResult) -> None:
    heat = next(heat for heat in heat_maps(crossed) if heat.kind.id == "hearing")
    assert [cell.text for cell in heat.cells] == ["90%", "70%", "50%", "30%"]
    # (90 - value) / (90 - 30)
    assert [cell.shade for cell in heat.cells] == [0.0, 0.333, 0.667, 1.0]
    assert len({(cell.x, cell.y) for cell in heat.cells}) == 4
    assert curves(crossed) == []


def test_the_json_tells_figures_and_what_is_missing(falling: SweepResult) -> None:
    told = json.loads(json.dumps(data(falling), allow_nan=False))
    assert told["breaks"]["hearing"] == "20"
    assert told["points"][1]["figures"]["hearing"]["value"] == 0.6
    assert told["points"][3]["figures"]["hearing"] is None
    assert told["points"][3]["calls"] == [{"folder": "d", "state": "invalid"}]


@pytest.mark.page
@pytest.mark.parametrize("width", [1400, 480])
def test_the_page_shows_all_points_and_runs_nothing(
    browser: Browser, falling: SweepResult, crossed: SweepResult, tmp_path: Path, width: int
) -> None:
    for name, made, drawings in (("curves", falling, 5), ("maps", crossed, 3)):
        (tmp_path / name).mkdir()
        write(replace(made, folder=tmp_path / name))
        assert (tmp_path / name / DATA).is_file()
        browser.chrome.set_window_size(width, 1000)
        browser.complaints()
        browser.chrome.get((tmp_path / name / PAGE).as_uri())
        assert len(browser.all(".chart svg")) == drawings
        assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth")
        assert browser.run("return window.hacked === undefined && document.querySelector('img') === null")
        assert browser.complaints() == []
    assert len(browser.all("#hearing .cell rect")) == 4
