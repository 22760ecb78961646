"""Live sources against a local server that answers in the forms of the real ones: documents, politeness, faults."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from voicesim.cache import DiskCache
from voicesim.errors import UsageError
from voicesim.rubrics.live import pages, web
from voicesim.rubrics.live.dailymed import DailyMed
from voicesim.rubrics.live.medlineplus import MedlinePlus
from voicesim.rubrics.live.openfda import OpenFda
from voicesim.rubrics.live.pages import Pages
from voicesim.rubrics.live.pubmed import PubMed
from voicesim.rubrics.live.web import Web
from voicesim.rubrics.routing import look_up, sources_for

SET_ID = "0b2e6a1c-1111-4222-8333-444455556666"
ANSWERS: dict[str, tuple[int, str]] = {
    "/esearch.fcgi": (200, json.dumps({"esearchresult": {"idlist": ["101", "x"]}})),
    "/efetch.fcgi": (
        200,
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>101</PMID><Article><ArticleTitle>Acute cough"
        "</ArticleTitle><Abstract><AbstractText Label='RESULTS'>A cough of more than 8 weeks should be examined."
        "</AbstractText></Abstract></Article></MedlineCitation><PubDate><Year>2024</Year><Month>05</Month><Day>06</Day>"
        "</PubDate></PubmedArticle></PubmedArticleSet>",
    ),
    "/drug/label.json": (
        200,
        json.dumps(
            {
                "results": [
                    {
                        "set_id": SET_ID,
                        "effective_time": "20250203",
                        "do_not_use": ["Do not use with any other drug containing acetaminophen."],
                        "id": ["not read"],
                    }
                ]
            }
        ),
    ),
    "/spls.json": (200, json.dumps({"data": [{"setid": SET_ID, "title": "IBUPROFEN tablet"}]})),
    f"/spls/{SET_ID}.xml": (
        200,
        "<document><effectiveTime value='20240709'/><component><section><title>Warnings</title><text>Do not use after "
        "heart surgery.</text></section></component></document>",
    ),
    "/ws/query": (
        200,
        "<nlmSearchResult><list><document rank='0' url='https://medlineplus.gov/commoncold.html'><content name='title'>"
        "<span class='qt0'>Common</span> Cold</content><content name='FullSummary'>&lt;p&gt;Antibiotics do not help."
        "&lt;/p&gt;&lt;p&gt;See a doctor if it lasts more than 10 days.&lt;/p&gt;</content></document></list>"
        "</nlmSearchResult>",
    ),
    "/common-cold/about/index.html": (
        200,
        "<html><head><meta property='cdc:last_updated' content='2024-04-24'></head><body><nav><p>Menu</p></nav>"
        "<h2>Care</h2><p>A person with trouble breathing must get care at once.</p></body></html>",
    ),
}


@pytest.fixture
def server() -> Iterator[tuple[str, list[str], dict[str, tuple[int, str]]]]:
    asked: list[str] = []
    answers = dict(ANSWERS)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, body = answers.get(urlsplit(self.path).path, (404, ""))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{http.server_port}", asked, answers
    http.shutdown()
    thread.join()
    http.server_close()


Server = tuple[str, list[str], dict[str, tuple[int, str]]]
QUESTION = "I have a cold and a cough. Can I take ibuprofen?"


def polite(**changes: object) -> Web:
    return Web(pause=0.0, cache=None, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "title", "published", "text"),
    [
        (lambda url: PubMed(url, polite()), "Acute cough", "2024-05-06", "A cough of more than 8 weeks"),
        (lambda url: OpenFda(url, polite()), "Label of ibuprofen", "2025-02-03", "Do not use with any other drug"),
        (lambda url: DailyMed(url, polite()), "IBUPROFEN tablet", "2024-07-09", "Do not use after heart surgery."),
        (lambda url: MedlinePlus(f"{url}/ws/query", polite()), "Common Cold", None, "Antibiotics do not help."),
        (lambda url: Pages("CDC", url, polite()), "About common cold", "2024-04-24", "trouble breathing"),
    ],
)
def test_a_source_gives_documents_with_their_source(
    server: Server, made: Callable[[str], PubMed], title: str, published: str | None, text: str
) -> None:
    documents = made(server[0]).search(QUESTION)
    first = next(document for document in documents if document.source.title == title)
    assert first.source.published == published
    assert text in first.text
    assert "Menu" not in first.text
    assert first.source.url.startswith("http")


def test_pubmed_is_asked_for_reviews_and_guidelines(server: Server) -> None:
    PubMed(server[0], polite()).search(QUESTION)
    asked = parse_qs(urlsplit(server[1][0]).query)
    assert "practice guideline[pt]" in asked["term"][0]
    assert parse_qs(urlsplit(server[1][1]).query)["id"] == ["101"]


def test_what_was_fetched_is_kept_for_a_week(server: Server, tmp_path: Path) -> None:
    clock = [1000.0]
    kept = Web(pause=0.0, cache=DiskCache(tmp_path, ".bin"), now=lambda: clock[0])
    address = f"{server[0]}/spls.json"
    assert kept.get(address) == kept.get(address)
    assert len(server[1]) == 1
    clock[0] += web.KEPT_SECONDS + 1
    kept.get(address)
    assert len(server[1]) == 2


def test_requests_to_a_host_have_a_pause_between_them(server: Server) -> None:
    clock, slept = [50.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    slow = Web(pause=2.0, cache=None, now=lambda: clock[0], sleep=sleep)
    slow.get(f"{server[0]}/spls.json")
    slow.get(f"{server[0]}/ws/query")
    assert slept == [2.0]


def test_robots_are_asked_and_obeyed(server: Server) -> None:
    server[2]["/robots.txt"] = (200, "User-agent: *\nDisallow: /common-cold/\n")
    with pytest.raises(UsageError, match=r"robots.txt does not allow it"):
        polite(robots=True).get(f"{server[0]}/common-cold/about/index.html")
    assert server[1] == ["/robots.txt"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [((500, ""), "answered with 500"), ((302, ""), "answered with 302"), ((200, "no json"), "not JSON")],
)
def test_a_host_that_fails_is_told(server: Server, answer: tuple[int, str], told: str) -> None:
    server[2]["/esearch.fcgi"] = answer
    with pytest.raises(UsageError, match=told):
        PubMed(server[0], polite()).search(QUESTION)


def test_a_body_without_end_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MOST_BYTES", 10)
    with pytest.raises(UsageError, match="more than"):
        polite().get(f"{server[0]}/spls.json")


def test_a_source_that_fails_costs_only_itself(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicesim.rubrics.live.openfda.OpenFda", lambda: OpenFda(server[0], polite()))
    monkeypatch.setattr("voicesim.rubrics.live.pubmed.PubMed", lambda: PubMed("http://127.0.0.1:1", polite()))
    documents, notes = look_up(QUESTION, ("pubmed", "openfda"))
    assert [document.source.publisher for document in documents] == ["openFDA"]
    assert len(notes) == 1
    assert notes[0].startswith("pubmed: ")


def test_labels_are_looked_up_only_where_a_medicine_is_named() -> None:
    every = ("pubmed", "openfda", "dailymed")
    assert sources_for("I have a cough.", every) == ("pubmed",)
    assert sources_for("Can I take ibuprofen?", every) == every


def test_the_listed_pages_have_topics_that_there_are() -> None:
    from voicesim.language.topics import lists

    assert [row["name"] for row in pages.listed() if not set(row["topics"]) <= set(lists())] == []
