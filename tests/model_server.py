"""The one fake of a server that speaks OpenAI's API: it answers in chat, and with sound, what a test wants.

It runs in a thread, so that blocking and async callers can ask it. Every request is kept.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from voicesim.judge.llm.openai_judge import ROOM, rooms
from voicesim.llm.answer_cache import AnswerCache
from voicesim.llm.client import ChatModel
from voicesim.llm.server import ModelServer

KEY = "sk-secret-4711-0123456789"


@dataclass(frozen=True)
class Says:
    """One answer: the model's text or function calls (name and arguments), an error with its status, or raw bytes.

    `body` replaces everything that the server would send; `pause` are seconds before each of its bytes.
    """

    text: str | None = ""
    finish: str = "stop"
    status: int = 200
    error: dict[str, Any] = field(default_factory=dict)
    refusal: str | None = None
    model: str = ""
    usage: Any = None
    calls: Sequence[tuple[str, str]] = ()
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0


def busy(status: int = 503, **headers: str) -> Says:
    """An error that is worth another try, with next to no pause before it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()} or {"retry-after-ms": "1"}
    return Says(status=status, error={"message": "busy"}, headers=named)


Answerer = Callable[[dict[str, Any]], Says]


@dataclass
class FakeServer:
    """`answers` go out in order, or whatever `answer` makes of a request; `keys` are the Authorization headers."""

    answer: Answerer | None = None
    answers: list[Says] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    url: str = ""

    def says(self, text: str | None, **more: Any) -> "FakeServer":
        self.answers.append(Says(text, **more))
        return self

    def decides(self, *asked: str, declines: bool = False, over: bool = False) -> "FakeServer":
        """A mind's decision."""
        return self.says(json.dumps({"asked": asked, "declines": declines, "over": over}))

    def data(self, request: int) -> dict[str, Any]:
        """The call's data in the second message of a request to a mind."""
        data: dict[str, Any] = json.loads(self.requests[request]["messages"][1]["content"])
        return data

    @property
    def keys(self) -> list[str | None]:
        return [headers.get("authorization") for headers in self.headers]

    def model(self, name: str = "m", key_env: str = "") -> ModelServer:
        """A model on this server."""
        return ModelServer(f"openai:{name}", name, self.url, key_env)

    def chat(
        self,
        name: str = "m",
        retries: int = 0,
        cache: AnswerCache | None = None,
        seconds: float = 10,
        key_env: str = "",
    ) -> ChatModel:
        """A model on this server, asked as a judge asks."""
        return ChatModel(self.model(name, key_env), "judge", seconds, retries, rooms(ROOM), cache=cache)


@contextmanager
def model_server(answer: Answerer | None = None) -> Iterator[FakeServer]:
    """A server on a free local port for the length of the block."""
    fake = FakeServer(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, body: dict[str, Any]) -> None:
            fake.requests.append(body)
            fake.paths.append(self.path)
            fake.ports.append(self.client_address[1])
            fake.headers.append({name.lower(): value for name, value in self.headers.items()})
            said = fake.answer(body) if fake.answer else fake.answers.pop(0)
            payload = said.body if said.body is not None else _payload(said, body)
            self.send_response(said.status)
            for name, value in {"Content-Type": "application/json", **said.headers}.items():
                self.send_header(name, value)
            if "Content-Length" not in said.headers:
                self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            try:
                for piece in (payload,) if not said.pause else (payload[i : i + 1] for i in range(len(payload))):
                    time.sleep(said.pause)
                    self.wfile.write(piece)
                    self.wfile.flush()
            except OSError:
                self.close_connection = True  # the client has had enough

        def log_message(self, format: str, *args: Any) -> None:
            """Keeps the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _payload(said: Says, body: dict[str, Any]) -> bytes:
    if said.status != 200:
        return json.dumps({"error": said.error or {"message": said.text}}).encode()
    message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if said.calls:
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(said.calls)
        ]
    completion = {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 0,
        "model": said.model or body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": said.finish, "logprobs": None}],
        "usage": said.usage,
    }
    return json.dumps(completion).encode()


def transcript_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The transcript's JSON out of a question, exactly as the model gets it."""
    found = re.search(r"<transcript>\n(.*)\n</transcript>", body["messages"][1]["content"], re.DOTALL)
    assert found is not None
    lines: list[dict[str, Any]] = json.loads(found.group(1))
    return lines


def question_in(body: dict[str, Any]) -> str:
    """What stands behind the transcript."""
    return str(body["messages"][1]["content"]).split("</transcript>", 1)[1]


def schema_in(body: dict[str, Any]) -> dict[str, Any]:
    """The answer's schema."""
    schema: dict[str, Any] = body["response_format"]["json_schema"]["schema"]
    return schema
