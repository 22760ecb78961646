"""Tasks of voicesim's own that still run: none may be left when a call is over."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import voicesim

PACKAGE = Path(voicesim.__file__).parent


def of_voicesim(tasks: Iterable[asyncio.Task[Any]]) -> list[asyncio.Task[Any]]:
    """Those whose coroutine is written in the package, wherever the package lies."""
    return [task for task in tasks if PACKAGE in _written_in(task).parents]


def _written_in(task: asyncio.Task[Any]) -> Path:
    code = getattr(task.get_coro(), "cr_code", None)
    return Path(code.co_filename) if code else Path()
