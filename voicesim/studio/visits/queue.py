"""The queue of visits: started one after the other, as many side by side as this machine paces in time."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from voicesim.errors import UsageError, VoicesimError
from voicesim.recording import files
from voicesim.recording.manifest import BY_TYPING, BY_VOICE, Manifest
from voicesim.studio.database import Database, now
from voicesim.studio.settings import Settings
from voicesim.studio.tables.visits import Run
from voicesim.studio.visits.asked import Asked, asked_of, named, plan, reference_agents
from voicesim.studio.visits.worker import order
from voicesim.suite.plan import CORES_WITH_AN_AGENT

ENDED = ("finished", "stopped", "broken")
MOST_QUEUED = 200
_LOG = logging.getLogger("voicesim.studio")
ANSWERS_WITHIN = 90.0
"""Seconds that a call has to answer the offer of a microphone."""
_EVERY = 0.5
_LAST = 35.0


@dataclass
class Working:
    """A visit that is being made, and the process that makes it."""

    run: int
    process: "subprocess.Popen[bytes]"
    asked: Asked
    stopped: bool = False
    finished: bool = False
    answer: threading.Event = field(default_factory=threading.Event)
    answered: str = ""
    offers: int = 0


class Queue:
    """Makes what is queued in the table of runs. `ended` is called with each run that is over."""

    def __init__(self, settings: Settings, database: Database, ended: Callable[[int], None]) -> None:
        self._settings, self._database, self._ended = settings, database, ended
        self._working: dict[int, Working] = {}
        self._lock = threading.Lock()
        self._wake, self._closing = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._loop, name="queue", daemon=True)
        self._allowed = settings.at_once or _fitting()

    @property
    def allowed(self) -> int:
        """How many visits run side by side."""
        return self._allowed

    def start(self) -> None:
        """Mark what an earlier studio left in the middle, and begin."""
        with self._database.session() as session:
            left = session.scalars(select(Run).where(Run.state == "running")).all()
            for run in left:
                run.state, run.ended, run.step = "broken", now(), ""
                run.problem = "the studio ended while this visit ran; what was recorded until then is kept"
            ids = [run.id for run in left]
        for run_id in ids:
            self._ended(run_id)
        self._thread.start()

    def close(self) -> None:
        """Hang up every call, and wait until it is whole."""
        self._closing.set()
        self._wake.set()
        with self._lock:
            working = list(self._working.values())
        for visit in working:
            visit.stopped = True
            _signal(visit.process)
        for visit in working:
            try:
                visit.process.wait(_LAST)
            except subprocess.TimeoutExpired:
                visit.process.kill()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def add(self, asked: Asked, person: int | None) -> int:
        """Queue a visit; returns the number of its run.

        Raises UsageError and CatalogueError for all that can be seen to be wrong with it.
        """
        asked = named(asked, self._settings)
        plan(asked, self._settings)
        with self._database.session() as session:
            waiting = len(session.scalars(select(Run.id).where(Run.state == "queued")).all())
            if waiting >= MOST_QUEUED:
                raise UsageError(f"there are {waiting} visits waiting already")
            run = Run(person_id=person, asked=asked.model_dump(), state="queued")
            session.add(run)
            session.flush()
            number = run.id
        self._wake.set()
        return number

    def stop(self, run_id: int) -> bool:
        """Hang up a visit, or take it out of the queue; False when it is over already."""
        with self._lock:
            working = self._working.get(run_id)
        if working and working.asked.by_hand and not working.stopped:
            working.stopped = True  # a second wish is a signal
            return self._write(working, '{"hangup": true}' if working.asked.mind == BY_VOICE else "/hangup")
        if working:
            working.stopped = True
            _signal(working.process)
            return True
        with self._database.session() as session:
            taken = session.execute(
                update(Run).where(Run.id == run_id, Run.state == "queued").values(state="stopped", ended=now())
            )
            return bool(getattr(taken, "rowcount", 0))

    def type(self, run_id: int, line: str) -> bool:
        """What the person who plays the patient of a visit says next; False when nobody waits for it."""
        with self._lock:
            working = self._working.get(run_id)
        if working is None or working.asked.mind != BY_TYPING:
            return False
        return self._write(working, " ".join(line.split()))

    def offer(self, run_id: int, sdp: str) -> str | None:
        """The offer of a person's microphone; returns the call's answer, None when nobody waits for one."""
        with self._lock:
            working = self._working.get(run_id)
        if working is None or working.asked.mind != BY_VOICE:
            return None
        working.answer.clear()
        working.offers += 1
        if not self._write(working, json.dumps({"offer": sdp, "id": working.offers})):
            return None
        return (working.answered or None) if working.answer.wait(ANSWERS_WITHIN) else None

    def _write(self, working: "Working", line: str) -> bool:
        pipe = working.process.stdin
        try:
            if pipe is not None:
                pipe.write(line.encode() + b"\n")
                pipe.flush()
        except OSError:
            return False
        return pipe is not None

    def _loop(self) -> None:
        while not self._closing.is_set():
            try:
                self._start_next()
            except SQLAlchemyError:
                _LOG.exception("the database does not answer; the queue waits")
            self._wake.wait(_EVERY)
            self._wake.clear()

    def _start_next(self) -> None:
        with self._lock:
            room = self._allowed - len(self._working)
        if room <= 0:
            return
        with self._database.session() as session:
            runs = session.scalars(select(Run).where(Run.state == "queued").order_by(Run.id).limit(room)).all()
            todo = [(run.id, run.asked) for run in runs]
        for run_id, wanted in todo:
            if not self._set(run_id, "queued", state="running", started=now(), step="starting"):
                continue
            try:
                self._start(run_id, asked_of(wanted))
            except (OSError, UsageError) as error:  # no process to be had, or an order of another version
                self._written(run_id, state="broken", problem=f"it could not be started: {error}", ended=now(), step="")

    def _start(self, run_id: int, asked: Asked) -> None:
        command = [sys.executable, "-m", "voicesim.studio.visits.worker"]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        assert process.stdin is not None
        process.stdin.write(order(asked, self._settings).encode() + b"\n")
        process.stdin.flush()
        visit = Working(run_id, process, asked)
        with self._lock:
            self._working[run_id] = visit
        threading.Thread(target=self._follow, args=(visit,), name=f"visit {run_id}", daemon=True).start()

    def _follow(self, visit: Working) -> None:
        """Write down what the process tells until it ends."""
        last: dict[str, Any] = {}
        with visit.process as process:
            assert process.stdout is not None
            for line in process.stdout:
                last |= self._heard(visit, line)
            code = process.wait()
        with self._lock:
            self._working.pop(visit.run, None)
        state, problem = _end(visit, code, str(last.get("problem", "")))
        self._written(visit.run, state=state, problem=_line(problem, 5_000), ended=now(), step="")
        self._watch_pace(str(last.get("place", "")))
        self._insist(visit.run, lambda: self._ended(visit.run))
        self._wake.set()

    def _heard(self, visit: Working, line: bytes) -> dict[str, Any]:
        """What one line of a worker says, written down as far as pages show it."""
        try:
            news: dict[str, Any] = json.loads(line)
        except ValueError:
            return {}
        if "answer" in news:
            if news.get("id") != visit.offers:  # of an earlier offer
                return {}
            visit.answered = str(news["answer"])
            visit.answer.set()
            return {}
        visit.finished = visit.finished or "finished" in news
        changes = {
            name: _line(news[name], longest) for name, longest in (("step", 100), ("place", 400)) if name in news
        }
        if "finished" in news:
            changes["place"] = news["finished"]
        if changes:
            self._written(visit.run, **changes)
        return news

    def _written(self, run_id: int, **values: Any) -> None:
        """Write to a run, however long the database is gone."""
        self._insist(run_id, lambda: self._set(run_id, None, **values))

    def _insist(self, run_id: int, deed: Callable[[], object]) -> None:
        while True:
            try:
                deed()
            except SQLAlchemyError:
                _LOG.exception("the database does not answer; visit %d is written down later", run_id)
                if self._closing.wait(1.0):
                    return
            else:
                return

    def _set(self, run_id: int, only_if: str | None, **values: Any) -> bool:
        with self._database.session() as session:
            where = [Run.id == run_id] if only_if is None else [Run.id == run_id, Run.state == only_if]
            done = session.execute(update(Run).where(*where).values(**values))
            return bool(getattr(done, "rowcount", 0))

    def _watch_pace(self, place: str) -> None:
        """One visit fewer side by side once a call came out late."""
        try:
            manifest = files.load(self._settings.recordings / place, files.MANIFEST, Manifest) if place else None
        except VoicesimError:
            return
        late = manifest is not None and manifest.validity is not None and manifest.validity.reason == "late_harness"
        if late and self._settings.at_once is None:
            self._allowed = max(1, self._allowed - 1)


def _line(text: str, longest: int) -> str:
    """What a worker tells, as the database has room for it: an agent's name may be of any length, and hold a NUL."""
    return str(text).replace("\x00", " ")[:longest]


def _end(visit: Working, code: int, problem: str) -> tuple[str, str]:
    """The state of a run whose process has ended, and what is to be said of it."""
    if code == 130 or (visit.stopped and not visit.finished):
        return "stopped", problem or "stopped; what was recorded until then is kept"
    if visit.finished:
        return "finished", problem
    return "broken", problem or f"the process that made the call ended with {code}"


def _signal(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.send_signal(signal.SIGTERM)
    except OSError:
        return


def _fitting() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // CORES_WITH_AN_AGENT if reference_agents() else cores)
