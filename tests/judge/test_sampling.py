"""Samples hold every layer and are the same for everybody; what labels say of a judge is kept, and a drop is shown."""

import json
from pathlib import Path

import numpy as np
import pytest
from made_recording import make_recording

from voicesim.bench.sampling import draw, keep, new_weeks, weeks
from voicesim.errors import UsageError
from voicesim.judge.gold import Gold
from voicesim.judge.model import Score, Verdicts
from voicesim.recording import files
from voicesim.recording.manifest import Resolved

AGENTS = ("common", "common", "common", "common", "common", "rare")


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    place = tmp_path_factory.mktemp("calls")
    folders = []
    for number, agent in enumerate(AGENTS):
        folder = place / f"call-{number}"
        recording = make_recording(folder, np.zeros(480, np.int16), call_id=folder.name)
        manifest = recording.manifest.model_copy(update={"agent": Resolved(id=agent, sha256="", content={})})
        files.save(folder, files.MANIFEST, manifest)
        files.write_text(folder / files.TRANSCRIPT, "{}")
        score = Score(value=1.0, coverage=1.0)
        verdicts = Verdicts(call_id=folder.name, judge="cues", judge_version="1", verdicts=(), score=score)
        files.save(folder, f"{files.VERDICTS}/cues.json", verdicts)
        folders.append(folder)
    (place / "unjudged").mkdir()
    return folders


def test_every_layer_is_in_a_sample_and_the_seed_decides(calls: list[Path]) -> None:
    for seed in range(5):
        assert {call.layer for call in draw(calls, 2, ("agent",), seed)} == {("common",), ("rare",)}
        assert draw(calls, 4, ("agent",), seed) == draw(list(reversed(calls)), 4, ("agent",), seed)
    assert len({tuple(call.folder for call in draw(calls, 3, ("agent",), seed)) for seed in range(9)}) > 1
    assert len(draw(calls, 50, ("tag", "agent"), 0)) == len(calls)


def test_calls_that_cannot_be_labelled_are_left_out(tmp_path: Path) -> None:
    make_recording(tmp_path / "call", np.zeros(480, np.int16))
    with pytest.raises(UsageError, match="transcribed and judged"):
        draw([tmp_path / "call"], 5, ("agent",), 0)


def labels(count: int, agreed: int, first: int = 0) -> list[Gold]:
    """Labels on hits of one judge; the first ones agree with it."""
    return [
        Gold(
            item=f"call-{first + number}",
            check="fever",
            label="hit" if number < agreed else "miss",
            source="human",
            rater="ada",
            judge="cues",
            outcome="hit",
        )
        for number in range(count)
    ]


def test_a_drop_is_told_from_chance(tmp_path: Path) -> None:
    path = tmp_path / "agreement.jsonl"
    gold = labels(40, 38)
    (first,) = new_weeks(gold, weeks(path), "2026-03-02")
    assert (first.n, first.agreed, first.share, first.before, first.dropped) == (40, 38, 0.95, None, False)
    keep(path, [first])
    gold += labels(20, 18, first=100)  # 90 % after 95 %: chance does that
    (second,) = new_weeks(gold, weeks(path), "2026-03-09")
    assert (second.n, second.before, second.dropped) == (20, 0.95, False)
    keep(path, [second])
    gold += labels(20, 12, first=200)  # 60 % after 56 of 60: it does not
    (third,) = new_weeks(gold, weeks(path), "2026-03-16")
    assert third.dropped
    assert third.p is not None
    assert third.p < 0.05
    keep(path, [third])
    assert new_weeks(gold, weeks(path), "2026-03-23") == ()
    assert [json.loads(line)["n"] for line in path.read_text().splitlines()] == [40, 20, 20]


def test_a_history_that_is_none_is_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "agreement.jsonl"
    path.write_text("\n{}\n")
    with pytest.raises(UsageError, match=r"agreement.jsonl:2"):
        weeks(path)
