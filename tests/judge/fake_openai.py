"""A server that speaks the part of OpenAI's chat API that a judge uses, with answers of your choice."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from openai import DefaultHttpxClient, OpenAI

KEY = "sk-secret-4711"


@dataclass(frozen=True)
class Says:
    """One answer: the model's text, an HTTP error with its body, or a web page."""

    text: str = ""
    finish: str = "stop"
    status: int = 200
    error: dict[str, Any] = field(default_factory=dict)
    refusal: str | None = None
    page: str = ""
    model: str = ""
    retry_after: str = ""


def client_of(url: str) -> OpenAI:
    """A client of such a server; no certificates are loaded, as that takes longer than the tests."""
    return OpenAI(base_url=url, api_key=KEY, http_client=DefaultHttpxClient(verify=False))


Answerer = Callable[[dict[str, Any]], Says]


@dataclass
class Server:
    """Where it listens, and every request body in order."""

    url: str
    requests: list[dict[str, Any]]


@contextmanager
def openai_server(answer: Answerer) -> Iterator[Server]:
    """A server on a free local port for the length of the block."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(body)
            said = answer(body)
            payload = json.dumps(_completion(said, body) if said.status == 200 else {"error": said.error}).encode()
            payload = said.page.encode() or payload
            self.send_response(said.status)
            self.send_header("Content-Type", "text/html" if said.page else "application/json")
            self.send_header("Content-Length", str(len(payload)))
            if said.retry_after:
                self.send_header("Retry-After", said.retry_after)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:
            """Keeps the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_port}/v1", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(said: Says, body: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 0,
        "model": said.model or body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": said.finish, "logprobs": None}],
    }


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
