"""`voicesim agent serve` and its subprocess: one ready line, quick end, and clear refusals."""

import asyncio
import signal
import socket
import sys
from pathlib import Path

import pytest

from voicesim.errors import TransportError, UsageError
from voicesim.reference_agents.process import started
from voicesim.reference_agents.serve import serving


async def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="realtime, modular or duplex"):
        async with serving("telepathy", brain="rules", whisper="base", host="127.0.0.1", port=0, greeting=None):
            pass


@pytest.mark.parametrize("kind", ["realtime", "modular", "duplex"])
async def test_a_port_in_use_is_refused_before_any_model_is_loaded(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_model(*_: object, **__: object) -> None:
        raise AssertionError("a model is loaded")

    monkeypatch.setattr("voicesim.stt.whisper.load_whisper", no_model)
    monkeypatch.setattr("voicesim.stt.weights.find_weights", no_model)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{port}"):
            async with serving(kind, brain="rules", whisper="base", host="127.0.0.1", port=port, greeting=None):
                pass


async def test_an_agent_of_its_own_tools_cannot_book_without_a_clinic() -> None:
    with pytest.raises(UsageError, match="name a case with a backend as --case"):
        async with serving("modular", brain="booking", whisper="base", host="127.0.0.1", port=0, greeting=None):
            pass


async def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"model\.bin"):
        async with serving("realtime", brain="rules", whisper=str(tmp_path), host="127.0.0.1", port=0, greeting=None):
            pass


async def test_an_agent_that_cannot_start_is_an_error_with_the_end_of_what_it_said(tmp_path: Path) -> None:
    log = tmp_path / "agent.log"
    with pytest.raises(TransportError, match=r"(?s)ended before it was ready: .*unknown brain 'wise'"):
        async with started("realtime", brain="wise", log=log):
            pass
    assert "unknown brain 'wise'" in log.read_text()


@pytest.mark.live
@pytest.mark.parametrize("kind", ["realtime", "modular", "duplex"])
async def test_the_command_prints_one_line_and_ends_quietly_on_a_signal(kind: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "voicesim", "agent", "serve", kind, "--port", "0"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), 60)
        assert line.startswith(b"ready http://127.0.0.1:")
        process.send_signal(signal.SIGINT if kind == "realtime" else signal.SIGTERM)
        rest, errors = await asyncio.wait_for(process.communicate(), 30)
        assert (rest, errors, process.returncode) == (b"", b"", 0)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
