"""The command line itself: cheap to start, and one message and exit code for each way to fail."""

import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import pytest
import typer
from typer.testing import CliRunner

from voicesim import __version__
from voicesim.cli.app import COMMANDS, build
from voicesim.errors import TransportError, UsageError

# Nothing that costs time or is only needed by a command may be imported to show the help.
HEAVY = """
numpy yaml scipy soundfile soxr onnxruntime faster_whisper ctranslate2 hibari pyttsx3 aiortc av aiohttp pipecat
openai jinja2
"""


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False)


def runner_for(monkeypatch: pytest.MonkeyPatch, target: object) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Calls `voicesim thing ...` where the command `thing` is the given function or typer app."""
    module = ModuleType("a_command_of_a_test")
    module.thing = target  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_command_of_a_test", module)
    app = build((("thing", "a_command_of_a_test:thing", "A thing."), ("other", "no.such.module:other", "Not there.")))

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        result = CliRunner().invoke(app, list(arguments), prog_name="voicesim")
        return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)

    return run


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], *([name, "--help"] for name, _, _ in COMMANDS)])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from voicesim.cli.app import main\n"
        f"sys.argv = ['voicesim', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        f"loaded = [name for name in {HEAVY!r}.split() if name in sys.modules]\n"
        "print('HEAVY', loaded)\n"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_version_is_the_packages() -> None:
    done = python("-m", "voicesim", "--version")
    assert (done.returncode, done.stdout) == (0, f"voicesim {__version__}\n")


def test_every_listed_command_can_be_called_for_its_help() -> None:
    for name, _, line in COMMANDS:
        result = CliRunner().invoke(build(), [name, "--help"])
        assert result.exit_code == 0, (name, result.output)
        assert "Usage: " in result.output
        assert line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chekc"], "Did you mean 'check'?"),
        (["check", "--josn"], "--josn"),
        (["list", "voises"], "voises"),
        ([], "Usage:"),
    ],
)
def test_wrong_usage_ends_in_2(arguments: list[str], told: str) -> None:
    done = python("-m", "voicesim", *arguments)
    assert done.returncode == 2
    assert told in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("error", "code"), [(UsageError("no key"), 2), (TransportError("no answer"), 3)])
def test_a_told_failure_is_one_message_and_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def fails() -> None:
        raise error

    done = runner_for(monkeypatch, fails)("thing")
    assert (done.returncode, done.stdout, done.stderr) == (code, "", f"voicesim: {error}\n")


def test_a_full_disk_is_a_message_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise OSError(28, "No space left on device", "audio.flac")

    done = runner_for(monkeypatch, fails)("thing")
    assert done.returncode == 3
    assert done.stderr == "voicesim: the system refused: [Errno 28] No space left on device: 'audio.flac'\n"


def test_control_c_ends_in_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    done = runner_for(monkeypatch, interrupted)("thing")
    assert (done.returncode, done.stderr) == (130, "voicesim: interrupted\n")


def test_a_fault_of_voicesims_own_is_no_verdict_about_the_agent() -> None:
    code = (
        "import sys, types\n"
        "from voicesim.cli import app\n"
        "module = types.ModuleType('faulty')\n"
        "module.thing = lambda: 1 // 0\n"
        "sys.modules['faulty'] = module\n"
        "build = app.build\n"
        "app.build = lambda: build((('thing', 'faulty:thing', ''), ('more', 'faulty:thing', '')))\n"
        "sys.argv = ['voicesim', 'thing']\n"
        "app.main()\n"
    )
    done = python("-c", code)
    assert done.returncode == 3
    assert "ZeroDivisionError" in done.stderr


def test_a_command_chooses_its_own_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def failed_check() -> None:
        raise typer.Exit(1)

    assert runner_for(monkeypatch, failed_check)("thing").returncode == 1


def test_a_group_of_commands_is_registered_like_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    group = typer.Typer(help="Things.")

    @group.command()
    def serve(port: int) -> None:
        typer.echo(f"at {port}")

    done = runner_for(monkeypatch, group)("thing", "serve", "80")
    assert (done.returncode, done.stdout) == (0, "at 80\n")


def test_the_list_of_commands_shows_those_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    done = runner_for(monkeypatch, lambda: None)("--help")
    assert done.returncode == 0
    assert "A thing." in done.stdout
    assert "Not there." in done.stdout
