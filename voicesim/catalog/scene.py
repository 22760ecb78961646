"""Something that happens once in a call: the phone changes hands, the line drops, somebody is at the door."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from voicesim.catalog.entry import Cues, Entry

Seconds = Annotated[float, Field(gt=0, le=120)]
_WHEN = ("at", "after_turn", "on_word")
_WHAT = ("hold", "hand_over", "sound", "side_talk", "drop", "keys", "mishears", "voicemail")


class HandOver(Entry):
    """The phone goes to somebody else, who knows the same and speaks with the companion's voice from then on."""

    says: str = Field(min_length=1, description="the patient's last words")
    greets: str = Field(min_length=1, description="the other's first words")


class Scene(Entry):
    """One event: exactly one of `at`, `after_turn` and `on_word` says when, and exactly one other key what.

    `at` is in seconds on the call clock; `after_turn: 2` is when the patient has answered two turns of the agent;
    `on_word` is as soon as the ear has understood one of these beginnings of words.
    """

    at: float | None = Field(default=None, ge=0)
    after_turn: int | None = Field(default=None, ge=1)
    on_word: Cues = ()

    hold: Seconds | None = Field(default=None, description="the patient asks to hold on, and is away so long")
    hand_over: HandOver | None = None
    sound: Literal["cough", "knock", "beep"] | None = None
    side_talk: tuple[str, str] | None = Field(default=None, description="somebody beside says this, the patient that")
    drop: Seconds | None = Field(default=None, description="nothing passes the line for so long")
    keys: Annotated[str, Field(pattern=r"^[0-9*#]+$", max_length=32)] | None = None
    mishears: str | None = Field(default=None, description="what the turn is taken for; empty: nothing is understood")
    voicemail: str | None = Field(default=None, min_length=1, description="a machine says this instead of the patient")

    @model_validator(mode="after")
    def _one_moment_and_one_event(self) -> Self:
        for names, what in ((_WHEN, "when"), (_WHAT, "what")):
            given = [name for name in names if getattr(self, name) not in (None, ())]
            if len(given) != 1:
                what_it_has = f"it has {' and '.join(given)}" if given else "it has none"
                raise ValueError(f"a scene needs one of {', '.join(names)} to say {what} happens; {what_it_has}")
        return self

    @property
    def what(self) -> str:
        """The name of the event."""
        return next(name for name in _WHAT if getattr(self, name) is not None)
