"""What somebody asks for when they run a visit, checked before it is queued."""

from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from voicesim.catalog.find import Catalogue, shipped
from voicesim.catalog.suite_file import CallLimits, SuiteFile
from voicesim.errors import UsageError, near
from voicesim.frozen import Frozen
from voicesim.judge.judges import Panel
from voicesim.recording.manifest import BY_TYPING, BY_VOICE
from voicesim.registry import TRANSPORTS
from voicesim.studio.addresses import allowed
from voicesim.studio.settings import Settings
from voicesim.suite.asked import plan_of
from voicesim.suite.plan import Plan, suite_name

OWN_FOLDER = "catalogue"
"""Where the studio's own cases, personas, profiles, agents and models lie, below its data."""


class Asked(Frozen):
    """A visit, or several repeats of it, by names of the catalogue. `persona` is "" for the case's own.

    `mind` is `cues`, `openai:MODEL`, the id of a model file, `manual` (a person types) or `microphone` (a person
    speaks). `suite` names the folder; left out, it is made from the time and the case.
    """

    case: str = Field(min_length=1, max_length=120)
    agent: str = Field(min_length=1, max_length=500)
    persona: str = Field("", max_length=120)
    profile: str = Field("clean", max_length=120)
    mind: str = Field("cues", max_length=120)
    judge: str = Field("cues", max_length=120)
    brain: str = Field("", max_length=120)
    seed: int = Field(0, ge=0, le=2**31)
    repeats: int = Field(1, ge=1, le=20)
    max_turns: int = Field(30, ge=1, le=100)
    max_duration: float = Field(300.0, ge=5, le=1800)
    suite: str = Field("", max_length=120, pattern=r"^[A-Za-z0-9._-]*$")
    clock: Literal["live", "virtual"] = "live"

    @property
    def by_hand(self) -> bool:
        """Whether a person is the patient."""
        return self.mind in (BY_TYPING, BY_VOICE)


def asked_of(values: dict[str, object]) -> Asked:
    """What a form or a program sent. Raises UsageError that names the field and what is wrong with it."""
    try:
        return Asked.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        raise UsageError(f"{where}: {first['msg']}") from error


def catalogue_of(settings: Settings) -> Catalogue:
    """The studio's own folders first, then the ones that came with voicesim."""
    own, came_with = settings.data / OWN_FOLDER, shipped()
    return Catalogue((own, came_with) if came_with else (own,))


def named(asked: Asked, settings: Settings) -> Asked:
    """The visit with a folder of its own. Nothing that a browser sends is ever taken for a path."""
    catalogue = catalogue_of(settings)
    for kind in ("case", "persona", "profile"):
        name = getattr(asked, kind)
        if name and name not in catalogue.files(kind):
            raise UsageError(f"{kind}: there is no {kind} {name!r}.{near(name, catalogue.files(kind))}")
    check_agent(asked.agent, settings, catalogue)
    check_model("mind", asked.mind, catalogue, ("cues", BY_TYPING, BY_VOICE))
    check_model("judge", asked.judge, catalogue, ("cues",))
    if asked.brain:
        check_model("brain", asked.brain, catalogue, ("rules", "booking"))
    if asked.by_hand and (asked.repeats > 1 or asked.clock == "virtual"):
        raise UsageError("a person plays one patient at a time, in real time")
    name = asked.suite or suite_name([asked.case], datetime.now())
    if name in (".", ".."):
        raise UsageError(f"suite: {name!r} is no name of a folder")
    return asked.model_copy(update={"suite": name})


def check_agent(agent: str, settings: Settings, catalogue: Catalogue) -> None:
    """Raises UsageError for an agent that visits of this studio may not call."""
    if agent in catalogue.files("agent") or agent.partition(":")[0] in reference_agents():
        return
    transport = agent.partition(":")[0]
    if transport not in TRANSPORTS.rows:
        known = (*catalogue.files("agent"), *TRANSPORTS.rows)
        raise UsageError(f"agent: there is no agent {agent!r}.{near(agent, known)}")
    if not settings.agents and settings.loopback:
        return
    if transport == "python" or not allowed(agent, settings.agents):
        raise UsageError(f"agent: {transport} agents at this address are not allowed here; whoever runs the studio can")


def check_model(field: str, name: str, catalogue: Catalogue, others: tuple[str, ...]) -> None:
    """Raises UsageError for what is neither one of `others`, nor a model by name, nor a model file of the catalogue."""
    if name in others or name in catalogue.files("model") or name.startswith("openai:"):
        return
    known = (*others, "openai:MODEL", *catalogue.files("model"))
    raise UsageError(f"{field}: there is no {field} {name!r}.{near(name, known)}")


def reference_agents() -> tuple[str, ...]:
    """The agents that come with voicesim and are started for each visit."""
    return tuple(name for name, row in TRANSPORTS.rows.items() if row.target.startswith("voicesim.suite.reference:"))


def plan(asked: Asked, settings: Settings) -> Plan:
    """The plan of a visit. Raises CatalogueError and UsageError for all that can be seen to be wrong."""
    catalogue = catalogue_of(settings)

    def stored(name: str) -> str:
        return str(catalogue.files("model").get(name, name))

    agents = catalogue.files("agent")
    suite = SuiteFile.model_construct(
        cases=(asked.case,),
        personas=(asked.persona or "own",),
        profiles=(asked.profile,),
        agents=(str(agents.get(asked.agent, asked.agent)),),
        repeats=asked.repeats,
        seed=asked.seed,
        mind=asked.mind if asked.by_hand else stored(asked.mind),
        clock=asked.clock,
        limits=CallLimits(max_turns=asked.max_turns, max_duration=asked.max_duration),
        at_once=1,
    )
    folder = Path(settings.recordings) / asked.suite
    brain = stored(asked.brain) if asked.brain else None
    return plan_of(suite, catalogue, folder, Panel((stored(asked.judge),)), brain=brain, adds=True)
