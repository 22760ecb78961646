"""The studio for programs: start a run, wait for it, fetch what came of it. Described in /api/openapi.json."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import BaseModel, Field
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool

from voicesim.errors import UsageError
from voicesim.judge.kept import load_verdicts
from voicesim.metrics.model import Metrics
from voicesim.recording import files
from voicesim.recording.manifest import Manifest
from voicesim.report.json_report import summary
from voicesim.studio import search
from voicesim.studio.access import Admin, Operator, Viewer
from voicesim.studio.addresses import check_webhook
from voicesim.studio.search import Filters
from voicesim.studio.state import studio_of
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.visits import Run, Visit, Webhook
from voicesim.studio.visits.asked import Asked
from voicesim.studio.visits.queue import ENDED
from voicesim.studio.webhooks import outcome, visit_json

router = APIRouter(prefix="/api", tags=["voicesim"])
LONGEST_WAIT = 60.0


class NewWebhook(BaseModel):
    """Where to tell the end of runs. `secret_env` names the environment variable of the studio with the secret."""

    url: str = Field(max_length=500)
    secret_env: str = Field(max_length=100, pattern=r"^[A-Z][A-Z0-9_]*$")


@router.post("/runs", status_code=201)
def start(request: Request, asked: Asked, who: Operator) -> dict[str, Any]:
    """Queue a visit, or several repeats of it."""
    studio = studio_of(request)
    run_id = studio.queue.add(asked, who.id)
    with studio.database.session() as session:
        record(session, who.name, "run visit", f"{asked.case} {asked.agent}")
    return outcome(studio.database, run_id)


@router.get("/runs/{run_id}")
async def run(request: Request, run_id: int, _: Viewer, wait: float = 0.0) -> dict[str, Any]:
    """A run and its visits; with `wait`, not before it is over or so many seconds (60 at most) have passed."""
    studio = studio_of(request)
    until = asyncio.get_running_loop().time() + min(max(wait, 0.0), LONGEST_WAIT)
    while True:
        so_far = await run_in_threadpool(outcome, studio.database, run_id)
        if not so_far:
            raise HTTPException(404, "There is no such run.")
        if so_far["state"] in ENDED or asyncio.get_running_loop().time() >= until:
            return so_far
        await asyncio.sleep(0.25)


@router.delete("/runs/{run_id}")
def stop(request: Request, run_id: int, who: Operator) -> dict[str, Any]:
    """Hang up a visit, or take it out of the queue."""
    studio = studio_of(request)
    with studio.database.session() as session:
        if session.get(Run, run_id) is None:
            raise HTTPException(404, "There is no such run.")
        record(session, who.name, "stop visit", f"run {run_id}")
    return {"stopped": studio.queue.stop(run_id)}


@router.get("/visits")
def visits(request: Request, _: Viewer, filters: Annotated[Filters, Depends()]) -> dict[str, Any]:
    """Visits, newest first, fifty a page; `words` were all said in them."""
    with studio_of(request).database.session() as session:
        hits = search.visits(session, filters)
        return {
            "total": hits.total,
            "page": hits.page,
            "pages": hits.pages,
            "visits": [visit_json(v) for v in hits.visits],
        }


@router.get("/visits/{suite}/{call}")
def visit(request: Request, suite: str, call: str, _: Viewer) -> dict[str, Any]:
    """What a visit came to: checks, measures, and why it has no score where it has none."""
    studio = studio_of(request)
    with studio.database.session() as session:
        if session.scalar(select(Visit.id).where(Visit.place == f"{suite}/{call}")) is None:
            raise HTTPException(404, "There is no such visit.")
    folder = studio.settings.recordings / suite / call
    manifest = files.load(folder, files.MANIFEST, Manifest)
    metrics = files.load(folder, files.METRICS, Metrics) if (folder / files.METRICS).is_file() else None
    try:
        verdicts = load_verdicts(folder)
    except UsageError:
        verdicts = None
    return summary(manifest, metrics, verdicts)


@router.get("/webhooks")
def webhooks(request: Request, _: Admin) -> list[dict[str, Any]]:
    """Where the end of runs is told."""
    with studio_of(request).database.session() as session:
        names = ("id", "url", "secret_env", "made_by", "last")
        return [{name: getattr(hook, name) for name in names} for hook in session.scalars(select(Webhook))]


@router.post("/webhooks", status_code=201)
def add_webhook(request: Request, new: NewWebhook, who: Admin) -> dict[str, Any]:
    """Tell the end of every run there, signed."""
    studio = studio_of(request)
    check_webhook(new.url, studio.settings)
    with studio.database.session() as session:
        hook = Webhook(url=new.url, secret_env=new.secret_env, made_by=who.name, last="")
        session.add(hook)
        record(session, who.name, "add webhook", new.url)
        session.flush()
        return {"id": hook.id, "url": hook.url, "secret_env": hook.secret_env}


@router.delete("/webhooks/{webhook_id}")
def drop_webhook(request: Request, webhook_id: int, who: Admin) -> dict[str, Any]:
    """Tell nothing there any more."""
    with studio_of(request).database.session() as session:
        hook = session.get(Webhook, webhook_id)
        if hook is None:
            raise HTTPException(404, "There is no such webhook.")
        session.delete(hook)
        record(session, who.name, "delete webhook", hook.url)
    return {"deleted": webhook_id}
