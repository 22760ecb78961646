"""Requests for responses of a Realtime session: one at a time, and again when the server was busy."""

from collections.abc import Callable, Mapping
from typing import Any

from voicesim.transports.openai_events import is_busy, text_of

REFUSALS = 5
"""Requests in a row that may be refused before no more are made."""


class ResponseRequests:
    """Asks for a response when none is active; `tell` sends a client event."""

    def __init__(self, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self._tell = tell
        self._active: dict[str, None] = {}
        self._waiting = False
        self._asked = ""
        self._count = self._refused = 0

    @property
    def active(self) -> bool:
        """Whether the server is making a response, or was just asked for one."""
        return bool(self._active or self._asked)

    def ask(self) -> None:
        """A response is wanted: now, or as soon as the active one is done."""
        if self.active:
            self._waiting = True
            return
        self._waiting, self._count = False, self._count + 1
        self._asked = f"voicesim-{self._count}"
        self._tell({"type": "response.create", "event_id": self._asked})

    def take(self, event: Mapping[str, Any]) -> None:
        """One server event; most of them say nothing here."""
        match event.get("type"):
            case "response.created":
                self._asked, self._refused = "", 0
                if name := _name(event):
                    self._active[name] = None
            case "response.done":
                self._active.pop(_name(event), None)
                if self._waiting and not self.active:
                    self.ask()
            case "error" if self._asked:
                self._refuse(event.get("error"))

    def _refuse(self, problem: object) -> None:
        """A request of ours was refused; one that came while another response was active is made again after it."""
        named = text_of(problem, "event_id") if isinstance(problem, dict) else ""
        if named not in ("", self._asked):
            return
        self._asked = ""
        if is_busy(problem):
            self._refused += 1
            self._waiting = self._refused < REFUSALS


def _name(event: Mapping[str, Any]) -> str:
    response = event.get("response")
    return text_of(response, "id") if isinstance(response, dict) else ""
