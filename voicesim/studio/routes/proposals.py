"""What is proposed for a case: rubrics out of evidence, reworded checks, and what people decide about them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from voicesim.catalog.model import Case
from voicesim.errors import CatalogueError, UsageError
from voicesim.llm.client import ChatModel
from voicesim.studio import case_store, proposing
from voicesim.studio.access import Clinician, Reviewer, Viewer, Who
from voicesim.studio.pages import page
from voicesim.studio.state import Studio, studio_of
from voicesim.studio.tables.cases import CaseVersion, Proposal

router = APIRouter(include_in_schema=False)


@router.get("/cases/{name}/draft")
def draft(request: Request, name: str, who: Reviewer) -> HTMLResponse:
    """A rubric out of the evidence, every criterion with the words that it stands on."""
    return _draft(request, name, who)


@router.post("/cases/{name}/draft")
def propose_draft(
    request: Request,
    name: str,
    who: Reviewer,
    chosen: Annotated[list[str] | None, Form()] = None,
    sign: Annotated[bool, Form()] = False,
) -> Response:
    """Propose the chosen criteria as the rubric; a clinician may sign them by it."""
    studio = studio_of(request)
    if sign and not who.may("clinician"):
        raise HTTPException(403, f"only a clinician signs criteria; {who.name} is a {who.role.name}")
    try:
        with studio.database.session() as session:
            version, case = _case(session, studio, name)
            rubric, _ = proposing.drafted(studio.settings, case)
            text = proposing.of_draft(rubric, case, chosen or (), who.name if sign else "")
            (entry,) = proposing.put(session, version, [text], who.name)
            number = entry.id
    except UsageError as error:
        return _draft(request, name, who, str(error), 422)
    return RedirectResponse(f"/proposals/{number}", 303)


@router.post("/cases/{name}/propose")
def ask(request: Request, name: str, who: Reviewer, what: Literal["wording", "rubric"] = Form("wording")) -> Response:
    """Ask the model for other wordings of disputed checks, or for a rubric out of the evidence."""
    studio = studio_of(request)

    def of(case: Case, text: str, chat: ChatModel) -> list[proposing.Proposed]:
        if what == "rubric":
            return proposing.drafted_by_model(studio.settings, case, chat)
        return proposing.rewordings(studio.settings, case, text, chat)

    proposing.ask(studio.settings, studio.database, name, who.name, of)
    return RedirectResponse(f"/cases/{name}#proposed", 303)


@router.get("/proposals/{proposal_id}")
def proposal(request: Request, proposal_id: int, who: Viewer) -> HTMLResponse:
    """What would change, and what the checker says of it."""
    return _proposal(request, proposal_id, who)


@router.post("/proposals/{proposal_id}")
def decide(
    request: Request, proposal_id: int, who: Clinician, do: Literal["approve", "refuse"] = Form(...)
) -> Response:
    """Approve a proposal, which makes a new version of the case and judges its visits by it, or turn it down."""
    studio = studio_of(request)
    try:
        with studio.database.session() as session:
            entry = _entry(session, proposal_id)
            name = entry.case
            if do == "approve" and entry.state == proposing.WAITING:
                proposing.approve(session, studio.settings, entry, who.name)
            elif do == "refuse" and entry.state in (proposing.WAITING, proposing.FAILED):
                proposing.decide(session, entry, proposing.REFUSED, who.name)
            else:
                raise UsageError("somebody has decided about this already")
    except UsageError as error:
        return _proposal(request, proposal_id, who, str(error), 409)
    if do == "approve":
        studio.rejudge(name)
    return RedirectResponse(f"/cases/{name}", 303)


def _draft(request: Request, name: str, who: Who, problem: str = "", status: int = 200) -> HTMLResponse:
    studio = studio_of(request)
    with studio.database.session() as session:
        _, case = _case(session, studio, name)
    content: dict[str, Any] = {"rubric": None, "look_at": (), "sources": {}, "facts": {}, "needs": {}}
    try:
        rubric, look_at = proposing.drafted(studio.settings, case)
    except UsageError as error:
        problem = problem or str(error)
    else:
        content |= {"rubric": rubric, "look_at": look_at, "facts": {fact.id: fact for fact in rubric.facts}}
        content["needs"] = {need.id: need for need in rubric.needs}
        content["sources"] = {source.id: source for source in rubric.sources}
    model = studio.settings.model
    return page(
        request, "draft.html", who, status=status, name=name, case=case, problem=problem, model=model, **content
    )


def _proposal(request: Request, proposal_id: int, who: Who, problem: str = "", status: int = 200) -> HTMLResponse:
    studio = studio_of(request)
    with studio.database.session() as session:
        entry = _entry(session, proposal_id)
        based = select(CaseVersion).where(CaseVersion.case == entry.case, CaseVersion.sha == entry.based_on)
        base = session.scalar(based.order_by(CaseVersion.number.desc()).limit(1))
        newest = case_store.current(session, entry.case, studio.settings)
    content: dict[str, Any] = {
        "proposal": entry,
        "base": base,
        "moved_on": newest.sha != entry.based_on,
        "differences": case_store.differences(base.text, entry.text) if base and entry.text else [],
        "problems": case_store.read(entry.text, entry.case, studio.settings).problems if entry.text else (),
    }
    return page(request, "proposal.html", who, status=status, problem=problem, **content)


def _entry(session: Session, proposal_id: int) -> Proposal:
    entry = session.get(Proposal, proposal_id)
    if entry is None:
        raise HTTPException(404, "There is no such proposal any more.")
    return entry


def _case(session: Session, studio: Studio, name: str) -> tuple[CaseVersion, Case]:
    """The newest version of a case, and the case. Raises 404."""
    try:
        version = case_store.current(session, name, studio.settings)
    except CatalogueError as error:
        raise HTTPException(404, str(error)) from error
    case = case_store.read(version.text, name, studio.settings).case
    if case is None:
        raise UsageError(f"{name} has problems; mend them first")
    return version, case
