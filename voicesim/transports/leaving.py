"""An agent in the same process must not end it: that would look like a run in which all went well."""

import os
from typing import NoReturn


def catch_exits() -> None:
    """From now on os._exit raises SystemExit in this process; in processes that are forked from it, it ends them.

    Called before an agent's module is imported, so that no name in it stands for the real one.
    """
    if isinstance(os._exit, _Exit):
        return
    os._exit = _Exit()


class _Exit:
    """Stands in the place of os._exit."""

    def __init__(self) -> None:
        self._real, self._process = os._exit, os.getpid()

    def __call__(self, status: int) -> NoReturn:
        if os.getpid() != self._process:
            self._real(status)
        raise SystemExit(status)
