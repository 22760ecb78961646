"""The offline mind: what the agent asks for is read off cue words; the same words get the same answer."""

from dataclasses import dataclass

from voicesim.caller import phrases
from voicesim.caller.asked import asked_for, cues_of, questions
from voicesim.caller.facts import current
from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.moves import Move, Sentence, read
from voicesim.caller.own_words import asks_onset, complaint, echo, has_it, mid_sentence, onset, who
from voicesim.caller.reflexes import pressed, reflex
from voicesim.catalog.model import Case, Fact, Patient

MOST_FACTS = 3
MOST_WORDS = 45
MOST_NODS = 6


@dataclass(frozen=True)
class Decision:
    """What a turn of the agent calls for, before any wording.

    `facts` are asked for and are given in this order; `reminded` says that all of them were given before.
    `onset` answers how long it has lasted, `press` is the line that presses for what was declined.
    """

    facts: tuple[Fact, ...]
    reminded: bool
    onset: str
    press: str
    moves: frozenset[Move]


class CuesMind:
    """Deterministic, without state of its own: case, words and memory make the reply."""

    name = "cues"

    def __init__(self, case: Case) -> None:
        self._patient, self._language = case.patient, phrases.voiced(case.language)

    async def reply(self, heard: str, memory: Memory) -> PatientLine:
        """See Mind. Raises nothing."""
        sentences = read(heard, self._language)
        line = reflex(sentences, memory, self._language)
        return line or self._word(self.decide(sentences, memory), sentences, memory)

    def decide(self, sentences: tuple[Sentence, ...], memory: Memory) -> Decision:
        """Which facts the turn asks for (not yet released ones first), and what else it calls for."""
        all_facts = current(self._patient, memory)
        by_id = {fact.id: fact for fact in all_facts}
        asked = [by_id[fact] for fact in asked_for(sentences, all_facts, memory.released, self._language)]
        fresh = [fact for fact in asked if fact.id not in memory.released]
        chosen = _few(fresh or asked)
        timed = any(_tells_onset(fact) for fact in chosen)
        return Decision(
            facts=chosen,
            reminded=not fresh,
            onset="" if timed else onset(questions(sentences), self._patient.says_first),
            press=pressed(sentences, self._patient, memory, self._language),
            moves=frozenset[Move]().union(*(sentence.moves for sentence in sentences)),
        )

    def _word(self, decision: Decision, sentences: tuple[Sentence, ...], memory: Memory) -> PatientLine:
        parts = [decision.onset] if decision.onset else []
        if decision.facts:
            said = " ".join(fact.says for fact in decision.facts)
            parts.append(_remind(said, memory, self._language) if decision.reminded and not parts else said)
        if decision.press:
            parts.append(decision.press)
        facts = tuple(fact.id for fact in decision.facts)
        if "emergency" in decision.moves:
            return _to_emergency(parts, facts, decision, memory, self._language)
        if "farewell" in decision.moves and not decision.press:
            return PatientLine(" ".join([*parts, phrases.phrase("goodbye", self._language)]), facts=facts, hang_up=True)
        if parts:
            return PatientLine(" ".join(parts), facts=facts)
        return self._without_facts(decision.moves, sentences, memory)

    def _without_facts(self, moves: frozenset[Move], sentences: tuple[Sentence, ...], memory: Memory) -> PatientLine:
        if "again" in moves:
            return self._repeat(memory)
        if "anything_else" in moves:
            return _nothing_else(memory, self._language)
        if "present" in moves or (moves == {"greeting"} and len(sentences) == 1 and len(phrases.spoken(memory)) > 1):
            return PatientLine(phrases.pick(phrases.ways("present", self._language), memory))
        open_questions = questions(sentences)
        own = _own_words(open_questions, self._patient, memory, self._language)
        if own:
            return PatientLine(own)
        if moves & {"help", "greeting"}:
            return PatientLine(_remind(complaint(self._patient.says_first, self._language), memory, self._language))
        if open_questions and "permission" not in moves:
            known = "not_known_of" if has_it(open_questions[-1].text, self._language) else "unknown"
            return PatientLine(phrases.pick(phrases.ways(known, self._language), memory))
        if "understood" in moves or "permission" in moves:
            return PatientLine(phrases.pick(phrases.ways("understood", self._language), memory))
        if "offer" in moves:
            return PatientLine(phrases.pick(phrases.ways("accepted", self._language), memory))
        if "request" in moves:
            return PatientLine(phrases.pick(phrases.ways("agreed", self._language), memory))
        return _thank(memory, self._language) if "wish" in moves else _nod(sentences, memory, self._language)

    def _repeat(self, memory: Memory) -> PatientLine:
        """Says the last line again that carried something, the opening line only in short."""
        names = ("hearing", "unheard", "present", "understood", "thanks")
        small = [text for name in names for text in phrases.ways(name, self._language)]
        line = next((line for line in reversed(phrases.spoken(memory)) if line not in small), "")
        if not line or line == self._patient.says_first:
            return PatientLine(_remind(complaint(self._patient.says_first, self._language), memory, self._language))
        line = phrases.unreminded(line, self._language)
        facts = tuple(fact.id for fact in self._patient.reveal_only_if_asked if fact.says in line)
        return PatientLine(phrases.phrase("repeated", self._language) + mid_sentence(line), facts=facts)


def _few(facts: list[Fact]) -> tuple[Fact, ...]:
    """The first facts that a person would tell in one go: at most three, and not too many words."""
    chosen: list[Fact] = []
    for fact in facts[:MOST_FACTS]:
        if chosen and sum(len(given.says.split()) for given in (*chosen, fact)) > MOST_WORDS:
            break
        chosen.append(fact)
    return tuple(chosen)


def _tells_onset(fact: Fact) -> bool:
    """Whether a fact is itself the answer to how long it has lasted."""
    return any(asks_onset(sentence) for cue in cues_of(fact) for sentence in read(f"{cue} did it start?"))


def _remind(text: str, memory: Memory, language: str) -> str:
    for opening in phrases.ways("yes_or_no", language):
        text = text.removeprefix(opening)
    return phrases.pick(phrases.ways("reminders", language), memory) + mid_sentence(text)


def _own_words(asked: list[Sentence], patient: Patient, memory: Memory, language: str) -> str:
    """An answer from who the patient is and what the opening line said; "" when there is none."""
    known = who(asked, patient, language)
    if known:
        return known
    if any("correct" in fact.moves for fact in asked):
        return phrases.pick(phrases.ways("correct", language), memory)
    for fact in reversed(asked):
        echoed = echo(fact.text, patient.says_first, language)
        if echoed:
            return _remind(echoed, memory, language)
    return ""


def _to_emergency(
    parts: list[str], facts: tuple[str, ...], decision: Decision, memory: Memory, language: str
) -> PatientLine:
    now, again = phrases.phrase("to_emergency", language), phrases.phrase("to_emergency_again", language)
    leaves = phrases.times((now, again), memory) > 0 or "farewell" in decision.moves
    return PatientLine(" ".join([*parts, again if leaves else now]), facts=facts, hang_up=leaves)


def _nothing_else(memory: Memory, language: str) -> PatientLine:
    if phrases.times((phrases.phrase("nothing_else", language),), memory):
        return PatientLine(phrases.phrase("nothing_else_again", language), hang_up=True)
    return PatientLine(phrases.phrase("nothing_else", language))


def _thank(memory: Memory, language: str) -> PatientLine:
    """Thanks for a wish, behind which the agent may go on; a second one, or one after all was said, is a goodbye."""
    thanks = phrases.ways("thanks", language)
    if _closed(memory, language) or phrases.spoken(memory)[-1:] in ([text] for text in thanks):
        return PatientLine(phrases.phrase("goodbye", language), hang_up=True)
    return PatientLine(phrases.pick(thanks, memory))


def _closed(memory: Memory, language: str) -> bool:
    """Whether the patient has said that it wants nothing else."""
    return phrases.times((phrases.phrase("nothing_else", language),), memory) > 0


def _nod(sentences: tuple[Sentence, ...], memory: Memory, language: str) -> PatientLine:
    """Shows that it listened, and takes its leave when nothing more seems to come."""
    nods = 0
    for line in reversed(phrases.spoken(memory)):
        if line not in phrases.ways("hearing", language):
            break
        nods += 1
    short = sum(len(sentence.text.split()) for sentence in sentences) <= 4
    if _closed(memory, language) or nods >= MOST_NODS or (nods and short):
        return PatientLine(phrases.phrase("goodbye", language), hang_up=True)
    return PatientLine(phrases.pick(phrases.ways("hearing", language), memory))
