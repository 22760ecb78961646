"""The process that makes a visit: `python -m voicesim.studio.visits.worker`, with what was asked for as its first line.

What happens is told on standard output, one JSON object a line. What a person types comes on standard input. SIGTERM
hangs up and keeps the recording; so does the death of the studio.
"""

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from voicesim.errors import VoicesimError
from voicesim.recording.events import Event
from voicesim.redact import redact
from voicesim.studio.settings import Settings
from voicesim.studio.visits.asked import Asked, plan
from voicesim.suite.after import Result
from voicesim.suite.matrix import PlannedCall
from voicesim.suite.run import run


def main() -> int:
    """Make the visit; ends with 0 when there is a recording, 2 for what was wrong before, 130 when it was stopped."""
    asked = json.loads(_first_line())
    settings = Settings(**asked["settings"] | {"data": Path(asked["settings"]["data"])})
    _end_with_the_studio()
    try:
        run(plan(Asked.model_validate(asked["visit"]), settings), Tells())
    except KeyboardInterrupt:
        return 130
    except VoicesimError as error:
        tell(problem=redact(str(error)))
        return 2
    return 0


def order(asked: Asked, settings: Settings) -> str:
    """The first line that a worker reads."""
    needed = {name: value for name, value in asdict(settings).items() if name in ("host", "agents", "public_url")}
    return json.dumps({"visit": asked.model_dump(), "settings": needed | {"data": str(settings.data.resolve())}})


def tell(**what: Any) -> None:
    """One line to whoever started this process; when they are gone, the recording is what counts."""
    with suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()


class Tells:
    """A watcher of the suite that tells everything to the studio."""

    def made_before(self, count: int) -> None:
        """See Watcher."""

    def agent_starts(self, agent: str) -> None:
        """See Watcher."""
        tell(step=f"reaching {agent}")

    def tool_reports_at(self, url: str) -> None:
        """See Watcher."""

    def call_starts(self, call: PlannedCall, number: int, total: int) -> None:
        """See Watcher."""
        folder = call.order.folder
        tell(
            step="calling" if total == 1 else f"calling, {number} of {total}",
            place=f"{folder.parent.name}/{folder.name}",
        )

    def event(self, event: Event) -> None:
        """See Watcher; events are read from the recording."""

    def step(self, name: str) -> None:
        """See Watcher."""
        tell(step=name)

    def call_ended(self, call: PlannedCall) -> None:
        """See Watcher."""

    def at_once(self, number: int) -> None:
        """See Watcher."""

    def finished(self, call: PlannedCall, result: Result) -> None:
        """See Watcher."""
        folder = result.folder
        problem = "" if result.scorecard else str(result.summary["gate_reason"])
        tell(finished=f"{folder.parent.name}/{folder.name}", problem=problem)


def _first_line() -> str:
    """The first line of standard input, byte by byte: what follows belongs to the person who types."""
    line = b""
    while not line.endswith(b"\n"):
        letter = os.read(0, 1)
        if not letter:
            break
        line += letter
    return line.decode()


def _end_with_the_studio() -> None:
    """Hang up when the process that started this one is gone."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="studio", daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
