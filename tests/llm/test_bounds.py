"""Nothing that a server sends can take time or memory without end, or lead a request elsewhere."""

import asyncio
import gzip
import zlib

import pytest
from model_server import KEY, FakeServer, Says, busy, model_server

from voicesim.llm.connection import LARGEST
from voicesim.llm.errors import NoAnswerError, ServerRefusedError, UnreachableError, UnusableAnswerError
from voicesim.llm.server import ModelServer

ASKED = [{"role": "user", "content": "Are you there?"}]


async def failure(server: FakeServer, seconds: float = 5, retries: int = 0) -> Exception:
    """What asking once ends in."""
    with pytest.raises(UnusableAnswerError) as caught:
        await server.chat(seconds=seconds, retries=retries).complete(ASKED, 10)
    return caught.value


def endless(size: int) -> bytes:
    return b'{"choices": [{"message": {"content": "' + b"a" * size + b'"}}]}'


async def test_an_answer_larger_than_the_limit_is_not_read_to_its_end() -> None:
    with model_server(lambda _: Says(body=endless(LARGEST))) as server:
        error = await failure(server, retries=2)
        assert isinstance(error, NoAnswerError)
        assert "larger than 1,048,576 bytes" in str(error)
        assert len(server.requests) == 1


async def test_an_answer_just_below_the_limit_is_read() -> None:
    with model_server(lambda _: Says(body=endless(LARGEST - 100))) as server:
        assert len((await server.chat().complete(ASKED)).text) == LARGEST - 100


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize("status", [200, 500])
async def test_a_compressed_answer_is_not_unpacked(encoding: str, status: int) -> None:
    packed = (gzip if encoding == "gzip" else zlib).compress(endless(50_000_000))
    assert len(packed) < LARGEST
    with model_server(lambda _: Says(body=packed, status=status, headers={"Content-Encoding": encoding})) as server:
        assert "compressed" in str(await failure(server, retries=2))
        assert server.headers[0]["accept-encoding"] == "identity"
        assert len(server.requests) == 1


@pytest.mark.parametrize("status", [200, 404, 500])
async def test_a_body_that_drips_ends_at_the_time_limit(status: int) -> None:
    # Ten bytes in 2 s, each in time for itself: the whole is late.
    with model_server(lambda _: Says(body=b"          ", pause=0.2, status=status)) as server:
        started = asyncio.get_running_loop().time()
        assert "no whole answer within 0.5 s" in str(await failure(server, seconds=0.5))
        assert asyncio.get_running_loop().time() - started < 1.9


async def test_headers_that_drip_end_at_the_time_limit() -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for letter in "HTTP/1.1 200 OK\r\nX-Long: " + "a" * 1000:
                writer.write(letter.encode())
                await writer.drain()
                await asyncio.sleep(0.1)
        except OSError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(drip, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        chat = FakeServer(url=f"http://127.0.0.1:{port}/v1").chat(seconds=0.5)
        with pytest.raises(NoAnswerError, match=r"no whole answer within 0\.5 s"):
            await chat.complete(ASKED)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_told_and_never_followed(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(lambda _: Says("stolen")) as elsewhere:
        target = {"Location": f"{elsewhere.url}/chat/completions"}
        with model_server(lambda _: Says(status=status, headers=target)) as server:
            with pytest.raises(ServerRefusedError, match="redirects to another address"):
                await server.chat(key_env="OPENAI_API_KEY").complete(ASKED)
            assert server.keys == [f"Bearer {KEY}"]
        assert elsewhere.requests == []


async def test_a_busy_server_is_tried_again_after_the_pause_it_asks_for() -> None:
    with model_server() as server:
        server.answers = [busy(503), busy(429, retry_after="0.01"), Says("Yes.")]
        assert (await server.chat(retries=2).complete(ASKED)).text == "Yes."
        assert len(server.requests) == 3


async def test_a_server_that_is_not_there_is_named_without_its_path() -> None:
    with model_server() as gone:
        pass
    with pytest.raises(UnreachableError, match=r"cannot reach 127\.0\.0\.1:\d+$"):
        await gone.chat().complete(ASKED)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b'{"choices": [null]}',
        b'{"choices": []}',
        b'{"choices": null}',
        b'{"choices": {"0": {}}}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{"message": {"tool_calls": [null]}}]}',
        b'{"choices": [{"message": {"content": "\\ud800"}}]}',
        b'{"choices": [{"message": {"content": "\xff"}}]}',
        b'{"choices": [{"message": ' + b'{"message": ' * 5000,
        b"[" * 100_000,
        b'{"error": {"message": "out of memory"}}',
        b"<html><body>It works!</body></html>",
    ],
)
@pytest.mark.parametrize("kind", ["application/json", "text/html", "nonsense"])
async def test_an_odd_answer_is_a_typed_error(body: bytes, kind: str) -> None:
    with model_server(lambda _: Says(body=body, headers={"Content-Type": kind})) as server:
        assert "none of a chat model" in str(await failure(server))


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"\xff", b'{"error": null}', b'{"error": [1]}', b"[" * 100_000])
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 429, 500])
async def test_an_odd_refusal_is_a_typed_error(body: bytes, status: int) -> None:
    with (
        model_server(lambda _: Says(body=body, status=status)) as server,
        pytest.raises((ServerRefusedError, NoAnswerError)),
    ):
        await server.chat().complete(ASKED)


async def test_text_in_parts_is_one_text() -> None:
    body = b'{"choices": [{"message": {"content": [{"type": "text", "text": "Yes"}, {"text": "."}, 5, {"x": 1}]}}]}'
    with model_server(lambda _: Says(body=body)) as server:
        assert (await server.chat().complete(ASKED)).text == "Yes."


async def test_keys_never_come_back_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "tiny-but-mine")
    monkeypatch.setenv("MY_TENANT", "blue-tenant-7")
    with model_server(lambda _: Says(status=400, error={"message": "no tiny-but-mine for blue-tenant-7"})) as server:
        model = ModelServer("mine", "m", server.url, "MY_KEY", headers={"X-Tenant": ("MY_TENANT", "id ")})
        chat = server.chat()
        chat.server = model
        with pytest.raises(ServerRefusedError) as caught:
            await chat.complete(ASKED)
        assert server.headers[0]["x-tenant"] == "id blue-tenant-7"
    assert str(caught.value).endswith("no [removed] for [removed]")
    assert "tiny-but-mine" not in repr(chat)


async def test_somebody_elses_server_gets_neither_key_nor_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    with model_server(lambda _: Says("Yes.")) as server:
        await server.chat().complete(ASKED)
    (headers,) = server.headers
    assert "authorization" not in headers
    assert not [value for value in headers.values() if "mine" in value or KEY in value]


async def test_connections_stay_open_only_where_that_is_wanted() -> None:
    ports: list[int] = []
    with model_server(lambda _: Says("Yes.")) as server:
        async with server.chat() as kept:
            for _ in range(2):
                await kept.complete(ASKED)
        alone = server.chat()
        for _ in range(2):
            await alone.complete(ASKED)
        ports = server.ports
    assert ports[0] == ports[1]
    assert len(set(ports)) == 3


async def test_the_blocking_face_works_inside_a_running_loop() -> None:
    with model_server(lambda _: Says("Yes.")) as server:
        assert server.chat().ask(ASKED, str.upper) == ("Yes.", "YES.")
