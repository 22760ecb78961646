"""A rubric drafted by a model: its answers are read strictly, quotes looked up, findings repaired at most twice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

import anyio
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from voicesim.errors import UsageError
from voicesim.llm.client import ChatModel
from voicesim.llm.errors import UnusableAnswerError
from voicesim.rubrics import prompts
from voicesim.rubrics.audit import Limits, audit
from voicesim.rubrics.documents import Document
from voicesim.rubrics.draft import Question
from voicesim.rubrics.facts import conflicts, verified
from voicesim.rubrics.model import Axis, Criterion, EvidenceFact, FactKind, Need, NeedKind, Rubric
from voicesim.rubrics.retrieval import Bm25, Retriever
from voicesim.rubrics.routing import route

MOST_REPAIRS = 2
MOST_DOCUMENTS = 5
Read = TypeVar("Read", bound="_Read")


def _lowered(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


_Small = BeforeValidator(_lowered)


class _Read(BaseModel):
    """A part of an answer: keys that nobody asked for are let be, everything asked for is checked."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Fact(_Read):
    kind: Annotated[FactKind, _Small]
    says: str = Field(min_length=1)
    quote: str = Field(min_length=1)


class _Facts(_Read):
    facts: tuple[_Fact, ...] = Field(max_length=prompts.MOST_FACTS)


class _Need(_Read):
    kind: Annotated[NeedKind, _Small]
    says: str = Field(min_length=1)
    quote: str = ""


class _Needs(_Read):
    needs: tuple[_Need, ...] = Field(max_length=prompts.MOST_NEEDS)


class _Criterion(_Read):
    says: str = Field(min_length=1)
    axis: Annotated[Axis, _Small]
    points: int = Field(ge=-10, le=10)
    kind: Annotated[Literal["ask", "tell"], _Small] = "tell"
    facts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class _Criteria(_Read):
    criteria: tuple[_Criterion, ...] = Field(min_length=1, max_length=prompts.MOST_CRITERIA)


class _Found(_Read):
    criterion: str = ""
    says: str = Field(min_length=1)


class _Findings(_Read):
    findings: tuple[_Found, ...] = Field(max_length=prompts.MOST_FINDINGS)


class _Answer(_Read):
    answer: str


@dataclass
class Drafted:
    """A rubric, and what a person should look at: what was dropped and why, and findings that were not repaired."""

    rubric: Rubric
    notes: tuple[str, ...]


@dataclass
class ModelDrafter:
    """Asks a model: facts of each document and the needs side by side, then the criteria, then what is wrong."""

    chat: ChatModel
    today: date
    retriever: Retriever = field(default_factory=Bm25)
    notes: list[str] = field(default_factory=list)

    def draft(self, question: Question, documents: Sequence[Document]) -> Drafted:
        """Blocking. Raises UsageError when no document fits or no usable criteria come, and what a server refuses."""
        return anyio.run(self._draft, question, documents)

    async def _draft(self, question: Question, documents: Sequence[Document]) -> Drafted:
        self.notes.clear()
        chosen = route(question.text, documents, self.retriever, question.case)[:MOST_DOCUMENTS]
        if not chosen:
            raise UsageError("none of the documents says anything about this question")
        async with self.chat:
            facts, needs = await self._read(question, chosen)
            criteria = await self._criteria(question, facts, needs)
            rubric = self._rubric(question, chosen, facts, needs, criteria)
            for _ in range(MOST_REPAIRS):
                findings = await self._findings(rubric)
                if not findings:
                    break
                rubric = await self._repaired(rubric, findings)
            else:
                self.notes += [f"not repaired: {finding}" for finding in await self._findings(rubric)]
        return Drafted(rubric, tuple(self.notes))

    async def _read(
        self, question: Question, documents: Sequence[Document]
    ) -> tuple[tuple[EvidenceFact, ...], tuple[Need, ...]]:
        """Facts and needs; the documents are read side by side."""
        facts: dict[str, tuple[EvidenceFact, ...]] = {}
        needs: list[Need] = []

        async def facts_of(document: Document) -> None:
            facts[document.source.id] = await self._facts(question, document)

        async def needs_of() -> None:
            needs.extend(await self._needs(question))

        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(needs_of)
                for document in documents:
                    tasks.start_soon(facts_of, document)
        except ExceptionGroup as group:
            raise group.exceptions[0] from None  # a server that refuses one refuses all, and its words are for the user
        return tuple(fact for document in documents for fact in facts[document.source.id]), tuple(needs)

    async def _facts(self, question: Question, document: Document) -> tuple[EvidenceFact, ...]:
        messages = prompts.facts(question.text, document)
        answer = await self._ask(messages, _Facts, prompts.FACTS_FORM, f"facts of {document.source.id}")
        claimed = [
            EvidenceFact(
                id=f"{document.source.id}-{number}",
                kind=fact.kind,
                says=fact.says,
                source=document.source.id,
                quote=fact.quote,
            )
            for number, fact in enumerate(answer.facts if answer else (), start=1)
        ]
        proven, dropped = verified(claimed, [document])
        self.notes += dropped
        return proven

    async def _needs(self, question: Question) -> list[Need]:
        answer = await self._ask(prompts.needs(question.text, question.known), _Needs, prompts.NEEDS_FORM, "needs")
        return [
            Need(id=f"{need.kind}-{number}", kind=need.kind, says=need.says, quote=need.quote)
            for number, need in enumerate(answer.needs if answer else (), start=1)
        ]

    async def _criteria(
        self, question: Question, facts: Sequence[EvidenceFact], needs: Sequence[Need]
    ) -> tuple[Criterion, ...]:
        messages = prompts.criteria(question.text, facts, needs)
        answer = await self._ask(messages, _Criteria, prompts.CRITERIA_FORM, "criteria")
        if answer is None:
            raise UsageError("the model gave no usable criteria; draft without --model, or try another one")
        criteria = self._made(answer, facts, needs)
        if not criteria:
            raise UsageError("no criterion of the model stands on a fact or on the question; draft without --model")
        return criteria

    def _made(self, answer: _Criteria, facts: Sequence[EvidenceFact], needs: Sequence[Need]) -> tuple[Criterion, ...]:
        """Criteria that point at something there is; ids that nobody gave are dropped, and told."""
        known, wanted = {fact.id for fact in facts}, {need.id for need in needs}
        made = []
        for number, row in enumerate(answer.criteria, start=1):
            lost = sorted({*row.facts} - known | {*row.needs} - wanted)
            if lost:
                self.notes.append(f"criterion {number} points at what is not there: {', '.join(lost)}")
            stands = [name for name in row.facts if name in known], [name for name in row.needs if name in wanted]
            if row.points == 0 or not any(stands):
                self.notes.append(f"criterion {number} dropped, as it stands on nothing: {row.says}")
                continue
            made.append(
                Criterion(
                    id=f"c{number}",
                    says=row.says,
                    axis=row.axis,
                    points=row.points,
                    kind=row.kind,
                    facts=tuple(dict.fromkeys(stands[0])),
                    needs=tuple(dict.fromkeys(stands[1])),
                    violation=row.says if row.points < 0 else "",
                )
            )
        return tuple(made)

    async def _findings(self, rubric: Rubric) -> list[str]:
        """What code finds, and then what the model finds."""
        findings = [str(finding) for finding in audit(rubric, Limits(self.today)) if finding.rule != "old_source"]
        messages = prompts.audit(rubric.facts, rubric.criteria)
        answer = await self._ask(messages, _Findings, prompts.AUDIT_FORM, "audit")
        known = {criterion.id for criterion in rubric.criteria}
        for row in answer.findings if answer else ():
            if row.criterion and row.criterion not in known:
                self.notes.append(f"a finding about a criterion that is not there: {row.criterion}")
            else:
                findings.append(f"{row.criterion or 'the rubric'}: {row.says}")
        return findings

    async def _repaired(self, rubric: Rubric, findings: Sequence[str]) -> Rubric:
        """The rubric mended, or as it was where the mend is unusable or stands on nothing."""
        messages = prompts.repair(rubric.facts, rubric.needs, rubric.criteria, findings)
        answer = await self._ask(messages, _Criteria, prompts.CRITERIA_FORM, "repair")
        criteria = self._made(answer, rubric.facts, rubric.needs) if answer else ()
        return rubric.model_copy(update={"criteria": criteria}) if criteria else rubric

    async def _ask(
        self, messages: Sequence[dict[str, str]], form: type[Read], schema: dict[str, Any], what: str
    ) -> Read | None:
        read: Callable[[str], Read] = form.model_validate_json
        try:
            _, answer = await self.chat.answer(messages, read, schema)
        except UnusableAnswerError as error:
            self.notes.append(f"{what}: {error}")
            return None
        return answer

    def _rubric(
        self,
        question: Question,
        documents: Sequence[Document],
        facts: Sequence[EvidenceFact],
        needs: Sequence[Need],
        criteria: tuple[Criterion, ...],
    ) -> Rubric:
        return Rubric(
            id=question.id,
            question=question.text,
            case=question.case,
            language=question.language,
            drafted_by=f"{self.chat.name}, {self.retriever.name}",
            sources=tuple(document.source for document in documents),
            facts=tuple(facts),
            needs=tuple(needs),
            conflicts=conflicts(facts, question.language),
            criteria=criteria,
        )


@dataclass(frozen=True)
class ModelRewriter:
    """A model that rewrites answers."""

    chat: ChatModel

    def rewrite(self, question: str, answer: str, missed: Sequence[str], harms: Sequence[str]) -> str:
        """As `Rewriter.rewrite`; raises UnusableAnswerError and what a server refuses."""
        messages = prompts.rewrite(question, answer, missed, harms)
        _, read = self.chat.ask(messages, _Answer.model_validate_json, prompts.REWRITE_FORM)
        return read.answer
