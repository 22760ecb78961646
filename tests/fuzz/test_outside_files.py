"""Files that come from outside beside recordings: exports, suites, sweeps, labels, rubrics, evidence, thresholds.

Each is changed by a stranger in one place: an error that says what is wrong, or the work is done.
"""

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from made_sweep import call, sweep
from platform_exports import RETELL, VAPI
from suite_on_disk import Made, make_suite

from fuzz.odd import CHANGES, FEW, FUZZ, PLACES, TEXTS, VALUES, as_json, changed
from fuzz.test_recording_files import whole  # noqa: F401 - a fixture
from voicesim.catalog.threshold_file import threshold_set
from voicesim.errors import VoicesimError
from voicesim.judge.gold import load_gold
from voicesim.recording import files
from voicesim.recording.export_events import read_export
from voicesim.recording.read import open_recording
from voicesim.report.export import export
from voicesim.report.many.write import write_suite_page
from voicesim.report.suite_files import write_suite_files
from voicesim.report.sweep_page import write as write_sweep
from voicesim.results.model import SUITE
from voicesim.results.read import open_suite
from voicesim.results.summary import summarized
from voicesim.results.sweep import SWEEP, read_sweep
from voicesim.rubrics.documents import read_folder
from voicesim.rubrics.files import read_rubrics, to_yaml
from voicesim.rubrics.live.dailymed import DailyMed
from voicesim.rubrics.live.medlineplus import MedlinePlus
from voicesim.rubrics.live.openfda import OpenFda
from voicesim.rubrics.live.pubmed import PubMed
from voicesim.suite.draft_case import draft_case
from voicesim.suite.replay import ReplayOptions, replay_of
from voicesim.transcript.redaction import Wanted, redact_recording

TWILIO = {"sentences": [{"media_channel": 1, "transcript": "Hi", "start_time": 0.5, "end_time": 1.5}]}
LIVEKIT = {
    "audio_recording_started_at": 5.0,
    "chat_history": {
        "items": [
            {"type": "message", "role": "user", "content": ["Hi"], "created_at": 6.0},
            {"type": "function_call", "call_id": "1", "name": "book", "arguments": "{}", "created_at": 7.0},
        ]
    },
}
EXPORTS: tuple[Any, ...] = (TWILIO, RETELL, VAPI, LIVEKIT)
LABEL = {
    "item": "c",
    "check": "breathing_now",
    "label": "hit",
    "source": "human",
    "rater": "me",
    "evidence": [{"utterance": "A1", "quote": "Are you short of breath?"}],
}
RUBRIC = {
    "id": "r",
    "question": "Is it a cold?",
    "sources": [{"id": "s", "title": "S", "published": "2024-02-03"}],
    "facts": [{"id": "f", "kind": "positive", "says": "Rest.", "source": "s", "quote": "Rest helps."}],
    "criteria": [{"id": "c1", "says": "Says rest.", "axis": "accuracy", "points": 5, "facts": ["f"], "cues": ["rest"]}],
}
HEALTHBENCH = {
    "prompt_id": "p",
    "prompt": [{"role": "user", "content": "Is it a cold?"}],
    "rubrics": [{"criterion": "Asks about fever.", "points": 5, "tags": ["axis:completeness"]}],
    "example_tags": ["theme:hedging"],
}
HEAD = {"title": "T", "publisher": "P", "url": "https://x.test", "date": "2024-02-03", "id": "x", "cases": ["a"]}
THRESHOLDS = {"id": "t", "source": "us", "thresholds": [{"figure": "cut_in_rate", "at_most": 0.1}]}


def done(*steps: Callable[[], object]) -> None:
    """Each step does its work or says what is wrong."""
    for step in steps:
        with suppress(VoicesimError):
            step()


def spoiled(content: Any, how: tuple[int, str, Any]) -> str:
    return as_json(changed(content, *how))


HOW = st.tuples(PLACES, CHANGES, VALUES)


@FUZZ
@given(export=st.sampled_from(EXPORTS), how=HOW, inside=st.booleans())
def test_an_export_of_a_platform(export: Any, how: tuple[int, str, Any], inside: bool) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "call.json"
        path.write_text(spoiled({"call": export} if inside else export, how), "utf-8", "surrogatepass")
        done(lambda: [event.model_dump_json() for event in read_export(path).events])


READERS: dict[str, tuple[str, Any, Callable[[Path], object]]] = {
    "labels": ("gold.jsonl", LABEL, load_gold),
    "a rubric": ("r.yaml", RUBRIC, lambda path: [to_yaml(rubric) for rubric in read_rubrics(path)]),
    "rows": ("r.json", [{"criterion": "Says rest.", "axis": "accuracy", "points": 5}], read_rubrics),
    "HealthBench": ("r.jsonl", HEALTHBENCH, read_rubrics),
    "thresholds": ("t.yaml", THRESHOLDS, lambda path: threshold_set(str(path))),
    "a head beside": ("a.md.yaml", HEAD, lambda path: read_folder(path.parent)),
}


@pytest.mark.parametrize("kind", READERS)
@FUZZ
@given(how=HOW, text=st.one_of(st.none(), TEXTS, st.binary(max_size=60)))
def test_a_file_that_is_read(kind: str, how: tuple[int, str, Any], text: str | bytes | None) -> None:
    name, content, read = READERS[kind]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "a.md").write_text("Rest helps.")
        as_text = spoiled(content, how) if text is None else text
        as_bytes = as_text if isinstance(as_text, bytes) else as_text.encode("utf-8", "surrogatepass")
        (folder / name).write_bytes(as_bytes)
        done(lambda: read(folder / name))


@FUZZ
@given(head=VALUES, text=TEXTS)
def test_evidence_with_any_head(head: Any, text: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        page = f"---\n{yaml.safe_dump(head, allow_unicode=True)}---\n# {text}\n\n- {text}\n"
        (Path(scratch) / "a.md").write_bytes(page.encode("utf-8", "surrogatepass"))
        done(lambda: read_folder(Path(scratch)))


PUBMED = "<PubmedArticle><PMID>1</PMID><ArticleTitle>T</ArticleTitle><AbstractText Label='R'>Rest.</AbstractText></a>"
LABEL_XML = (
    "<document><effectiveTime value='20240709'/><section><title>W</title><text>Rest.</text></section></document>"
)
TOPIC = (
    "<document url='u'><content name='title'>T</content><content name='FullSummary'>&lt;p&gt;Rest.</content></document>"
)
FDA = {"results": [{"set_id": "s", "effective_time": "20250203", "do_not_use": ["Do not use."]}]}
SPLS = {"data": [{"setid": "0b2e6a1c-1111-4222-8333-444455556666"}]}
SERVICES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "pubmed": (lambda web: PubMed(web=web), PUBMED),
    "openfda": (lambda web: OpenFda(web=web), ""),
    "dailymed": (lambda web: DailyMed(web=web), LABEL_XML),
    "medlineplus": (lambda web: MedlinePlus(web=web), TOPIC),
}
JSON_OF = {"pubmed": {"esearchresult": {"idlist": ["1"]}}, "openfda": FDA, "dailymed": SPLS, "medlineplus": {}}


class Answers:
    """Stands for the web: the first answer is JSON, where the service has one, and the next ones markup."""

    def __init__(self, *bodies: bytes) -> None:
        self.bodies = list(bodies)

    def get(self, url: str, params: Any = None) -> bytes:
        return self.bodies.pop(0) if len(self.bodies) > 1 else self.bodies[0]


@pytest.mark.parametrize("name", SERVICES)
@FUZZ
@given(how=HOW, at=st.floats(0, 1), put=st.binary(max_size=20), anything=st.booleans())
def test_an_answer_of_a_source_of_evidence(
    name: str, how: tuple[int, str, Any], at: float, put: bytes, anything: bool
) -> None:
    make, markup = SERVICES[name]
    place = int(at * len(markup))
    spoiled_markup = put if anything else markup.encode()[:place] + put + markup.encode()[place + len(put) :]
    first = [] if name == "medlineplus" else [spoiled(JSON_OF[name], how).encode("utf-8", "replace")]
    web = Answers(*first, spoiled_markup)
    done(lambda: make(web).search("Is ibuprofen good for a cough?"))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of two calls of which one left nothing, with a sweep over them."""
    folder = tmp_path_factory.mktemp("made") / "s"
    made = make_suite(folder, Made(case="a", latencies=[0.5, 0.6]), Made(case="b", lost="x"))
    axes = sweep((call("k"),)).sweep
    points = tuple(point.model_copy(update={"keys": (made.calls[0].planned.key,)}) for point in axes.points)
    files.save(folder, SWEEP, axes.model_copy(update={"points": points, "control": ()}))
    return folder


def shown(folder: Path) -> None:
    done(
        lambda: write_suite_files(folder, summarized(open_suite(folder))),
        lambda: write_suite_page(folder),
        lambda: write_sweep(read_sweep(folder)),
    )


@pytest.mark.parametrize("name", [SUITE, SWEEP])
@FEW
@given(how=HOW)
def test_the_file_of_a_suite(suite: Path, name: str, how: tuple[int, str, Any]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "s"
        shutil.copytree(suite, folder)
        (folder / name).write_text(spoiled(json.loads((folder / name).read_text()), how), "utf-8", "surrogatepass")
        shown(folder)


@FEW
@given(name=st.sampled_from([files.MANIFEST, files.METRICS, "verdicts/cues.json"]), how=HOW)
def test_a_call_of_a_suite(suite: Path, name: str, how: tuple[int, str, Any]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "s"
        shutil.copytree(suite, folder)
        (path,) = (path for path in folder.glob(f"*/{name}"))
        path.write_text(spoiled(json.loads(path.read_text()), how), "utf-8", "surrogatepass")
        shown(folder)


def copied(folder: Path, out: Path) -> None:
    """What is made of a recording beside scores and pages."""
    done(
        lambda: redact_recording(folder, out / "copy", Wanted(words=("hello",), entities=("name", "number"))),
        lambda: draft_case(folder, "drafted"),
        lambda: replay_of(open_recording(folder), ReplayOptions()),
        lambda: replay_of(open_recording(folder), ReplayOptions(sent=True)),
        *(lambda form=form: export([folder], form, out) for form in ("srt", "vtt", "rttm", "md", "jsonl")),
    )


@FEW
@given(name=st.sampled_from([files.MANIFEST, files.TRANSCRIPT, files.METRICS, "verdicts/cues.json"]), how=HOW)
def test_a_recording_that_is_copied_drafted_from_and_replayed(
    whole: Path,  # noqa: F811
    name: str,
    how: tuple[int, str, Any],
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "call"
        shutil.copytree(whole, folder)
        (folder / name).write_text(spoiled(json.loads((folder / name).read_text()), how), "utf-8", "surrogatepass")
        copied(folder, Path(scratch))


@FUZZ
@given(line=PLACES, how=HOW)
def test_an_event_of_a_recording_that_is_replayed(whole: Path, line: int, how: tuple[int, str, Any]) -> None:  # noqa: F811
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "call"
        shutil.copytree(whole, folder)
        lines = (folder / files.EVENTS).read_text().splitlines()
        at = line % len(lines)
        lines[at] = spoiled(json.loads(lines[at]), how)
        (folder / files.EVENTS).write_text("\n".join(lines) + "\n", "utf-8", "surrogatepass")
        copied(folder, Path(scratch))


def test_what_is_changed_is_right_before(suite: Path, whole: Path, tmp_path: Path) -> None:  # noqa: F811
    """Otherwise nothing would be tried but the first check."""
    for name, content, read in READERS.values():
        (tmp_path / "a.md").write_text("Rest helps.")
        (tmp_path / name).write_text(as_json(content))
        assert read(tmp_path / name)
        (tmp_path / name).unlink()
    for number, content in enumerate(EXPORTS):
        (tmp_path / f"{number}.json").write_text(as_json(content))
        assert read_export(tmp_path / f"{number}.json").events
    for name, (make, markup) in SERVICES.items():
        right = [] if name == "medlineplus" else [as_json(JSON_OF[name]).encode()]
        assert make(Answers(*right, markup.encode())).search("Is ibuprofen good for a cough?"), name
    write_sweep(read_sweep(suite))
    write_suite_page(suite)
    redact_recording(whole, tmp_path / "copy", Wanted(words=("hello",)))
    assert replay_of(open_recording(whole), ReplayOptions()).lines
