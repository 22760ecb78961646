"""What came of visits: score cards, suites, comparisons, and links to share a card."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from voicesim.errors import UsageError
from voicesim.studio import accounts, framed
from voicesim.studio.access import Reviewer, Viewer, Who, anybody
from voicesim.studio.case_store import signatures, version_of
from voicesim.studio.database import now
from voicesim.studio.pages import page
from voicesim.studio.reviewing import OPEN
from voicesim.studio.state import Studio, studio_of
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.reviews import Question
from voicesim.studio.tables.visits import ShareLink, Visit

router = APIRouter(include_in_schema=False)
SHARED_DAYS = 14
MOST_SIDES = 6
MOST_LOOKED_AT = 50
"""Visits of a suite that are looked at for the judges there are."""
SWEEP_VIEW = "sweep"


@router.get("/visits/{suite}/{call}")
def visit(request: Request, suite: str, call: str, who: Viewer, judge: str = "") -> HTMLResponse:
    """One visit: what it came to, and its score card with the sound."""
    return _visit_page(request, suite, call, who, judge)


@router.get("/visits/{suite}/{call}/card")
def card(request: Request, suite: str, call: str, _: Viewer, judge: str = "") -> Response:
    """The score card itself, in an origin of its own."""
    studio = studio_of(request)
    with studio.database.session() as session:
        place = _visit(session, suite, call).place
    folder = studio.settings.recordings / place
    if judge and judge not in framed.judges_of(folder):
        raise HTTPException(404, "That judge has not judged this visit.")
    return framed.framed(lambda: framed.card(folder, judge))


@router.post("/visits/{suite}/{call}/share")
def share(
    request: Request, suite: str, call: str, who: Reviewer, days: Annotated[int, Form(ge=1, le=90)] = SHARED_DAYS
) -> HTMLResponse:
    """A link to this card for somebody without an account; it is shown once."""
    studio = studio_of(request)
    secret = accounts.new_secret()
    with studio.database.session() as session:
        place = _visit(session, suite, call).place
        given = {"hash": accounts.secret_hash(secret), "place": place, "made_by": who.name, "revoked": False}
        session.add(ShareLink(**given, expires=now() + timedelta(days=days)))
        record(session, who.name, "share visit", f"{place} for {days} days")
    return _visit_page(request, suite, call, who, link=f"{studio.settings.url}/shared/{secret}", days=days)


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
    return framed.framed(lambda: framed.card(studio.settings.recordings / place))


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
def suite_page(request: Request, suite: str, _: Viewer, judge: str = "", view: str = "") -> Response:
    """The page of a suite, or its sweep, in an origin of its own."""
    folder = _suite(studio_of(request), suite)
    if view == SWEEP_VIEW:
        return framed.framed(lambda: framed.sweep(folder), suite)
    return framed.framed(lambda: framed.suite(folder, judge), suite)


@router.get("/suites/{suite}")
def suite_frame(request: Request, suite: str, who: Viewer, judge: str = "", view: str = "") -> HTMLResponse:
    """A suite."""
    studio = studio_of(request)
    folder = _suite(studio, suite)
    here = f"/suites/{quote(suite)}"
    links = [("Its visits", f"/?suite={quote(suite)}"), ("Compare", f"/compare?{urlencode({'with': suite})}")]
    if framed.is_sweep(folder):
        links.append(("Suite", here) if view == SWEEP_VIEW else ("Sweep", f"{here}?view={SWEEP_VIEW}"))
    content: dict[str, Any] = {"heading": suite, "links": links, "judge": judge, "fields": []}
    content["judges"] = [] if view == SWEEP_VIEW else _judges_in(studio, [suite])
    content["source"] = f"{here}/page?{urlencode({'judge': judge, 'view': view})}"
    return page(request, "framed.html", who, **content)


@router.get("/compare")
def compare(request: Request, who: Viewer, judge: str = "") -> HTMLResponse:
    """Suites side by side."""
    studio = studio_of(request)
    sides = _sides(request)
    if not sides:
        with studio.database.session() as session:
            names = sorted(session.scalars(select(Visit.suite).distinct()), reverse=True)
        chosen = request.query_params.getlist("with")
        return page(request, "compare.html", who, suites=names, chosen=chosen, problem="")
    anyway = request.query_params.get("anyway", "")
    fields = [*(("side", side) for side in sides), ("anyway", anyway)]
    content: dict[str, Any] = {
        "heading": " against ".join(sides),
        "links": [("Choose others", "/compare")],
        "judge": judge,
    }
    content |= {"fields": fields, "judges": _judges_in(studio, sides)}
    content["source"] = f"/compare/page?{urlencode([*fields, ('judge', judge)])}"
    return page(request, "framed.html", who, **content)


@router.get("/compare/page")
def comparison(request: Request, _: Viewer, judge: str = "", anyway: str = "") -> Response:
    """The comparison itself, in an origin of its own."""
    studio = studio_of(request)
    folders = [_suite(studio, side) for side in _sides(request)]
    if not folders:
        raise UsageError("choose one suite with several agents, or several suites")
    return framed.framed(lambda: framed.comparison(folders, judge, anyway=anyway == "yes"))


def _visit_page(
    request: Request, suite: str, call: str, who: Who, judge: str = "", link: str = "", days: int = SHARED_DAYS
) -> HTMLResponse:
    """The page of a visit. `link` was made just now and is shown this once."""
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _visit(session, suite, call)
        version = version_of(session, entry.case_sha)
        signed = signatures(session, entry.case).get(version.number, []) if version else []
        shared = select(ShareLink).where(ShareLink.place == entry.place, ~ShareLink.revoked)
        open_links = [other for other in session.scalars(shared) if accounts.aware(other.expires) > now()]
        undecided = select(Question).where(Question.place == entry.place, Question.outcome.in_(OPEN))
        questions = session.scalars(undecided.order_by(Question.id)).all()
    judges = framed.judges_of(studio.settings.recordings / entry.place)
    content: dict[str, Any] = {
        "visit": entry,
        "version": version.number if version else None,
        "signed": signed,
        "judges": judges,
        "judge": judge or entry.judge,
        "links": open_links,
        "questions": questions,
        "link": link,
        "days": days,
    }
    return page(request, "visit.html", who, has_card=bool(judges), **content)


def _sides(request: Request) -> list[str]:
    """The suites that are to be compared, each once."""
    return list(dict.fromkeys(filter(None, request.query_params.getlist("side"))))[:MOST_SIDES]


def _judges_in(studio: Studio, suites: list[str]) -> list[str]:
    """The judges by whom suites can be seen."""
    with studio.database.session() as session:
        places = session.scalars(select(Visit.place).where(Visit.suite.in_(suites)).limit(MOST_LOOKED_AT)).all()
    return sorted({judge for place in places for judge in framed.judges_of(studio.settings.recordings / place)})


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
