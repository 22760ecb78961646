"""Every failure a user can cause or meet, with the exit code it ends in.

0 passed, 1 a check or threshold failed, 2 usage or catalogue error, 3 the harness spoiled the call.
"""

import difflib
from collections.abc import Iterable


class VoicesimError(Exception):
    """A problem that is told in one message, without a traceback."""

    exit_code = 2


class Stopped(KeyboardInterrupt):
    """The user wants voicesim to end; raised in code that holds up the event loop. Never an agent's own doing."""


class UsageError(VoicesimError):
    """The command, an option or the environment is wrong."""


class CatalogueError(VoicesimError):
    """A catalogue file is wrong: says the file, the key and, where known, the line."""

    def __init__(self, message: str, *, file: str = "", key: str = "", line: int | None = None) -> None:
        self.file, self.key, self.line = file, key, line
        place = f"{file}:{line}" if file and line else file
        super().__init__(": ".join(part for part in (place, key, message) if part))


class SpeechError(VoicesimError):
    """No usable speech could be made from a text; the message names the text."""

    exit_code = 3


class TransportError(VoicesimError):
    """The line to the agent could not be opened, or broke in a way that ends the call."""

    exit_code = 3


class RecordingError(VoicesimError):
    """A recording folder cannot be read: says the file and what is missing."""


class WriteError(VoicesimError):
    """A recording could not be written (a full disk, say); what was written before can still be opened."""

    exit_code = 3


class HarnessError(VoicesimError):
    """voicesim itself failed during a call; the call is invalid and never averaged."""

    exit_code = 3


def near(name: str, known: Iterable[str]) -> str:
    """A tail for an error message that names the closest known names to a typo, or all of a few.

    >>> near("cafe_15d", ["clean", "cafe_15db"])
    ' Did you mean cafe_15db?'
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return f" Did you mean {' or '.join(close)}?"
    if not names:
        return ""
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f" Known: {shown}."
