"""Verdicts for people to decide: the queue, one question, and how far people agree."""

from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from sqlalchemy.orm import Session

from voicesim.errors import UsageError
from voicesim.studio import reviewing
from voicesim.studio.access import Reviewer, Who
from voicesim.studio.accounts import aware
from voicesim.studio.database import now
from voicesim.studio.pages import page
from voicesim.studio.state import studio_of
from voicesim.studio.tables.reviews import Question

router = APIRouter(include_in_schema=False)
COMPARED = timedelta(minutes=3)
"""How long a page waits for the model to compare two reasons."""
KINDS = {
    "disputed": "judges disagree",
    "undecided": "not decided",
    "differing": "people disagree",
    "sampled": "drawn at random",
}


@router.get("/review")
def queue(request: Request, who: Reviewer, kind: str = "disputed") -> HTMLResponse:
    """What waits for this person, critical checks first."""
    studio = studio_of(request)
    chosen = kind if kind in KINDS else "disputed"
    with studio.database.session() as session:
        waiting = {name: reviewing.waiting(session, who.name, name) for name in KINDS}
    content: dict[str, Any] = {
        "counts": {name: len(some) for name, some in waiting.items()},
        "questions": waiting[chosen],
    }
    content |= {"agreement": (), "problem": ""}
    try:
        content["agreement"] = reviewing.agreement(studio.settings)
    except UsageError as error:
        content["problem"] = f"the labels cannot be read: {error}"
    return page(request, "review.html", who, kind=chosen, kinds=KINDS, **content)


@router.get("/review/gold.jsonl")
def gold(request: Request, _: Reviewer) -> Response:
    """The labels of people, as `voicesim judge-eval` and `voicesim reflect` read them."""
    path = reviewing.gold_file(studio_of(request).settings)
    if not path.is_file():
        raise HTTPException(404, "Nobody has answered anything yet.")
    return FileResponse(path, media_type="application/x-ndjson", filename="gold.jsonl")


@router.get("/review/{question_id}")
def question(request: Request, question_id: int, who: Reviewer, kind: str = "disputed") -> HTMLResponse:
    """One verdict with the words and the sound behind it. What others said is shown after one's own answer."""
    return _question(request, who, question_id, kind)


@router.post("/review/{question_id}")
def answer(
    request: Request,
    question_id: int,
    who: Reviewer,
    outcome: str = Form(""),
    reason: str = Form(""),
    judge: str = Form(""),
    verdict: str = Form(""),
    kind: str = Form("disputed"),
) -> Response:
    """A person's own verdict, with its reason."""
    studio = studio_of(request)
    try:
        with studio.labels, studio.database.session() as session:
            entry = _entry(session, question_id)
            if judge != entry.judge or verdict != entry.outcome:
                raise UsageError("the visit was judged again meanwhile; look at the verdict as it is now")
            review = reviewing.answer(session, studio.settings, entry, outcome, reason, who.name)
            number = review.id
    except UsageError as error:
        return _question(request, who, question_id, kind, str(error), reason, outcome, status=422)
    studio.compare_reasons(number)
    return RedirectResponse(f"/review/{question_id}?kind={kind if kind in KINDS else 'disputed'}", 303)


def _question(
    request: Request,
    who: Who,
    question_id: int,
    kind: str,
    problem: str = "",
    reason: str = "",
    outcome: str = "",
    status: int = 200,
) -> HTMLResponse:
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _entry(session, question_id)
        given = list(reviewing.reviews(session, entry))
        chosen = kind if kind in KINDS else "disputed"
        others = [other for other in reviewing.waiting(session, who.name, chosen) if other.id != entry.id]
    sheet, asked = reviewing.question(studio.settings, entry)
    mine = any(review.who == who.name for review in given)
    content: dict[str, Any] = {
        "entry": entry,
        "sheet": sheet,
        "asked": asked,
        "given": given if mine else [],
        "mine": mine,
        "kind": chosen,
        "following": others[0] if others else None,
        "comparing": [review.id for review in given if studio.settings.model and now() - aware(review.at) < COMPARED],
    }
    content |= {"problem": problem, "reason": reason, "outcome": outcome, "labels": reviewing.LABELS}
    return page(request, "question.html", who, status=status, **content)


def _entry(session: Session, question_id: int) -> Question:
    entry = session.get(Question, question_id)
    if entry is None:
        raise HTTPException(404, "There is no such question any more.")
    return entry
