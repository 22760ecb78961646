"""From what was asked for, in a file or on the command line, to a plan that can be carried out."""

from pathlib import Path

from voicesim.caller.minds import make_mind
from voicesim.catalog.find import Catalogue
from voicesim.catalog.suite_file import SuiteFile
from voicesim.catalog.tags import Tag
from voicesim.judge.judges import Panel
from voicesim.suite.matrix import planned_calls
from voicesim.suite.model_audit import ModelAuditor
from voicesim.suite.plan import Plan


def plan_of(
    suite: SuiteFile,
    catalogue: Catalogue,
    folder: Path,
    panel: Panel,
    *,
    brain: str | None = None,
    fault: Tag | None = None,
    tool_report_port: int | None = None,
    adds: bool = False,
) -> Plan:
    """The plan of a suite, into `folder`. Nothing is started, and nothing written.

    Raises CatalogueError and UsageError for all that can be seen to be wrong: a name that stands for nothing, a judge
    or a mind that is not there or lacks its key, a clock that an agent cannot have.
    """
    panel.seated()
    calls = planned_calls(suite, catalogue, folder, brain=brain, fault=fault)
    for case in {call.order.case.id: call.order.case for call in calls}.values():
        make_mind(suite.mind, case)
    if suite.auditor:
        ModelAuditor(suite.auditor)
    plan = Plan(
        calls,
        folder,
        panel,
        at_once=suite.at_once,
        tool_report_port=tool_report_port,
        rerun_invalid=suite.rerun_invalid,
        adds=adds,
        title=suite.title,
        settings={} if adds else suite.model_dump(mode="json", exclude_defaults=True),
    )
    plan.check()
    return plan
