"""What `--agent` names, a string or a file, as the one thing that transports and the manifest are made from."""

from dataclasses import dataclass
from pathlib import Path

from voicesim.catalog.agent_file import AgentFile, agent_file_type
from voicesim.catalog.agent_names import AgentName, parse_agent
from voicesim.catalog.load import id_from_name, load_agent_file
from voicesim.catalog.prices import known_prices
from voicesim.catalog.yaml_tree import SUFFIXES
from voicesim.errors import CatalogueError, UsageError
from voicesim.redact import looks_like_key, redact


@dataclass(frozen=True)
class ChosenAgent:
    """`label` is what people call it: the string itself, or the id of the file. `settings` hold no key."""

    label: str
    name: AgentName
    settings: AgentFile


def resolve_agent(text: str) -> ChosenAgent:
    """An agent string, or the path of an agent file; known models get the shipped prices.

    Raises UsageError for a string that names nothing, CatalogueError for a file with anything wrong in it.
    """
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES or "://" in text:
        name = parse_agent(text)
        if looks_like_key(text):
            raise UsageError(
                f"the agent {redact(text)} holds what looks like a key; name the environment variable that holds it "
                "under `headers` of an agent file"
            )
        return ChosenAgent(name.text, name, _stored(agent_file_type(text)(agent=text), name))
    if not path.is_file():
        raise CatalogueError(f"there is no agent file {text}")
    settings = load_agent_file(path)
    name = parse_agent(settings.agent)
    return ChosenAgent(settings.id or id_from_name(path), name, _stored(settings, name))


def _stored(settings: AgentFile, name: AgentName) -> AgentFile:
    """Settings as recordings keep them: with prices that are known, and no more of the address than may be shown."""
    prices = settings.prices or known_prices(name.target.partition("?")[0])
    return settings.model_copy(update={"agent": name.text, "prices": prices})
