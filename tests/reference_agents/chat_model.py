"""A local server that speaks chat completions, with answers by script."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Calls = list[tuple[str, str]]
"""Function calls of one answer: names, and arguments as JSON text."""


class Model:
    """Answers with the next text or function calls, or with an error status when the text is a number."""

    def __init__(self) -> None:
        self.answers: list[str | Calls] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.client: Any = None

    async def complete(self, request: web.Request) -> web.Response:
        self.requests.append(await request.json())
        self.keys.append(request.headers["Authorization"])
        answer = self.answers.pop(0)
        if isinstance(answer, str) and answer.isdigit():
            return web.json_response({"error": {"message": "no"}}, status=int(answer))
        message: dict[str, Any] = {"role": "assistant", "content": answer}
        if isinstance(answer, list):
            calls = [
                {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for n, (name, arguments) in enumerate(answer)
            ]
            message = {"role": "assistant", "content": None, "tool_calls": calls}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return web.json_response(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        )


@asynccontextmanager
async def serving_model() -> AsyncIterator[tuple[Model, str]]:
    """A running server: what it was asked and will answer, and its base URL."""
    served = Model()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", served.complete)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield served, f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()
