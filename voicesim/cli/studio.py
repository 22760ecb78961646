"""`voicesim studio`: the playground in the browser."""

from pathlib import Path
from typing import Annotated

import typer


def studio(
    data: Annotated[Path, typer.Option(help="Folder for recordings, versions of cases and the database.")] = Path(
        "studio"
    ),
    host: Annotated[
        str, typer.Option(help="Address to answer at; anything but this machine needs sign-in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to answer at.")] = 8777,
    database: Annotated[
        str, typer.Option(envvar="VOICESIM_STUDIO_DATABASE", help="postgresql://... in place of SQLite.")
    ] = "",
    sign_in: Annotated[
        bool,
        typer.Option("--sign-in/--no-sign-in", help="Without sign-in, this machine alone is answered."),
    ] = True,
    public_url: Annotated[
        str, typer.Option(envvar="VOICESIM_STUDIO_URL", help="Where people reach it, when a proxy stands in front.")
    ] = "",
    allow_agent: Annotated[
        list[str] | None, typer.Option(help="Pattern of agents that visits may call, such as 'wss://*.example.com/*'.")
    ] = None,
    retention_days: Annotated[
        int | None, typer.Option(min=1, help="Delete visits that are older, with their sound.")
    ] = None,
    at_once: Annotated[
        int | None, typer.Option(min=1, max=64, help="Visits side by side; left out, as many as fit.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            envvar="VOICESIM_STUDIO_MODEL",
            help="Compares reasons and proposes wordings: openai:MODEL, or the id of a model file.",
        ),
    ] = "",
    admin: Annotated[
        str, typer.Option(help="Make the first account with this name; its password is asked for, or read from a pipe.")
    ] = "",
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Pick a case, run a visit, watch and hear it, read its score card, review what is disputed.

    The first start makes a link for the first account. With --no-sign-in it is ready at once, for this machine alone.
    """
    from voicesim.cli.studio_server import serve
    from voicesim.studio.settings import Settings, checked, provider_from

    settings = checked(
        Settings(
            data=data,
            database=database,
            host=host,
            port=port,
            sign_in=sign_in,
            public_url=public_url,
            agents=tuple(allow_agent or ()),
            retention_days=retention_days,
            provider=provider_from(),
            at_once=at_once,
            model=model,
        )
    )
    serve(settings, admin=admin, open_browser=open_browser)
