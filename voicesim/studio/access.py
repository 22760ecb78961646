"""Who may do what: every route names the least role it needs, or says that anybody may come."""

import hmac
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from starlette.concurrency import run_in_threadpool

from voicesim.studio import accounts
from voicesim.studio.roles import ROLES as ROLES
from voicesim.studio.roles import Role as Role
from voicesim.studio.state import Studio, studio_of
from voicesim.studio.tables.people import Person

CSRF_FIELD, CSRF_HEADER = "csrf", "x-csrf-token"
_READS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Who:
    """The person a request comes from. `csrf` is what its forms have to hold; "" for a program with a token."""

    id: int
    name: str
    role: Role
    csrf: str = ""

    def may(self, role: str) -> bool:
        """Whether this person has at least a role, by its name."""
        return self.role >= Role[role]


class SignInNeededError(Exception):
    """Nobody is signed in; a page sends its reader to the sign-in."""


def needs(role: Role) -> Any:
    """The dependency of a route that only people with a role may use.

    Answers 401 to nobody (a page leads to the sign-in), 403 to a lower role, and 403 to a form that comes from
    elsewhere: whatever is not read only has to hold the csrf value of its sign-in.
    """

    async def dependency(request: Request) -> Who:
        who = await _who(request)
        if who.role < role:
            raise HTTPException(403, f"this needs the role {role.name}; {who.name} is a {who.role.name}")
        return who

    dependency.role = role  # type: ignore[attr-defined]
    return Depends(dependency)


Viewer = Annotated[Who, needs(Role.viewer)]
Operator = Annotated[Who, needs(Role.operator)]
Reviewer = Annotated[Who, needs(Role.reviewer)]
Clinician = Annotated[Who, needs(Role.clinician)]
Admin = Annotated[Who, needs(Role.admin)]


def anybody(_: Request) -> None:
    """The dependency of a route that needs no sign-in."""


def role_of(dependency: object) -> Role | None:
    """The role that a dependency asks for; None for any other dependency."""
    return getattr(dependency, "role", None)


async def _who(request: Request) -> Who:
    header = request.headers.get("authorization", "")
    if header.lower().startswith("bearer "):
        return await run_in_threadpool(_by_token, studio_of(request), header[7:].strip())
    who = await run_in_threadpool(_by_cookie, request, studio_of(request))
    if request.method not in _READS:
        await check_form(request, who.csrf)
    return who


def _by_token(studio: Studio, secret: str) -> Who:
    with studio.database.session() as session:
        person = accounts.by_token(session, secret)
        if person is None:
            raise HTTPException(401, "this token is not known", {"WWW-Authenticate": "Bearer"})
        return _as_who(person)


def _by_cookie(request: Request, studio: Studio) -> Who:
    with studio.database.session() as session:
        entry = accounts.signed_in(session, request.cookies.get(accounts.COOKIE))
        if entry is not None:
            return _as_who(entry.person, entry.csrf)
        if studio.settings.sign_in or request.method not in _READS:
            raise SignInNeededError
        # Without sign-in, this machine's browser gets a cookie all the same: forms from elsewhere do not have it.
        request.state.new_cookie = accounts.sign_in(session, accounts.local_person(session))
        session.flush()
        entry = accounts.signed_in(session, request.state.new_cookie)
        assert entry is not None
        return _as_who(entry.person, entry.csrf)


async def check_form(request: Request, csrf: str) -> None:
    """Raises 403 for a request that changes something and does not hold the csrf value."""
    given = request.headers.get(CSRF_HEADER, "")
    kind = request.headers.get("content-type", "")
    if not given and kind.startswith(("application/x-www-form-urlencoded", "multipart/form-data")):
        given = str((await request.form()).get(CSRF_FIELD, ""))
    if not csrf or not hmac.compare_digest(given.encode(), csrf.encode()):
        raise HTTPException(403, "this form is not from this page, or too old; go back and load it again")


def _as_who(person: Person, csrf: str = "") -> Who:
    return Who(person.id, person.name, Role[person.role], csrf)
