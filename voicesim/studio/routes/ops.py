"""For who runs the studio: health, metrics, and the audit log."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from voicesim.studio.access import Admin, Viewer, anybody
from voicesim.studio.pages import page
from voicesim.studio.state import studio_of
from voicesim.studio.tables.audit import AuditEntry
from voicesim.studio.tables.visits import Run, Visit

router = APIRouter()


@router.get("/health", dependencies=[Depends(anybody)], include_in_schema=False)
def health(request: Request) -> Response:
    """Whether the studio and its database answer."""
    try:
        with studio_of(request).database.session() as session:
            session.execute(text("SELECT 1"))
    except SQLAlchemyError:
        return JSONResponse({"status": "the database does not answer"}, 503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics", include_in_schema=False)
def metrics(request: Request, _: Viewer) -> Response:
    """Counts for Prometheus; it signs in with a token."""
    registry = CollectorRegistry()
    visits = Gauge("voicesim_visits", "Visits by what they came to", ["state"], registry=registry)
    runs = Gauge("voicesim_runs", "Runs by how far they are", ["state"], registry=registry)
    Gauge("voicesim_allowed", "Visits that may run side by side", registry=registry).set(
        studio_of(request).queue.allowed
    )
    with studio_of(request).database.session() as session:
        for state, count in session.execute(select(Visit.state, func.count()).group_by(Visit.state)):
            visits.labels(state).set(count)
        for state, count in session.execute(select(Run.state, func.count()).group_by(Run.state)):
            runs.labels(state).set(count)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


@router.get("/audit", include_in_schema=False)
def audit(request: Request, who: Admin) -> HTMLResponse:
    """Who did what, the newest first."""
    with studio_of(request).database.session() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc()).limit(500)).all()
    return page(request, "audit.html", who, entries=entries)
