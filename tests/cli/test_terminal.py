"""What an agent tells is shown, and gives the terminal no orders."""

import io
import json
import os
from pathlib import Path

import numpy as np
import pytest
from rich.table import Table
from rich.text import Text
from sound_files import wav_bytes
from test_cli_app import runner_for
from typer.testing import CliRunner

from voicesim.cli.app import build
from voicesim.cli.progress import SHOWN, describe
from voicesim.cli.terminal import Terminal
from voicesim.errors import TransportError
from voicesim.recording.events import ToolCall, ToolResult, Warning_

ORDER = "\x1b[31mred\x1b]0;title\x07\u202eoff \x9b2J"


def printed(*what: object) -> str:
    out = io.StringIO()
    Terminal(file=out, force_terminal=True, width=100).print(*what)
    return out.getvalue()


def test_control_characters_are_spelled_out_and_styles_stay() -> None:
    assert printed(Text("plain\nlines", style="bold")) == "\x1b[1mplain\x1b[0m\n\x1b[1mlines\x1b[0m\n"
    for told in (printed(ORDER), printed(Text(ORDER))):
        assert "[U+001B][31mred[U+001B]]0;title" in told
        assert "[U+202E]off [U+009B]2J" in told
        assert "\x1b[31" not in told
        assert "\x1b]" not in told
        assert not {"\x07", "\u202e", "\x9b"} & set(told)


def test_no_order_gets_out_of_a_table() -> None:
    table = Table("name")
    table.add_row(Text(ORDER))
    told = printed(table)
    assert "[U+001B][31mred" in told
    assert "\x1b[31" not in told


def test_an_error_in_an_agents_words_is_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise TransportError(f"the agent closed: {ORDER}")

    done = runner_for(monkeypatch, fail)("thing")
    assert done.returncode == TransportError.exit_code
    assert done.stderr == "voicesim: the agent closed: [U+001B][31mred[U+001B]]0;title[U+0007][U+202E]off [U+009B]2J\n"


def test_what_is_endless_is_cut_in_the_progress() -> None:
    long = "x" * 5_000
    for event in (
        ToolCall(t=1.0, call_id="1", name=long, arguments={"a": long}),
        ToolResult(t=1.0, call_id="1", result={"error": long}),
        Warning_(t=1.0, message=long),
    ):
        told = describe(event)
        assert told is not None
        assert len(told[2]) == SHOWN + len(" ...")


def test_a_colon_word_is_not_turned_into_a_sign() -> None:
    assert printed("calls python:two:build") == "calls python:two:build\n"


EVIL = "x\x1b]0;title\x07\u202e\x9b2J"
SPELLED = "x[U+001B]]0;title[U+0007][U+202E][U+009B]2J"


def test_names_of_files_are_spelled_out_and_json_says_them_as_escapes(tmp_path: Path) -> None:
    """A folder of calls that came in an archive: any sign may stand in a file's name."""
    (tmp_path / f"{EVIL}.wav").write_bytes(b"no sound")
    told = CliRunner().invoke(build(), ["import", str(tmp_path), "--case", "cold-01-andi", "--out", str(tmp_path)])
    assert told.exit_code == 2
    assert SPELLED in told.stderr
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(told.output)
    arguments = ["import", str(tmp_path), "--case", "cold-01-andi", "--out", str(tmp_path), "--json"]
    as_json = CliRunner().invoke(build(), arguments).stdout
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(as_json)
    assert EVIL in json.loads(as_json)["recordings"][0]["sound"][0]


def test_a_name_of_other_bytes_than_utf_8_is_told(tmp_path: Path) -> None:
    sound = np.random.default_rng(1).integers(-3_000, 3_000, (24_000, 2)).astype(np.int16)
    (tmp_path / os.fsdecode(b"caf\xe9.wav")).write_bytes(wav_bytes(sound))
    told = CliRunner().invoke(build(), ["import", str(tmp_path), "--case", "cold-01-andi", "--out", str(tmp_path)])
    assert told.exit_code == 2
    assert "is not UTF-8; rename it" in told.stderr
