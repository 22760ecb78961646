"""What an agent does that its protocol does not know: told once a kind, however often it happens."""

from voicesim.lines.base import Inbox
from voicesim.recording.events import Warning_


class Complaints:
    """Warnings of one call, each kind once, so that no agent can fill the recording with them."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._told: set[str] = set()

    def once(self, kind: str, detail: str = "") -> None:
        """Warn unless this `kind` was told before; `detail` is what was seen the first time."""
        if kind not in self._told:
            self._told.add(kind)
            self._inbox.event(Warning_(t=self._inbox.now(), message=f"{kind}{f': {detail}' if detail else ''}"))
