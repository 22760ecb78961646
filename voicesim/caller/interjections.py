"""What the patient says while the agent speaks: signs of listening, interruptions, words with others, coughs.

Each kind has moments of its own in an agent's turn, and a chance of its own at each of them:

- a backchannel, behind each phrase of the agent, as the next one begins: a pause alone may be the end of the turn;
- words with somebody in the room, and a cough: once a turn, at a moment that is drawn;
- an interruption of a long turn: once, when it has become long;
- an interruption at a medicine's name that is new in the call, or at a fact that the agent tells wrong: when the ear
  has understood it.
"""

from dataclasses import dataclass

from voicesim.audio.samples import samples
from voicesim.caller.ear import AgentTurn
from voicesim.caller.lexicon import medicines
from voicesim.caller.mind import Memory, Part, PatientLine
from voicesim.caller.mistakes import mistake
from voicesim.caller.phrases import phrases_of
from voicesim.caller.turn_taking import Dice
from voicesim.catalog.model import TurnTaking
from voicesim.language.fold import fold

PHRASE = samples(1.0)
"""Speech before a pause that makes it the end of a phrase; less may be a word on its own."""
APART = samples(2.5)
"""Samples between two of the patient's sounds in one agent turn, interruptions aside."""
ONCE_WITHIN = (1.0, 5.0)
"""Seconds into an agent turn between which side talk and coughs come."""


@dataclass(frozen=True)
class RunningTurn:
    """What of the agent's running turn decides on an interjection; positions are samples of the call."""

    sound: AgentTurn
    words: str
    """What of it is understood so far."""
    now: int


class Interjections:
    """Follows the turns of one call's agent; a pure function of its inputs and the seed."""

    def __init__(self, turn_taking: TurnTaking, dice: Dice, language: str = "en", side_talk: str = "side_talk") -> None:
        """`side_talk` names the phrases for words with somebody in the room."""
        self._numbers, self._dice = turn_taking, dice
        self._phrases, self._side_talk, self._language = phrases_of(language), side_talk, language
        self._last = -APART
        self._known: set[str] = set()
        self.forget()

    def forget(self) -> None:
        """The turn was answered; the next one begins anew."""
        self._phrases_heard = 0
        self._long = False
        self._read = ""
        self._moments: dict[str, int] | None = None

    def stock(self) -> list[PatientLine]:
        """The lines that may come at any moment and are voiced before the call."""
        numbers, lines = self._numbers, []
        for chance, made in (
            (numbers.backchannel, [_backchannel(text) for text in self._phrases["backchannels"]]),
            (numbers.barge_in, [_interruption(text) for text in self._phrases["interruptions"]]),
            (numbers.side_talk, [_side_talk(*pair) for pair in self._phrases[self._side_talk]]),
            (numbers.cough, [COUGH]),
        ):
            lines += made if chance > 0 else []
        return lines

    def next(self, turn: RunningTurn, memory: Memory) -> PatientLine | None:
        """What the patient says now, while the agent speaks; None for nothing. Called once a tick."""
        if turn.sound.whole:
            return None  # a pause: the agent may have come to its end
        line = self._at_words(turn, memory) or self._at_length(turn) or self._at_moment(turn) or self._at_phrase(turn)
        if line is not None:
            self._last = turn.now
        return line

    def _at_words(self, turn: RunningTurn, memory: Memory) -> PatientLine | None:
        """An interruption that answers what the agent just said."""
        if turn.words == self._read:
            return None
        new, self._read = turn.words.removeprefix(self._read), turn.words
        own_lines = [said.text for said in memory.turns if said.side == "caller"]
        wrong = mistake(new, own_lines, self._language)
        if wrong is not None and self._dice.happens("mistake", self._numbers.barge_in_on_mistake):
            words = self._dice.pick("on_mistake", self._phrases["on_mistake"])
            return _interruption(words.format(said=wrong.said, heard=wrong.heard), answered=True)
        known = self._known.union(*(fold(said.text) for said in memory.turns))
        names = [word for word in fold(new) if word in medicines(new) and word not in known]
        self._known.update(names)
        if names and self._dice.happens("word", self._numbers.barge_in_on_word):
            words = self._dice.pick("on_word", self._phrases["on_word"])
            return _interruption(words.format(word=names[0]), answered=True)
        return None

    def _at_length(self, turn: RunningTurn) -> PatientLine | None:
        if self._long or turn.sound.end - turn.sound.start < samples(self._numbers.barge_in_after):
            return None
        self._long = True
        if not self._dice.happens("barge_in", self._numbers.barge_in):
            return None
        return _interruption(self._dice.pick("interruption", self._phrases["interruptions"]))

    def _at_moment(self, turn: RunningTurn) -> PatientLine | None:
        if self._moments is None:
            self._moments = self._drawn()
        for kind, moment in self._moments.items():
            if turn.now >= turn.sound.start + moment and self._apart(turn):
                del self._moments[kind]
                pairs = self._phrases[self._side_talk]
                return COUGH if kind == "cough" else _side_talk(*self._dice.pick("aside", pairs))
        return None

    def _drawn(self) -> dict[str, int]:
        """The moments of this turn, in samples from its start, of the kinds that happen in it."""
        chances = (("side_talk", self._numbers.side_talk), ("cough", self._numbers.cough))
        happen = [kind for kind, chance in chances if self._dice.happens(kind, chance)]
        return {kind: samples(self._dice.between(f"{kind} at", *ONCE_WITHIN)) for kind in happen}

    def _at_phrase(self, turn: RunningTurn) -> PatientLine | None:
        """The agent's voice sets in again behind a phrase."""
        # A long stretch is cut in mid-speech to be understood; only one that ended in a pause is a phrase.
        ended = [stretch for stretch in turn.sound.stretches if stretch.sound_end > stretch.end]
        phrases = [stretch for stretch in ended if stretch.end - stretch.start >= PHRASE]
        if len(phrases) <= self._phrases_heard:
            return None
        self._phrases_heard = len(phrases)
        if not self._apart(turn) or not self._dice.happens("backchannel", self._numbers.backchannel):
            return None
        return _backchannel(self._dice.pick("backchannel words", self._phrases["backchannels"]))

    def _apart(self, turn: RunningTurn) -> bool:
        return turn.now - self._last >= APART


COUGH = PatientLine("(coughs)", intent="ignore", kind="cough", parts=(Part(sound="cough"),))


def _backchannel(text: str) -> PatientLine:
    return PatientLine(text, intent="ignore", kind="backchannel")


def _interruption(text: str, *, answered: bool = False) -> PatientLine:
    """`answered`: it says all the patient has to say for now, and the agent is to answer it."""
    return PatientLine(text, intent="stop", kind="interruption", final=answered)


def _side_talk(other: str, own: str) -> PatientLine:
    parts = (Part(other, speaker="other", aside=True), Part(own, pause=0.3, aside=True))
    return PatientLine(f"{other} {own}", intent="ignore", kind="side_talk", parts=parts)
