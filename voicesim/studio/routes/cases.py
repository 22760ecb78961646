"""Cases: read, edited as text or in a form, in versions, and signed."""

from typing import Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import func, select

from voicesim.catalog.model import Case
from voicesim.catalog.problems import Problem
from voicesim.errors import CatalogueError, UsageError
from voicesim.studio import case_form, case_store
from voicesim.studio.access import Clinician, Reviewer, Viewer, Who
from voicesim.studio.database import now
from voicesim.studio.pages import page
from voicesim.studio.state import studio_of
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.cases import CaseVersion, Proposal
from voicesim.studio.tables.visits import Visit
from voicesim.studio.visits.asked import catalogue_of

router = APIRouter(include_in_schema=False)


@router.get("/cases")
def cases(request: Request, who: Viewer) -> HTMLResponse:
    """Every case, with how often it was called."""
    studio = studio_of(request)
    catalogue = catalogue_of(studio.settings)
    rows: list[tuple[str, Case | None, str, int, int | None]] = []
    with studio.database.session() as session:
        calls = dict(session.execute(select(Visit.case, func.count()).group_by(Visit.case)).all())
        latest = select(CaseVersion.case, func.max(CaseVersion.number)).group_by(CaseVersion.case)
        newest = dict(session.execute(latest).all())
        for name in catalogue.files("case"):
            try:
                case = catalogue.case(name)
            except CatalogueError as error:
                rows.append((name, None, str(error), 0, None))
                continue
            rows.append((name, case, "", calls.get(name, 0), newest.get(name)))
    return page(request, "cases.html", who, cases=rows)


@router.get("/cases/{name}")
def case(request: Request, name: str, who: Viewer) -> HTMLResponse:
    """A case as a person reads it, its versions, and who signed which."""
    studio = studio_of(request)
    with studio.database.session() as session:
        version = _current(request, session, name)
        versions = case_store.versions(session, name)
        signed = case_store.signatures(session, name)
        proposals = session.scalars(select(Proposal).where(Proposal.case == name, Proposal.state == "waiting")).all()
        shas = [entry.sha for entry in versions]
        scores = session.execute(
            select(Visit.case_sha, func.count(), func.avg(Visit.score))
            .where(Visit.case_sha.in_(shas), ~Visit.manual)
            .group_by(Visit.case_sha)
        ).all()
        read = case_store.read(version.text, name, studio.settings)
    figures = {sha: (count, mean) for sha, count, mean in scores}
    content: dict[str, Any] = {
        "version": version,
        "versions": versions,
        "signed": signed,
        "proposals": proposals,
        "figures": figures,
    }
    return page(request, "case.html", who, name=name, case=read.case, problems=read.problems, **content)


@router.get("/cases/{name}/edit")
def edit(request: Request, name: str, who: Reviewer, form: str = "") -> HTMLResponse:
    """The editor: the whole text, or a form for what is said and asked for."""
    with studio_of(request).database.session() as session:
        version = _current(request, session, name)
    fields = case_form.fields(version.text) if form else None
    return _editor(request, who, name, version.text, version.number, fields=fields)


@router.post("/cases/{name}/edit")
async def save(request: Request, name: str, who: Reviewer) -> Response:
    """Check, and save when it was asked for and nothing is wrong."""
    from starlette.concurrency import run_in_threadpool

    form = await request.form()
    values = {key: str(value) for key, value in form.items()}
    return await run_in_threadpool(_save, request, who, name, values)


def _save(request: Request, who: Who, name: str, values: dict[str, str]) -> Response:
    studio = studio_of(request)
    text, based_on = values.get("text", ""), int(values.get("based_on", "0") or 0)
    fields = None
    if "form" in values:
        text = case_form.applied(text, values)
        fields = case_form.fields(text)
    draft = case_store.read(text, name, studio.settings)
    if draft.problems or values.get("do") == "check":
        status = 422 if draft.problems else 200
        return _editor(
            request,
            who,
            name,
            draft.text,
            based_on,
            fields=fields,
            problems=draft.problems,
            checked=True,
            status=status,
        )
    try:
        with studio.database.session() as session:
            version = case_store.save(session, draft, based_on, who.name, values.get("note", ""), studio.settings)
            number = version.number
    except UsageError as error:
        with studio.database.session() as session:
            theirs = case_store.current(session, name, studio.settings)
        content: dict[str, Any] = {"conflict": str(error), "theirs": case_store.differences(theirs.text, draft.text)}
        return _editor(request, who, name, draft.text, theirs.number, fields=fields, status=409, **content)
    return RedirectResponse(f"/cases/{name}?saved={number}", 303)


@router.get("/cases/{name}/versions/{number}")
def version(request: Request, name: str, number: int, who: Viewer, against: int = 0) -> HTMLResponse:
    """One version, and how it differs from the one before or another."""
    with studio_of(request).database.session() as session:
        versions = {entry.number: entry for entry in case_store.versions(session, name)}
    if number not in versions:
        raise HTTPException(404, "There is no such version.")
    before = versions.get(against or number - 1)
    differences = case_store.differences(before.text, versions[number].text) if before else []
    content: dict[str, Any] = {"version": versions[number], "before": before, "differences": differences}
    return page(request, "version.html", who, name=name, versions=sorted(versions), **content)


@router.post("/cases/{name}/versions/{number}/sign")
def sign(request: Request, name: str, number: int, who: Clinician, note: str = Form("")) -> Response:
    """Stand for a version as a clinician."""
    with studio_of(request).database.session() as session:
        chosen = session.scalar(select(CaseVersion).where(CaseVersion.case == name, CaseVersion.number == number))
        if chosen is None:
            raise HTTPException(404, "There is no such version.")
        case_store.sign(session, chosen, who.name, note)
    return RedirectResponse(f"/cases/{name}", 303)


@router.post("/proposals/{proposal_id}")
def decide(request: Request, proposal_id: int, who: Clinician, do: str = Form("")) -> Response:
    """Approve a proposal, which makes a new version of the case, or turn it down."""
    studio = studio_of(request)
    with studio.database.session() as session:
        proposal = session.get(Proposal, proposal_id)
        if proposal is None or proposal.state != "waiting":
            raise HTTPException(404, "This proposal does not wait any more.")
        if do == "approve":
            newest = case_store.current(session, proposal.case, studio.settings)
            if newest.sha != proposal.based_on:
                raise UsageError("the case has changed since this was proposed; ask for another proposal")
            draft = case_store.read(proposal.text, proposal.case, studio.settings)
            note = f"proposal {proposal.id}: {proposal.why}"
            case_store.save(session, draft, newest.number, who.name, note, studio.settings)
        proposal.state, proposal.decided_by = ("approved" if do == "approve" else "turned down"), who.name
        record(session, who.name, f"{proposal.state} proposal", f"{proposal.case} {proposal.id}")
        name, approved = proposal.case, do == "approve"
    if approved:
        studio.rejudge(name)
    return RedirectResponse(f"/cases/{name}", 303)


def _current(request: Request, session: object, name: str) -> CaseVersion:
    from sqlalchemy.orm import Session

    assert isinstance(session, Session)
    try:
        return case_store.current(session, name, studio_of(request).settings)
    except CatalogueError as error:
        raise HTTPException(404, str(error)) from error


def _editor(
    request: Request,
    who: Who,
    name: str,
    text: str,
    based_on: int,
    *,
    fields: "case_form.Fields | None" = None,
    problems: tuple[Problem, ...] = (),
    checked: bool = False,
    conflict: str = "",
    theirs: "list[tuple[str, str]] | None" = None,
    status: int = 200,
) -> HTMLResponse:
    content: dict[str, Any] = {
        "text": text,
        "based_on": based_on,
        "problems": problems,
        "checked": checked,
        "conflict": conflict,
    }
    return page(
        request,
        "edit_case.html",
        who,
        status=status,
        name=name,
        fields=fields,
        theirs=theirs or [],
        at=now(),
        **content,
    )
