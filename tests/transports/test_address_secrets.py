"""What may be secret in an agent's address is in nothing that is stored, shown or passed on."""

from pathlib import Path

import pytest
from inboxes import Heard
from scripted_socket import Agent, scripted_socket

from voicesim.call.assembly import resolve
from voicesim.catalog.addresses import secrets_in
from voicesim.catalog.resolve import resolve_agent
from voicesim.errors import CatalogueError, TransportError, UsageError
from voicesim.redact import redact
from voicesim.suite.reaching import reach
from voicesim.transports.bounded_inbox import BoundedInbox

TOKEN = "plain-words-as-a-token"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f"twilio:wss://agent.example/ws?token={TOKEN}", "twilio:wss://agent.example/ws"),
        (f"pcm:ws://{TOKEN}@agent.example:9000", "pcm:ws://agent.example:9000"),
        (f"smallwebrtc:https://agent.example/start?a=1&key={TOKEN}#{TOKEN}", "smallwebrtc:https://agent.example/start"),
        (f"pcm:ws://agent.example?{TOKEN}", "pcm:ws://agent.example"),
        ("openai+ws:gpt-realtime?audio=pcmu", "openai+ws:gpt-realtime?audio=pcmu"),
    ],
)
def test_labels_and_what_a_recording_keeps_hold_no_secret_and_the_call_has_it(text: str, label: str) -> None:
    chosen = resolve_agent(text)
    assert (chosen.label, chosen.name.text, chosen.settings.agent) == (label, label, label)
    assert chosen.name.target == text.partition(":")[2]
    stored = resolve(chosen.label, chosen.settings).model_dump_json()
    assert TOKEN not in stored + repr(chosen)


def test_an_agent_file_is_stored_without_it_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"agent: 'twilio:ws://agent.example/ws?token={TOKEN}'\n")
    chosen = resolve_agent(str(file))
    assert TOKEN in chosen.name.target
    assert TOKEN not in chosen.settings.model_dump_json()
    file.write_text(f"agent: openai:m\nbase_url: 'https://agent.example/v1?token={TOKEN}'\n")
    with pytest.raises(CatalogueError, match="no user, password or query") as told:
        resolve_agent(str(file))
    assert TOKEN not in str(told.value)


@pytest.mark.parametrize("text", [f"twilo:ws://h.example?t={TOKEN}", f"realtime:ws://h.example?t={TOKEN}"])
def test_a_wrong_agent_string_is_told_without_it(text: str) -> None:
    with pytest.raises(UsageError) as told:
        resolve_agent(text)
    assert TOKEN not in str(told.value)


def test_every_part_of_an_address_that_may_be_secret_is_known() -> None:
    found = secrets_in("wss://me:pass%20word@h/ws?token=a%2Bb-secret&empty=&x#part")
    assert {"me", "pass%20word", "token=a%2Bb-secret&empty=&x", "a+b-secret", "a%2Bb-secret", "part"} <= set(found)
    assert secrets_in("ws://localhost:1/ws") == ()


@pytest.mark.parametrize(
    ("url", "said", "told"),
    [
        ("ws://h/ws?token=abc", "no such token: abc", "no such token: [removed]"),
        ("ws://h/ws?api_key=9x7", '{"key": "9x7"}', '{"key": "[removed]"}'),
        ("ws://h/ws?pin=1234", "bad request: pin=1234", "bad request: [removed]"),
        ("ws://h/ws?a=1&room=7", "nobody is in room=7", "nobody is in [removed]"),
        ("ws://h/ws?a=1&room=7", "take 7 of them, in 1 day", "take 7 of them, in 1 day"),
        ("ws://h/ws?token=abc", "abcess, abc_d and Abc are words", "abcess, abc_d and Abc are words"),
        ("ws://h/ws?key=1", "take 1, key=1", "take 1, [removed]"),
        ("ws://h/ws?pass=%C3%A9%2B1", "no é+1, no %C3%A9%2B1", "no [removed], no [removed]"),
        ("ws://me:pw4@h/ws", "pw4 is wrong for me:pw4, dear me", "[removed] is wrong for [removed], dear me"),
        ("ws://h/ws", "nothing is secret", "nothing is secret"),
    ],
)
def test_short_values_are_taken_out_where_they_are_told_apart_from_words(url: str, said: str, told: str) -> None:
    assert redact(said, *secrets_in(url)) == told


@pytest.mark.parametrize("kind", ["twilio", "pcm"])
async def test_a_server_that_repeats_it_tells_it_to_nobody(kind: str) -> None:
    async def repeat(agent: Agent) -> None:
        await agent.socket.close(code=1011, message=f"bad token {TOKEN}".encode())

    async with scripted_socket(repeat) as server:
        inbox = Heard()
        async with reach(resolve_agent(f"{kind}:{server.url}?token={TOKEN}")) as new_transport:
            transport = new_transport()
            await transport.open(BoundedInbox(inbox))
            by, why = await inbox.ended_within(3.0)
            await transport.close()
    assert (by, "bad token [removed]" in why) == ("line", True)
    assert TOKEN not in transport.name
    async with (
        scripted_socket(repeat, status=403, words=f"no {TOKEN}") as server,
        reach(resolve_agent(f"{kind}:{server.url}?token={TOKEN}")) as new_transport,
    ):
        with pytest.raises(TransportError) as told:
            await new_transport().open(BoundedInbox(Heard()))
    assert TOKEN not in str(told.value)
