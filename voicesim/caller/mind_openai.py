"""A language model plays the patient: one request decides what is asked for, another words the reply."""

from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, ValidationError

from voicesim.caller.chat import Chat
from voicesim.caller.cleaning import first_line
from voicesim.caller.mind import Memory, MindError, PatientLine
from voicesim.caller.moves import read, says_goodbye
from voicesim.caller.prompts import MOST_FACTS, deciding, decision_schema, refused, wording
from voicesim.caller.reflexes import next_press, reflex
from voicesim.catalog.model import Case, Fact

TRIES = 2


class _Answer(BaseModel):
    """The first step's answer, as the model writes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    asked: tuple[str, ...]
    declines: bool
    over: bool


@dataclass(frozen=True)
class Decision:
    """Facts to be told now, the line that presses for what was declined, and whether the call is over."""

    facts: tuple[Fact, ...]
    press: str
    over: bool


class OpenAIMind:
    """Any OpenAI-compatible server. The wording step never sees a fact that was not asked for."""

    def __init__(self, case: Case, model: str) -> None:
        """Raises UsageError when OPENAI_API_KEY is not set."""
        self.name = f"openai:{model}"
        self._patient = case.patient
        self._chat = Chat(model)

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises MindError with reason mind_failed when the model gives nothing that can be used."""
        line = reflex(read(heard), memory)
        if line is not None:
            return line
        return await self._word(await self.decide(heard, memory), heard, memory)

    async def again(self, heard: str, memory: Memory, line: PatientLine, why: str) -> PatientLine:
        """Another wording of a line that may not be spoken; what it tells stays as it was decided."""
        press = next_press(self._patient, memory)
        decision = Decision(
            facts=tuple(fact for fact in self._patient.reveal_only_if_asked if fact.id in line.facts),
            press=press if press and press in line.text else "",
            over=line.hang_up,
        )
        return await self._word(decision, heard, memory, refusal=(line.text, why))

    async def decide(self, heard: str, memory: Memory) -> Decision:
        """Asks the model; an answer outside its schema gets one more chance."""
        facts = self._patient.reveal_only_if_asked
        messages = deciding(self._patient, heard, memory)
        why = ""
        for _ in range(TRIES):
            text = await self._chat.ask(messages, decision_schema(facts))
            try:
                answer = _Answer.model_validate_json(text)
            except ValidationError as error:
                why = "; ".join(f"{'.'.join(map(str, one['loc']))} {one['msg']}" for one in error.errors())
            else:
                why = self._wrong(answer)
                if not why:
                    return self._decision(answer, memory)
            messages = [*messages, *refused(text, why)]
        raise MindError("mind_failed", f"{self.name} gave no usable decision: {why}")

    def _wrong(self, answer: _Answer) -> str:
        unknown = set(answer.asked) - {fact.id for fact in self._patient.reveal_only_if_asked}
        if unknown:
            return f"no such fact: {', '.join(sorted(unknown))}"
        return f"more than {MOST_FACTS} facts asked for" if len(answer.asked) > MOST_FACTS else ""

    def _decision(self, answer: _Answer, memory: Memory) -> Decision:
        by_id = {fact.id: fact for fact in self._patient.reveal_only_if_asked}
        press = next_press(self._patient, memory) if answer.declines else ""
        asked = tuple(by_id[one] for one in dict.fromkeys(answer.asked))
        return Decision(asked, press, answer.over and not press)

    async def _word(
        self, decision: Decision, heard: str, memory: Memory, refusal: tuple[str, str] | None = None
    ) -> PatientLine:
        line = PatientLine("", facts=tuple(fact.id for fact in decision.facts), hang_up=decision.over)
        if decision.press and not decision.facts:
            return replace(line, text=decision.press)
        messages = wording(self._patient, heard, memory, decision.facts, over=decision.over)
        if refusal is not None:
            messages += refused(*refusal)
        text = first_line(await self._chat.ask(messages))
        if decision.over and not says_goodbye(text):
            text = f"{text} Goodbye."
        return replace(line, text=f"{text} {decision.press}".strip())
