"""Accounts, the browsers and programs that are signed in with them, and invitations."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from voicesim.errors import UsageError
from voicesim.studio.database import now
from voicesim.studio.tables.people import Invitation, Person, SignIn, Token

STAYS = timedelta(days=14)
"""How long a browser stays signed in."""
INVITED = timedelta(hours=24)
SHORTEST_PASSWORD = 10
COOKIE = "voicesim_studio"
"""The cookie of a browser that is signed in."""
LOCAL = "local"
"""The person of a studio without sign-in: whoever sits at this machine."""


def secret_hash(secret: str) -> str:
    """What is kept of a cookie, token or link. They are random and long, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """A secret that nobody guesses: 256 random bits."""
    return secrets.token_urlsafe(32)


@lru_cache(maxsize=1)
def _hasher() -> PasswordHash:
    return PasswordHash.recommended()


@lru_cache(maxsize=1)
def _turns() -> BoundedSemaphore:
    """Two passwords are looked at side by side: argon2 takes 64 MB for each, and strangers may send hundreds."""
    return BoundedSemaphore(2)


@lru_cache(maxsize=1)
def _nobodys() -> str:
    """A hash for names that are not there, so that they take as long as names that are."""
    return _hasher().hash(new_secret())


def add_person(
    session: Session, name: str, role: str, password: str | None = None, subject: str | None = None
) -> Person:
    """Make an account. Raises UsageError for a name that is taken or empty, or a password that is too short."""
    wanted = name.strip()
    if not wanted or len(wanted) > 100 or not wanted.isprintable():
        raise UsageError("a name has 1 to 100 characters that can be seen")
    if wanted.lower() == LOCAL and (password or subject):
        raise UsageError(f"{LOCAL} stands for whoever sits at this machine; choose another name")
    if session.scalar(select(Person).where(func.lower(Person.name) == wanted.lower())):
        raise UsageError(f"there is an account {wanted} already")
    person = Person(
        name=wanted,
        role=role,
        password_hash=password_hash(password) if password else None,
        subject=subject,
        active=True,
    )
    session.add(person)
    session.flush()
    return person


def password_hash(password: str) -> str:
    """The argon2 hash of a password. Raises UsageError for one that is too short."""
    if len(password) < SHORTEST_PASSWORD:
        raise UsageError(f"a password has at least {SHORTEST_PASSWORD} characters")
    return _hasher().hash(password)


def by_password(session: Session, name: str, password: str) -> Person | None:
    """The active person with this name and password; takes as long whether there is one or not."""
    person = session.scalar(select(Person).where(func.lower(Person.name) == name.strip().lower()))
    known = (person.password_hash if person else None) or _nobodys()
    with _turns():
        right = _hasher().verify(password, known)
    return person if right and person and person.active and person.password_hash else None


def local_person(session: Session) -> Person:
    """Whoever sits at this machine, who may do everything."""
    person = session.scalar(select(Person).where(Person.name == LOCAL))
    return person or add_person(session, LOCAL, "admin")


def sign_in(session: Session, person: Person) -> str:
    """Sign a browser in; returns what its cookie holds."""
    secret = new_secret()
    session.add(SignIn(hash=secret_hash(secret), person=person, csrf=new_secret(), expires=now() + STAYS))
    return secret


def signed_in(session: Session, cookie: str | None) -> SignIn | None:
    """The sign-in that a cookie stands for, if it still holds."""
    entry = session.get(SignIn, secret_hash(cookie)) if cookie else None
    return entry if entry and aware(entry.expires) > now() and entry.person.active else None


def sign_out(session: Session, cookie: str | None) -> None:
    """Forget a browser."""
    entry = session.get(SignIn, secret_hash(cookie)) if cookie else None
    if entry:
        session.delete(entry)


def by_token(session: Session, secret: str) -> Person | None:
    """The active person in whose name a program comes."""
    token = session.scalar(select(Token).where(Token.hash == secret_hash(secret)))
    if token is None or not token.person.active:
        return None
    token.used = now()
    return token.person


def new_token(session: Session, person: Person, name: str) -> str:
    """A token in a person's name; it is shown once, and only its hash is kept."""
    secret = f"vs_{new_secret()}"
    session.add(Token(person_id=person.id, name=name.strip()[:100] or "token", hash=secret_hash(secret)))
    return secret


def invite(session: Session, role: str) -> str:
    """A secret that makes one account with this role, within a day."""
    secret = new_secret()
    session.add(Invitation(hash=secret_hash(secret), role=role, expires=now() + INVITED))
    return secret


def invitation(session: Session, secret: str) -> Invitation | None:
    """The invitation of a secret, if it was not used and still holds."""
    entry = session.get(Invitation, secret_hash(secret))
    return entry if entry and entry.used is None and aware(entry.expires) > now() else None


def use_invitation(session: Session, secret: str) -> str | None:
    """The role of an invitation that holds, which it does no more after this; None for any other secret.

    Of several who come at the same moment one gets it. It is given back when the session's block ends badly.
    """
    used = update(Invitation).where(
        Invitation.hash == secret_hash(secret), Invitation.used.is_(None), Invitation.expires > now()
    )
    return session.scalar(used.values(used=now()).returning(Invitation.role))


def aware(time: datetime) -> datetime:
    """A time of the database in UTC; SQLite forgets the zone."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
