"""What came of visits: score cards, suites, comparisons, and links to share a card."""

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from voicesim.errors import UsageError, VoicesimError
from voicesim.judge.kept import load_verdicts
from voicesim.judge.model import Verdicts
from voicesim.recording import files
from voicesim.report.many.write import COMPARISON_PAGE, write_comparison, write_suite_page
from voicesim.report.write import write_scorecard
from voicesim.studio import accounts
from voicesim.studio.access import Reviewer, Viewer, anybody
from voicesim.studio.case_store import version_of
from voicesim.studio.database import now
from voicesim.studio.guard import FRAMED
from voicesim.studio.pages import page
from voicesim.studio.state import Studio, studio_of
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.visits import ShareLink, Visit

router = APIRouter(include_in_schema=False)
SHARED_DAYS = 14
MOST_SIDES = 6


@router.get("/visits/{suite}/{call}")
def visit(request: Request, suite: str, call: str, who: Viewer, judge: str = "") -> HTMLResponse:
    """One visit: what it came to, and its score card with the sound."""
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _visit(session, suite, call)
        version = version_of(session, entry.case_sha)
        number = version.number if version else None
        links = session.scalars(select(ShareLink).where(ShareLink.place == entry.place, ~ShareLink.revoked)).all()
        open_links = [link for link in links if accounts.aware(link.expires) > now()]
    folder = studio.settings.recordings / entry.place
    judges = _judges(folder)
    content: dict[str, Any] = {
        "visit": entry,
        "version": number,
        "judges": judges,
        "judge": judge or entry.judge,
        "links": open_links,
    }
    return page(request, "visit.html", who, has_card=bool(judges), link="", **content)


@router.get("/visits/{suite}/{call}/card")
def card(request: Request, suite: str, call: str, _: Viewer, judge: str = "") -> Response:
    """The score card itself, in an origin of its own."""
    studio = studio_of(request)
    with studio.database.session() as session:
        place = _visit(session, suite, call).place
    return _card(studio.settings.recordings / place, judge)


@router.post("/visits/{suite}/{call}/share")
def share(request: Request, suite: str, call: str, who: Reviewer) -> HTMLResponse:
    """A link to this card for somebody without an account; it is shown once."""
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _visit(session, suite, call)
        secret = accounts.new_secret()
        expires = now() + timedelta(days=SHARED_DAYS)
        session.add(
            ShareLink(
                hash=accounts.secret_hash(secret), place=entry.place, made_by=who.name, expires=expires, revoked=False
            )
        )
        record(session, who.name, "share visit", entry.place)
        judges = _judges(studio.settings.recordings / entry.place)
    link = f"{studio.settings.url}/shared/{secret}"
    content: dict[str, Any] = {"visit": entry, "version": None, "judges": judges, "judge": entry.judge, "links": []}
    return page(request, "visit.html", who, has_card=bool(judges), link=link, **content)


@router.post("/visits/{suite}/{call}/unshare")
def unshare(request: Request, suite: str, call: str, who: Reviewer) -> Response:
    """Take every link to this card back."""
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _visit(session, suite, call)
        for link in session.scalars(select(ShareLink).where(ShareLink.place == entry.place)):
            link.revoked = True
        record(session, who.name, "unshare visit", entry.place)
    return RedirectResponse(f"/visits/{suite}/{call}", 303)


@router.get("/shared/{secret}", dependencies=[Depends(anybody)])
def shared(request: Request, secret: str) -> Response:
    """A card that somebody shared."""
    studio = studio_of(request)
    with studio.database.session() as session:
        link = session.get(ShareLink, accounts.secret_hash(secret))
        if link is None or link.revoked or accounts.aware(link.expires) <= now():
            raise HTTPException(404, "This link holds no more; ask whoever sent it for another one.")
        place = link.place
    return _card(studio.settings.recordings / place, "")


@router.get("/suites")
def suites(request: Request, who: Viewer) -> HTMLResponse:
    """Every suite with its visits counted by what they came to."""
    with studio_of(request).database.session() as session:
        columns = (Visit.suite, Visit.state, Visit.agent, Visit.manual)
        rows = session.execute(select(*columns, func.count(), func.max(Visit.started)).group_by(*columns)).all()
    counted: dict[str, dict[str, object]] = {}
    for name, state, agent, manual, count, started in rows:
        entry = counted.setdefault(name, {"count": 0, "agents": set(), "started": "", "manual": 0})
        entry[state] = int(str(entry.get(state, 0))) + count
        entry["count"] = int(str(entry["count"])) + count
        entry["manual"] = int(str(entry["manual"])) + count * bool(manual)
        entry["started"] = max(str(entry["started"]), started)
        agents = entry["agents"]
        assert isinstance(agents, set)
        agents.add(agent)
    ordered = sorted(counted.items(), key=lambda item: str(item[1]["started"]), reverse=True)
    return page(request, "suites.html", who, suites=ordered)


@router.get("/suites/{suite}/page")
def suite_page(request: Request, suite: str, _: Viewer) -> Response:
    """The page of a suite, in an origin of its own."""
    studio = studio_of(request)
    path = write_suite_page(_suite(studio, suite))
    return _framed(path.read_text(encoding="utf-8"))


@router.get("/suites/{suite}")
def suite_frame(request: Request, suite: str, who: Viewer) -> HTMLResponse:
    """A suite."""
    _suite(studio_of(request), suite)
    return page(request, "framed.html", who, heading=suite, source=f"/suites/{suite}/page", links=[])


@router.get("/compare")
def compare(request: Request, who: Viewer) -> HTMLResponse:
    """Suites side by side."""
    query = [value for value in request.query_params.getlist("side") if value]
    if not query:
        with studio_of(request).database.session() as session:
            names = sorted(session.scalars(select(Visit.suite).distinct()), reverse=True)
        return page(request, "compare.html", who, suites=names, problem="")
    source = f"/compare/page?{request.url.query}"
    return page(request, "framed.html", who, heading=" against ".join(query), source=source, links=[])


@router.get("/compare/page")
def comparison(request: Request, _: Viewer) -> Response:
    """The comparison itself, in an origin of its own."""
    studio = studio_of(request)
    sides = [value for value in request.query_params.getlist("side") if value][:MOST_SIDES]
    if not sides:
        raise UsageError("choose one suite with several agents, or several suites")
    folders = [_suite(studio, side) for side in dict.fromkeys(sides)]
    with tempfile.TemporaryDirectory(prefix="voicesim-") as scratch:
        write_comparison(folders, Path(scratch), anyway=request.query_params.get("anyway") == "yes")
        return _framed((Path(scratch) / COMPARISON_PAGE).read_text(encoding="utf-8"))


def _card(folder: Path, judge: str) -> Response:
    """The score card of a folder, by the verdicts of a judge or the newest."""
    if judge and judge not in _judges(folder):
        raise HTTPException(404, "That judge has not judged this visit.")
    try:
        path = folder / files.SCORECARD
        if judge or not path.is_file():
            path, _ = write_scorecard(folder, judge or None)
        return _framed(path.read_text(encoding="utf-8"))
    except VoicesimError as error:
        raise HTTPException(404, f"There is no score card: {error}") from error


def _framed(text: str) -> HTMLResponse:
    return HTMLResponse(text, headers={"content-security-policy": FRAMED})


def _judges(folder: Path) -> list[str]:
    """The judges whose verdicts are kept, the newest first."""
    paths = sorted((folder / files.VERDICTS).glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    names = []
    for path in paths:
        try:
            names.append(files.load(folder, f"{files.VERDICTS}/{path.name}", Verdicts).judge)
        except VoicesimError:
            continue
    return [name for name in names if _loads(folder, name)]


def _loads(folder: Path, judge: str) -> bool:
    try:
        load_verdicts(folder, judge)
    except VoicesimError:
        return False
    return True


def _visit(session: Session, suite: str, call: str) -> Visit:
    """The visit at a place that the database knows. Raises 404."""
    entry = session.scalar(select(Visit).where(Visit.place == f"{suite}/{call}"))
    if entry is None:
        raise HTTPException(404, "There is no such visit.")
    return entry


def _suite(studio: Studio, name: str) -> Path:
    """The folder of a suite that the database knows. Raises 404."""
    with studio.database.session() as session:
        if session.scalar(select(Visit.id).where(Visit.suite == name).limit(1)) is None:
            raise HTTPException(404, "There is no such suite.")
    return studio.settings.recordings / name
