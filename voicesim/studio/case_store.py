"""Cases as people edit them: every saved text is a version, and the newest one is the file that visits are run with."""

import difflib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from voicesim.catalog.check import check
from voicesim.catalog.find import FOLDERS
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.load import read_case
from voicesim.catalog.model import Case
from voicesim.catalog.problems import Problem
from voicesim.errors import CatalogueError, UsageError
from voicesim.recording import files
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.cases import CaseVersion, SignOff
from voicesim.studio.visits.asked import OWN_FOLDER, catalogue_of

LONGEST = 300_000
SHIPPED = "voicesim"


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
        wrong = check([path], catalogue_of(settings)).problems
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
    """The newest version; of a case that was never saved here, the one that came with voicesim becomes the first.

    Raises CatalogueError for a name that no case has.
    """
    newest = session.scalar(
        select(CaseVersion).where(CaseVersion.case == name).order_by(CaseVersion.number.desc()).limit(1)
    )
    if newest is not None:
        return newest
    known = catalogue_of(settings).files("case")
    if name not in known:
        raise CatalogueError(f"there is no case {name!r}")
    path = known[name]
    first = CaseVersion(
        case=name,
        number=1,
        text=path.read_text(encoding="utf-8"),
        sha=fingerprint(read_case(path).entry),
        note="as it came",
        made_by=SHIPPED,
    )
    session.add(first)
    session.flush()
    return first


def save(session: Session, draft: Draft, based_on: int, who: str, note: str, settings: Settings) -> CaseVersion:
    """Make a checked text the newest version, and the file that visits are run with.

    Raises UsageError when somebody has saved another version since number `based_on` (0 for a new case), or when the
    text has problems.
    """
    if draft.case is None:
        raise UsageError("a case with problems cannot be saved")
    name = draft.case.id
    newest = session.scalar(select(func.max(CaseVersion.number)).where(CaseVersion.case == name)) or 0
    if newest != based_on:
        raise UsageError(
            f"somebody saved version {newest} of {name} since you began with {based_on}. Nothing of yours is lost: "
            "it is still in the editor, with the differences to theirs below"
        )
    version = CaseVersion(
        case=name,
        number=newest + 1,
        text=draft.text,
        sha=fingerprint(draft.case),
        note=note.strip()[:300],
        made_by=who,
    )
    session.add(version)
    session.flush()
    path = settings.data / OWN_FOLDER / FOLDERS["case"] / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_text(path, draft.text)
    record(session, who, "save case", f"{name} version {version.number}")
    return version


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
