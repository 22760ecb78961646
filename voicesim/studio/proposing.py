"""Other texts of a case for people to decide on: reworded checks of disputed verdicts, and rubrics out of evidence."""

from collections.abc import Callable, Sequence
from datetime import date
from threading import Thread

from sqlalchemy import select
from sqlalchemy.orm import Session

from voicesim.bench.examine import Labelled, calls
from voicesim.bench.reflect import disputes, propose
from voicesim.bench.rewording import reworded
from voicesim.catalog.find import shipped
from voicesim.catalog.model import Case
from voicesim.errors import UsageError, VoicesimError
from voicesim.judge.gold import load_gold
from voicesim.llm.client import ChatModel
from voicesim.rubrics.audit import Limits, audit
from voicesim.rubrics.casing import signed, to_case
from voicesim.rubrics.documents import Document, read_folder
from voicesim.rubrics.draft import draft, of_case
from voicesim.rubrics.files import case_yaml
from voicesim.rubrics.model import Rubric
from voicesim.studio.case_store import current, read, save
from voicesim.studio.database import Database
from voicesim.studio.merging import merged
from voicesim.studio.model import model_of
from voicesim.studio.reviewing import gold_file
from voicesim.studio.settings import Settings
from voicesim.studio.tables.audit import record
from voicesim.studio.tables.cases import CaseVersion, Proposal
from voicesim.studio.visits.asked import OWN_FOLDER, catalogue_of

WAITING, ASKED, FAILED, APPROVED, REFUSED = "waiting", "asked", "failed", "approved", "turned down"
EVIDENCE = "evidence"
Proposed = tuple[str, str]
"""The text of a case, and why it is proposed."""


def documents(settings: Settings) -> tuple[Document, ...]:
    """The evidence of this studio: the folder in its catalogue, else what came with voicesim."""
    own, came_with = settings.data / OWN_FOLDER / EVIDENCE, shipped()
    if own.is_dir():
        return read_folder(own)
    return read_folder(came_with / EVIDENCE) if came_with and (came_with / EVIDENCE).is_dir() else ()


def drafted(settings: Settings, case: Case) -> tuple[Rubric, tuple[str, ...]]:
    """A rubric out of the evidence for a case, and what a person should look at in it.

    Raises UsageError when no document is about the case.
    """
    evidence = documents(settings)
    rubric = draft(of_case(case), evidence)
    disagreeing = (f"{' and '.join(each.facts)} do not agree: {each.says}" for each in rubric.conflicts)
    return rubric, (*disagreeing, *map(str, audit(rubric, Limits(date.today()), evidence)))


def of_draft(rubric: Rubric, case: Case, chosen: Sequence[str], signs: str = "") -> Proposed:
    """The case with the chosen criteria as its rubric; `signs` is who stands behind them, "" for nobody yet.

    Raises UsageError when none is chosen, or one that the rubric lacks.
    """
    if not chosen:
        raise UsageError("choose at least one criterion")
    wanted = signed(rubric, signs, date.today(), tuple(chosen)) if signs else rubric
    criteria = tuple(criterion for criterion in wanted.criteria if criterion.id in chosen)
    if len(criteria) < len(set(chosen)):
        raise UsageError("the draft has changed since; look at it again")
    made = to_case(wanted.model_copy(update={"criteria": criteria}), case)
    behind = f"signed by {signs}" if signs else "signed by nobody yet"
    return case_yaml(made, f"Its rubric was {rubric.drafted_by or 'drafted'}"), (
        f"a rubric of {len(criteria)} criteria out of evidence ({rubric.drafted_by}), {behind}"
    )


def drafted_by_model(settings: Settings, case: Case, chat: ChatModel) -> list[Proposed]:
    """A rubric that a model drafts from the evidence. Raises UsageError when it gives none."""
    from voicesim.rubrics.drafting import ModelDrafter

    result = ModelDrafter(chat, date.today()).draft(of_case(case), documents(settings))
    text, why = of_draft(result.rubric, case, [criterion.id for criterion in result.rubric.criteria])
    return [(text, ". ".join((why, *result.notes)))]


def rewordings(settings: Settings, case: Case, text: str, chat: ChatModel) -> list[Proposed]:
    """One text for each check whose verdicts people disputed. Raises UsageError when there is no such check."""
    disputed = disputes(_labelled(settings, case), case)
    if not disputed:
        raise UsageError(f"nobody has disputed a verdict on {case.id} yet")
    checks = {check.id: check for check in case.rubric}
    texts: list[Proposed] = []
    for name, some in disputed.items():
        proposal = propose(checks[name], some, chat)
        new = reworded(text, name, proposal.values())
        if new != text:
            texts.append((new, f"{name}, disputed {len(some)} times: {proposal.reason}"))
    if not texts:
        raise UsageError(f"{chat.name} would leave every disputed check as it is")
    return texts


def _labelled(settings: Settings, case: Case) -> list[Labelled]:
    """The labelled visits of a case that are still there."""
    gold = gold_file(settings)
    rows = load_gold(gold) if gold.is_file() else ()
    there = [row for row in rows if row.case == case.id and row.recording and (gold.parent / row.recording).is_dir()]
    return list(calls(there, gold.parent, catalogue_of(settings).case))


def put(session: Session, version: CaseVersion, texts: Sequence[Proposed], who: str) -> list[Proposal]:
    """Let texts that are based on a version wait for a person."""
    entries = [
        Proposal(case=version.case, based_on=version.sha, text=text, why=why[:2000], state=WAITING)
        for text, why in texts
    ]
    session.add_all(entries)
    record(session, who, "propose", f"{version.case} version {version.number}: {len(entries)}")
    session.flush()
    return entries


def ask(
    settings: Settings, database: Database, name: str, who: str, of: Callable[[Case, str, ChatModel], list[Proposed]]
) -> Thread:
    """Ask the model for proposals in a thread; an entry in the state `asked` stands for them until they are there.

    Raises UsageError without a model, CatalogueError for a name that no case has, and when one is asked for already.
    """
    chat = model_of(settings)
    with database.session() as session:
        version = current(session, name, settings)
        case = read(version.text, name, settings).case
        if case is None:
            raise UsageError(f"{name} has problems; mend them first")
        if session.scalar(select(Proposal.id).where(Proposal.case == name, Proposal.state == ASKED)):
            raise UsageError(f"{chat.name} is at work on {name} already")
        entry = Proposal(case=name, based_on=version.sha, text="", why=f"{chat.name} is at work", state=ASKED)
        session.add(entry)
        session.flush()
        number = entry.id

    def work() -> None:
        texts: list[Proposed] = []
        problem = "something unexpected went wrong; the studio's log has it"
        try:
            texts, problem = of(case, version.text, chat), ""
        except VoicesimError as error:
            problem = str(error)
        finally:
            _answered(database, number, version, who, texts, problem)

    thread = Thread(target=work, name=f"propose {name}", daemon=True)
    thread.start()
    return thread


def _answered(
    database: Database, number: int, version: CaseVersion, who: str, texts: Sequence[Proposed], problem: str
) -> None:
    """Put what came of a question to the model in the place of the entry that stood for it."""
    with database.session() as session:
        asked = session.get(Proposal, number)
        if asked is None:
            return
        if problem:
            asked.state, asked.why = FAILED, problem
            return
        session.delete(asked)
        put(session, version, texts, who)


def give_up(database: Database) -> None:
    """What was asked of a model by a studio that has ended since will never come."""
    with database.session() as session:
        for entry in session.scalars(select(Proposal).where(Proposal.state == ASKED)):
            entry.state, entry.why = FAILED, "the studio was started again before the model had answered"


def approve(session: Session, settings: Settings, proposal: Proposal, who: str) -> CaseVersion:
    """Make a proposal the newest version, together with what others have changed since it was made.

    Raises UsageError where they changed the same lines, or what comes out is no valid case.
    """
    newest = current(session, proposal.case, settings)
    text = proposal.text
    if newest.sha != proposal.based_on:
        base = session.scalar(
            select(CaseVersion).where(CaseVersion.case == proposal.case, CaseVersion.sha == proposal.based_on).limit(1)
        )
        both = merged(base.text, proposal.text, newest.text) if base else None
        if both is None:
            raise UsageError("the case was changed at the same lines since this was proposed; ask for another proposal")
        text = both
    draft_text = read(text, proposal.case, settings)
    if draft_text.problems:
        raise UsageError(f"this would be no valid case: {draft_text.problems[0]}")
    version = save(session, draft_text, newest.number, who, f"proposal {proposal.id}: {proposal.why}", settings)
    decide(session, proposal, APPROVED, who)
    return version


def decide(session: Session, proposal: Proposal, state: str, who: str) -> None:
    """Note what a person decided."""
    proposal.state, proposal.decided_by = state, who
    record(session, who, f"{state} proposal", f"{proposal.case} {proposal.id}")
