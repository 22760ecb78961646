"""Recordings and agents to a plan in which every recorded patient calls every agent."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from voicesim.call.assembly import Order
from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_names import suite_agent
from voicesim.catalog.tags import Tag
from voicesim.judge.judges import Panel
from voicesim.recording.case import case_of
from voicesim.recording.read import open_recording
from voicesim.suite.content import content_key
from voicesim.suite.matrix import PlannedCall, keyed, slug
from voicesim.suite.plan import Plan
from voicesim.suite.reference import fitted
from voicesim.suite.replay import AS_RECORDED, ReplayOptions, replay_order


def replay_plan(
    folders: Sequence[Path],
    agents: Sequence[str],
    options: ReplayOptions,
    wanted: Order,
    panel: Panel,
    *,
    brain: str | None = None,
    fault: Tag | None = None,
    at_once: int | None = None,
) -> Plan:
    """The plan; `wanted` says what recordings do not: the folder, mind, ear, clock and limits.

    Raises UsageError and CatalogueError for an agent that there is not and a recording that cannot be replayed.
    """
    panel.seated()
    catalogue = Catalogue.here()
    calls: list[PlannedCall] = []
    taken: set[Path] = set()
    for name in agents:
        for folder in folders:
            case = case_of(open_recording(folder).manifest)
            agent = fitted(suite_agent(name, catalogue), case, brain, fault)
            order = replay_order(folder, options, replace(wanted, agent=agent.label, settings=agent.settings))
            key = content_key(order)
            assert order.replay is not None
            place = wanted.folder / f"{slug(order.replay.call_id)}_{slug(agent.label)}_{options.mode}"
            place = keyed(place, key) if place in taken else place
            taken.add(place)
            calls.append(PlannedCall(replace(order, folder=place, key=key), agent, 1))
    plan = Plan(tuple(calls), wanted.folder, panel, at_once=at_once, adds=True)
    plan.check()
    return plan


def wanted_order(folder: Path, **settings: object) -> Order:
    """An order without a case of its own, to be filled in from a recording."""
    catalogue = Catalogue.here()
    some = catalogue.case(catalogue.ids("case")[0])
    persona = catalogue.persona(some.patient.persona)
    return Order(some, persona, AS_RECORDED, "", folder, folder.name, **settings)  # type: ignore[arg-type]
