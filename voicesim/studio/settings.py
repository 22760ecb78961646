"""How a studio is set up: from the command line and from VOICESIM_STUDIO_* in the environment, once, at the start."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voicesim.errors import UsageError, near
from voicesim.studio.roles import ROLES

PREFIX = "VOICESIM_STUDIO_"
DATABASE_FILE = "studio.sqlite3"


@dataclass(frozen=True)
class Provider:
    """An OIDC provider that people sign in with. `secret` is read from the environment and never written."""

    issuer: str
    client_id: str
    secret: str = field(repr=False)
    role: str = "viewer"
    """The role that whoever signs in for the first time is given."""


@dataclass(frozen=True)
class Settings:
    """Where a studio keeps its things, who may reach it, and what its visits may call.

    `data` holds recordings, case versions and, unless `database` is another URL, the database. `agents` are patterns
    of addresses (`wss://*.example.com/*`) that visits may call; with none, any address may be called from loopback
    and only reference agents from elsewhere. `retention_days`: visits older than that are deleted, with their sound.
    `model` compares reasons and proposes wordings, by name or the id of a model file; "" for none.
    `sample`: a studio without a call is given the one that came with voicesim.
    """

    data: Path
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8777
    sign_in: bool = True
    public_url: str = ""
    agents: tuple[str, ...] = ()
    retention_days: int | None = None
    provider: Provider | None = None
    at_once: int | None = None
    model: str = ""
    sample: bool = True

    @property
    def database_url(self) -> str:
        """The database as a URL of SQLAlchemy."""
        return self.database or f"sqlite:///{self.data.resolve() / DATABASE_FILE}"

    @property
    def recordings(self) -> Path:
        """The folder under which every recording lies: SUITE/CALL."""
        return self.data / "recordings"

    @property
    def loopback(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return is_loopback(self.host)

    @property
    def url(self) -> str:
        """Where people open it."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def secure(self) -> bool:
        """Whether it is reached by HTTPS only, so that cookies may say so."""
        return self.url.startswith("https://")


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked(settings: Settings) -> Settings:
    """The settings as they are. Raises UsageError for some that would let strangers in."""
    if not settings.sign_in and not settings.loopback:
        raise UsageError(f"without sign-in the studio answers this machine only, not {settings.host}")
    if not settings.loopback and settings.public_url and not settings.secure:
        raise UsageError(f"{settings.public_url}: people sign in over HTTPS only; put a proxy with TLS in front")
    return settings


def provider_from(environment: Mapping[str, str] = os.environ) -> Provider | None:
    """The OIDC provider that the environment names, if it names one. Raises UsageError for half of one."""
    keys = {key: environment.get(f"{PREFIX}OIDC_{key}", "") for key in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET")}
    if not any(keys.values()):
        return None
    if missing := [f"{PREFIX}OIDC_{key}" for key, value in keys.items() if not value]:
        raise UsageError(f"sign-in by OIDC needs {', '.join(missing)} as well")
    role = environment.get(f"{PREFIX}OIDC_ROLE", "viewer")
    if role not in ROLES:
        raise UsageError(f"{PREFIX}OIDC_ROLE: a role is one of {', '.join(ROLES)}, not {role!r}.{near(role, ROLES)}")
    return Provider(keys["ISSUER"].rstrip("/"), keys["CLIENT_ID"], keys["CLIENT_SECRET"], role)
