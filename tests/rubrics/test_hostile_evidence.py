"""Evidence from strangers: bounded in time and memory, read in its folder alone, and only ever text."""

import time
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from test_documents import made_pdf

from voicesim.errors import CatalogueError
from voicesim.rubrics import reading
from voicesim.rubrics.documents import read_document, read_folder
from voicesim.rubrics.files import to_yaml
from voicesim.rubrics.model import Criterion, Rubric

LONG = 200_000
SLOW = {
    "brackets": "[" * LONG,
    "links that never close": "[a](" * (LONG // 4),
    "a heading of blanks": "# a" + " " * LONG + "x",
    "a head of lines": "---" + "\n" * LONG,
    "heads that never end": "---\n" * (LONG // 4) + "x",
    "short forms": "e.g. " * (LONG // 5),
    "marks that end nothing": "!" * LONG + "x",
    "emphasis": "**a " * (LONG // 4),
    "bullets": "\n- a" * (LONG // 4),
    "quotes": '."' * (LONG // 2),
    "blanks": "a" + " " * LONG + "b",
    "sentences": "Take two. " * (LONG // 10),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_long_text_is_gone_through_once(tmp_path: Path, name: str) -> None:
    """Each of these took minutes to hours when every place in it was looked at from every other."""
    (tmp_path / "a.md").write_text(SLOW[name])
    begun = time.thread_time()
    with suppress(CatalogueError):
        read_document(tmp_path / "a.md")
    assert time.thread_time() - begun < 5


HEADS = {
    "aliases": "a: &a [x]\nb: &b [*a, *a]\ntitle: *b",
    "nesting": "[" * 10_000,
    "a tag": "title: !!python/object/apply:os.system ['true']",
    "a day that is none": "date: 2024-99-99",
    "a title that is a list": "title: [1, 2]",
    "a long number": f"title: {'9' * 5_000}",
    "much": "title: " + "x" * 300_000,
    "a key that is a list": "? [1]\n: 2",
}


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("name", HEADS)
def test_a_head_that_is_an_attack_is_an_error_by_file(tmp_path: Path, name: str, beside: bool) -> None:
    head = HEADS[name]
    (tmp_path / "a.md").write_text("Text." if beside else f"---\n{head}\n---\nText.")
    if beside:
        (tmp_path / "a.md.yaml").write_text(head)
    with pytest.raises(CatalogueError, match=r"a\.md"):
        read_document(tmp_path / "a.md")


@pytest.mark.parametrize("name", ["stolen.md", "more", "a.md.yaml"])
def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    """What is quoted from evidence goes to the servers of models."""
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    (tmp_path / "secret.md").write_text("title: the password is tulip")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "more.md").write_text("The password is tulip.")
    (evidence / "a.md").write_text("Text.")
    (evidence / name).symlink_to(tmp_path / ("secrets" if name == "more" else "secret.md"))
    if name == "more":
        assert "tulip" not in "".join(document.text for document in read_folder(evidence))
        (evidence / "b.md").symlink_to(evidence / "more" / "more.md")
    with pytest.raises(CatalogueError, match="leads out of the folder"):
        read_folder(evidence)


def test_a_link_inside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    (tmp_path / "b.md").symlink_to(tmp_path / "a.md")
    assert len(read_folder(tmp_path)) == 2


def pdf_of(packed: bytes, filters: bytes) -> bytes:
    """A PDF whose page is drawn by a packed stream."""
    pdf = made_pdf("x")
    stream = pdf[pdf.index(b"<< /Length") : pdf.index(b"endstream")]
    return pdf.replace(stream, b"<< /Length %d /Filter %s >>\nstream\n%s\n" % (len(packed), filters, packed))


def test_a_pdf_that_unpacks_to_gigabytes_is_refused_in_time(tmp_path: Path) -> None:
    bomb = zlib.compress(zlib.compress(b"0" * 200_000_000, 9), 9)
    assert len(bomb) < 10_000
    (tmp_path / "a.pdf").write_bytes(pdf_of(bomb, b"[/FlateDecode /FlateDecode]"))
    begun = time.monotonic()
    with pytest.raises(CatalogueError, match=r"a\.pdf: (?:cannot be read as PDF|there is no text)"):
        read_document(tmp_path / "a.pdf")
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"/Kids [3 0 R]", b"/Kids [2 0 R]"),
        (b"/Count 1", b"/Count 99999999"),
        (b"/Root 1 0 R", b"/Root 9 0 R"),
        (b"/Contents 4 0 R", b"/Contents [4 0 R"),
        (b"/Type /Font", b"/Type 5"),
        (b"startxref\n", b"startxref\n-"),
        (b"/Parent 2 0 R", b"/Parent 3 0 R"),
    ],
)
def test_a_broken_pdf_is_read_or_an_error(tmp_path: Path, old: bytes, new: bytes) -> None:
    pdf = made_pdf("Drink water.")
    assert old in pdf
    (tmp_path / "a.pdf").write_bytes(pdf.replace(old, new))
    told = ""
    try:
        text = read_document(tmp_path / "a.pdf").text
    except CatalogueError as error:
        text, told = "", str(error)
    assert "Drink water." in text or "a.pdf" in told


PAGES = {
    "blocks in blocks": "<blockquote>" * 5_000 + "word " * 20_000,
    "tags that never close": "<p" * 200_000,
    "comments that never close": "<!--" * 50_000,
    "declarations": "<![" * 50_000,
    "attributes": "<p " + "a=b " * 50_000 + ">x",
    "entities": "&" * 200_000,
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_an_attack_is_read_or_refused_in_time(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "SECONDS", 2)
    (tmp_path / "a.html").write_text(f"<html><body><p>Drink water.</p>{PAGES[name]}")
    begun = time.monotonic()
    text, told = "", ""
    try:
        text = read_document(tmp_path / "a.html").text
    except CatalogueError as error:
        told = str(error)
    assert "Drink water." in text or "within 2 s" in told or "cannot be read as HTML" in told
    assert len(text) < 5_000_000
    assert time.monotonic() - begun < 15


def test_a_page_gives_no_markup_and_reads_nothing_else(tmp_path: Path) -> None:
    page = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><p>&e; &lt;script&gt;x&lt;/script&gt;</p>'
    (tmp_path / "a.html").write_text(page)
    text = read_document(tmp_path / "a.html").text
    assert Path("/etc/hostname").read_text().strip() not in text
    assert "<script>x</script>" in text  # words of the page, which pages of voicesim escape


def test_who_drafted_a_rubric_adds_nothing_to_its_file() -> None:
    criterion = Criterion(id="c1", says="Says it.", axis="accuracy", points=5)
    rubric = Rubric(id="r", question="What?", drafted_by="me\nquestion: another\n\x1b", criteria=(criterion,))
    assert yaml.safe_load(to_yaml(rubric))["question"] == "What?"
