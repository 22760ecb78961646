"""The first page with its list of visits, and the form that runs one."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import select

from voicesim.errors import VoicesimError
from voicesim.recording.manifest import BY_TYPING, BY_VOICE
from voicesim.studio import search
from voicesim.studio.access import Admin, Operator, Viewer, Who
from voicesim.studio.pages import page
from voicesim.studio.search import Filters
from voicesim.studio.state import studio_of
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.people import Person
from voicesim.studio.tables.visits import Run, Visit
from voicesim.studio.upkeep import delete_visit
from voicesim.studio.visits.asked import asked_of, catalogue_of, reference_agents

router = APIRouter(include_in_schema=False)
STATES = ("passed", "failed", "unscored", "invalid")
RECENT = 30


@router.get("/")
def visits(request: Request, who: Viewer, filters: Annotated[Filters, Depends()]) -> HTMLResponse:
    """Every visit, newest first, with filters and a search over everything that was said."""
    with studio_of(request).database.session() as session:
        hits = search.visits(session, filters)
        choices = search.choices(session)
    return page(request, "visits.html", who, hits=hits, filters=filters, choices=choices, states=STATES)


@router.get("/runs")
def runs(request: Request, who: Viewer) -> HTMLResponse:
    """The queue, and what came of the last runs."""
    studio = studio_of(request)
    with studio.database.session() as session:
        chosen = select(Run, Person.name).join(Person, Person.id == Run.person_id, isouter=True)
        rows = session.execute(chosen.order_by(Run.id.desc()).limit(RECENT)).all()
    return page(request, "runs.html", who, runs=[(run, name) for run, name in rows], allowed=studio.queue.allowed)


@router.get("/visits/new")
def new(request: Request, who: Operator, case: str = "", agent: str = "") -> HTMLResponse:
    """What a visit is made of."""
    return _form(request, who, {"case": case, "agent": agent})


@router.post("/visits")
async def start(request: Request, who: Operator) -> Response:
    """Queue a visit, and go and watch it."""
    from starlette.concurrency import run_in_threadpool

    form = await request.form()
    values = {name: str(value).strip() for name, value in form.items() if name != "csrf" and str(value).strip()}
    return await run_in_threadpool(_start, request, who, values)


def _start(request: Request, who: Who, values: dict[str, str]) -> Response:
    studio = studio_of(request)
    try:
        run_id = studio.queue.add(asked_of(dict(values)), who.id)
    except VoicesimError as error:
        return _form(request, who, values, str(error), 422)
    with studio.database.session() as session:
        record(session, who.name, "run visit", f"{values.get('case', '')} {values.get('agent', '')}")
    return RedirectResponse(f"/runs/{run_id}", 303)


@router.post("/runs/{run_id}/stop")
def stop(request: Request, run_id: int, who: Operator) -> Response:
    """Hang up, or take a visit out of the queue."""
    studio = studio_of(request)
    if studio.queue.stop(run_id):
        with studio.database.session() as session:
            record(session, who.name, "stop visit", f"run {run_id}")
    return RedirectResponse(f"/runs/{run_id}", 303)


@router.post("/visits/delete")
def delete(request: Request, who: Admin, place: str = Form("")) -> Response:
    """Delete a visit with its sound."""
    studio = studio_of(request)
    with studio.database.session() as session:
        if session.scalar(select(Visit.id).where(Visit.place == place)) is None:
            raise HTTPException(404, "There is no such visit.")
        delete_visit(session, studio.settings, place, who.name)
    return RedirectResponse("/", 303)


def _form(request: Request, who: Who, values: dict[str, str], problem: str = "", status: int = 200) -> HTMLResponse:
    catalogue = catalogue_of(studio_of(request).settings)
    choices = {kind: catalogue.ids(kind) for kind in ("case", "persona", "profile")}
    agents = (*reference_agents(), *catalogue.ids("agent"))
    models = catalogue.ids("model")
    minds = (
        ("cues", "by rules"),
        (BY_TYPING, "a person types"),
        (BY_VOICE, "a person speaks"),
        *((m, m) for m in models),
    )
    content: dict[str, Any] = {"choices": choices, "agents": agents, "minds": minds, "models": models}
    return page(request, "new_visit.html", who, status=status, values=values, problem=problem, **content)
