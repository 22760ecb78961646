"""A folder of evidence -> documents with their sources and their passages.

Markdown and text need nothing more; HTML and PDF need the extra `parse`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from voicesim.catalog.load import id_from_name
from voicesim.catalog.problems import Problem, ProblemsError
from voicesim.errors import CatalogueError, UsageError
from voicesim.language.sentences import split
from voicesim.rubrics.model import Source

MOST_BYTES = 20_000_000
"""Of one document; a longer file is refused before it is read."""
MOST_CHARACTERS = 2_000_000
"""Of the text of one document."""
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_MARKS = re.compile(r"(\*\*|__|`)(.+?)\1")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_OF_A_SOURCE = {"title": "title", "publisher": "publisher", "url": "url", "date": "published", "id": "id"}


@dataclass(frozen=True)
class Passage:
    """A few sentences that belong together: a paragraph or an item of a list, under the headings around it."""

    source: str
    heading: str
    text: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """One document; `text` is its text in reading order, with a blank line between passages."""

    source: Source
    passages: tuple[Passage, ...]
    cases: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n\n".join(passage.text for passage in self.passages)


def read_folder(folder: Path) -> tuple[Document, ...]:
    """All documents of a folder and the folders in it, by name.

    A file beside a document with `.yaml` behind its name (`label.pdf.yaml`) holds what the head of a Markdown file
    does: title, publisher, url, date. Raises UsageError when there is no document, CatalogueError for one that
    cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder of evidence")
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in READERS and path.is_file()]
    if not paths:
        raise UsageError(f"{folder}: no documents in it ({', '.join(READERS)})")
    documents = [read_document(path) for path in paths]
    ids = [document.source.id for document in documents]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice:
        raise UsageError(f"{folder}: two documents have the id {twice!r}; rename one, or give it an `id` of its own")
    return tuple(documents)


def read_document(path: Path) -> Document:
    """One document. Raises CatalogueError when it cannot be read, UsageError when an extra is missing."""
    if path.stat().st_size > MOST_BYTES:
        raise CatalogueError(f"is larger than {MOST_BYTES // 1_000_000} MB", file=str(path))
    text, head = READERS[path.suffix.lower()](path)
    beside = path.with_name(f"{path.name}.yaml")
    if beside.is_file():
        head = {**head, **_mapping(_plain(beside), beside)}
    passages = tuple(_passages(text[:MOST_CHARACTERS], id_ := str(head.get("id") or id_from_name(path))))
    if not passages:
        raise CatalogueError("there is no text in it", file=str(path))
    source = _source({**head, "id": id_, "title": head.get("title") or _title(text) or path.stem}, path)
    cases = head.get("cases") or ()
    return Document(source, passages, tuple(str(case) for case in cases) if isinstance(cases, list) else ())


def _source(head: Mapping[str, Any], path: Path) -> Source:
    fields = {name: head[key] for key, name in _OF_A_SOURCE.items() if head.get(key) is not None}
    if "published" in fields:
        fields["published"] = str(fields["published"])
    try:
        return Source.model_validate(fields)
    except ValidationError as error:
        names = {name: key for key, name in _OF_A_SOURCE.items()}
        raise ProblemsError(
            [Problem(fault["msg"], str(path), names.get(str(fault["loc"][0]), "")) for fault in error.errors()]
        ) from error


def _passages(text: str, source: str) -> Iterator[Passage]:
    heading = ""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|(?<=\n)(?=#{1,6}\s)|(?<=\n)(?<=\S\n)(?=#)", text):
        lines = block.strip().splitlines()
        while lines and (title := _HEADING.match(lines[0])):
            heading = title[1]
            lines = lines[1:]
        words = " ".join(" ".join(lines).split())
        words = _LINK.sub(r"\1", _MARKS.sub(r"\2", _BULLET.sub("", words)))
        if words:
            yield Passage(source, heading, words, tuple(split(words)))


def _title(text: str) -> str:
    titles = (_HEADING.match(line) for line in text.splitlines())
    return next((title[1] for title in titles if title), "")


def _markdown(path: Path) -> tuple[str, dict[str, Any]]:
    text = _plain(path)
    front = _FRONT.match(text)
    return (text[front.end() :], _mapping(front[1], path)) if front else (text, {})


def _mapping(text: str, path: Path) -> dict[str, Any]:
    try:
        head = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CatalogueError(f"what is told about it is not YAML: {error}", file=str(path)) from error
    if not isinstance(head, dict):
        raise CatalogueError("what is told about it must be keys such as `title:`", file=str(path))
    return head


def _plain(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise CatalogueError("is not UTF-8", file=str(path)) from error


def _text(path: Path) -> tuple[str, dict[str, Any]]:
    return _plain(path), {}


def _html(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        from bs4 import BeautifulSoup
    except ImportError as error:
        raise UsageError(f"{path}: HTML needs `pip install 'voicesim[parse]'`") from error
    page = BeautifulSoup(path.read_bytes(), "html.parser")
    title = page.title.get_text(" ", strip=True) if page.title else ""
    for part in page(["script", "style", "nav", "header", "footer", "noscript", "template", "title", "svg", "form"]):
        part.decompose()
    blocks = []
    for part in page.find_all(["h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "td", "th", "dd", "dt", "blockquote"]):
        if part.find(["p", "li", "td"]) is None:
            words = " ".join(part.get_text(" ").split())
            blocks.append(f"{'#' * int(part.name[1])} {words}" if part.name[0] == "h" and words else words)
    text = "\n\n".join(block for block in blocks if block) or page.get_text("\n\n")
    return text, {"title": title} if title else {}


def _pdf(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise UsageError(f"{path}: PDF needs `pip install 'voicesim[parse]'`") from error
    try:
        reader = PdfReader(path)
        pages = [page.extract_text() for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else None) or ""
    except (PyPdfError, ValueError, KeyError, RecursionError) as error:
        raise CatalogueError(f"cannot be read as PDF: {error}", file=str(path)) from error
    # A line break inside a sentence is the page's, not the text's; a word cut at one is whole again.
    text = re.sub(r"(\w)-\n(\w)", r"\1\2", "\n\n".join(pages))
    return text, {"title": title} if title else {}


READERS: dict[str, Callable[[Path], tuple[str, dict[str, Any]]]] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _text,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}
"""How each kind of file is read: its text, and what it tells of itself."""
