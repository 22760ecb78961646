"""Agent files: what they may hold, what they are told when it is wrong, and that no key gets in."""

from collections.abc import Callable
from pathlib import Path

import pytest

from voicesim.catalog.agent_file import FOR_ALL, AgentFile, keys_of
from voicesim.catalog.check import check
from voicesim.catalog.find import Catalogue
from voicesim.catalog.problems import problems_of
from voicesim.catalog.resolve import resolve_agent
from voicesim.errors import CatalogueError, UsageError
from voicesim.llm.known_models import known_models
from voicesim.registry import TRANSPORTS
from voicesim.transports.pcm_format import PcmFormat

Write = Callable[..., Path]

AGENT = """\
id: mine
agent: openai:gpt-realtime
instructions: You book appointments.
voice: marin
turn_detection: {type: server_vad, silence_duration_ms: 500}
base_url: https://voice.example.org/v1
key_env: MY_KEY
headers:
  Authorization: {env: MY_TOKEN, prefix: "Bearer "}
  X-Team: {value: blue}
limits: {connect: 10, call: 120}
ice_servers: [{url: "stun:stun.example.org:3478"}]
"""


def told(path: Path) -> list[tuple[int | None, str, str]]:
    with pytest.raises(CatalogueError) as caught:
        resolve_agent(str(path))
    return [(one.line, one.key, one.message) for one in problems_of(caught.value)]


def test_a_file_names_an_agent_wherever_a_string_does(write: Write) -> None:
    chosen = resolve_agent(str(write("a.yaml", AGENT)))
    assert (chosen.label, chosen.name.transport, chosen.name.target) == ("mine", "openai", "gpt-realtime")
    assert chosen.settings.limits.call == 120
    assert chosen.settings.headers["Authorization"].env == "MY_TOKEN"
    plain = resolve_agent("openai:gpt-realtime")
    assert (plain.label, plain.name.text) == ("openai:gpt-realtime", "openai:gpt-realtime")


def test_a_file_without_an_id_goes_by_its_name(write: Write) -> None:
    assert resolve_agent(str(write("My Agent.yaml", "agent: realtime\n"))).label == "my-agent"


def test_known_models_get_dated_prices_and_others_none(write: Write) -> None:
    prices = resolve_agent("openai:gpt-realtime").settings.prices
    assert prices is not None
    assert (prices.as_of, prices.audio_out) == (known_models().as_of, 64.0)
    assert resolve_agent("openai:gpt-realtime-of-tomorrow").settings.prices is None
    own = write("a.yaml", AGENT + 'prices: {as_of: "2026-01-01", audio_out: 20}\n')
    prices = resolve_agent(str(own)).settings.prices
    assert prices is not None
    assert (prices.audio_out, prices.audio_in) == (20.0, None)


def test_a_key_without_effect_on_the_agent_is_refused_with_the_kinds_that_take_it(write: Write) -> None:
    plain = "agent: pcm:ws://localhost:1\nvoice: marin\nheaders: {X-Team: {value: blue}}\ntools: case\n"
    voice, tools = told(write("a.yaml", plain))
    assert (voice[:2], tools[:2]) == ((2, "voice"), (4, "tools"))
    assert voice[2] == (
        "`voice` has no effect on pcm:ws://HOST/PATH; it is for agents of the form openai:MODEL or openai+ws:MODEL "
        "or openai-live:MODEL or openai-live+ws:MODEL"
    )
    assert tools[2].startswith(
        "`tools` has no effect on pcm:ws://HOST/PATH; it is for agents of the form realtime or realtime-ws"
    )


@pytest.mark.parametrize("name", list(TRANSPORTS))
def test_every_key_of_an_agent_file_is_used_or_refused(write: Write, name: str) -> None:
    # One valid value for each key that not every agent has; what the transport does not name must be refused.
    values = {
        "instructions": "Hello.",
        "voice": "marin",
        "tools": "own",
        "turn_detection": "{type: none}",
        "base_url": "http://h/v1",
        "key_env": "KEY",
        "headers": "{X-Team: {value: blue}}",
        "ice_servers": '[{url: "stun:h"}]',
    }
    assert set(values) == set(AgentFile.model_fields) - FOR_ALL
    lines = [f"{key}: {value}\n" for key, value in values.items()]
    path = write("a.yaml", "".join([f"agent: {TRANSPORTS.row(name).form}\n", *lines]))
    refused = [] if set(values) <= keys_of(name) else [key for _, key, _ in told(path)]
    assert refused == [key for key in values if key not in keys_of(name)]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "message"),
    [
        ("agent: openai", "agent: opnai", 2, "agent", "Did you mean openai"),
        ("voice:", "voise:", 4, "voise", "unknown key. Did you mean voice?"),
        ("server_vad", "servr_vad", 5, "turn_detection.type", "Did you mean server_vad"),
        ("silence_duration_ms: 500", "eagerness: low", 5, "turn_detection.eagerness", "does not belong to server_vad"),
        ("https://voice", "voice", 6, "base_url", "no http or https URL"),
        ("key_env: MY_KEY", "key_env: my key", 7, "key_env", "is not of the form"),
        ("{value: blue}", "{valu: blue}", 10, "headers.X-Team.valu", "unknown key. Did you mean value?"),
        ("{value: blue}", "{prefix: blue}", 10, "headers.X-Team.env", "needs either `env`"),
        ("call: 120", "call: 1", 11, "limits.call", "greater than or equal to 5"),
        ("stun:stun", "stn:stun", 12, "ice_servers.0.url", "is not of the form"),
        ("voice: marin", "pcm: {rate: 16000}", 4, "pcm", "for agents of the form pcm:ws://HOST/PATH"),
        ("voice: marin", "twilio: {}", 4, "twilio", "for agents of the form twilio:ws://HOST/PATH"),
        ("voice: marin", "brain: rules", 4, "brain", "of the form realtime or realtime-ws or modular or duplex"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    write: Write, old: str, new: str, line: int, key: str, message: str
) -> None:
    ((where, what, why),) = told(write("a.yaml", AGENT, (old, new)))
    assert (where, what) == (line, key)
    assert message in why


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("You book", "Use sk-abcdefghijklmnop. You book", "instructions"),
        ('{env: MY_TOKEN, prefix: "Bearer "}', "{value: abc}", "headers"),
        ("{value: blue}", "{value: 9f86d081884c7d659a2feaa0c55ad015}", "headers"),
        ("{value: blue}", '{value: "Bearer 0123456789abcdef"}', "headers.X-Team.value"),
        ('prefix: "Bearer "', 'prefix: "Bearer sk-abcdefghijklmnop "', "headers.Authorization.prefix"),
        ("https://voice", "https://me:hunter2@voice", "base_url"),
    ],
)
def test_a_literal_key_is_refused_where_it_stands(write: Write, old: str, new: str, key: str) -> None:
    ((_, where, why),) = told(write("a.yaml", AGENT, (old, new)))
    assert where == key
    assert "the environment" in why


def test_settings_of_one_transport_are_checked_where_they_stand(write: Write) -> None:
    twilio = "agent: twilio:ws://localhost:1\ntwilio: {press: [{key: A, at: 1}], parameter: {}}\n"
    key, unknown = told(write("a.yaml", twilio))
    assert (key[1], unknown[1]) == ("twilio.press.0.key", "twilio.parameter")
    assert "Did you mean parameters" in unknown[2]
    ((_, where, why),) = told(write("b.yaml", "agent: pcm:ws://localhost:1\npcm: {sample: int12}\n"))
    assert where == "pcm.sample"
    assert "not one of int16" in why


def test_agent_files_are_checked_like_the_catalogue(write: Write, tmp_path: Path) -> None:
    write("agents/mine.yaml", AGENT)
    wrong = write("agents/wrong.yaml", AGENT, ("id: mine", "id: wrong"), ("voice: marin", "voice: 3"))
    checked = check([tmp_path], Catalogue((tmp_path,)))
    assert [path.name for path in checked.files] == ["mine.yaml", "wrong.yaml"]
    assert [(one.file, one.line, one.key) for one in checked.problems] == [(str(wrong), 4, "voice")]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no agent file"):
        resolve_agent(str(tmp_path / "nobody.yaml"))
    with pytest.raises(UsageError, match="unknown agent"):
        resolve_agent("nobody")


def test_an_agent_string_with_a_password_in_it_is_refused_without_telling_it() -> None:
    with pytest.raises(UsageError, match=r"ws://\[removed\]@localhost:1/ws holds what looks like a key") as told:
        resolve_agent("twilio:ws://me:hunter2@localhost:1/ws")
    assert "hunter2" not in str(told.value)


def test_a_sound_format_is_whole() -> None:
    assert PcmFormat() == PcmFormat(rate=24_000, sample="int16", channels=1, frame_ms=20, encoding="binary")
    assert PcmFormat(encoding="base64", json_path="media.payload").json_path == "media.payload"
    with pytest.raises(ValueError, match="json_path"):
        PcmFormat(encoding="base64")
    with pytest.raises(ValueError, match="json_path"):
        PcmFormat(json_path="media")


def test_the_resolved_agent_holds_names_of_variables_and_no_values(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "very-secret-value")
    monkeypatch.setenv("MY_KEY", "another-secret-value")
    settings: AgentFile = resolve_agent(str(write("a.yaml", AGENT))).settings
    assert "secret-value" not in settings.model_dump_json()
    assert "MY_TOKEN" in settings.model_dump_json()
