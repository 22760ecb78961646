"""The table of transports: every row is documented and tested, and another package adds one without a change here."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from voicesim.catalog.agent_names import parse_agent
from voicesim.catalog.load import load_agent_file
from voicesim.catalog.resolve import resolve_agent
from voicesim.errors import CatalogueError, UsageError
from voicesim.registry import TRANSPORTS, Registry
from voicesim.selftest.transports import transports_under_test
from voicesim.suite.reaching import reach
from voicesim.transports.spec import transport_spec

DOCS = Path(__file__).parents[2] / "docs" / "agents.md"


@pytest.mark.parametrize("name", list(TRANSPORTS))
def test_every_transport_has_its_line_in_the_docs_and_its_self_test(name: str) -> None:
    row, spec = TRANSPORTS.row(name), transport_spec(name)
    assert f"| `{row.form}` |" in DOCS.read_text(encoding="utf-8")
    assert row.about.endswith(".")
    tested = {transport.name for transport in transports_under_test()}
    assert spec.in_process or (spec.wire or name) in tested


MODULE = '''
"""A transport of another package: its agent says nothing."""

from pydantic import Field

from voicesim.catalog.agent_file import AgentFile
from voicesim.transports.spec import TransportSpec


class Room:
    receive_delay = 0.0

    def __init__(self, target, number):
        self.name = f"hotel:{target}/{number}"

    async def open(self, inbox):
        pass

    def send(self, pcm):
        pass

    async def close(self):
        pass


class HotelAgentFile(AgentFile):
    room: int = Field(default=1, ge=1)


def bare(destination):
    return Room(destination.target, 0)


SPEC = TransportSpec(lambda destination: Room(destination.target, destination.settings.room), HotelAgentFile)
NUMBER = 7
'''
ENTRY_POINTS = """\
[voicesim.transports]
hotel = hotel_transport:SPEC
motel = hotel_transport:bare
broken = hotel_transport:NUMBER
lost = hotel_transport:nothing
twilio = hotel_transport:SPEC
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package, as pip would leave it: a module, and metadata with entry points."""
    (tmp_path / "hotel_transport.py").write_text(MODULE)
    info = tmp_path / "hotel_transport-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hotel-transport\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    TRANSPORTS.__dict__.pop("rows", None)
    yield
    TRANSPORTS.__dict__.pop("rows", None)


@pytest.mark.usefixtures("installed")
async def test_another_package_adds_a_transport_with_settings_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("agent: hotel:grand\nroom: 12\n")
    async with reach(resolve_agent(str(file))) as new_transport:
        assert new_transport().name == "hotel:grand/12"
    async with reach(resolve_agent("motel:cheap")) as new_transport:
        assert new_transport().name == "hotel:cheap/0"
    file.write_text("agent: hotel:grand\nroom: 0\n")
    with pytest.raises(CatalogueError, match="room: should be greater than or equal to 1"):
        load_agent_file(file)
    file.write_text("agent: twilio:ws://localhost:1\nroom: 12\n")
    with pytest.raises(CatalogueError, match=r"`room` .* is for agents of the form hotel"):
        load_agent_file(file)


@pytest.mark.usefixtures("installed")
def test_what_another_package_adds_wrongly_is_told_and_takes_no_name_of_ours() -> None:
    assert "from the package hotel-transport" in TRANSPORTS.row("hotel").about
    assert transport_spec("twilio").agent_file.__name__ == "TwilioAgentFile"
    with pytest.raises(UsageError, match="is neither a TransportSpec nor a function"):
        transport_spec("broken")
    with pytest.raises(UsageError, match="cannot be loaded from hotel_transport:nothing"):
        transport_spec("lost")
    with pytest.raises(UsageError, match="Did you mean hotel or motel"):
        parse_agent("hotl:grand")


def test_a_name_that_is_unknown_lists_the_near_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown agent 'twillio'\. Did you mean twilio?"):
        Registry("agent", "voicesim.none", dict(TRANSPORTS.rows)).row("twillio")
