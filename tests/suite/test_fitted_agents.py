"""What a reference agent is started with: the brain that fits the case, unless another is asked for."""

from pathlib import Path

import pytest

from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent, resolve_agent
from voicesim.catalog.tags import Tag
from voicesim.errors import CatalogueError, UsageError
from voicesim.suite.reference import ReferenceAgentFile, fitted

CLINIC = Catalogue.here().case("clinic-01-dizzy-booking")
COLD = Catalogue.here().case("cold-01-andi")


def settings_of(
    chosen: ChosenAgent, case: Case | None = None, brain: str | None = None, fault: Tag | None = None
) -> ReferenceAgentFile:
    settings = fitted(chosen, case, brain, fault).settings
    assert isinstance(settings, ReferenceAgentFile)
    return settings


@pytest.mark.parametrize("agent", ["realtime", "realtime-ws", "modular", "duplex"])
def test_every_reference_agent_gets_the_brain_that_fits_the_case(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    chosen = resolve_agent(agent)
    assert settings_of(chosen, CLINIC).brain == "booking"
    assert settings_of(chosen, COLD).brain == settings_of(chosen).brain == "rules"
    assert settings_of(chosen, CLINIC, "openai:gpt-4o").brain == "openai:gpt-4o"


def test_an_agent_file_may_name_brain_and_fault_and_the_command_line_wins(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("agent: modular\nbrain: booking\nfault: unsafe_advice\n")
    settings = settings_of(resolve_agent(str(file)), COLD)
    assert (settings.brain, settings.fault) == ("booking", "unsafe_advice")
    settings = settings_of(resolve_agent(str(file)), COLD, fault="invented_fact")
    assert settings.fault == "invented_fact"


def test_other_agents_have_no_brain_of_ours(tmp_path: Path) -> None:
    chosen = resolve_agent("smallwebrtc:http://localhost:7860")
    assert fitted(chosen, CLINIC) is chosen
    for given in ({"brain": "rules"}, {"fault": "slow_answer"}):
        with pytest.raises(UsageError, match=r"brain and fault are for the agents realtime, .* and duplex"):
            fitted(chosen, CLINIC, **given)  # type: ignore[arg-type]
    file = tmp_path / "mine.yaml"
    file.write_text("agent: openai:gpt-realtime\nbrain: rules\n")
    with pytest.raises(CatalogueError, match=r"`brain` .* of the form realtime or realtime-ws or modular or duplex"):
        resolve_agent(str(file))


def test_what_cannot_be_started_is_refused_before_anything_is() -> None:
    with pytest.raises(UsageError, match="unknown brain 'wise'"):
        fitted(resolve_agent("modular"), CLINIC, "wise")
    with pytest.raises(UsageError, match="rules has no fault 'unsafe_advice'"):
        fitted(resolve_agent("modular"), COLD, fault="unsafe_advice")
