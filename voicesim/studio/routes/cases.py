"""Cases: read, edited as text or in a form, in versions, and signed."""

import re
from typing import Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from voicesim.catalog.model import Case
from voicesim.errors import CatalogueError
from voicesim.studio import case_form, case_store
from voicesim.studio.access import Clinician, Reviewer, Viewer, Who
from voicesim.studio.merging import merged
from voicesim.studio.pages import page
from voicesim.studio.proposing import ASKED, FAILED, WAITING
from voicesim.studio.state import studio_of
from voicesim.studio.tables.cases import CaseVersion, Proposal
from voicesim.studio.tables.visits import Visit
from voicesim.studio.visits.asked import catalogue_of

router = APIRouter(include_in_schema=False)
NEW = "new"
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


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


@router.get("/cases/new")
def new(request: Request, who: Reviewer, name: str = "", start: str = "") -> HTMLResponse:
    """The editor with a copy of another case under a new id; nothing is kept before it is saved."""
    studio = studio_of(request)
    known = catalogue_of(studio.settings).files("case")
    content: dict[str, Any] = {"cases": list(known), "name": name.strip(), "start": start}
    if not name:
        return page(request, "new_case.html", who, problem="", **content)
    problem = f"there is a case {name.strip()} already" if name.strip() in known else ""
    if _SLUG.fullmatch(name.strip()) is None or name.strip() == NEW:
        problem = "an id has small letters, digits, - and _, begins with a letter or digit, and is not `new`"
    if problem:
        return page(request, "new_case.html", who, status=422, problem=problem, **content)
    with studio.database.session() as session:
        text = _current(request, session, start).text
    return _editor(request, who, name.strip(), case_form.renamed(text, name.strip()), 0)


@router.get("/cases/{name}")
def case(request: Request, name: str, who: Viewer, saved: int = 0) -> HTMLResponse:
    """A case as a person reads it, its versions, and who signed which."""
    studio = studio_of(request)
    with studio.database.session() as session:
        version = _current(request, session, name)
        versions = case_store.versions(session, name)
        signed = case_store.signatures(session, name)
        shown = (Proposal.case == name, Proposal.state.in_((WAITING, ASKED, FAILED)))
        proposals = session.scalars(select(Proposal).where(*shown).order_by(Proposal.id)).all()
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
        "model": studio.settings.model,
        "saved": saved,
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
    form = await request.form()
    values = {key: str(value) for key, value in form.items()}
    return await run_in_threadpool(_save, request, who, name, values)


def _save(request: Request, who: Who, name: str, values: dict[str, str]) -> Response:
    studio = studio_of(request)
    text, based_on = values.get("text", ""), int(values["based_on"]) if values.get("based_on", "").isdecimal() else 0
    fields = None
    if _SLUG.fullmatch(name) is None or name == NEW:
        raise HTTPException(
            404, "The id of a case has small letters, digits, - and _, and begins with one of the first."
        )
    if "form" in values:
        text = case_form.applied(text, values)
        fields = case_form.fields(text)
    draft = case_store.read(text, name, studio.settings)
    if draft.problems or values.get("do") == "check":
        status = 422 if draft.problems else 200
        marks: dict[str, Any] = {"fields": fields, "problems": draft.problems, "checked": True}
        return _editor(request, who, name, draft.text, based_on, status, **marks)
    try:
        with studio.database.session() as session:
            version = case_store.save(session, draft, based_on, who.name, values.get("note", ""), studio.settings)
            number = version.number
    except case_store.ConflictError as error:
        return _conflict(request, who, draft, based_on, str(error), as_form="form" in values)
    return RedirectResponse(f"/cases/{name}?saved={number}", 303)


def _conflict(
    request: Request, who: Who, draft: case_store.Draft, based_on: int, says: str, *, as_form: bool
) -> Response:
    """The editor after somebody else was quicker: with both changes where they do not meet, else with one's own."""
    studio, name = studio_of(request), draft.case.id if draft.case else ""
    with studio.database.session() as session:
        theirs = case_store.current(session, name, studio.settings)
        began = {entry.number: entry.text for entry in case_store.versions(session, name)}.get(based_on, "")
    both = merged(began, draft.text, theirs.text)
    text = draft.text if both is None else both
    content: dict[str, Any] = {
        "conflict": says,
        "both": both is not None,
        "by": theirs.made_by,
        "theirs": case_store.differences(began, theirs.text),
        "yours": case_store.differences(theirs.text, text),
        "fields": case_form.fields(text) if as_form else None,
    }
    return _editor(request, who, name, text, theirs.number, status=409, **content)


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


def _current(request: Request, session: Session, name: str) -> CaseVersion:
    try:
        return case_store.current(session, name, studio_of(request).settings)
    except CatalogueError as error:
        raise HTTPException(404, str(error)) from error


def _editor(
    request: Request, who: Who, name: str, text: str, based_on: int, status: int = 200, **more: Any
) -> HTMLResponse:
    content: dict[str, Any] = {
        "fields": None,
        "problems": (),
        "checked": False,
        "conflict": "",
        "both": False,
        "by": "",
        "theirs": [],
        "yours": [],
    }
    content |= {"name": name, "text": text, "based_on": based_on, "lines": text.splitlines(), **more}
    return page(request, "edit_case.html", who, status=status, **content)
