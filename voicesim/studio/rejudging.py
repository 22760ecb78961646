"""Judging recorded visits by another version of their case: on copies, so that the first scores stay what they were."""

import logging
import os
import re
import shutil

from sqlalchemy import select

from voicesim.call.assembly import resolve
from voicesim.catalog.model import Case
from voicesim.errors import VoicesimError
from voicesim.judge.judges import Panel
from voicesim.judge.panel import PANEL
from voicesim.judge.run import score_together
from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.report.write import write_scorecard
from voicesim.studio.case_store import current, read
from voicesim.studio.database import Database
from voicesim.studio.framed import judges_of
from voicesim.studio.indexing import index_visit
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.visits import Visit
from voicesim.studio.visits.asked import catalogue_of

_LOG = logging.getLogger("voicesim.studio")


_COPIED = re.compile(r"\.v\d+$")


def rejudge(settings: Settings, database: Database, name: str) -> int:
    """Judge a copy of every visit of a case by its newest version, with the judges it had; returns how many there are.

    The copies lie in a suite of their own, `SUITE.v3` for version 3, so that versions can be compared.
    """
    with database.session() as session:
        version = current(session, name, settings)
        case, number = read(version.text, name, settings).case, version.number
        chosen = select(Visit.place).where(Visit.case == name, Visit.judge != "", Visit.case_sha != version.sha)
        visits = session.scalars(chosen).all()
    if case is None:
        return 0
    done = 0
    for place in visits:
        suite, _, call = place.partition("/")
        if _COPIED.search(suite):
            continue
        copy = f"{suite}.v{number}/{call}"
        try:
            _judged_copy(settings, place, copy, case)
        except (VoicesimError, OSError) as error:
            _LOG.warning("%s is not judged again: %s", place, error)
            shutil.rmtree(settings.recordings / copy, ignore_errors=True)
            continue
        done += index_visit(database, settings.recordings, copy)
    with database.session() as session:
        record(session, "voicesim", "judge again", f"{name} version {number}: {done} of {len(visits)} visits")
    return done


def _judged_copy(settings: Settings, place: str, copy: str, case: Case) -> None:
    source, target = settings.recordings / place, settings.recordings / copy
    models = catalogue_of(settings).files("model")
    judges = tuple(str(models.get(judge, judge)) for judge in reversed(judges_of(source)) if judge != PANEL)
    seated = Panel(judges).seated()
    shutil.rmtree(target, ignore_errors=True)
    left_out = shutil.ignore_patterns(files.VERDICTS, files.SCORECARD, files.LIVE)
    shutil.copytree(source, target, symlinks=True, ignore=left_out, copy_function=_same_sound)
    manifest = files.load(target, files.MANIFEST, Manifest)
    changes = {"case": resolve(case.id, case), "suite": copy.partition("/")[0], "key": ""}
    files.save(target, files.MANIFEST, manifest.model_copy(update=changes))
    judged = score_together(target, seated)
    write_scorecard(target, judged.verdicts.judge)


def _same_sound(source: str, target: str) -> str:
    """Copy a file; sound is never written again, so that both names may stand for the same one on disk."""
    if source.endswith(".flac"):
        try:
            os.link(source, target)
        except OSError:
            pass  # not every file system can
        else:
            return target
    return shutil.copy2(source, target)
