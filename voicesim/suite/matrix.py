"""From a suite file to its calls: every combination once, each with its content key."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

from voicesim.call.assembly import Order
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case
from voicesim.catalog.resolve import ChosenAgent
from voicesim.catalog.suite_file import OWN, Matrix, SuiteFile
from voicesim.catalog.suite_names import excluded, suite_agent
from voicesim.catalog.tags import Tag
from voicesim.errors import UsageError
from voicesim.results.model import Planned
from voicesim.suite.content import content_key
from voicesim.suite.reference import fitted

MOST_CALLS = 100_000
_LONGEST_NAME = 80
"""Bytes of an agent's part of a folder name; file systems allow 255 for the whole."""


@dataclass(frozen=True)
class PlannedCall:
    """A call that can be made: its order, and the agent that it goes to."""

    order: Order
    agent: ChosenAgent
    repeat: int

    @property
    def key(self) -> str:
        """Its content key."""
        return self.order.key

    def planned(self) -> Planned:
        """The call as suite.json keeps it."""
        order = self.order
        ids = {"case": order.case.id, "persona": order.persona.id, "profile": order.profile.id, "agent": order.agent}
        return Planned(key=order.key, name=order.folder.name, seed=order.seed, repeat=self.repeat, **ids)


def planned_calls(
    suite: SuiteFile,
    catalogue: Catalogue,
    folder: Path,
    *,
    brain: str | None = None,
    fault: Tag | None = None,
) -> tuple[PlannedCall, ...]:
    """Every call of a suite, in the order in which they are made: by agent, case, persona, profile, repeat.

    `folder` is where the recordings go; its name is that of the suite. `brain` and `fault` are for reference agents.
    Depends on nothing but its arguments and the files of the catalogue. Raises CatalogueError for a name that stands
    for nothing, UsageError for an agent, brain or fault that there is not, and for more calls than anybody waits for.
    """
    agents = _Agents(catalogue, brain, fault)
    calls: dict[str, PlannedCall] = {}
    combined = chain.from_iterable(
        _combined(suite, matrix, catalogue, folder, agents, leave_out=number == 0)
        for number, matrix in enumerate(suite.matrices())
    )
    for count, call in enumerate(combined, start=1):
        if count > MOST_CALLS:
            raise UsageError(f"the suite has more than {MOST_CALLS:,} calls; they would take months")
        calls.setdefault(call.key, call)
    return apart(tuple(calls.values()))


def _combined(
    suite: SuiteFile, matrix: Matrix, catalogue: Catalogue, folder: Path, agents: "_Agents", *, leave_out: bool
) -> Iterator[PlannedCall]:
    cases = [catalogue.case(name) for name in catalogue.matching("case", matrix.cases or ())]
    profiles = [catalogue.profile(name) for name in catalogue.matching("profile", matrix.profiles or ())]
    personas = catalogue.matching("persona", matrix.personas or ())
    persona = lru_cache(maxsize=None)(catalogue.persona)
    for name, number in agents.numbered(matrix.agents or ()):
        for case in cases:
            agent = agents.fitted(name, number, case)
            for caller in dict.fromkeys(case.patient.persona if chosen == OWN else chosen for chosen in personas):
                for profile in profiles:
                    ids = {"case": case.id, "persona": persona(caller).id, "profile": profile.id, "agent": agent.label}
                    if leave_out and excluded(suite.exclude, **ids):
                        continue
                    order = Order(
                        case=case,
                        persona=persona(caller),
                        profile=profile,
                        agent=agent.label,
                        settings=agent.settings,
                        folder=folder,
                        suite=folder.name,
                        mind=suite.mind,
                        auditor=suite.auditor,
                        whisper=suite.whisper,
                        ear=suite.ear,
                        clock=suite.clock,
                        max_turns=suite.limits.max_turns,
                        max_duration=suite.limits.max_duration,
                    )
                    yield from _repeated(order, agent, suite.seeds_of(matrix))


def _repeated(order: Order, agent: ChosenAgent, seeds: tuple[int, ...]) -> Iterator[PlannedCall]:
    parts = [order.case.id, slug(agent.label), order.profile.id]
    parts += [order.persona.id] if order.persona.id != order.case.patient.persona else []
    for repeat, seed in enumerate(seeds, start=1):
        name = "_".join([*parts, f"{repeat:02d}"])
        seeded = replace(order, seed=seed, folder=order.folder / name)
        yield PlannedCall(replace(seeded, key=content_key(seeded)), agent, repeat)


class _Agents:
    """The agents of a suite by name; those that are shown alike are numbered, since recordings go by what is shown."""

    def __init__(self, catalogue: Catalogue, brain: str | None, fault: Tag | None) -> None:
        self._catalogue, self._brain, self._fault = catalogue, brain, fault
        self._label: dict[tuple[str, int], str] = {}
        self._shown: Counter[str] = Counter()

    def numbered(self, names: tuple[str, ...]) -> Iterator[tuple[str, int]]:
        """Each name, and how often it came before it among these."""
        seen: Counter[str] = Counter()
        for name in names:
            yield name, seen[name]
            seen[name] += 1

    def fitted(self, name: str, number: int, case: Case) -> ChosenAgent:
        """The agent of a name, as it answers a case; raises what `suite_agent` and `fitted` raise."""
        chosen = suite_agent(name, self._catalogue)
        if (name, number) not in self._label:
            self._shown[chosen.label] += 1
            again = self._shown[chosen.label]
            self._label[name, number] = chosen.label if again == 1 else f"{chosen.label} #{again}"
        chosen = replace(chosen, label=self._label[name, number])
        return fitted(chosen, case, self._brain, self._fault)


def apart(calls: tuple[PlannedCall, ...]) -> tuple[PlannedCall, ...]:
    """The calls, each in a folder of its own: names that are written alike get a piece of the call's key."""
    taken: set[Path] = set()
    apart = []
    for call in calls:
        folder = call.order.folder
        if folder in taken:
            folder = keyed(folder, call.key)
        taken.add(folder)
        apart.append(replace(call, order=replace(call.order, folder=folder)))
    return tuple(apart)


def keyed(folder: Path, key: str) -> Path:
    """A call's folder when its plain name is another call's."""
    return folder.with_name(f"{folder.name}-{key[:8]}")


def slug(text: str) -> str:
    """An agent string as part of a file name, in a length that every file system takes.

    >>> slug("pcm:ws://localhost:8080/call")
    'pcm-ws---localhost-8080-call'
    """
    name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in text).strip("-.")
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    short = name.encode()[: _LONGEST_NAME - 9].decode("utf-8", "ignore")
    return f"{short}-{sha256(text.encode()).hexdigest()[:8]}"
