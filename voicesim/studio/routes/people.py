"""Signing in and out, and who may do what."""

import time

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import select

from voicesim.errors import UsageError
from voicesim.studio import accounts, oidc
from voicesim.studio.access import ROLES, Admin, Viewer, Who, anybody
from voicesim.studio.pages import page
from voicesim.studio.settings import Settings
from voicesim.studio.state import client_of, studio_of
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.people import Person, Token

router = APIRouter(include_in_schema=False)
USED = "This link was used already, or is too old; ask for another one."


def local(path: str) -> str:
    """A path of this studio to go on to; anything else leads to the first page."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def with_cookie(answer: Response, secret: str, settings: Settings) -> Response:
    """The answer with the cookie of a sign-in."""
    seconds = int(accounts.STAYS.total_seconds())
    answer.set_cookie(
        accounts.COOKIE, secret, max_age=seconds, httponly=True, secure=settings.secure, samesite="lax", path="/"
    )
    return answer


@router.get("/sign-in", dependencies=[Depends(anybody)])
def sign_in_page(request: Request, next: str = "/") -> HTMLResponse:
    """Name and password, or another provider."""
    provider = studio_of(request).settings.provider
    return page(request, "sign_in.html", next=local(next), problem="", provider=provider.issuer if provider else "")


@router.post("/sign-in", dependencies=[Depends(anybody)])
def sign_in(request: Request, name: str = Form(""), password: str = Form(""), next: str = Form("/")) -> Response:
    """Sign a browser in."""
    studio = studio_of(request)
    _from_here(request)
    keys, time_now = (f"name {name.strip().lower()[:100]}", f"address {client_of(request)}"), time.monotonic()
    provider = studio.settings.provider.issuer if studio.settings.provider else ""
    if studio.attempts.too_many(keys, time_now):
        problem = "Too many failed sign-ins; wait five minutes."
        return page(request, "sign_in.html", status=429, next=local(next), problem=problem, provider=provider)
    with studio.database.session() as session:
        person = accounts.by_password(session, name, password)
        record(session, name.strip()[:100], "sign in" if person else "failed sign-in", client_of(request))
        secret = accounts.sign_in(session, person) if person else ""
    if not secret:
        studio.attempts.add(keys, time_now)
        problem = "This name and password do not belong together."
        return page(request, "sign_in.html", status=401, next=local(next), problem=problem, provider=provider)
    return with_cookie(RedirectResponse(local(next), 303), secret, studio.settings)


@router.post("/sign-out")
def sign_out(request: Request, _: Viewer) -> Response:
    """Forget this browser."""
    with studio_of(request).database.session() as session:
        accounts.sign_out(session, request.cookies.get(accounts.COOKIE))
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(accounts.COOKIE, path="/")
    return answer


@router.get("/welcome/{secret}", dependencies=[Depends(anybody)])
def welcome(request: Request, secret: str) -> HTMLResponse:
    """The page of an invitation."""
    with studio_of(request).database.session() as session:
        entry = accounts.invitation(session, secret)
        if entry is None:
            raise HTTPException(404, USED)
        return page(request, "welcome.html", secret=secret, role=entry.role, problem="")


@router.post("/welcome/{secret}", dependencies=[Depends(anybody)])
def join(request: Request, secret: str, name: str = Form(""), password: str = Form("")) -> Response:
    """Make the account of an invitation."""
    studio = studio_of(request)
    _from_here(request)
    with studio.database.session() as session:
        entry = accounts.invitation(session, secret)
        if entry is None:
            raise HTTPException(404, USED)
        role = entry.role
    try:
        with studio.database.session() as session:
            granted = accounts.use_invitation(session, secret)
            if granted is None:
                raise HTTPException(404, USED)
            person = accounts.add_person(session, name, granted, password or " ")
            record(session, person.name, "join", f"as {person.role}")
            cookie = accounts.sign_in(session, person)
    except UsageError as error:
        return page(request, "welcome.html", status=422, secret=secret, role=role, problem=str(error))
    return with_cookie(RedirectResponse("/", 303), cookie, studio.settings)


@router.get("/sign-in/provider", dependencies=[Depends(anybody)])
def to_provider(request: Request, next: str = "/") -> Response:
    """Go to the OIDC provider."""
    return oidc.leave(studio_of(request).settings, local(next))


@router.get("/sign-in/back", dependencies=[Depends(anybody)])
def from_provider(request: Request) -> Response:
    """Come back from the OIDC provider."""
    studio = studio_of(request)
    known, path = oidc.arrive(studio.settings, request)
    with studio.database.session() as session:
        person = oidc.person(session, studio.settings, known)
        record(session, person.name, "sign in", "by the provider")
        secret = accounts.sign_in(session, person)
    return with_cookie(oidc.forget(RedirectResponse(local(path), 303)), secret, studio.settings)


@router.get("/people")
def people(request: Request, who: Admin, link: str = "") -> HTMLResponse:
    """Everybody, and invitations."""
    with studio_of(request).database.session() as session:
        everybody = session.scalars(select(Person).order_by(Person.name)).all()
    return page(request, "people.html", who, people=everybody, roles=ROLES, link="")


@router.post("/people/invite")
def invite(request: Request, who: Admin, role: str = Form("viewer")) -> HTMLResponse:
    """Make a link by which one person joins."""
    studio = studio_of(request)
    _role(role)
    with studio.database.session() as session:
        secret = accounts.invite(session, role)
        record(session, who.name, "invite", role)
        everybody = session.scalars(select(Person).order_by(Person.name)).all()
    link = f"{studio.settings.url}/welcome/{secret}"
    return page(request, "people.html", who, people=everybody, roles=ROLES, link=link)


@router.post("/people/{person_id}")
def change(request: Request, person_id: int, who: Admin, role: str = Form(""), active: str = Form("yes")) -> Response:
    """Another role, or no access any more."""
    _role(role)
    with studio_of(request).database.session() as session:
        person = session.get(Person, person_id)
        if person is None:
            raise HTTPException(404, "There is no such person.")
        if person.id == who.id and (role != "admin" or active != "yes"):
            raise UsageError("you cannot take your own role away; another admin can")
        person.role, person.active = role, active == "yes"
        record(session, who.name, "change person", f"{person.name}: {role}{'' if person.active else ', no access'}")
    return RedirectResponse("/people", 303)


@router.get("/me")
def me(request: Request, who: Viewer) -> HTMLResponse:
    """One's own tokens."""
    return _me(request, who, "")


@router.post("/me/tokens")
def add_token(request: Request, who: Viewer, name: str = Form("")) -> HTMLResponse:
    """A new token, shown once."""
    with studio_of(request).database.session() as session:
        person = session.get(Person, who.id)
        assert person is not None
        secret = accounts.new_token(session, person, name)
        record(session, who.name, "new token", name[:100])
    return _me(request, who, secret)


@router.post("/me/tokens/{token_id}/delete")
def drop_token(request: Request, token_id: int, who: Viewer) -> Response:
    """A token that holds no more."""
    with studio_of(request).database.session() as session:
        token = session.get(Token, token_id)
        if token is None or token.person_id != who.id:
            raise HTTPException(404, "You have no such token.")
        session.delete(token)
        record(session, who.name, "delete token", token.name)
    return RedirectResponse("/me", 303)


def _me(request: Request, who: Who, secret: str) -> HTMLResponse:
    with studio_of(request).database.session() as session:
        tokens = session.scalars(select(Token).where(Token.person_id == who.id).order_by(Token.id)).all()
    return page(request, "me.html", who, tokens=tokens, secret=secret)


def _role(role: str) -> None:
    if role not in ROLES:
        raise UsageError(f"a role is one of {', '.join(ROLES)}")


def _from_here(request: Request) -> None:
    """A form without a sign-in has no csrf value: the browser tells where it comes from."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host", ""):
        raise HTTPException(403, "This form is not from this page.")
