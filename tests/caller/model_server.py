"""A server that speaks OpenAI's chat completions and answers what a test told it to."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Answer:
    """One answer of the server; a status other than 200 is an error with `text` as its message."""

    text: str | None
    finish: str = "stop"
    status: int = 200
    refusal: str | None = None


@dataclass
class ModelServer:
    """`answers` go out in order; `requests` are the bodies that came in."""

    answers: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def decides(self, *asked: str, declines: bool = False, over: bool = False) -> "ModelServer":
        return self.says(json.dumps({"asked": asked, "declines": declines, "over": over}))

    def says(self, text: str | None, **more: Any) -> "ModelServer":
        self.answers.append(Answer(text, **more))
        return self

    def data(self, request: int) -> dict[str, Any]:
        """The call's data in a request's second message."""
        data: dict[str, Any] = json.loads(self.requests[request]["messages"][1]["content"])
        return data

    async def handle(self, request: web.Request) -> web.Response:
        self.requests.append(await request.json())
        answer = self.answers.pop(0)
        if answer.status != 200:
            return web.json_response({"error": {"message": answer.text}}, status=answer.status)
        message = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
        choice = {"index": 0, "finish_reason": answer.finish, "message": message}
        body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        return web.json_response(body)


@asynccontextmanager
async def model_server() -> AsyncIterator[ModelServer]:
    """A server on a free local port."""
    server = ModelServer()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()
