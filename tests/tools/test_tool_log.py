"""What an agent reports of its tools, in every way it can, and what the log holds of it."""

import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml
from inboxes import Playing

from voicesim.recording.events import Event
from voicesim.tools.log import ToolUse, tool_log
from voicesim.transports import smallwebrtc
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.tool_report_server import ToolReportServer, serving
from voicesim.transports.tool_reports import read_tool_report

ENTRIES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "tool_logs.yaml").read_text())["entries"]


async def received(via: str, messages: list[Any]) -> list[Event]:
    """The events that become of messages."""
    if via == "post":
        kept, server = Playing(), ToolReportServer()
        server.attach(BoundedInbox(kept))
        async with serving(server) as url, aiohttp.ClientSession() as http:
            for message in messages:
                async with http.post(url, json=message) as response:
                    assert response.status == 200
        return kept.events
    events: list[Event] = []
    for number, message in enumerate(messages):
        if via == "report":
            events += [event for event in [read_tool_report(message, number)] if event is not None]
        events += [] if via == "report" else smallwebrtc.translate(json.dumps(message), number)
    return events


def outcome(use: ToolUse) -> str:
    if use.ok is None:
        return "no_result" if use.answered is None else "open"
    return "success" if use.ok else "refused"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["note"])
async def test_every_result_belongs_to_its_call_and_arguments_are_read(entry: dict[str, Any]) -> None:
    log = tool_log(await received(entry.get("via", "report"), entry["events"]))
    assert log is not None
    assert [(use.name, outcome(use)) for use in log] == [(call["name"], call["outcome"]) for call in entry["calls"]]
    wanted = [{} if call["arguments"] == "unreadable" else call["arguments"] for call in entry["calls"]]
    assert [use.arguments for use in log] == wanted
