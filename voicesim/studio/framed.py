"""Score cards, suite pages, comparisons and sweeps inside the studio: each in an origin of its own, with links that
lead out of it to the studio's own pages."""

import html
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from fastapi.responses import HTMLResponse

from voicesim.errors import VoicesimError
from voicesim.judge.kept import load_verdicts
from voicesim.judge.model import Verdicts
from voicesim.recording import files
from voicesim.report import sweep_page
from voicesim.report.many.read import rows_of
from voicesim.report.many.suite_page import suite_page
from voicesim.report.many.write import COMPARISON_PAGE, write_comparison
from voicesim.report.write import card_of
from voicesim.results.read import open_suite
from voicesim.results.sweep import SWEEP, read_sweep
from voicesim.studio.guard import FRAMED

_CARD = re.compile(r'href="((?:[^"#?]*/)?[^"/#?]+)/scorecard\.html(#[^"]*)?"')


def card(folder: Path, judge: str = "") -> str:
    """The score card of a recording by the verdicts of a judge, "" for the newest ones. Nothing is written.

    Raises VoicesimError when a step before this one has not been run, or that judge has not judged it.
    """
    verdicts, path = load_verdicts(folder, judge or None), folder / files.SCORECARD
    if not judge and path.is_file() and path.stat().st_mtime_ns >= _newest(folder):
        return path.read_text(encoding="utf-8")
    return card_of(folder, verdicts.judge)[0]


def suite(folder: Path, judge: str = "") -> str:
    """The page of a suite, by its own verdicts or those of one judge."""
    opened = open_suite(folder)
    return suite_page(opened.run.title or opened.run.suite, rows_of(opened, folder, judge))


def sweep(folder: Path) -> str:
    """The page of a sweep."""
    return sweep_page.page(read_sweep(folder))


def is_sweep(folder: Path) -> bool:
    """Whether a suite is a sweep as well."""
    return (folder / SWEEP).is_file()


def comparison(folders: Sequence[Path], judge: str = "", *, anyway: bool = False) -> str:
    """The page that compares suites, or the agents of one."""
    with tempfile.TemporaryDirectory(prefix="voicesim-") as scratch:
        write_comparison(folders, Path(scratch), judge=judge, anyway=anyway)
        return (Path(scratch) / COMPARISON_PAGE).read_text(encoding="utf-8")


def framed(made: Callable[[], str], inside: str = "") -> HTMLResponse:
    """What a page gives, for a frame of the studio; or what is wrong, where it gives nothing.

    `inside` is the suite that links to cards lead into when they name none.
    """
    headers = {"content-security-policy": FRAMED}
    try:
        return HTMLResponse(led_out(made(), inside), headers=headers)
    except VoicesimError as error:
        says = html.escape(str(error))
        return HTMLResponse(f"<!doctype html><html lang=en><title>Nothing to show</title><p>{says}</p>", 422, headers)


def led_out(text: str, inside: str = "") -> str:
    """The page with links to cards as links to visits, which open in place of the whole page and not in the frame.

    >>> led_out('<a href="call-1/scorecard.html#check-rest">', "cold")
    '<a href="/visits/cold/call-1#check-rest" target="_top">'
    >>> led_out('<a href="../../data/recordings/warm/call-1/scorecard.html">')
    '<a href="/visits/warm/call-1" target="_top">'
    """

    def out(link: re.Match[str]) -> str:
        parts = [part for part in link[1].split("/") if part not in ("", ".", "..")]
        place = "/".join(parts[-2:] if len(parts) > 1 else [inside, *parts])
        return f'href="/visits/{place}{link[2] or ""}" target="_top"'

    return _CARD.sub(out, text)


def judges_of(folder: Path) -> list[str]:
    """The judges whose verdicts are kept with a recording, the newest first; files that cannot be read are left out."""
    paths = sorted((folder / files.VERDICTS).glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    names = []
    for path in paths:
        try:
            names.append(files.load(folder, f"{files.VERDICTS}/{path.name}", Verdicts).judge)
        except VoicesimError:
            continue
    return names


def _newest(folder: Path) -> int:
    """When anything that a card is made from was last written."""
    paths = [folder / files.MANIFEST, folder / files.METRICS, *(folder / files.VERDICTS).glob("*.json")]
    return max(path.stat().st_mtime_ns for path in paths if path.is_file())
