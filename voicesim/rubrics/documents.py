"""A folder of evidence -> documents with their sources and their passages.

Markdown and text need nothing more; HTML and PDF need the extra `parse`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from voicesim.catalog.load import id_from_name
from voicesim.catalog.problems import Problem, ProblemsError
from voicesim.catalog.yaml_tree import read_yaml
from voicesim.errors import CatalogueError, UsageError
from voicesim.language.sentences import split
from voicesim.rubrics.model import Source
from voicesim.rubrics.reading import MOST_CHARACTERS, read_apart

MOST_BYTES = 20_000_000
"""Of one document; a longer file is refused before it is read."""
_HEADING = re.compile(r"^#{1,6}\s+(.*)$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_MARKS = re.compile(r"(\*\*|__|`)(.+?)\1")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
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
    _refuse_links(folder, paths)
    if not paths:
        raise UsageError(f"{folder}: no documents in it ({', '.join(READERS)})")
    documents = [read_document(path) for path in paths]
    ids = [document.source.id for document in documents]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice:
        raise UsageError(f"{folder}: two documents have the id {twice!r}; rename one, or give it an `id` of its own")
    return tuple(documents)


def _refuse_links(folder: Path, paths: Iterable[Path]) -> None:
    """What is quoted from a folder goes into rubrics, and to the servers of models: it must lie in the folder."""
    for path in paths:
        for each in (path, path.with_name(f"{path.name}.yaml")):
            if not each.resolve().is_relative_to(folder.resolve()):
                raise CatalogueError("is a link that leads out of the folder of evidence", file=str(each))


def read_document(path: Path) -> Document:
    """One document. Raises CatalogueError when it cannot be read, UsageError when an extra is missing."""
    if path.stat().st_size > MOST_BYTES:
        raise CatalogueError(f"is larger than {MOST_BYTES // 1_000_000} MB", file=str(path))
    text, head = READERS[path.suffix.lower()](path)
    beside = path.with_name(f"{path.name}.yaml")
    if beside.is_file():
        head = {**head, **_mapping(_text_of(beside), beside)}
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
            heading = _title_of(title)
            lines = lines[1:]
        words = " ".join(" ".join(lines).split())
        words = _LINK.sub(r"\1", _MARKS.sub(r"\2", _BULLET.sub("", words)))
        if words:
            yield Passage(source, heading, words, tuple(split(words)))


def _title(text: str) -> str:
    titles = (_HEADING.match(line) for line in text.splitlines())
    return next((_title_of(title) for title in titles if title), "")


def _title_of(heading: re.Match[str]) -> str:
    return heading[1].strip().rstrip("#").strip()


def _markdown(path: Path) -> tuple[str, dict[str, Any]]:
    text = _text_of(path)
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return text, {}
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), None)
    if end is None:
        return text, {}
    return "\n".join(lines[end + 1 :]), _mapping("\n".join(lines[1:end]), path)


def _mapping(text: str, path: Path) -> dict[str, Any]:
    """What a head tells, read as strictly as a catalogue file: no aliases, no tags, no endless nesting."""
    try:
        head = read_yaml(text, str(path)).data
    except CatalogueError as error:
        raise CatalogueError(f"what is told about it is not YAML: {error}", file=str(path)) from error
    if not isinstance(head, dict):
        raise CatalogueError("what is told about it must be keys such as `title:`", file=str(path))
    return head


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise CatalogueError("is not UTF-8", file=str(path)) from error


def _text(path: Path) -> tuple[str, dict[str, Any]]:
    return _text_of(path), {}


READERS: dict[str, Callable[[Path], tuple[str, dict[str, Any]]]] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _text,
    ".html": read_apart,
    ".htm": read_apart,
    ".pdf": read_apart,
}
"""How each kind of file is read: its text, and what it tells of itself."""
