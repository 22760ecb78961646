"""Which processes run."""

import time
from pathlib import Path


def alive(process: int) -> bool:
    """Whether a process runs; one that only waits to be collected does not."""
    return state(process) not in ("", "Z")


def gone_within(process: int, seconds: float) -> bool:
    """Wait for a process to end, for some seconds at most."""
    end = time.monotonic() + seconds
    while alive(process) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(process)


def children(parent: int) -> dict[int, str]:
    """The running processes that a process started, and what each was started with."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _stat(int(entry.name))[1:2] == [str(parent)] and alive(int(entry.name)):
            found[int(entry.name)] = _command(int(entry.name))
    return found


def descendants(ancestor: int) -> dict[int, str]:
    """The running processes that a process started, and those that they started, and so on."""
    found = children(ancestor)
    for child in list(found):
        found |= descendants(child)
    return found


def state(process: int) -> str:
    """One letter, as the kernel tells it; "" for none."""
    return (_stat(process) or [""])[0]


def _stat(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""
