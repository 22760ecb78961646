"""What the patient says into a long silence of the agent: it asks if anyone is there, or takes its leave."""

from voicesim.caller.mind import Memory, PatientLine
from voicesim.caller.phrases import phrase, phrases_of, voiced
from voicesim.language.farewells import wishes_well


class Silences:
    """Counts the silences in a row of one call."""

    def __init__(self, language: str) -> None:
        self._language = voiced(language)
        self._follow_ups = [PatientLine(text, kind="follow_up") for text in phrases_of(language)["follow_ups"]]
        self._goodbye = PatientLine(phrase("goodbye", language), hang_up=True)
        self._asked = 0

    def stock(self) -> list[PatientLine]:
        """The lines that may be needed at once, and are voiced before the call."""
        return [*self._follow_ups, self._goodbye]

    def answered(self) -> None:
        """The agent has spoken."""
        self._asked = 0

    def next(self, memory: Memory) -> PatientLine | None:
        """The line for a silence that has lasted; None when the patient has asked often enough and gives up.

        Silence after a wish ("get well soon") means that it was the agent's goodbye.
        """
        last = next((turn.text for turn in reversed(memory.turns) if turn.side == "agent"), "")
        if not self._asked and wishes_well(last, self._language):
            return self._goodbye
        if self._asked == len(self._follow_ups):
            return None
        self._asked += 1
        return self._follow_ups[self._asked - 1]

    @property
    def given_up(self) -> str:
        """Why the patient gives up, in words."""
        return f"no answer to {self._asked} follow-ups"
