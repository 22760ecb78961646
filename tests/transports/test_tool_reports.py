"""Agents that run their own tools: their reports over a data channel, RTVI and the server become events."""

import json
import warnings
from typing import Any

import aiohttp
import pytest
from inboxes import Playing

from voicesim.audio.samples import Pcm
from voicesim.recording.events import Event, ToolCall, ToolResult, ToolState, Warning_
from voicesim.transports import smallwebrtc
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.tool_report_server import BODY_LIMIT, ReportingTransport, ToolReportServer, serving
from voicesim.transports.tool_reports import HIDDEN, read_tool_report

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pipecat.processors.frameworks.rtvi import models as rtvi

CALL = {"type": "tool_call", "call_id": "7", "name": "book", "arguments": {"slot_id": "s3"}}
RESULT = {"type": "tool_result", "call_id": "7", "result": {"ok": True}}
CALLED = ToolCall(t=2.0, call_id="7", name="book", arguments={"slot_id": "s3"})
CAME = ToolResult(t=2.0, call_id="7", result={"ok": True})


def test_the_two_reports_are_read_on_every_data_channel() -> None:
    assert smallwebrtc.translate(json.dumps(CALL), 2.0) == [CALLED]
    inside = {"label": "rtvi-ai", "type": "server-message", "data": RESULT}
    assert smallwebrtc.translate(json.dumps(inside), 2.0) == [CAME]


def test_the_state_of_an_agents_own_system_is_read() -> None:
    told = {"type": "tool_state", "state": {"slots": []}}
    inside = {"label": "rtvi-ai", "type": "server-message", "data": told}
    assert smallwebrtc.translate(json.dumps(inside), 2.0) == [ToolState(t=2.0, state={"slots": []})]
    assert read_tool_report({"type": "tool_state", "state": []}, 0.0) is None


@pytest.mark.parametrize("content", [None, 3, {}, {**CALL, "name": 1}, {"type": "x"}])
def test_what_is_no_report_is_none(content: Any) -> None:
    assert read_tool_report(content, 0.0) is None


def heard(message: Any) -> list[Event]:
    return smallwebrtc.translate(message.model_dump_json(exclude_none=True), 2.0)


def test_pipecats_own_messages_about_function_calls_are_read() -> None:
    data = rtvi.LLMFunctionCallInProgressMessageData(
        tool_call_id="7", function_name="book", arguments={"slot_id": "s3"}
    )
    assert heard(rtvi.LLMFunctionCallInProgressMessage(data=data)) == [CALLED]
    stopped = rtvi.LLMFunctionCallStoppedMessageData(
        tool_call_id="7", cancelled=False, function_name="book", result={"ok": True}
    )
    assert heard(rtvi.LLMFunctionCallStoppedMessage(data=stopped)) == [CAME]


def test_a_bot_that_hides_its_function_calls_is_told_how_to_show_them() -> None:
    data = rtvi.LLMFunctionCallInProgressMessageData(tool_call_id="7")
    assert heard(rtvi.LLMFunctionCallInProgressMessage(data=data)) == [Warning_(t=2.0, message=HIDDEN)]


class Quiet:
    """A line that only opens and closes."""

    name = "quiet"
    receive_delay = 0.0

    async def open(self, inbox: Any) -> None:
        assert inbox is not None

    def send(self, pcm: Pcm) -> None:
        raise AssertionError("nothing is sent")

    async def close(self) -> None:
        return


async def posted(url: str, body: Any) -> int:
    text = body if isinstance(body, str) else json.dumps(body)
    async with aiohttp.ClientSession() as http, http.post(url, data=text) as response:
        return response.status


async def test_reports_are_taken_by_post_while_a_call_is_on_the_line() -> None:
    server, box = ToolReportServer(), Playing(2.0)
    line = ReportingTransport(Quiet(), server)
    async with serving(server) as url:
        assert url.startswith("http://127.0.0.1:")
        assert await posted(url, CALL) == 409
        await line.open(BoundedInbox(box))
        assert await posted(url, CALL) == 200
        assert await posted(url, [RESULT]) == 200
        await line.close()
        assert await posted(url, CALL) == 409
    assert box.events == [CALLED, CAME]


async def test_the_sink_refuses_what_is_too_much_or_no_report_and_every_other_path() -> None:
    server, box = ToolReportServer(), Playing()
    server.attach(BoundedInbox(box))
    async with serving(server) as url:
        assert await posted(url, "{") == 400
        assert await posted(url, [CALL, {"type": "nonsense"}]) == 400
        assert await posted(url, [CALL] * 51) == 400
        assert await posted(url, "x" * (BODY_LIMIT + 1)) == 413
        assert await posted(url.rsplit("/", 1)[0] + "/guess", CALL) == 404
        async with aiohttp.ClientSession() as http, http.get(url) as response:
            assert response.status == 405
    assert box.events == []
    assert len(server.path) > 20
    assert ToolReportServer().path != server.path


async def test_the_sink_answers_to_the_name_of_this_machine_only_and_reads_every_charset_or_refuses() -> None:
    server, box = ToolReportServer(), Playing()
    server.attach(BoundedInbox(box))
    async with serving(server) as url, aiohttp.ClientSession() as http:
        async with http.post(url, json=CALL, headers={"Host": "rebound.example"}) as response:
            assert response.status == 403
        async with http.post(url, data=b"{}", headers={"Content-Type": "text/plain; charset=klingon"}) as response:
            assert response.status == 400
        async with http.post(url, data=b"\xff\xfe", headers={"Content-Type": "application/json"}) as response:
            assert response.status == 400
    assert box.events == []
