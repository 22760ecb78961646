"""Judging recorded visits by another version of their case: on copies, so that the first scores stay what they were."""

import logging
import shutil

from sqlalchemy import select

from voicesim.call.assembly import resolve
from voicesim.catalog.model import Case
from voicesim.errors import VoicesimError
from voicesim.judge.judges import Panel
from voicesim.judge.run import score_together
from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.report.write import write_scorecard
from voicesim.studio.case_store import current, read
from voicesim.studio.database import Database
from voicesim.studio.indexing import index_visit
from voicesim.studio.settings import Settings
from voicesim.studio.tables.visits import Visit

_LOG = logging.getLogger("voicesim.studio")


def rejudge(settings: Settings, database: Database, name: str) -> int:
    """Judge a copy of every visit of a case by its newest version, with the judge it had; returns how many there are.

    The copies lie in a suite of their own, `SUITE.v3` for version 3, so that versions can be compared.
    """
    with database.session() as session:
        version = current(session, name, settings)
        case, number, sha = read(version.text, name, settings).case, version.number, version.sha
        chosen = select(Visit.place, Visit.judge).where(Visit.case == name, Visit.judge != "", Visit.case_sha != sha)
        visits = session.execute(chosen.where(~Visit.suite.like("%.v%"))).all()
    done = 0
    for place, judge in visits if case else ():
        suite, _, call = place.partition("/")
        copy = f"{suite}.v{number}/{call}"
        try:
            assert case is not None
            _judged_copy(settings, place, copy, case, judge)
        except (VoicesimError, OSError) as error:
            _LOG.warning("%s is not judged again: %s", place, error)
            shutil.rmtree(settings.recordings / copy, ignore_errors=True)
            continue
        done += index_visit(database, settings.recordings, copy)
    return done


def _judged_copy(settings: Settings, place: str, copy: str, case: Case, judge: str) -> None:
    source, target = settings.recordings / place, settings.recordings / copy
    shutil.rmtree(target, ignore_errors=True)
    left_out = shutil.ignore_patterns(files.VERDICTS, files.SCORECARD, files.LIVE)
    shutil.copytree(source, target, symlinks=True, ignore=left_out)
    manifest = files.load(target, files.MANIFEST, Manifest)
    changes = {"case": resolve(case.id, case), "suite": copy.partition("/")[0], "key": ""}
    files.save(target, files.MANIFEST, manifest.model_copy(update=changes))
    judged = score_together(target, Panel((judge,)).seated())
    write_scorecard(target, judged.verdicts.judge)
