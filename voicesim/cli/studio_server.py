"""Starting the studio's server, and what it says before it answers."""

import importlib.util
import socket
import sys
import webbrowser
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from voicesim.cli.telling import echo
from voicesim.errors import UsageError

if TYPE_CHECKING:
    from voicesim.studio.settings import Settings

PACKAGES = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "pwdlib", "authlib", "django_htmx", "prometheus_client")


def serve(settings: "Settings", *, admin: str, open_browser: bool) -> None:
    """Answer until Ctrl-C or SIGTERM. Raises UsageError for what is missing or cannot be had."""
    if missing := [name for name in PACKAGES if importlib.util.find_spec(name) is None]:
        raise UsageError(f"the studio needs {', '.join(missing)}: pip install 'voicesim[studio]'")
    import uvicorn

    from voicesim.studio.app import create_app

    listener = _listener(settings.host, settings.port)
    settings = replace(settings, port=listener.getsockname()[1])
    app = create_app(settings)
    opened = settings.url
    if settings.sign_in:
        opened = first_link(settings, admin) or settings.url
    echo(f"studio: {opened}")
    if not settings.sign_in:
        echo("no sign-in: it answers this machine alone")
    if open_browser:
        webbrowser.open(opened)
    config = uvicorn.Config(
        app,
        log_level="warning",
        proxy_headers=bool(settings.public_url),
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listener])


def first_link(settings: "Settings", admin: str) -> str:
    """Make the first account, or a link by which somebody makes it; "" when there are accounts already."""
    from sqlalchemy import select

    from voicesim.studio import accounts
    from voicesim.studio.database import open_database
    from voicesim.studio.tables.people import Person

    database = open_database(settings.database_url)
    try:
        with database.session() as session:
            if session.scalar(select(Person.id).where(Person.name != accounts.LOCAL).limit(1)) is not None:
                if admin:
                    raise UsageError("there are accounts already; an admin invites others on the page People")
                return ""
            if not admin:
                return f"{settings.url}/welcome/{accounts.invite(session, 'admin')}"
            accounts.add_person(session, admin, "admin", _password())
            return ""
    finally:
        database.close()


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("password", hide_input=True, confirmation_prompt=True))


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # a browser that is quicker than the server waits, and is not refused
    except OSError as error:
        listener.close()
        raise UsageError(f"{host}:{port} cannot be used: {error.strerror}; choose another with --port") from error
    return listener
