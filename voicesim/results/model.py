"""suite.json: which calls a suite has, and what is known of those that left no recording."""

from typing import Annotated, Any, Literal

from pydantic import Field

from voicesim.frozen import Frozen, Seed
from voicesim.recording.manifest import Manifest

SUITE = "suite.json"
"""The suite's file in its folder; beside it, a folder for each call."""
FolderName = Annotated[str, Field(pattern=r"^[^/\\\x00]+$", max_length=255)]


class Called(Frozen):
    """What a call is made with, by ids. `repeat` counts from 1."""

    case: str
    persona: str
    profile: str
    agent: str
    seed: Seed
    repeat: int


class Planned(Called):
    """One call of a plan.

    `key` is a sha256 of all that decides the call: what it is made with, word for word, its seed, and the version of
    voicesim. It stands in the recording's manifest too, so a call is found again whatever its folder is called.
    `name` is that of its folder unless another call has it.
    """

    key: str
    name: FolderName


class SuiteRun(Frozen):
    """The whole of suite.json. `judge` is whose verdicts count; "" is whoever judged last.

    `settings` is the suite file as it was read, empty for calls made without one. `lost` tells, by the key of a call
    that left no recording, why.
    """

    schema_version: Literal[1] = 1
    suite: str
    title: str = ""
    started_at: str = ""
    voicesim: str
    judge: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)
    planned: tuple[Planned, ...]
    lost: dict[str, str] = Field(default_factory=dict)


def planned_of(manifest: Manifest, folder: str) -> Planned:
    """A recorded call as if it had been planned, for recordings that no suite tells of."""
    return Planned(
        key=manifest.key or f"{folder}/{manifest.call_id}",
        name=folder,
        case=manifest.case.id,
        persona=manifest.persona.id,
        profile=manifest.profile.id,
        agent=manifest.agent.id,
        seed=manifest.seed,
        repeat=1,
    )
