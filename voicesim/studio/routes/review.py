"""Verdicts for people to decide: the queue, one question, and how far people agree."""

from typing import Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy.orm import Session

from voicesim.errors import UsageError
from voicesim.studio import reviewing
from voicesim.studio.access import Reviewer, Who
from voicesim.studio.pages import page
from voicesim.studio.state import studio_of
from voicesim.studio.tables.reviews import Question

router = APIRouter(include_in_schema=False)
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
    agreed = reviewing.agreement(studio.settings)
    return page(request, "review.html", who, kind=chosen, kinds=KINDS, agreement=agreed, **content)


@router.get("/review/{question_id}")
def question(request: Request, question_id: int, who: Reviewer) -> HTMLResponse:
    """One verdict with the words and the sound behind it. What others said is shown after one's own answer."""
    return _question(request, who, question_id)


@router.post("/review/{question_id}")
def answer(
    request: Request,
    question_id: int,
    who: Reviewer,
    outcome: str = Form(""),
    reason: str = Form(""),
    kind: str = Form("disputed"),
) -> Response:
    """A person's own verdict, with its reason."""
    studio = studio_of(request)
    try:
        with studio.database.session() as session:
            reviewing.answer(session, studio.settings, _entry(session, question_id), outcome, reason, who.name)
    except UsageError as error:
        return _question(request, who, question_id, str(error), reason, outcome, status=422)
    return RedirectResponse(f"/review/{question_id}", 303)


def _question(
    request: Request,
    who: Who,
    question_id: int,
    problem: str = "",
    reason: str = "",
    outcome: str = "",
    status: int = 200,
) -> HTMLResponse:
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _entry(session, question_id)
        given = list(reviewing.reviews(session, entry))
    sheet, asked = reviewing.question(studio.settings, entry)
    mine = any(review.who == who.name for review in given)
    content: dict[str, Any] = {
        "entry": entry,
        "sheet": sheet,
        "asked": asked,
        "given": given if mine else [],
        "mine": mine,
    }
    content |= {"problem": problem, "reason": reason, "outcome": outcome, "labels": reviewing.LABELS}
    return page(request, "question.html", who, status=status, **content)


def _entry(session: Session, question_id: int) -> Question:
    entry = session.get(Question, question_id)
    if entry is None:
        raise HTTPException(404, "There is no such question any more.")
    return entry
