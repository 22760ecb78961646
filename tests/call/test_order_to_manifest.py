"""What an order says of its agent and of the case's backend stands in the manifest."""

from dataclasses import replace
from pathlib import Path

from voicesim.call.assembly import Order, _longest, _manifest
from voicesim.catalog.agent_file import AgentFile, Header, Limits
from voicesim.catalog.find import Catalogue

CATALOGUE = Catalogue.here()


def order(case: str, settings: AgentFile | None = None) -> Order:
    chosen = CATALOGUE.case(case)
    return Order(
        case=chosen,
        persona=CATALOGUE.persona(chosen.patient.persona),
        profile=CATALOGUE.profile("clean"),
        agent="mine",
        folder=Path("nowhere"),
        suite="s",
        settings=settings,
    )


def test_the_state_before_the_call_is_kept() -> None:
    made = order("clinic-01-dizzy-booking")
    manifest = _manifest(made, "cues", "0" * 64)
    assert made.case.backend is not None
    assert manifest.state_before == made.case.backend.state
    assert _manifest(order("cold-01-andi"), "cues", "0" * 64).state_before is None


def test_the_agent_is_kept_as_resolved_with_the_names_of_its_keys() -> None:
    settings = AgentFile(agent="openai:m", headers={"Authorization": Header(env="MY_TOKEN", prefix="Bearer ")})
    agent = _manifest(order("cold-01-andi", settings), "cues", "0" * 64).agent
    assert agent.id == "mine"
    assert agent.content["headers"]["Authorization"] == {"env": "MY_TOKEN", "prefix": "Bearer ", "value": None}
    assert agent.content["agent"] == "openai:m"


def test_the_shorter_limit_ends_the_call() -> None:
    short = order("cold-01-andi", AgentFile(agent="openai:m", limits=Limits(call=60)))
    assert _longest(short) == 60
    assert _longest(replace(short, max_duration=30.0)) == 30
    assert _longest(order("cold-01-andi")) == 300
