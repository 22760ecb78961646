"""Pages: templates that escape whatever they are given, their styles and scripts, and the policy they live under."""

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from voicesim.report import wording

if TYPE_CHECKING:
    from jinja2 import Environment

_FILTERS = ("clock", "span", "whole_seconds", "percent", "spaced", "date", "number", "points", "whole_percent")


def render(name: str, styles: Sequence[str], scripts: Sequence[str], content: dict[str, Any]) -> str:
    """A page of a template in `page/`, with its styles and scripts inside; the same content gives the same text.

    Text of a call is only ever text in it: it is escaped in the markup, and the page's policy lets no script run but
    its own. Raises jinja2's UndefinedError for a name that the content lacks.
    """
    style, script = _joined(styles), _joined(scripts)
    page = {"policy": _policy(style, script), "style": Markup(style), "script": Markup(script)}
    return environment("voicesim.report", "page").get_template(name).render(page | content)


def environment(package: str, folder: str) -> "Environment":
    """The templates in a package's folder: they escape what they are given, and write values as people read them."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=wording.shown,
    )
    made.filters |= {name: getattr(wording, name) for name in _FILTERS}
    return made


def _joined(names: Sequence[str]) -> str:
    folder = resources.files("voicesim.report") / "page"
    return "\n" + "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _policy(style: str, script: str) -> str:
    """Nothing is loaded from anywhere, and only this style and this script apply."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")

    return (
        f"default-src 'none'; script-src 'sha256-{digest(script)}'; style-src 'sha256-{digest(style)}'; "
        "img-src data:; media-src data:; base-uri 'none'; form-action 'none'"
    )
