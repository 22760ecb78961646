"""The book of a suite's folder: what is planned, what was made already, and why a call left nothing."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from voicesim import __version__
from voicesim.errors import RecordingError, UsageError
from voicesim.judge.kept import verdicts_file
from voicesim.judge.panel import PANEL
from voicesim.recording import files, live
from voicesim.recording.manifest import Manifest
from voicesim.results.model import SUITE, SuiteRun
from voicesim.results.read import read_run, recorded, tries_by_key
from voicesim.suite.after import Result, unfinished
from voicesim.suite.audit import AUDIT
from voicesim.suite.matrix import PlannedCall, keyed
from voicesim.suite.plan import Plan

_MADE_BY_VOICESIM = (
    *(files.AUDIO, files.CLEAN, files.EVENTS, files.TRANSCRIPT, files.METRICS, files.SCORECARD, AUDIT),
    files.MANIFEST,
)


class Book:
    """suite.json of one run, written anew whenever something is lost; and which calls are still to be made."""

    def __init__(self, plan: Plan) -> None:
        """Raises RecordingError when there is a suite.json that cannot be read."""
        self._folder, self._plan = plan.folder, plan
        names = [judge.name for judge in plan.panel.seated()]
        before = read_run(plan.folder)
        planned = {call.key: call.planned() for call in plan.calls}
        earlier = before.planned if before and plan.adds else ()
        every = (*(call for call in earlier if call.key not in planned), *planned.values())
        self._run = SuiteRun(
            suite=plan.folder.name,
            title=plan.title,
            started_at="" if plan.virtual else _now(before),
            voicesim=__version__,
            judge=PANEL if len(names) > 1 else names[0],
            settings=plan.settings,
            planned=every,
            lost={key: why for key, why in before.lost.items() if key in planned} if before else {},
        )

    @property
    def judge(self) -> str:
        """Whose verdicts count."""
        return self._run.judge

    def failed(self, call: PlannedCall, step: str, error: Exception) -> Result:
        """A step of a call failed; where it left no recording, the book says why."""
        result = unfinished(call.order, step, error)
        if not (call.order.folder / files.MANIFEST).is_file():
            self._write({**self._run.lost, call.key: result.summary["gate_reason"]})
        return result

    def found(self, call: PlannedCall) -> None:
        """A call left a recording, whatever became of it before."""
        if call.key in self._run.lost:
            self._write({key: why for key, why in self._run.lost.items() if key != call.key})

    @contextmanager
    def opened(self) -> Iterator[None]:
        """The suite's folder with its suite.json; both are gone again when nothing was put into it.

        Raises UsageError when the folder cannot be made or written.
        """
        _make(self._folder)
        self._write(self._run.lost)
        try:
            yield
        finally:
            only_the_book = [path.name for path in self._folder.iterdir()] == [SUITE]
            if only_the_book and not self._run.lost:
                (self._folder / SUITE).unlink()
                with suppress(OSError):
                    self._folder.rmdir()

    def sorted_out(self) -> tuple[list[PlannedCall], list[PlannedCall]]:
        """The calls that are still to be made, and those whose recordings are there; each with its folder.

        A recording that was stopped or cut off in the middle is no call: it is deleted, and the call made again.
        """
        tries = defaultdict(list)
        for folder, manifest in recorded(self._folder):
            if manifest.key and not _is_whole(manifest):
                _delete(folder)
            else:
                tries[manifest.key].append((folder, manifest))
        counted = tries_by_key(made for several in tries.values() for made in several)
        todo, done = [], []
        for call in self._plan.calls:
            made = counted.get(call.key)
            if made is None:
                todo.append(_placed(call))
            elif _is_valid(made[1]) or len(tries[call.key]) > self._plan.rerun_invalid:
                done.append(replace(call, order=replace(call.order, folder=made[0])))
            else:
                todo.append(replace(call, order=replace(call.order, folder=next_try(call.order.folder))))
        return todo, done

    def is_finished(self, call: PlannedCall) -> bool:
        """Whether all that follows a call has been made by the judge that counts."""
        folder = call.order.folder
        wanted = (files.TRANSCRIPT, files.METRICS, verdicts_file(self.judge), files.SCORECARD)
        return all((folder / name).is_file() for name in wanted)

    def _write(self, lost: Mapping[str, str]) -> None:
        self._run = self._run.model_copy(update={"lost": dict(lost)})
        files.save(self._folder, SUITE, self._run)


def next_try(folder: Path) -> Path:
    """The folder of a call that is made again: NAME-try2, NAME-try3 and so on."""
    number = 2
    while (path := folder.with_name(f"{folder.name}-try{number}")).exists():
        number += 1
    return path


def _placed(call: PlannedCall) -> PlannedCall:
    """A call with a folder that is free: its plain one, or one with a piece of its key."""
    folder = call.order.folder
    if not folder.exists():
        return call
    return replace(call, order=replace(call.order, folder=keyed(folder, call.key)))


def _is_valid(manifest: Manifest) -> bool:
    return manifest.validity is not None and manifest.validity.valid


def _is_whole(manifest: Manifest) -> bool:
    """Whether the call came to an end of its own: nobody stopped voicesim meanwhile, and nothing killed it."""
    validity = manifest.validity
    return validity is not None and not manifest.repaired and validity.reason != "stopped"


def _delete(folder: Path) -> None:
    """Delete what voicesim made of a call that was cut off; anything else in its folder stays.

    A call that is being recorded right now is left alone.
    """
    try:
        files.refuse_links(folder)
        if (folder / files.LIVE).is_dir():
            os.close(live.lock(folder))
            live.remove_live(folder)
    except (OSError, RecordingError):
        return
    verdicts = [f"{files.VERDICTS}/{path.name}" for path in (folder / files.VERDICTS).glob("*.json")]
    for name in (*verdicts, *_MADE_BY_VOICESIM):
        (folder / name).unlink(missing_ok=True)
    for path in (folder / files.VERDICTS, folder):
        with suppress(OSError):
            path.rmdir()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: recordings cannot be put there: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{folder}: recordings cannot be put there: it may not be written")


def _now(before: SuiteRun | None) -> str:
    return (before.started_at if before else "") or datetime.now(UTC).isoformat(timespec="seconds")
