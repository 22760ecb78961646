"""From recordings on disk to the table of visits. The folders are the truth: the table can be made anew from them."""

import logging
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from voicesim.call.live_call import BY_HAND
from voicesim.errors import UsageError, VoicesimError
from voicesim.judge.gate import gate
from voicesim.judge.kept import load_verdicts
from voicesim.judge.model import Verdicts
from voicesim.recording import files
from voicesim.recording.manifest import BY_TYPING, BY_VOICE, Manifest
from voicesim.recording.read import open_recording
from voicesim.studio import search
from voicesim.studio.database import Database
from voicesim.studio.reviewing import put_questions
from voicesim.studio.tables.reviews import Question
from voicesim.studio.tables.visits import Visit
from voicesim.transcript.model import Transcript

_LOG = logging.getLogger("voicesim.studio")
_MOST_SAID = 200_000
"""Letters of what was said in a call that can be searched."""


def index(database: Database, recordings: Path) -> int:
    """Bring the table in line with the folders SUITE/CALL under `recordings`; returns how many visits there are.

    A recording that is as it was when it was last looked at costs a glance; one that cannot be read is left out.
    """
    with database.session() as session:
        stamps = dict(session.execute(select(Visit.place, Visit.stamp)).all())
    there = set()
    for manifest in sorted(recordings.glob(f"*/*/{files.MANIFEST}")):
        place = f"{manifest.parent.parent.name}/{manifest.parent.name}"
        there.add(place)
        if stamps.get(place) != stamp_of(manifest.parent):
            index_visit(database, recordings, place)
    with database.session() as session:
        for place in stamps.keys() - there:
            forget(session, place)
    return len(there)


def index_visit(database: Database, recordings: Path, place: str) -> bool:
    """Look at one recording anew; False where it cannot be read, or is being made.

    What a killed process left half-written is made whole on the way.
    """
    folder = recordings / place
    try:
        if (folder / files.LIVE).is_dir():
            open_recording(folder)
        verdicts = _verdicts(folder)
        values = _values(folder, place, verdicts)
    except (VoicesimError, OSError) as error:
        _LOG.warning("%s is not indexed: %s", place, error)
        return False
    try:
        _put(database, place, values, verdicts)
    except IntegrityError:  # it was new, and somebody else was quicker
        _put(database, place, values, verdicts)
    return True


def _put(database: Database, place: str, values: dict[str, object], verdicts: Verdicts | None) -> None:
    """Write a visit, new or known."""
    with database.session() as session:
        visit = session.scalar(select(Visit).where(Visit.place == place)) or Visit(place=place)
        for name, value in values.items():
            setattr(visit, name, _fitting(name, value))
        session.add(visit)
        session.flush()
        search.put(session, visit.id, visit.said)
        if verdicts:
            put_questions(session, place, verdicts)


def forget(session: Session, place: str) -> None:
    """Take a visit out of the table."""
    number = session.scalar(select(Visit.id).where(Visit.place == place))
    if number is not None:
        search.drop(session, number)
        session.execute(delete(Visit).where(Visit.id == number))
        session.execute(delete(Question).where(Question.place == place))


def stamp_of(folder: Path) -> str:
    """Changes whenever one of the files changes that the table is made from."""
    verdicts = folder / files.VERDICTS
    paths = [folder / files.MANIFEST, folder / files.TRANSCRIPT, verdicts, *sorted(verdicts.glob("*.json"))]
    times = [path.stat().st_mtime_ns for path in paths if path.exists()]
    return f"{max(times, default=0)}-{len(times)}"


def _values(folder: Path, place: str, verdicts: Verdicts | None) -> dict[str, object]:
    manifest = files.load(folder, files.MANIFEST, Manifest)
    state = gate(manifest.validity, verdicts.score if verdicts else None)
    suite, _, call = place.partition("/")
    by_hand = manifest.validity is not None and manifest.validity.reason == BY_HAND
    manual = by_hand or manifest.mind in (BY_TYPING, BY_VOICE)
    return {
        "suite": suite,
        "call": call,
        "case": manifest.case.id,
        "case_sha": manifest.case.sha256,
        "agent": manifest.agent.id,
        "persona": manifest.persona.id,
        "profile": manifest.profile.id,
        "mind": manifest.mind,
        "started": manifest.started_at,
        "duration": manifest.duration,
        "end_reason": manifest.end_reason or "",
        "state": state.state,
        "reason": state.reason,
        "score": verdicts.score.value if verdicts else None,
        "judge": verdicts.judge if verdicts else "",
        "manual": manual,
        "draft": manifest.case.content.get("clinical_status", "draft") == "draft",
        "stamp": stamp_of(folder),
        "said": _said(folder),
    }


def _fitting(name: str, value: object) -> object:
    """A value as its column can hold it: what agents and files are called may be longer, and hold a NUL."""
    if not isinstance(value, str):
        return value
    return value.replace("\x00", " ")[: getattr(Visit.__table__.c[name].type, "length", None)]


def _verdicts(folder: Path) -> Verdicts | None:
    try:
        return load_verdicts(folder)
    except UsageError:
        return None


def _said(folder: Path) -> str:
    if not (folder / files.TRANSCRIPT).is_file():
        return ""
    transcript = files.load(folder, files.TRANSCRIPT, Transcript)
    return "\n".join(utterance.text for utterance in transcript.utterances)[:_MOST_SAID]
