"""A sweep: calls of one case to one agent at every value of an axis, on the suite's engine."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from voicesim.call.assembly import Order
from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.catalog.resolve import ChosenAgent
from voicesim.judge.judges import Panel
from voicesim.recording import files
from voicesim.results.sweep import SWEEP, Sweep, SweepAxis, SweepPoint
from voicesim.suite.axes import Axis, Spot, at, checked, plain
from voicesim.suite.content import content_key
from voicesim.suite.matrix import PlannedCall, apart, slug
from voicesim.suite.plan import Plan
from voicesim.suite.reference import fitted


@dataclass(frozen=True)
class SweepPlan:
    """The calls of a sweep, and which of them belong to which point."""

    plan: Plan
    sweep: Sweep

    def write(self) -> None:
        """Write sweep.json into the folder of the calls."""
        self.plan.folder.mkdir(parents=True, exist_ok=True)
        files.save(self.plan.folder, SWEEP, self.sweep)


def sweep_plan(
    template: Order,
    agent: ChosenAgent,
    axes: Sequence[Axis],
    catalogue: Catalogue,
    panel: Panel,
    *,
    repeats: int = 1,
    control: bool = True,
    at_once: int | None = None,
    rerun_invalid: int = 0,
) -> SweepPlan:
    """Every combination of the axes' values, `repeats` times over with the seeds that follow each other.

    `template` holds all that stays the same, its folder is the sweep's. With `control`, the same patient also calls
    in a plain voice on a clean line. A call whose content is the same at two points is made once. Raises UsageError
    and CatalogueError for whatever can be seen to be wrong; nothing is started or written.
    """
    spot = Spot(template.persona, template.profile)
    checked(axes, spot, catalogue)
    panel.seated()
    make_mind(template.mind, template.case)
    agent = fitted(agent, template.case, None, None)
    calls: dict[str, PlannedCall] = {}

    def keys(place: Spot, name: str) -> tuple[str, ...]:
        made = [_call(template, agent, place, name, repeat) for repeat in range(1, repeats + 1)]
        for call in made:
            calls.setdefault(call.key, call)
        return tuple(call.key for call in made)

    controls = keys(plain(template.persona, catalogue), "control") if control else ()
    points = [
        SweepPoint(values=values, keys=keys(at(axes, values, spot, catalogue), _name(axes, values)))
        for values in product(*(axis.values for axis in axes))
    ]
    sweep = Sweep(
        title=template.case.title,
        case=template.case.id,
        agent=agent.label,
        axes=tuple(SweepAxis(name=axis.name, values=axis.values, numbers=axis.numbers) for axis in axes),
        points=tuple(points),
        control=controls,
    )
    plan = Plan(
        apart(tuple(calls.values())),
        template.folder,
        panel,
        at_once=at_once or (1 if template.clock == "virtual" else None),
        rerun_invalid=rerun_invalid,
        adds=True,
        title=f"{template.case.title}: {' and '.join(axis.name for axis in axes)}",
    )
    plan.check()
    return SweepPlan(plan, sweep)


def sweep_folder(case: str, agent: str, axes: Sequence[Axis]) -> str:
    """The name of a sweep's folder: the same command finds it again."""
    return f"sweep_{case}_{slug(agent)}_{'_'.join(axis.name for axis in axes)}"


def _name(axes: Sequence[Axis], values: Sequence[str]) -> str:
    """A point as part of a folder's name; a minus sign of a number is written as `m`."""
    pairs = zip(axes, values, strict=True)
    return "_".join(
        f"{axis.name}-{slug(value.replace('-', 'm') if axis.name == 'snr' else value)}" for axis, value in pairs
    )


def _call(template: Order, agent: ChosenAgent, spot: Spot, name: str, repeat: int) -> PlannedCall:
    order = replace(
        template,
        persona=spot.persona,
        profile=spot.profile,
        agent=agent.label,
        settings=agent.settings,
        seed=template.seed + repeat - 1,
        suite=template.folder.name,
        folder=template.folder / f"{name}_{repeat:02d}",
    )
    return PlannedCall(replace(order, key=content_key(order)), agent, repeat)


def template_order(
    catalogue: Catalogue,
    case: str,
    folder: Path,
    *,
    persona: str | None = None,
    profile: str = "clean",
    mind: str = "cues",
    seed: int = 0,
    whisper: str = "base",
    ear: str = "base",
    clock: str = "live",
    max_turns: int = 30,
    max_duration: float = 300.0,
) -> Order:
    """What all calls of a sweep have in common. Raises CatalogueError for a name that stands for nothing."""
    chosen = catalogue.case(case)
    return Order(
        case=chosen,
        persona=catalogue.persona(persona or chosen.patient.persona),
        profile=catalogue.profile(profile),
        agent="",
        folder=folder,
        suite=folder.name,
        mind=mind,
        seed=seed,
        whisper=whisper,
        ear=ear,
        clock="virtual" if clock == "virtual" else "live",
        max_turns=max_turns,
        max_duration=max_duration,
    )
