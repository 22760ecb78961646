"""A language model as the brain, against a local server that speaks chat completions."""

from collections.abc import AsyncIterator, Iterator

import pytest
from model_server import FakeServer, Says, model_server

from voicesim.catalog.find import Catalogue
from voicesim.errors import UsageError
from voicesim.reference_agents import booking
from voicesim.reference_agents.brain import GREETING, SAY_AGAIN, Brain, Reply, ToolUse
from voicesim.reference_agents.brains import brains
from voicesim.reference_agents.llm import MOST_STEPS, TROUBLE, OpenAIBrain
from voicesim.tools import clinic_state as clinic


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    with model_server() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        monkeypatch.setenv("OPENAI_API_KEY", "a-test-key")
        yield fake


@pytest.fixture
async def nurse(model: FakeServer) -> AsyncIterator[Brain]:
    async with brains("openai:tiny-nurse") as make:
        yield make()


async def test_the_conversation_goes_to_the_model_in_order(model: FakeServer, nurse: Brain) -> None:
    model.says("Are you *short* of breath?").says("Take care. Goodbye.")
    assert nurse.greet() == GREETING
    assert await nurse.reply("I have a cold") == Reply("Are you short of breath?")
    assert await nurse.reply("No") == Reply("Take care. Goodbye.", done=True)
    last = model.requests[1]
    assert last["model"] == "tiny-nurse"
    assert [one["role"] for one in last["messages"]] == ["system", "assistant", "user", "assistant", "user"]
    assert [one["content"] for one in last["messages"][1:]] == [
        GREETING,
        "I have a cold",
        "Are you short of breath?",
        "No",
    ]
    assert model.keys == ["Bearer a-test-key"] * 2


async def test_the_model_is_not_asked_about_silence_nor_after_its_goodbye(model: FakeServer, nurse: Brain) -> None:
    model.says("Goodbye.")
    assert await nurse.reply("  ") == Reply(SAY_AGAIN)
    assert (await nurse.reply("bye")).done
    assert await nurse.reply("bye bye") == Reply("", done=True)
    assert len(model.requests) == 1


async def test_the_model_sees_only_what_the_caller_heard_of_a_cut_off_line(model: FakeServer, nurse: Brain) -> None:
    model.says("One. Two. Three.").says("Four.")
    await nurse.reply("hello")
    nurse.interrupted("One.")
    await nurse.reply("wait")
    assert model.requests[1]["messages"][-2]["content"] == "One. (interrupted here)"


async def test_a_server_that_fails_ends_the_call_with_an_apology(model: FakeServer, nurse: Brain) -> None:
    model.answers = [Says(status=400, error={"message": "no"})]
    assert await nurse.reply("hello") == Reply(TROUBLE, done=True)


LOOK_UP = ("verify_patient", '{"name": "Ratna Dewi", "date_of_birth": "1968-04-12"}')
LIST = ("list_slots", '{"day": "thursday"}')
TOOLS = [tool.model_dump() for tool in clinic.TOOLS]


@pytest.fixture
async def receptionist(model: FakeServer) -> AsyncIterator[OpenAIBrain]:
    async with brains("openai:tiny-nurse", case=Catalogue.here().case("clinic-01-dizzy-booking")) as make:
        brain = make()
        assert isinstance(brain, OpenAIBrain)
        brain.offered(TOOLS)
        yield brain


async def test_tools_are_offered_used_one_after_the_other_and_their_results_go_back(
    model: FakeServer, receptionist: OpenAIBrain
) -> None:
    model.says(None, calls=[LOOK_UP, LIST]).says("I have *Thursday*. Shall I book it?")
    assert receptionist.greet() == booking.GREETING
    assert await receptionist.reply("It's Ratna.") == Reply(
        "", use=ToolUse("verify_patient", {"name": "Ratna Dewi", "date_of_birth": "1968-04-12"})
    )
    assert await receptionist.took({"ok": True}) == Reply("", use=ToolUse("list_slots", {"day": "thursday"}))
    assert await receptionist.took({"ok": True, "slots": []}) == Reply("I have Thursday. Shall I book it?")
    first, second = model.requests
    assert [one["function"]["name"] for one in first["tools"]] == ["verify_patient", "list_slots", "book"]
    assert "receptionist" in first["messages"][0]["content"]
    assert [one["role"] for one in second["messages"][3:]] == ["assistant", "tool", "tool"]
    assert [one.get("tool_call_id") for one in second["messages"][4:]] == ["call_0", "call_1"]
    assert second["messages"][4]["content"] == '{"ok": true}'


async def test_without_tools_none_are_offered(model: FakeServer, nurse: Brain) -> None:
    model.says("Hello.")
    await nurse.reply("hello")
    assert "tools" not in model.requests[0]


async def test_a_call_given_up_at_an_interruption_is_told_to_the_model_as_such(
    model: FakeServer, receptionist: OpenAIBrain
) -> None:
    model.says(None, calls=[LOOK_UP, LIST]).says("Yes?").says("Booked.")
    await receptionist.reply("It's Ratna.")
    receptionist.interrupted("")
    assert await receptionist.reply("Wait.") == Reply("Yes?")
    told = model.requests[1]["messages"]
    assert [one["role"] for one in told[3:]] == ["assistant", "tool", "tool", "user"]
    assert "interrupted" in told[4]["content"]
    assert await receptionist.took({"ok": True}) == Reply("Booked.")
    assert model.requests[2]["messages"][-1]["role"] == "system"


async def test_arguments_that_are_no_object_reach_the_tool_as_none(
    model: FakeServer, receptionist: OpenAIBrain
) -> None:
    model.says(None, calls=[("book", "{oops")])
    assert await receptionist.reply("Book it.") == Reply("", use=ToolUse("book", {}))


async def test_a_model_that_only_ever_uses_tools_ends_the_call(model: FakeServer, receptionist: OpenAIBrain) -> None:
    model.answers = [Says(None, calls=[LIST])] * MOST_STEPS
    reply = await receptionist.reply("Thursday?")
    for _ in range(MOST_STEPS):
        assert reply.use is not None
        reply = await receptionist.took({"ok": True, "slots": []})
    assert reply == Reply(TROUBLE, done=True)


async def test_without_a_key_the_brain_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        await brains("openai:gpt-4o-mini").__aenter__()


@pytest.mark.parametrize("spec", ["", "rule", "rules:x", "openai", "openai:"])
async def test_an_unknown_brain_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="`rules`, `booking`, `openai:MODEL` or a model file"):
        await brains(spec).__aenter__()
