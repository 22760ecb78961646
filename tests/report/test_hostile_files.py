"""What strangers wrote into recordings, in the files that other programs read: only ever text, and one file a call."""

import csv
import io
import json
import re
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from many_rows import made_up
from markdown_it import MarkdownIt
from suite_on_disk import Made, make_suite

from voicesim.errors import VoicesimError
from voicesim.metrics.measure import measure
from voicesim.recording import files
from voicesim.recording.manifest import bare_manifest
from voicesim.recording.read import open_recording
from voicesim.report.captions import markdown as page_of
from voicesim.report.captions import rttm, srt, vtt
from voicesim.report.export import export
from voicesim.report.junit import junit
from voicesim.report.many.comparison import compare
from voicesim.report.many.comparison_page import comparison_page
from voicesim.report.many.row import Money, Quoted, Row
from voicesim.report.many.sides import sides
from voicesim.report.many.suite_page import suite_page
from voicesim.report.markdown import escaped, markdown
from voicesim.report.suite_files import as_csv, as_json
from voicesim.results.summary import SuiteSummary, summarized
from voicesim.transcript.model import Transcript, Utterance

SAMPLE = Path(__file__).parents[2] / "recordings" / "sample" / "cold-04-emergency-dyspnea"
EVIL = (
    '=cmd|"/c calc"!A1;@SUM(1)\r\n\n<script>alert(1)</script> <!-- --> ]]> [x](javascript:alert(1)) ![i](http://h/i) '
    "https://h.example/x www.h.example <me@h.example> | `c` ~~s~~ --> \x00\x1b]0;t\x07\u202e&lt;b&gt; &#60;"
)
FORMULAS = ("=1+1", "+1", "-1+cmd", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "－1", "＠x", " =1+1")


def summary_of(folder: Path, text: str) -> SuiteSummary:
    """A suite in which every text that a stranger can write is this one."""
    made = summarized(make_suite(folder / "s", Made(case="a"), Made(case="b", lost="x")))
    rows = []
    for call in made.calls:
        texts = {name: text for name, value in call if isinstance(value, str) and name not in ("state", "end_reason")}
        rows.append(
            call.model_copy(update=texts | {"missed": (text, text), "tags": (text,), "failed_critical": (text,)})
        )
    figures = tuple(row.model_copy(update={"agent": text}) for row in made.figures)
    changes = {"suite": text, "title": text, "judge": text, "baseline": text, "calls": tuple(rows), "figures": figures}
    return made.model_copy(update=changes)


def tags_of(text: str) -> set[str]:
    """The HTML that a reader of Markdown makes of a text, raw HTML included."""
    html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)
    return set(re.findall(r"<([a-z!][a-z0-9-]*)", html))


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_a_spreadsheet_is_a_formula(tmp_path: Path, formula: str) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(summary_of(tmp_path, formula)), newline="")))
    texts = [cell for row in rows[1:] for cell in row if formula.strip() in cell]
    assert len(texts) > 10
    assert all(cell.lstrip(" ").startswith("'") for cell in texts)


def test_a_semicolon_begins_no_cell_where_it_parts_them(tmp_path: Path) -> None:
    """Half of Europe's spreadsheets part cells at semicolons."""
    text = as_csv(summary_of(tmp_path, "fine;=1+1"))
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
    assert not [cell for row in rows for cell in row if cell.lstrip(' "').startswith("=")]


def test_the_summary_for_a_pull_request_holds_no_html_link_image_or_mention(tmp_path: Path) -> None:
    text = markdown(summary_of(tmp_path, EVIL))
    assert tags_of(text) <= {"h2", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert not re.search(r"://|www\.|@|javascript:alert\(", text)


def test_the_xml_is_whole_and_the_json_is_json(tmp_path: Path) -> None:
    summary = summary_of(tmp_path, EVIL)
    root = ElementTree.fromstring(junit(summary).encode())
    assert {element.tag for element in root.iter()} <= {"testsuites", "testsuite", "testcase", "skipped", "system-out"}
    assert SuiteSummary.model_validate(json.loads(as_json(summary))).suite == EVIL


def transcript(text: str) -> Transcript:
    said = Utterance(id=text, side="agent", start=0.5, end=1.0, text=text, voiced=((0.5, 1.0),), source="whisper")
    return Transcript(call_id=text, duration=2.0, language="en", model="m", utterances=(said,))


def test_captions_are_one_caption_an_utterance() -> None:
    for text in (srt(transcript(EVIL)), vtt(transcript(EVIL)), rttm(transcript(EVIL))):
        assert not {"\x00", "\x1b", "\x07", "\u202e", "\r"} & set(text)
    assert vtt(transcript(EVIL)).count("-->") == 1
    assert not re.search(r"<(?!v Agent>)", vtt(transcript(EVIL)))
    assert len(vtt(transcript(EVIL)).splitlines()) == 5
    assert len(srt(transcript(EVIL)).splitlines()) == 3
    assert len(rttm(transcript(EVIL)).splitlines()) == 1


def test_the_page_in_markdown_is_text(tmp_path: Path) -> None:
    call = make_suite(tmp_path / "s", Made(checks={"breathing_now": "miss"})).calls[0]
    assert call.verdicts is not None
    verdicts = call.verdicts
    rows = tuple(
        verdict.model_copy(
            update={
                "check": EVIL,
                "evidence": tuple(
                    quote.model_copy(update={"utterance": EVIL, "quote": EVIL}) for quote in verdict.evidence
                ),
            }
        )
        for verdict in verdicts.verdicts
    )
    manifest = bare_manifest(EVIL, EVIL)
    text = page_of(manifest, transcript(EVIL), verdicts.model_copy(update={"judge": EVIL, "verdicts": rows}))
    allowed = {"h1", "h2", "ul", "li", "p", "strong", "br", "table", "thead", "tbody", "tr", "th", "td"}
    assert tags_of(text) <= allowed
    assert escaped("<b>") == "&#60;b&#62;"


def test_two_recordings_of_one_name_are_two_files(tmp_path: Path) -> None:
    folders = [tmp_path / place / "s" / "call" for place in ("one", "two")]
    for folder in (*folders, tmp_path / "other"):
        shutil.copytree(SAMPLE, folder)
        files.save(folder, files.TRANSCRIPT, transcript("Hello."))
    paths = export([*folders, tmp_path / "other"], "srt", tmp_path / "out")
    assert [path.name for path in paths] == ["one-s-call.srt", "two-s-call.srt", "other.srt"]
    assert len(list((tmp_path / "out").iterdir())) == 3


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        pytest.param(files.MANIFEST, "seed", 10**400, id="seed"),
        pytest.param(files.MANIFEST, "seed", -1, id="negative seed"),
        pytest.param(files.MANIFEST, "call_id", EVIL, id="name"),
        pytest.param(files.METRICS, "cut_ins", 10**300, id="count"),
    ],
)
def test_tables_of_forged_numbers_are_written_or_refused(
    tmp_path: Path, form: Any, name: str, place: str, value: Any
) -> None:
    pytest.importorskip("pyarrow")
    shutil.copytree(SAMPLE, tmp_path / "call")
    recording = open_recording(tmp_path / "call")
    own = transcript("Hello.").model_copy(update={"call_id": recording.manifest.call_id})
    files.save(tmp_path / "call", files.METRICS, measure(recording, own))
    content = json.loads((tmp_path / "call" / name).read_text())
    assert place in content
    (tmp_path / "call" / name).write_text(json.dumps(content | {place: value}))
    with suppress(VoicesimError):
        paths = export([tmp_path / "call"], form, tmp_path / "out")
        assert all(path.stat().st_size for path in paths if path.stem == "calls")


PAGE = (
    '</script></style></title></textarea>--><script>hacked()</script><img src=x onerror="hacked()">'
    "<svg/onload=hacked()>\"'><a href=javascript:hacked()>{{ 7 * 7 }}{% raw %}\u202e\x00\x1b"
)


def hostile_rows(agent: str) -> tuple[Row, ...]:
    """Calls to an agent in which every text is a stranger's."""
    rows = made_up({agent: 0.7}, repeats=1)
    return tuple(
        replace(
            row,
            id=f"{PAGE}{number}",
            setting=replace(
                row.setting,
                case=f"{PAGE}{row.setting.case}",
                persona=f"{PAGE}{row.setting.persona}",
                profile=f"{PAGE}{row.setting.profile}",
                agent=f"{PAGE}{row.setting.agent}",
                accent=PAGE,
                mind=PAGE,
                judge=PAGE,
                judge_version=PAGE,
                versions={PAGE: PAGE},
                hashes=dict.fromkeys(("case", "rubric", "persona", "profile", "agent"), PAGE),
            ),
            title=PAGE,
            reason=PAGE,
            started_at=PAGE,
            failed_critical=(PAGE,),
            failures=(("missed_question", PAGE),),
            money=Money(currency=PAGE, agent=1.0, judge=2.0),
            checks=tuple(
                replace(check, id=f"{PAGE}{check.id}", reason=PAGE, quotes=(Quoted(PAGE, PAGE, "whole line"),))
                for check in row.checks
            ),
        )
        for number, row in enumerate(rows)
    )


class _Harmless(HTMLParser):
    """Collects the tags of a page, and what in it would run or load something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.harm: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            address = (value or "").strip().lower()
            leads = name in ("href", "src") and re.match(r"[a-z]+:", address)
            ours = address.startswith(("data:image/svg+xml,%3csvg", "data:audio/mpeg;base64,"))
            if name.startswith("on") or (leads and not ours):
                self.harm.append(f"{tag} {name}={value}")


@pytest.mark.parametrize("kind", ["suite", "comparison"])
def test_a_page_about_many_calls_holds_no_tag_of_theirs(kind: str) -> None:
    first, second = hostile_rows("x"), hostile_rows("y")
    if kind == "suite":
        page = suite_page(PAGE, (*first, *second))
    else:
        before, after = sides({"night": (*first, *second)})
        page = comparison_page([compare(before, after)], anyway=(PAGE,))
    seen = _Harmless(page)
    assert seen.harm == []
    plain = _Harmless(suite_page("plain", made_up({"x": 0.7})))
    assert (seen.tags["script"], seen.tags["img"], seen.tags["textarea"]) == (plain.tags["script"], 0, 0)
    assert "hacked" in page
    assert not {"\u202e", "\x00", "\x1b"} & set(page)
