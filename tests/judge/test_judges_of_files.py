"""Judges by name and by model file: several servers on one panel, and parts of other packages."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from made_manifest import manifest
from made_recording import make_recording
from model_server import KEY, Says, model_server
from spoken import call, transcript

from voicesim import registry
from voicesim.caller.mind import Memory
from voicesim.caller.minds import make_mind
from voicesim.errors import UsageError
from voicesim.judge.judges import Options, Panel, make_judge
from voicesim.judge.model import Verdicts
from voicesim.judge.run import score_together
from voicesim.recording import files
from voicesim.registry import JUDGES, MINDS, Registry

File = Callable[..., str]
PRICES = '{as_of: "2026-01-15", text_in: 2, text_in_cached: 0.2, text_out: 8}'
NO = json.dumps({"reason": "because", "answer": "no", "evidence": []})


@pytest.fixture
def file(tmp_path: Path) -> File:
    def write(text: str, name: str = "mine.yaml") -> str:
        path = tmp_path / "models" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_judges_of_two_vendors_sit_on_one_panel_and_nothing_of_a_key_is_kept(
    file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MINE", "my-own-key-1")
    monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "call"
    make_recording(folder, np.zeros(24_000 * 10, dtype=np.int16), call_id="made")
    files.save(folder, files.MANIFEST, manifest("cold-04"))
    files.save(folder, files.TRANSCRIPT, transcript("P: Help.\nA: Call 911 now, it is an emergency.", "made"))
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}

    def missing(body: dict[str, object]) -> Says:
        moments = "moments" in json.dumps(body["response_format"])
        return Says(json.dumps({"reason": "x", "moments": []}) if moments else NO, usage=usage, model="m-2026")

    with model_server(missing) as one, model_server(missing) as other:
        monkeypatch.setenv("OPENAI_BASE_URL", other.url)
        vendor = file(f"id: vendor\nmodel: m\nbase_url: {one.url}\nkey_env: MINE\nprices: {PRICES}\n")
        judged = score_together(folder, Panel(("cues", vendor, "openai:m")).seated())
        again = score_together(folder, Panel((vendor,)).seated())
        assert set(one.keys) == {"Bearer my-own-key-1"}
        assert set(other.keys) == {f"Bearer {KEY}"}
    assert [verdicts.judge for verdicts in judged.own] == ["cues", "vendor", "openai:m"]
    kept = files.load(folder, "verdicts/vendor.json", Verdicts)
    assert kept.model is not None
    assert (kept.model.model, kept.model.host) == ("m", one.url.split("/")[2])
    assert kept.models == ("m-2026",)
    # Three questions of (600 x 2 + 400 x 0.2 + 100 x 8) / 1,000,000 = 0.00208 each; the second time all are kept.
    assert judged.own[1].cost is not None
    assert judged.own[1].cost.amount == pytest.approx(3 * 0.00208)
    assert judged.own[2].cost is None
    assert again.own[0].cost is not None
    assert (again.own[0].cost.amount, again.own[0].cost.responses) == (0.0, 0)
    for path in tmp_path.rglob("*"):
        if path.is_file() and "models" not in path.parts:
            content = path.read_bytes()
            assert KEY.encode() not in content
            assert b"my-own-key-1" not in content


def test_two_judges_of_one_name_are_refused(file: File) -> None:
    first = file("id: same\nmodel: m\nbase_url: http://localhost:1/v1\n", "a.yaml")
    second = file("id: same\nmodel: n\nbase_url: http://localhost:2/v1\n", "b.yaml")
    with pytest.raises(UsageError, match="two judges are called same"):
        Panel((first, second)).seated()


def test_a_timeout_of_the_file_goes_before_the_commands(file: File) -> None:
    with model_server(lambda _: Says(body=b"          ", pause=0.3)) as server:
        path = file(f"model: m\nbase_url: {server.url}\ntimeout: 1\n")
        judge = make_judge(path, Options(timeout=300))
        this = call("cold-04", "A: Hello there.")
        finding = judge.find(this.case.rubric[0], this)
    assert finding.outcome == "error"
    assert "within 1 s" in finding.reason


@pytest.fixture
def another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that brings a judge and a mind."""
    (tmp_path / "their_parts.py").write_text(
        "from voicesim.caller.mind import PatientLine\n"
        "from voicesim.judge.base import Finding\n"
        "class Lenient:\n"
        "    version = '1'\n"
        "    def __init__(self, target, options):\n"
        "        self.name = f'lenient:{target}'\n"
        "    def find(self, check, call):\n"
        "        return Finding('cannot_assess')\n"
        "class Silent:\n"
        "    def __init__(self, case, target):\n"
        "        self.name = 'silent'\n"
        "    async def reply(self, heard, memory):\n"
        "        return PatientLine('I see, thank you.')\n"
    )
    info = tmp_path / "their_parts-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-parts\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[voicesim.judges]\nlenient = their_parts:Lenient\ncues = their_parts:Lenient\n"
        "[voicesim.minds]\nsilent = their_parts:Silent\n"
    )
    own = {table: dict(table.rows) for table in (JUDGES, MINDS)}  # before the package is there: tables remember
    monkeypatch.syspath_prepend(tmp_path)
    for table, rows in own.items():
        fresh = Registry(table.kind, table.group, rows, files="openai")
        monkeypatch.setattr(f"voicesim.registry.{table.kind.upper()}S", fresh)
    monkeypatch.setattr("voicesim.judge.judges.JUDGES", registry.JUDGES)
    monkeypatch.setattr("voicesim.caller.minds.MINDS", registry.MINDS)


@pytest.mark.usefixtures("another_package")
async def test_a_package_adds_a_judge_and_a_mind_and_takes_no_name_of_ours() -> None:
    judge = make_judge("lenient:very")
    assert judge.name == "lenient:very"
    this = call("cold-04", "A: Hello there.")
    assert judge.find(this.case.rubric[0], this).outcome == "cannot_assess"
    assert make_judge("cues").name == "cues"
    mind = make_mind("silent", this.case)
    assert (await mind.reply("Rest well.", Memory())).text == "I see, thank you."


@pytest.mark.parametrize("table", [JUDGES, MINDS], ids=["judges", "minds"])
def test_every_row_loads_and_has_its_place_in_the_docs(table: Registry) -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / "models.md").read_text(encoding="utf-8") + (docs / "judge.md").read_text(encoding="utf-8")
    for name in table:
        assert callable(table.load(name))
        assert table.row(name).about
        assert f"`{table.row(name).form}`" in text
