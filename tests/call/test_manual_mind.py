"""A person plays the patient: what is typed is said, an empty line is silence, and nothing of it is ever averaged."""

import asyncio
import os
import pty
import select
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest
from rig import PLAIN, AnsweringAgent, ScriptedAgent, ToneWorkers

from voicesim.call.real import run_real
from voicesim.caller.mind import Memory, Said
from voicesim.caller.mind_manual import ManualMind
from voicesim.caller.minds import make_mind
from voicesim.caller.typed import Keyboard
from voicesim.catalog.find import Catalogue
from voicesim.errors import UsageError
from voicesim.recording.events import CallerLine
from voicesim.recording.manifest import Manifest
from voicesim.recording.read import open_recording
from voicesim.testing import make_call, run_virtual

CASE = Catalogue.here().case("cold-01-andi")
FIRST_FACT = CASE.patient.reveal_only_if_asked[0]


class Prompt:
    """A person who has typed some lines; None is one who types nothing for the rest of the call."""

    def __init__(self, *lines: str | None) -> None:
        self.lines, self.shown, self.closed = list(lines), list[str](), False

    def check(self) -> int:
        return 0

    def show(self, text: str) -> None:
        self.shown.append(text)

    async def line(self) -> str | None:
        if self.lines[0] is None:
            await asyncio.get_running_loop().create_future()
        return self.lines.pop(0)

    def close(self) -> None:
        self.closed = True


def lines_of(folder: Path) -> list[str]:
    return [event.text for event in open_recording(folder).events if isinstance(event, CallerLine)]


def by_hand(folder: Path, agent: ScriptedAgent | AnsweringAgent, prompt: Prompt, heard: list[str]) -> Manifest:
    return run_virtual(
        make_call(folder, agent, mind=ManualMind(CASE, prompt), workers=ToneWorkers(heard), max_duration=60)
    )


def test_what_is_typed_is_said_and_a_number_is_a_fact(tmp_path: Path) -> None:
    agent = ScriptedAgent([(3.0, 4.0), (8.0, 9.0), (16.0, 17.0)])
    prompt = Prompt("I have a *strange* cough, doctor", "1", "/hangup Bye then.")
    manifest = by_hand(tmp_path / "c", agent, prompt, ["What is it?", "Since when?", "Goodbye."])
    assert lines_of(tmp_path / "c") == [
        "I have a cold.", "I have a *strange* cough, doctor", FIRST_FACT.says, "Bye then."
    ]  # fmt: skip
    facts = [event.facts for event in open_recording(tmp_path / "c").events if isinstance(event, CallerLine)]
    assert facts[2] == (FIRST_FACT.id,)
    assert [text for text in prompt.shown if text.startswith("agent>")] == [
        "agent> What is it?", "agent> Since when?", "agent> Goodbye."
    ]  # fmt: skip
    assert manifest.end_reason == "completed"


def test_the_call_is_shown_and_never_averaged_however_slowly_one_types(tmp_path: Path) -> None:
    manifest = by_hand(tmp_path / "c", ScriptedAgent([(3.0, 4.0)]), Prompt(None), ["What is it?"])
    assert manifest.end_reason == "max_duration"  # 56 s without an answer
    assert manifest.validity is not None
    assert (manifest.validity.valid, manifest.validity.reason) == (False, "played_by_hand")


def test_an_empty_line_is_silence_and_into_it_one_may_still_speak(tmp_path: Path) -> None:
    # Silent on the first question, and on; the patient does not ask "Are you there?" by itself (patience: 4 s).
    silent = by_hand(tmp_path / "a", ScriptedAgent([(3.0, 4.0)]), Prompt("", None), ["What is it?"])
    assert lines_of(tmp_path / "a") == ["I have a cold."]
    assert silent.end_reason == "max_duration"
    spoken = by_hand(tmp_path / "b", ScriptedAgent([(3.0, 4.0)]), Prompt("", "", "Hm.", "/hangup"), ["What is it?"])
    assert lines_of(tmp_path / "b") == ["I have a cold.", "Hm."]
    assert spoken.end_reason == "caller_hung_up"


def test_a_line_that_was_typed_too_soon_waits_until_the_agent_has_ended() -> None:
    prompt = Prompt("Yes, the left one.", "No.")
    mind = ManualMind(CASE, prompt)
    memory = Memory([Said("agent", "Hello."), Said("caller", "Hi.")])

    async def talk() -> list[str]:
        early = await mind.reply("Does your", memory)
        late = await mind.reply("Does your leg hurt?", memory)
        memory.turns += [Said("agent", "Does your leg hurt?"), Said("caller", late.text)]
        return [early.text, late.text, (await mind.reply("Any fever?", memory)).text]

    assert asyncio.run(talk()) == ["Yes, the left one.", "Yes, the left one.", "No."]


def test_what_the_agent_says_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Keyboard(0).show("agent> \x1b[2Jgone\nagent> next")
    assert capsys.readouterr().err == "agent> \\x1b[2Jgone\nagent> next\n"


def test_a_person_needs_real_time_and_something_to_type_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import voicesim

    with pytest.raises(UsageError, match="real time"):
        voicesim.simulate(CASE, ScriptedAgent(), mind="manual", clock="virtual", out=tmp_path)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="no terminal"):
        make_mind("manual", CASE).warm()


@contextmanager
def descriptor(kind: str) -> Iterator[tuple[int, int]]:
    """Where the person types, and where the mind reads it."""
    if kind == "pipe":
        read, write = os.pipe()
    else:
        write, read = pty.openpty()
        tty.setraw(read)
    try:
        yield write, read
    finally:
        os.close(read)
        os.close(write)


@pytest.mark.parametrize("kind", ["pipe", "pty"])
def test_lines_come_through_a_pipe_and_a_terminal(kind: str) -> None:
    async def lines(read: int) -> list[str | None]:
        keyboard = Keyboard(read)
        try:
            return [await asyncio.wait_for(keyboard.line(), 5) for _ in range(3)]
        finally:
            keyboard.close()

    with descriptor(kind) as (write, read):
        os.write(write, b"It h")
        Timer(0.05, os.write, (write, "urts.\n\nSeit früh.\n".encode())).start()
        assert asyncio.run(lines(read)) == ["It hurts.", "", "Seit früh."]


def test_the_end_of_what_is_typed_hangs_up_and_a_closed_keyboard_takes_nothing_more() -> None:
    async def last(read: int) -> list[str | None]:
        keyboard = Keyboard(read)
        return [await asyncio.wait_for(keyboard.line(), 5) for _ in range(2)]

    read, write = os.pipe()
    os.write(write, b"Bye")
    os.close(write)
    assert asyncio.run(last(read)) == ["Bye", None]
    os.close(read)

    async def first_only(read: int) -> str | None:
        keyboard = Keyboard(read)
        line = await asyncio.wait_for(keyboard.line(), 5)
        keyboard.close()
        await asyncio.sleep(0.1)
        return line

    with descriptor("pipe") as (write, read):
        os.write(write, b"One.\n")
        assert asyncio.run(first_only(read)) == "One."
        os.write(write, b"Two.\n")
        assert select.select([read], [], [], 0.2)[0] == [read]  # left for whoever reads next
        assert os.read(read, 10) == b"Two.\n"


def test_a_call_in_real_time_with_somebody_at_a_terminal(tmp_path: Path) -> None:
    with descriptor("pty") as (write, read):
        os.write(write, b"Three days.\n/hangup\n")
        mind = ManualMind(CASE, Keyboard(read))
        try:
            manifest = run_real(
                make_call(
                    tmp_path / "c",
                    ScriptedAgent([(0.3, 0.6), (2.8, 3.1)]),
                    mind=mind,
                    workers=ToneWorkers(["Hello?", "Since when?"]),
                    turn_taking=PLAIN.model_copy(update={"opening_wait": 0.5}),
                    opening="Hello.",
                    max_duration=20,
                )
            )
        finally:
            mind.close()
    assert lines_of(tmp_path / "c") == ["Hello.", "Three days."]
    assert manifest.end_reason == "caller_hung_up"
