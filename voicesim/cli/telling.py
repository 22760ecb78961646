"""What commands say, where the words of agents, files and strangers are text and no order to the terminal."""

import typer

from voicesim.report.wording import inert_json, visible


def echo(what: object = "", *, err: bool = False, nl: bool = True, is_json: bool = False) -> None:
    """Print a text; characters that would command the terminal are spelled out, in JSON as escapes that say the same.

    `err` prints to stderr; `nl` ends the line.
    """
    typer.echo(inert_json(str(what)) if is_json else visible(str(what)), err=err, nl=nl)
