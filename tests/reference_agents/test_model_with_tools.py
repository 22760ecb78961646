"""Both agents with a language model as the brain book an appointment: the model, its tools, the protocol of each."""

import asyncio
import json
import warnings
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from model_server import FakeServer, model_server

from voicesim.catalog.find import Catalogue
from voicesim.reference_agents.llm import OpenAIBrain, brain_model
from voicesim.reference_agents.realtime.dialogue import Dialogue, Parts
from voicesim.reference_agents.realtime.session import Session, updated
from voicesim.tools.dispatcher import ToolDispatcher, make_dispatcher
from voicesim.transports.function_calls import FunctionCalls
from voicesim.transports.openai_requests import ResponseRequests
from voicesim.transports.openai_session import new_session

with warnings.catch_warnings():
    # Pipecat imports audioop, which Python 3.11 and 3.12 warn about.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pipecat.frames.frames import FunctionCallResultFrame, LLMContextFrame, LLMTextFrame
    from pipecat.processors.aggregators.llm_context import LLMContext
    from pipecat.tests.utils import run_test

    from voicesim.reference_agents.modular.thinker import Thinker

WISH = "It's Ratna Dewi, born on the twelfth of April, 1968. Thursday, please."
USES = [
    ("verify_patient", {"name": "Ratna Dewi", "date_of_birth": "1968-04-12"}),
    ("list_slots", {"day": "thursday"}),
    ("book", {"patient_id": "p-101", "slot_id": "s-02"}),
]
SAID = "It is booked for Thursday at 9:30."
BOOKING = {"patient_id": "p-101", "slot_id": "s-02", "reason": ""}


def clinic() -> ToolDispatcher:
    dispatcher = make_dispatcher(Catalogue.here().case("clinic-01-dizzy-booking"))
    assert dispatcher is not None
    return dispatcher


@pytest.fixture
def model() -> Iterator[FakeServer]:
    with model_server() as fake:
        for name, arguments in USES:
            fake.says(None, calls=[(name, json.dumps(arguments))])
        yield fake.says(SAID)


def told(model: FakeServer) -> list[bool]:
    """What the model was told came of its calls, in order."""
    return [json.loads(one["content"])["ok"] for one in model.requests[-1]["messages"] if one["role"] == "tool"]


async def test_the_modular_agent_uses_tools_of_its_own(model: FakeServer) -> None:
    dispatcher = clinic()
    thinker = Thinker(OpenAIBrain(brain_model(model.model()), None), lambda: None, dispatcher)
    asked = LLMContextFrame(LLMContext([{"role": "user", "content": WISH}]))
    down, _ = await run_test(thinker, frames_to_send=[asked])
    used = [(one.function_name, one.arguments) for one in down if isinstance(one, FunctionCallResultFrame)]
    assert used == USES
    assert [one.text for one in down if isinstance(one, LLMTextFrame)] == [SAID]
    assert dispatcher.state["bookings"] == [BOOKING]
    assert told(model) == [True, True, True]


class Client:
    """A client of the realtime agent, with the dispatcher behind its function calls, as voicesim is one."""

    readyState = "open"  # noqa: N815

    def __init__(self, model: FakeServer, dispatcher: ToolDispatcher, workers: ThreadPoolExecutor) -> None:
        self.events: list[dict[str, Any]] = []
        self._calls = FunctionCalls(dispatcher)
        self._requests = ResponseRequests(self._later)
        self.tasks: set[asyncio.Task[None]] = set()
        self.said: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        parts = Parts(
            lambda: OpenAIBrain(brain_model(model.model()), None),
            lambda _: "",
            lambda _: np.full(960, 1000, np.int16),
            workers,
            workers,
        )
        session = updated(Session(), new_session("gpt-realtime", tools=dispatcher.tools))
        self.dialogue = Dialogue("t", parts, session, self._spawn, lambda: None, by_events=True)
        self.dialogue.outbox.attach(self)

    def send(self, text: str) -> None:
        event = json.loads(text)
        self.events.append(event)
        if event["type"] == "response.output_audio_transcript.done":
            self.said.set_result(event["transcript"])
        reaction = self._calls.take(event, 0.0)
        for message in reaction.messages:
            self._later(message)
        self._requests.take(event)
        if reaction.goes_on:
            self._requests.ask()

    def _later(self, message: Mapping[str, Any]) -> None:
        asyncio.get_running_loop().call_soon(self.tell, dict(message))

    def tell(self, message: dict[str, Any]) -> None:
        self.dialogue.message(json.dumps(message))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        return task


async def test_the_realtime_agent_uses_the_tools_that_its_client_offers(model: FakeServer) -> None:
    dispatcher = clinic()
    with ThreadPoolExecutor(1) as workers:
        client = Client(model, dispatcher, workers)
        content = [{"type": "input_text", "text": WISH}]
        client.tell(
            {"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": content}}
        )
        client.tell({"type": "response.create"})
        assert await asyncio.wait_for(client.said, 10) == SAID
        await asyncio.gather(*client.tasks)
        used = [one for one in client.events if one["type"] == "response.function_call_arguments.done"]
        assert [(one["name"], json.loads(one["arguments"])) for one in used] == USES
        assert dispatcher.state["bookings"] == [BOOKING]
        assert told(model) == [True, True, True]
