"""Cases as people edit them: every saved text is a version, and the newest one is the file that visits are run with."""

import difflib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from voicesim.caller.opening import opening_fault
from voicesim.catalog.check import check
from voicesim.catalog.find import FOLDERS, ids_in
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.load import read_case
from voicesim.catalog.model import Case
from voicesim.catalog.problems import Problem
from voicesim.errors import CatalogueError, UsageError
from voicesim.recording import files
from voicesim.rubrics.files import case_yaml
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.cases import CaseVersion, SignOff
from voicesim.studio.visits.asked import OWN_FOLDER, catalogue_of

LONGEST = 300_000
SHIPPED = "voicesim"


class ConflictError(UsageError):
    """Somebody else has saved the case in the meantime."""


@dataclass(frozen=True)
class Draft:
    """A text that somebody wants to save: what is wrong with it, and the case that it is when nothing is."""

    text: str
    problems: tuple[Problem, ...]
    case: Case | None


def read(text: str, name: str, settings: Settings) -> Draft:
    """Check the text of a case as `voicesim check` does; lines are those of the text."""
    if len(text) > LONGEST:
        raise UsageError(f"a case has at most {LONGEST} characters")
    text = text.replace("\r\n", "\n")
    with tempfile.TemporaryDirectory(prefix="voicesim-") as scratch:
        path = Path(scratch) / FOLDERS["case"] / f"{name}.yaml"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        wrong = check([path], catalogue_of(settings), opening=opening_fault).problems
        problems = tuple(replace(problem, file=f"{name}.yaml") for problem in wrong)
        if problems:
            return Draft(text, problems, None)
        case = read_case(path).entry
    if case.id != name:
        return Draft(text, (Problem(f"the id of this case is {name!r}", f"{name}.yaml", "id", 1),), None)
    return Draft(text, (), case)


def versions(session: Session, name: str) -> list[CaseVersion]:
    """The versions of a case, newest first."""
    chosen = select(CaseVersion).where(CaseVersion.case == name).order_by(CaseVersion.number.desc())
    return list(session.scalars(chosen))


def current(session: Session, name: str, settings: Settings) -> CaseVersion:
    """The newest version, which is the case that visits are run with.

    A case that was never saved here, or whose file was changed by somebody else, becomes a version by this. Raises
    CatalogueError for a name that no case has.
    """
    newest = _newest(session, name)
    path = catalogue_of(settings).files("case").get(name)
    if path is None:
        if newest is None:
            raise CatalogueError(f"there is no case {name!r}")
        return newest
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if newest is not None and newest.text == text:
        return newest
    try:
        case = read_case(path).entry
    except CatalogueError:
        if newest is None:
            raise
        return newest
    if newest is not None and newest.sha == fingerprint(case):
        return newest
    note = "changed outside the studio" if newest else "as it came"
    _add(
        session,
        case=name,
        number=newest.number + 1 if newest else 1,
        text=text or case_yaml(case, f"From {path.name}"),
        sha=fingerprint(case),
        note=note,
        made_by=SHIPPED if newest is None else path.name[:100],
    )
    made = _newest(session, name)
    assert made is not None
    return made


def save(session: Session, draft: Draft, based_on: int, who: str, note: str, settings: Settings) -> CaseVersion:
    """Make a checked text the newest version, and the file that visits are run with.

    Raises ConflictError when somebody has saved another version since number `based_on` (0 for a new case), and
    UsageError when the text has problems.
    """
    if draft.case is None:
        raise UsageError("a case with problems cannot be saved")
    name = draft.case.id
    known = name in catalogue_of(settings).files("case")
    newest = current(session, name, settings) if known else _newest(session, name)
    number = newest.number if newest else 0
    values = {"text": draft.text, "sha": fingerprint(draft.case), "note": note.strip()[:300], "made_by": who}
    if number != based_on or not _add(session, case=name, number=based_on + 1, **values):
        raise ConflictError(f"somebody saved version {max(number, based_on + 1)} of {name} since you began")
    version = _newest(session, name)
    assert version is not None
    record(session, who, "save case", f"{name} version {version.number}")
    path = _own_file(name, settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    session.flush()
    files.write_text(path, draft.text)
    return version


def _newest(session: Session, name: str) -> CaseVersion | None:
    chosen = select(CaseVersion).where(CaseVersion.case == name).order_by(CaseVersion.number.desc())
    return session.scalar(chosen.limit(1))


def _add(session: Session, **values: object) -> bool:
    """Whether this number was still free: two people may come at the same moment."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    adding = insert(CaseVersion).values(**values).on_conflict_do_nothing()
    return session.scalar(adding.returning(CaseVersion.id)) is not None


def _own_file(name: str, settings: Settings) -> Path:
    """The file of a case among the studio's own; two files of one id would be refused."""
    folder = settings.data / OWN_FOLDER / FOLDERS["case"]
    path = ids_in(folder).get(name)
    return path if path is not None and path.is_file() else folder / f"{name}.yaml"


def differences(before: str, after: str) -> list[tuple[str, str]]:
    """The lines that two texts differ in, each with a sign: `+`, `-`, ` ` around them, `@` between stretches."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=3, lineterm="")
    return [(line[:1], line[1:]) for line in list(lines)[2:]]


def sign(session: Session, version: CaseVersion, who: str, note: str) -> None:
    """A clinician stands for a version."""
    if session.scalar(select(SignOff).where(SignOff.version_id == version.id, SignOff.who == who)):
        raise UsageError(f"{who} has signed version {version.number} already")
    session.add(SignOff(version_id=version.id, who=who, note=note.strip()[:2000]))
    record(session, who, "sign case", f"{version.case} version {version.number}")


def signatures(session: Session, name: str) -> dict[int, list[SignOff]]:
    """Who signed which version of a case, by its number."""
    chosen = select(CaseVersion.number, SignOff).join(SignOff, SignOff.version_id == CaseVersion.id)
    signed: dict[int, list[SignOff]] = {}
    for number, entry in session.execute(chosen.where(CaseVersion.case == name)):
        signed.setdefault(number, []).append(entry)
    return signed


def version_of(session: Session, sha: str) -> CaseVersion | None:
    """The version that a recording was made with, by the hash in its manifest."""
    return session.scalar(
        select(CaseVersion).where(CaseVersion.sha == sha).order_by(CaseVersion.number.desc()).limit(1)
    )
