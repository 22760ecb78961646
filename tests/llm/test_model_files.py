"""A model file gives each role a server of its own, and no key to anybody that it does not name."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from model_server import KEY, FakeServer, Says, model_server
from typer.testing import CliRunner

import voicesim
from voicesim.bench.reflect import proposer
from voicesim.caller.mind import Memory
from voicesim.caller.minds import make_mind
from voicesim.catalog.check import check
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Accent, Voice
from voicesim.catalog.model_names import resolve_model
from voicesim.cli.app import build
from voicesim.errors import CatalogueError, UsageError
from voicesim.judge.judges import make_judge
from voicesim.reference_agents.brains import brains
from voicesim.tts.openai_engine import OpenAIEngine

File = Callable[..., str]
PRICES = '{as_of: "2026-01-15", text_in: 2, text_in_cached: 0.2, text_out: 8}'


@pytest.fixture
def file(tmp_path: Path) -> File:
    def write(text: str, name: str = "mine.yaml") -> str:
        path = tmp_path / "models" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("id: x\n", "model", "is missing"),
        ("model: ''\n", "model", "must not be empty"),
        ("model: m\nbase_url: localhost:8080\n", "base_url", "no http or https URL"),
        ("model: m\nbase_url: https://ann:secret@x.example/v1\n", "base_url", ""),
        ("model: m\nbase_url: https://x.example/v1?key=1\n", "base_url", "more than an address"),
        ("model: m\nkey_env: my key\n", "key_env", "not of the form"),
        ("model: m\nkey: sk-abcdefghijklmnopq\n", "key", "unknown key. Did you mean key_env?"),
        ("model: sk-abcdefghijklmnopq\n", "model", "looks like a key"),
        ("model: m\nheaders: {X-Key: {env: K, prefix: sk-abcdefghijklmnopq}}\n", "headers.X-Key.prefix", "a key"),
        ("model: m\nheaders: {X-Key: {value: x}}\n", "headers.X-Key.env", "is missing"),
        ("model: m\ntimeout: 0\n", "timeout", "greater than or equal to 1"),
        ("model: m\ntimeout: soon\n", "timeout", "valid number"),
        ("model: m\nprices: {text_in: -1}\n", "prices.text_in", "greater than or equal to 0"),
    ],
)
def test_check_tells_what_is_wrong_in_a_model_file(file: File, text: str, key: str, message: str) -> None:
    found = check([Path(file(text))], Catalogue.here()).problems
    assert any(problem.key == key and message in problem.message for problem in found), found


def test_check_finds_model_files_in_their_folder(file: File) -> None:
    path = Path(file(f"model: m\nbase_url: http://localhost:8080/v1\nprices: {PRICES}\n"))
    assert check([path.parent.parent], Catalogue.here()).files == (path,)
    assert check([path.parent.parent], Catalogue.here()).problems == ()


@pytest.mark.parametrize(
    ("settings", "environment", "key"),
    [
        ("", {}, KEY),
        ("", {"OPENAI_BASE_URL": "http://localhost:1/v1"}, KEY),
        ("base_url: https://api.openai.com/v1\n", {}, KEY),
        ("base_url: http://localhost:1/v1\n", {"OPENAI_BASE_URL": "http://localhost:1/v1"}, KEY),
        ("base_url: http://localhost:2/v1\n", {"OPENAI_BASE_URL": "http://localhost:1/v1"}, ""),
        ("base_url: https://vendor.example/v1\n", {}, ""),
        ("base_url: http://api.openai.com/v1\n", {}, ""),
        ("base_url: https://api.openai.com.example/v1\n", {}, ""),
        ("base_url: https://vendor.example/v1\nkey_env: OPENAI_API_KEY\n", {}, KEY),
        ("base_url: https://vendor.example/v1\nkey_env: MINE\n", {"MINE": "my-own"}, "my-own"),
        ("key_env: MINE\n", {"MINE": "my-own"}, "my-own"),
    ],
)
def test_openais_key_goes_to_nobody_else_unless_the_file_names_it(
    file: File, settings: str, environment: dict[str, str], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for name, value in {"OPENAI_API_KEY": KEY, **environment}.items():
        monkeypatch.setenv(name, value)
    server = resolve_model(file(f"model: m\n{settings}"))
    assert server.key() == key
    assert KEY not in repr(server)


def test_a_key_that_is_named_and_missing_is_told_before_anything_starts(
    file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MINE", raising=False)
    path = file("id: vendor\nmodel: m\nbase_url: https://vendor.example/v1\nkey_env: MINE\n")
    for make in (make_judge, proposer, lambda spec: make_mind(spec, Catalogue.here().case("cold-01-andi"))):
        with pytest.raises(UsageError, match="vendor needs a key in MINE"):
            make(path)


@pytest.mark.parametrize("role", ["mind", "judge", "brain"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.yaml", "there is no model file nowhere.yaml"),
        ("cuse", "cues|unknown brain"),
        ("openai", "openai:MODEL"),
    ],
)
def test_a_run_with_an_unknown_part_is_refused_before_anything_starts(
    role: str, name: str, message: str, tmp_path: Path
) -> None:
    command = ["run", "cold-01-andi", "--agent", "realtime", "--out", str(tmp_path / "out"), f"--{role}", name]
    result = CliRunner().invoke(build(), command)
    assert result.exit_code == 2
    assert any(part in result.output for part in message.split("|"))
    assert not (tmp_path / "out").exists()


async def test_every_role_asks_the_server_of_its_file(
    file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MINE", "my-own-key-1")
    monkeypatch.setenv("VOICESIM_CACHE", str(tmp_path / "cache"))
    case = Catalogue.here().case("cold-04-emergency-dyspnea")
    with model_server() as mind, model_server() as brain, model_server() as voice:
        mind.decides().says("I don't know.")
        brain.says("Are you short of breath?")
        sound = (8000 * np.sin(np.arange(24_000) / 10)).astype("<i2").tobytes()
        voice.answers = [Says(body=sound, headers={"Content-Type": "audio/pcm"})]
        asked: dict[str, FakeServer] = {"mind": mind, "brain": brain, "voice": voice}
        paths = {
            name: file(f"model: {name}\nbase_url: {server.url}\nkey_env: MINE\n", f"{name}.yaml")
            for name, server in asked.items()
        }
        await make_mind(paths["mind"], case).reply("Shoe size?", Memory())
        async with brains(paths["brain"]) as make:
            await make().reply("I have a cold.")
        spoken = Voice(engine="openai", name="its-own", model=paths["voice"])
        assert len(OpenAIEngine().speak("Hello.", spoken, Accent(), 1.0, 0)) == 24_000
        assert {name: server.requests[0]["model"] for name, server in asked.items()} == {name: name for name in asked}
        assert {key for server in asked.values() for key in server.keys} == {"Bearer my-own-key-1"}


def test_a_persona_names_a_model_file_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    persona = tmp_path / "personas" / "cloud.yaml"
    persona.parent.mkdir()
    persona.write_text("id: cloud\ntitle: Cloud\nvoice: {engine: openai, name: own, model: models/v.yaml}\n")
    (problem,) = check([persona], Catalogue.here()).problems
    assert (problem.key, problem.message) == ("voice.model", "there is no model file models/v.yaml")
    persona.write_text("id: cloud\ntitle: Cloud\nvoice: {engine: hibari, model: models/v.yaml}\n")
    (problem,) = check([persona], Catalogue.here()).problems
    assert "voice engine openai" in problem.message


def test_a_model_file_with_two_mistakes_tells_both(file: File) -> None:
    with pytest.raises(CatalogueError, match=r"(?s)timeout.*headers|headers.*timeout"):
        resolve_model(file("model: m\ntimeout: 0\nheaders: 5\n"))


def test_the_python_api_refuses_an_unknown_mind_before_the_agent_is_called(tmp_path: Path) -> None:
    called: list[str] = []

    def agent() -> None:
        called.append("agent")

    with pytest.raises(UsageError, match="unknown mind 'cuse'"):
        voicesim.simulate("cold-01-andi", agent, mind="cuse", out=tmp_path / "out")  # type: ignore[arg-type]
    assert called == []
    assert not (tmp_path / "out").exists()
