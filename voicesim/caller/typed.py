"""Lines that a person types while an event loop runs: from a terminal, a pipe or a file."""

import asyncio
import os
import select
import sys
import threading

from voicesim.errors import UsageError


class Keyboard:
    """Reads standard input in a thread of its own, from the first line that is waited for until it is closed."""

    def __init__(self, source: int | None = None) -> None:
        """`source` is a file descriptor; None takes the process's standard input."""
        self._source = source
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._wakes: int | None = None

    def check(self) -> int:
        """The file descriptor. Raises UsageError when there is nothing to type into."""
        if self._source is None:
            try:
                self._source = sys.stdin.fileno()
            except (AttributeError, OSError, ValueError):
                raise UsageError("there is no terminal and no pipe to type the patient's lines into") from None
        return self._source

    def show(self, text: str) -> None:
        """Tell the person something, beside the progress of the call; control characters are spelled out."""
        lines = ("".join(map(_printable, line)) for line in text.splitlines())
        sys.stderr.write("\n".join(lines) + "\n")
        sys.stderr.flush()

    async def line(self) -> str | None:
        """The next line that is typed, or was typed already; None when there will be no more."""
        if self._wakes is None:
            ready, self._wakes = os.pipe()
            arguments = (self.check(), ready, asyncio.get_running_loop())
            threading.Thread(target=self._read, args=arguments, name="keyboard", daemon=True).start()
        return await self._lines.get()

    def close(self) -> None:
        """Leave what is typed from now on to others."""
        if self._wakes is not None:
            os.close(self._wakes)
            self._wakes = None

    def _read(self, source: int, ready: int, loop: asyncio.AbstractEventLoop) -> None:
        # Not by sys.stdin, whose lock a thread that waits for a key would hold while Python ends.
        begun = b""
        while not select.select([source, ready], [], [])[0].count(ready):
            try:
                read = os.read(source, 4096)
            except OSError:  # a terminal that is gone
                read = b""
            *lines, begun = (begun + read).split(b"\n")
            for line in [*lines, *([begun] if begun and not read else [])]:
                self._take(loop, line.decode(errors="replace").strip())
            if not read:
                self._take(loop, None)
                break
        os.close(ready)

    def _take(self, loop: asyncio.AbstractEventLoop, line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._lines.put_nowait, line)


def _printable(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()
