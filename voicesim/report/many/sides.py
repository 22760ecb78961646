"""The sides of a comparison, whether they may be compared, and which call stands beside which."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from voicesim.errors import UsageError, near
from voicesim.report.many.row import Row
from voicesim.results.pairing import same_patients


@dataclass(frozen=True)
class Side:
    """One contender: its calls, under the name that it has on the page."""

    name: str
    rows: tuple[Row, ...]

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that were called."""
        return tuple(dict.fromkeys(row.setting.agent for row in self.rows))


@dataclass(frozen=True)
class Pair:
    """The same patient before both sides: one call of each."""

    first: Row
    second: Row


@dataclass(frozen=True)
class Doubts:
    """Why two sides should not be compared (`refusals`), and what to know when they are (`warnings`)."""

    refusals: tuple[str, ...]
    warnings: tuple[str, ...]


def sides(folders: Mapping[str, Sequence[Row]], agents: Sequence[str] = ()) -> tuple[Side, ...]:
    """Each folder of calls as a side; of a single one, each of its agents.

    With `agents`, only calls to them count, and each agent of each folder is a side, in their order. Raises UsageError
    for an agent that nobody called, and when fewer than two sides come of it.
    """
    known = dict.fromkeys(row.setting.agent for rows in folders.values() for row in rows)
    for agent in agents:
        if agent not in known:
            raise UsageError(f"no call was made to agent {agent!r}.{near(agent, known)}")
    made = [
        Side(name, tuple(row for row in rows if not agents or row.setting.agent in agents))
        for name, rows in folders.items()
    ]
    if len(made) == 1 or agents:
        made = [_of_agent(side, agent, len(made) > 1) for side in made for agent in agents or side.agents]
    made = [side for side in made if side.rows]
    if len(made) < 2:
        raise UsageError("a comparison needs two folders of calls, or one with calls to several agents")
    if all(len(side.agents) == 1 for side in made) and len({side.agents for side in made}) == len(made):
        made = [replace(side, name=side.agents[0]) for side in made]
    return tuple(made)


def pairs(first: Side, second: Side) -> tuple[Pair, ...]:
    """The calls of the same patient, repeat by repeat: those of one seed first, the others in their order.

    Where a side has calls to several agents, the agent has to be the same, too. What has no counterpart is left out.
    """
    several = len(first.agents) > 1 or len(second.agents) > 1
    key: Callable[[Row], Hashable] = (lambda row: row.pair) if several else (lambda row: row.patient)
    matched = same_patients(first.rows, second.rows, key, lambda row: row.setting.seed, any_seed=True)
    return tuple(Pair(row, other) for row, other in matched)


def doubts(first: Side, second: Side, matched: Sequence[Pair]) -> Doubts:
    """What differs between two sides beside the agent. Raises UsageError when they have no patient in common."""
    if not matched:
        raise UsageError(
            f"{first.name} and {second.name} have no patient in common: no case with the same persona and audio profile"
        )
    refusals = [
        f"the rubric of {case} differs between {first.name} and {second.name}: their scores count different checks"
        for case in _differing(matched, lambda row: row.setting.case, "rubric")
    ]
    refusals += _unequal(first, second, "judge", lambda row: row.setting.judge)
    return Doubts(tuple(refusals), tuple(_warnings(first, second, matched)))


def _warnings(first: Side, second: Side, matched: Sequence[Pair]) -> list[str]:
    warnings = []
    names: tuple[tuple[str, str, Callable[[Row], str]], ...] = (
        ("case", "case", lambda row: row.setting.case),
        ("persona", "persona", lambda row: row.setting.persona),
        ("profile", "audio profile", lambda row: row.setting.profile),
    )
    for part, name, of in names:
        warnings += [f"the {name} {entry} has changed between the two" for entry in _differing(matched, of, part)]
    warnings += _unequal(first, second, "mind that played the patient", lambda row: row.setting.mind)
    warnings += _unequal(first, second, "judge's version", lambda row: row.setting.judge_version)
    warnings += _unequal(first, second, "version of voicesim", lambda row: row.setting.versions.get("voicesim", ""))
    for side in (first, second):
        count = len(side.rows) - len(matched)
        if count:
            warnings.append(f"{count} of {len(side.rows)} calls of {side.name} left out: without a counterpart")
    hashes = [[row.setting.hashes.get("agent", "") for row in (pair.first, pair.second)] for pair in matched]
    if all(before == after != "" for before, after in hashes):
        warnings.append("both sides are the same agent with the same settings: what differs is chance")
    return warnings


def _unequal(first: Side, second: Side, what: str, value: Callable[[Row], str]) -> list[str]:
    """A sentence when the two sides have not the same values of something."""
    values = [sorted({value(row) for row in side.rows if value(row)}) for side in (first, second)]
    if values[0] == values[1]:
        return []
    mine, other = (" and ".join(entries) or "none" for entries in values)
    return [f"the {what} differs: {mine} for {first.name}, {other} for {second.name}"]


def _differing(matched: Sequence[Pair], name: Callable[[Row], str], part: str) -> list[str]:
    """Names whose hash is not the same on both sides of a pair; what has no hash is passed over."""
    names = set()
    for pair in matched:
        mine, other = (row.setting.hashes.get(part) for row in (pair.first, pair.second))
        if mine and other and mine != other:
            names.add(name(pair.first))
    return sorted(names)


def _of_agent(side: Side, agent: str, several: bool) -> Side:
    name = f"{agent} ({side.name})" if several else agent
    return Side(name, tuple(row for row in side.rows if row.setting.agent == agent))
