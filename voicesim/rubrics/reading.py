"""HTML and PDF, read in a process of its own that may take so much time and memory, and no more.

`python -m voicesim.rubrics.reading FILE` prints {"text", "title"} as JSON. A page or PDF comes from anybody: a few
bytes of it can unpack to gigabytes, or lead its reader round in circles.
"""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from voicesim.errors import CatalogueError, UsageError

SECONDS = 60
"""That a document may take."""
MEMORY = 2 * 2**30
"""Bytes that the process may hold, where the system can bound them."""
MOST_CHARACTERS = 2_000_000
"""Of the text of one document."""
_MISSING = 3
"""Exit code when the extra is not installed."""
_BLOCKS = ["h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "td", "th", "dd", "dt", "blockquote"]
_UNREAD = ["script", "style", "nav", "header", "footer", "noscript", "template", "title", "svg", "form"]


def read_apart(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of an HTML or PDF file, and its title, if it tells one.

    Raises CatalogueError for one that cannot be read within the bounds, UsageError without the extra.
    """
    command = [sys.executable, "-m", "voicesim.rubrics.reading", str(path.absolute())]
    kind = "PDF" if path.suffix.lower() == ".pdf" else "HTML"
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise CatalogueError(f"cannot be read as {kind} within {SECONDS} s", file=str(path)) from error
    if done.returncode == _MISSING:
        raise UsageError(f"{path}: {kind} needs `pip install 'voicesim[parse]'`")
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it took too much memory"]
        raise CatalogueError(f"cannot be read as {kind}: {why[0][:300]}", file=str(path))
    content = json.loads(done.stdout)
    return content["text"], {"title": content["title"]} if content["title"] else {}


def main() -> None:
    """Read the file that is named; exit code 1 and the reason on stderr when it cannot be read."""
    path = Path(sys.argv[1])
    _bound()
    try:
        text, title = (_pdf if path.suffix.lower() == ".pdf" else _html)(path)
    except ImportError:
        sys.exit(_MISSING)
    except Exception as error:  # noqa: BLE001 - parsers of strangers' files fail in every way
        sys.exit(f"{type(error).__name__}: {error}")
    shown = text[:MOST_CHARACTERS].encode("utf-8", "replace").decode()
    json.dump({"text": shown, "title": title[:1_000].encode("utf-8", "replace").decode()}, sys.stdout)


def _bound() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def _html(path: Path) -> tuple[str, str]:
    from bs4 import BeautifulSoup

    page = BeautifulSoup(path.read_bytes(), "html.parser")
    title = page.title.get_text(" ", strip=True) if page.title else ""
    for part in page(_UNREAD):
        part.decompose()
    blocks: list[str] = []
    length = 0
    for part in page.find_all(_BLOCKS):
        if part.find(_BLOCKS) is None:  # or its words would stand there once for each block around them
            words = " ".join(part.get_text(" ").split())
            blocks.append(f"{'#' * int(part.name[1])} {words}" if part.name[0] == "h" and words else words)
            length += len(words)
        if length > MOST_CHARACTERS:
            break
    return "\n\n".join(block for block in blocks if block) or page.get_text("\n\n"), title


def _pdf(path: Path) -> tuple[str, str]:
    from pypdf import PdfReader

    reader = PdfReader(path)
    pages: list[str] = []
    for page in reader.pages:
        pages.append(page.extract_text())
        if sum(map(len, pages)) > MOST_CHARACTERS:
            break
    title = (reader.metadata.title if reader.metadata else None) or ""
    # A line break inside a sentence is the page's, not the text's; a word cut at one is whole again.
    return re.sub(r"(\w)-\n(\w)", r"\1\2", "\n\n".join(pages)), str(title)


if __name__ == "__main__":
    main()
