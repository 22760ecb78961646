"""What every live source gives: documents for a question."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from voicesim.catalog.load import id_from_name
from voicesim.errors import UsageError
from voicesim.language.sentences import split
from voicesim.rubrics.documents import Document, Passage
from voicesim.rubrics.model import Source

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

MOST = 3
"""Documents that a source gives for a question."""


class LiveSource(Protocol):
    """A place to look things up. Its file says by which documentation it was written."""

    def search(self, question: str, most: int = MOST) -> list[Document]:
        """Documents for a question, the best ones first. Raises UsageError as `Web.get` does."""
        ...


def document(
    id_: str, title: str, publisher: str, url: str, published: str, parts: Iterable[tuple[str, str]]
) -> Document | None:
    """A document of headings and texts; None without a text. `published` is a day, or anything else for none.

    Raises UsageError for a name or a day that can't be.
    """
    from pathlib import Path

    name = id_from_name(Path(id_))
    passages = tuple(
        Passage(name, heading, text, tuple(split(text)))
        for heading, words in parts
        if (text := " ".join(words.split()))
    )
    if not passages:
        return None
    day = published[:10] if len(published) >= 10 and published[4:5] == "-" else None
    try:
        source = Source(id=name, title=title or name, publisher=publisher, url=url, published=day)
    except ValidationError as error:
        raise UsageError(f"{publisher}: the answer is not of the form expected: {error.errors()[0]['msg']}") from error
    return Document(source, passages)


def read_json(body: bytes, url: str) -> dict[str, Any]:
    """A JSON object. Raises UsageError for anything else."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{url}: the answer is not JSON") from error
    if not isinstance(data, dict):
        raise UsageError(f"{url}: the answer is not of the form expected")
    return data


def read_markup(body: bytes) -> "BeautifulSoup":
    """XML or HTML, read leniently: no entity of a document is ever expanded."""
    try:
        from bs4 import BeautifulSoup
    except ImportError as error:
        raise UsageError("evidence from the web needs `pip install 'voicesim[parse]'`") from error
    return BeautifulSoup(body, "html.parser")
