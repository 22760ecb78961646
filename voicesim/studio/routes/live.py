"""Watching and hearing a visit while it runs, and playing its patient by hand."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from voicesim.catalog.model import Case
from voicesim.recording.manifest import BY_VOICE
from voicesim.studio.access import Operator, Viewer
from voicesim.studio.pages import page
from voicesim.studio.state import Studio, studio_of
from voicesim.studio.tables.visits import Run, Visit
from voicesim.studio.visits.asked import Asked, catalogue_of
from voicesim.studio.visits.feed import Feed
from voicesim.studio.visits.queue import ENDED

router = APIRouter(include_in_schema=False)
LOOKS = 0.2
"""Seconds between two looks at a running call."""
LONGEST_LINE = 500
_SHOWN = frozenset(
    ("connected", "caller_line", "heard", "agent_said", "tool_call", "tool_result", "late", "warning", "hangup")
)


@router.get("/runs/{run_id}")
def run_page(request: Request, run_id: int, who: Viewer) -> HTMLResponse:
    """A run: live while it lasts, with what came of it afterwards."""
    studio = studio_of(request)
    run, visits = _run(studio, run_id)
    asked = Asked.model_validate(run.asked)
    crib = _crib(studio, asked) if asked.by_hand else None
    content: dict[str, Any] = {"run": run, "asked": asked, "visits": visits, "ended": run.state in ENDED, "crib": crib}
    return page(request, "run.html", who, speaks=asked.mind == BY_VOICE, **content)


@router.get("/runs/{run_id}/feed")
async def feed(request: Request, run_id: int, _: Viewer) -> StreamingResponse:
    """Server-sent events of a run: `step`, `sound`, `event`, and `over` at the end."""
    studio = studio_of(request)
    await run_in_threadpool(_run, studio, run_id)
    return StreamingResponse(_followed(request, studio, run_id), media_type="text/event-stream")


@router.post("/runs/{run_id}/say")
def say(request: Request, run_id: int, _: Operator, line: str = Form("")) -> Response:
    """What the person who plays the patient says next."""
    text = " ".join(line.split())[:LONGEST_LINE]
    if not studio_of(request).queue.type(run_id, text):
        raise HTTPException(409, "Nobody waits for a line in this visit.")
    return JSONResponse({"said": text})


@router.post("/runs/{run_id}/offer")
async def offer(request: Request, run_id: int, _: Operator) -> Response:
    """The microphone's WebRTC offer; answers with the call's."""
    body = await request.json()
    sdp = str(body.get("sdp", "")) if isinstance(body, dict) else ""
    if not 10 < len(sdp) < 100_000:
        raise HTTPException(422, "This is no offer.")
    answer = await run_in_threadpool(studio_of(request).queue.offer, run_id, sdp)
    if answer is None:
        raise HTTPException(409, "Nobody waits for a microphone in this visit.")
    return JSONResponse({"sdp": answer, "type": "answer"})


async def _followed(request: Request, studio: Studio, run_id: int) -> AsyncIterator[str]:
    feed, place, step = None, "", ""
    while not await request.is_disconnected():
        run, visits = await run_in_threadpool(_run, studio, run_id)
        if run.place and run.place != place:
            place, feed = run.place, Feed(studio.settings.recordings / run.place)
            yield _sent("call", {"place": place})
        if run.step != step:
            step = run.step
            yield _sent("step", {"step": step})
        if feed is not None:
            for kind, data in await run_in_threadpool(_news, feed):
                yield _sent(kind, data)
        if run.state in ENDED:
            places = [visit.place for visit in visits]
            yield _sent("over", {"state": run.state, "problem": run.problem, "visits": places})
            return
        await asyncio.sleep(LOOKS)


def _news(feed: Feed) -> list[tuple[str, dict[str, Any]]]:
    events = [("event", event) for event in feed.events() if event.get("type") in _SHOWN]
    return [*events, *(("sound", block) for block in feed.sound())]


def _sent(kind: str, data: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


def _run(studio: Studio, run_id: int) -> tuple[Run, list[Visit]]:
    """A run and its visits. Raises 404 when there is none."""
    from sqlalchemy import select
    from sqlalchemy.orm import defer

    with studio.database.session() as session:
        run = session.get(Run, run_id)
        if run is None:
            raise HTTPException(404, "There is no such run.")
        suite = str(run.asked.get("suite", ""))
        chosen = select(Visit).where(Visit.suite == suite).options(defer(Visit.said)).order_by(Visit.id)
        visits = list(session.scalars(chosen)) if suite else []
        return run, visits


def _crib(studio: Studio, asked: Asked) -> Case:
    """The case whose facts lie beside whoever plays the patient."""
    catalogue = catalogue_of(studio.settings)
    return catalogue.case(str(Path(catalogue.files("case")[asked.case])))
