"""The studio's pages: templates that escape whatever they are given."""

from functools import lru_cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment

from voicesim import __version__
from voicesim.report.template import environment
from voicesim.studio.access import Who
from voicesim.studio.guard import SANDBOX


def page(request: Request, template: str, who: Who | None = None, status: int = 200, **content: Any) -> HTMLResponse:
    """A page of a template in `templates/`. `who` is the reader; None for a page without sign-in."""
    given = {
        "who": who,
        "path": request.url.path,
        "version": __version__,
        "sandbox": SANDBOX,
        "partial": "hx-request" in request.headers,
    }
    return HTMLResponse(_templates().get_template(template).render(given | content), status)


@lru_cache(maxsize=1)
def _templates() -> Environment:
    return environment("voicesim.studio", "templates")
