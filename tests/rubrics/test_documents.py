"""Evidence as it lies in folders: Markdown, text, HTML, PDF; sources, passages, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicesim.errors import CatalogueError, UsageError
from voicesim.rubrics.documents import read_document, read_folder

HTML = """<html><head><title>Label</title><script>alert("x")</script></head><body><nav>Home</nav>
<h2>Warnings</h2><p>Do not give   aspirin to children.</p><ul><li>Ask a doctor first.</li></ul></body></html>"""


def test_markdown_with_its_head_gives_source_and_passages(tmp_path: Path) -> None:
    head = "---\ntitle: A label\npublisher: FDA\ndate: 2024-02-03\nurl: https://x.test\ncases: [a, b]\n---\n"
    text = f"{head}# Top\n\nOne. Two.\n\n- an *item*\n"
    (tmp_path / "label.md").write_text(text)
    document = read_document(tmp_path / "label.md")
    source = document.source
    told = (source.id, source.title, source.publisher, str(source.published))
    assert told == ("label", "A label", "FDA", "2024-02-03")
    assert document.cases == ("a", "b")
    assert [(part.heading, part.text) for part in document.passages] == [("Top", "One. Two."), ("Top", "an *item*")]
    assert document.passages[0].sentences == ("One.", "Two.")


def test_html_keeps_what_is_read_and_nothing_of_scripts_and_menus(tmp_path: Path) -> None:
    (tmp_path / "label.html").write_text(HTML)
    document = read_document(tmp_path / "label.html")
    assert document.source.title == "Label"
    assert [part.text for part in document.passages] == ["Do not give aspirin to children.", "Ask a doctor first."]
    assert document.passages[0].heading == "Warnings"


def test_pdf_is_read_and_a_file_beside_it_tells_its_source(tmp_path: Path) -> None:
    pdf = tmp_path / "label.pdf"
    pdf.write_bytes(made_pdf("Do not exceed 4000 mg in 24 hours."))
    (tmp_path / "label.pdf.yaml").write_text("title: Paracetamol\npublisher: FDA\ndate: 2025-01-02\n")
    document = read_document(pdf)
    assert "Do not exceed 4000 mg in 24 hours." in document.text
    assert (document.source.title, document.source.publisher) == ("Paracetamol", "FDA")


def made_pdf(words: str) -> bytes:
    """A PDF of one line of text, written out by hand."""
    stream = f"BT /F1 12 Tf 72 720 Td ({words}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, part in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(body))
    return body + head + table + end


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.pdf", b"no pdf", "cannot be read as PDF"),
        ("a.md", b"\xff\xfe\x00", "is not UTF-8"),
        ("a.md", b"---\ntitle: [\n---\nText.", "is not YAML"),
        ("a.md", b"---\ndate: someday\n---\nText.", "date"),
        ("a.md", b"   \n", "no text"),
    ],
)
def test_what_cannot_be_read_is_told_by_file(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CatalogueError, match=told) as refused:
        read_document(tmp_path / name)
    assert name in str(refused.value)


def test_a_folder_without_documents_and_two_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no documents"):
        read_folder(tmp_path)
    (tmp_path / "a.md").write_text("One.")
    (tmp_path / "a.txt").write_text("Two.")
    with pytest.raises(UsageError, match="two documents"):
        read_folder(tmp_path)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "a.md"
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
    told = ""
    try:
        read = len(read_document(path).passages)
    except CatalogueError as error:
        read, told = 0, str(error)
    assert read or "a.md" in told
