"""JUnit XML of a suite: a test suite an agent, a test a call, and one more suite for thresholds and the baseline.

An invalid or missing call is skipped: that it says nothing is voicesim's fault, and no failure of the agent.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from voicesim.report.wording import spaced
from voicesim.results.summary import CallRow, ChangeRow, SuiteSummary, ThresholdRow

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold at all, not even as a reference: control characters and halves of characters."""
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def junit(summary: SuiteSummary) -> str:
    """The document, with its declaration."""
    root = Element("testsuites", name=_text(summary.suite))
    for agent in dict.fromkeys(call.agent for call in summary.calls):
        calls = [call for call in summary.calls if call.agent == agent]
        suite = _suite(root, f"{summary.suite}.{agent}", [_call(summary.suite, call) for call in calls])
        suite.set("time", f"{sum(call.duration or 0.0 for call in calls):.3f}")
    tests = [_threshold(summary.suite, row) for row in summary.thresholds]
    tests += [_change(summary.suite, row) for row in summary.changes]
    if tests:
        _suite(root, f"{summary.suite}.thresholds", tests).set("time", "0.000")
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, name: str, tests: Sequence[Element]) -> Element:
    suite = SubElement(root, "testsuite", name=_text(name), tests=str(len(tests)))
    for kind, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(count, str(sum(test.find(kind) is not None for test in tests)))
    suite.extend(tests)
    return suite


def _call(suite: str, call: CallRow) -> Element:
    name = f"{call.case} [{call.persona}, {call.profile}] seed {call.seed}"
    test = _test(f"{suite}.{call.agent}", name, call.duration or 0.0)
    if call.state in ("invalid", "missing"):
        SubElement(test, "skipped", message=_text(f"{call.state}: {call.reason}"))
    elif call.state == "failed":
        _told(test, "failure", "critical check missed", call.reason, _details(call))
    elif call.state == "unscored":
        _told(test, "error", "unscored", f"no score: {call.reason}", _details(call))
    lines = "\n".join(_details(call))
    SubElement(test, "system-out").text = _text(lines)
    return test


def _details(call: CallRow) -> Iterator[str]:
    yield f"score: {'none' if call.score is None else f'{call.score:.4g}'}"
    if call.missed:
        yield f"missed: {', '.join(call.missed)}"
    if call.tags:
        yield f"failures: {', '.join(map(spaced, call.tags))}"
    if call.scorecard:
        yield f"scorecard: {call.scorecard}"


def _threshold(suite: str, row: ThresholdRow) -> Element:
    bound = f"at most {row.at_most:g}" if row.at_most is not None else f"at least {row.at_least:g}"
    test = _test(f"{suite}.thresholds", f"{row.agent}: {row.figure} {bound}", 0.0)
    source = f" ({row.source})" if row.source else ""
    if row.outcome == "unknown":
        SubElement(test, "skipped", message=_text(f"there was nothing to measure {row.figure} on"))
    elif row.outcome == "passed_by":
        _told(test, "failure", "threshold", f"{row.value:g}, wanted is {bound}{source}; n = {row.n}", ())
    return test


def _change(suite: str, row: ChangeRow) -> Element:
    test = _test(f"{suite}.baseline", f"{row.agent}: {row.what}", 0.0)
    if row.worse:
        _told(test, "failure", "regression", f"{row.before:.4g} before, {row.now:.4g} now, over {row.n} pairs", ())
    return test


def _test(classname: str, name: str, seconds: float) -> Element:
    return Element("testcase", classname=_text(classname), name=_text(name), time=f"{seconds:.3f}")


def _told(test: Element, kind: str, what: str, message: str, details: Iterable[str]) -> None:
    SubElement(test, kind, type=what, message=_text(message)).text = _text("\n".join((message, *details)))


def _text(text: str) -> str:
    return _NO_XML.sub(_INSTEAD, text)
