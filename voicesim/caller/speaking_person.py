"""A person who speaks as the patient: takes the place of a simulated one in a call."""

import asyncio
import json
from collections.abc import Callable

from voicesim.audio.samples import TICK, Pcm, Wave, samples, seconds, to_wave
from voicesim.caller.conversation import Ending
from voicesim.caller.ear import Ear
from voicesim.caller.microphone import Microphone
from voicesim.caller.typed import Keyboard
from voicesim.caller.understanding import Hear, Understanding
from voicesim.errors import UsageError
from voicesim.recording.events import Event, Heard, Intent, Warning_

COMES_WITHIN = 120.0
"""Seconds that somebody has to come to the microphone before the agent is called."""

TURN_PAUSE = samples(0.7)
"""Silence after which what the agent said is told as one turn."""


class SpeakingPerson:
    """Whoever speaks into a microphone. Offers and the wish to hang up come as lines of JSON, answers go to `reply`.

    `{"offer": SDP, "id": 1}` is answered by `{"answer": SDP, "id": 1}`, where SDP is
    "" for an offer that cannot be used; `{"hangup": true}` ends the call.
    """

    slowest = 0.0
    said_goodbye = False

    def __init__(
        self,
        lines: Keyboard,
        reply: Callable[[str], None],
        *,
        ear: Ear,
        own_ear: Ear,
        hear: Hear,
        log: Callable[[Event], None],
    ) -> None:
        """`ear` and `hear` follow the agent, for whoever watches; `own_ear` follows the person."""
        self._lines, self._reply, self._log = lines, reply, log
        self._microphone, self._ear, self._own_ear = Microphone(), ear, own_ear
        self._understanding, self._now = Understanding(hear), 0
        self._left = asyncio.Event()
        self._spoke = False
        self._reading: asyncio.Task[None] | None = None
        self.starts: Intent | None = None
        self.stops: Intent | None = None
        self.ending: Ending | None = None

    async def prepare(self) -> None:
        """Wait for the person. Raises UsageError when nobody comes."""
        self._reading = asyncio.get_running_loop().create_task(self._read())
        comes, leaves = (asyncio.ensure_future(event.wait()) for event in (self._microphone.heard, self._left))
        try:
            await asyncio.wait((comes, leaves), timeout=COMES_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        finally:
            comes.cancel()
            leaves.cancel()
        if self.ending is not None:
            await self.close()
            raise UsageError("the person left before the agent was called")
        if not self._microphone.heard.is_set():
            await self.close()
            raise UsageError(f"nobody came to the microphone within {COMES_WITHIN:.0f} s")

    def tick(self, heard: Pcm) -> Wave:
        """The next 20 ms of what the person says, who hears the agent meanwhile."""
        self._microphone.play(heard)
        said = self._microphone.read()
        self._own_ear.feed(said)
        speaks = self._own_ear.speaking
        self.starts = "respond" if speaks and not self._spoke else None
        self.stops = "respond" if self._spoke and not speaks else None
        self._spoke = speaks
        self._now += TICK
        self._follow(heard)
        if self._microphone.lost:
            self._leaves(Ending("caller_hung_up", "the connection to the microphone was lost"))
        return to_wave(said)

    async def close(self) -> None:
        """Let the microphone go."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        self._understanding.forget()
        self._lines.close()
        await self._microphone.close()

    def _follow(self, heard: Pcm) -> None:
        """Tell what the patient's ear understands of the agent, turn by turn."""
        self._ear.feed(heard)
        turn = self._ear.turn
        self._understanding.follow(turn)
        if turn is None or self._ear.silence < TURN_PAUSE or (text := self._understanding.text) is None:
            return
        span = {"start": seconds(turn.start), "end": seconds(turn.end)}
        self._log(Heard(t=seconds(self._now), text=text, confidence=self._understanding.confidence, **span))
        self._ear.take()
        self._understanding.forget()

    def _leaves(self, ending: Ending) -> None:
        self.ending = self.ending or ending
        self._left.set()

    async def _read(self) -> None:
        while (line := await self._lines.line()) is not None:
            try:
                order = json.loads(line)
                if order.get("hangup"):
                    self._leaves(Ending("completed", "the person hung up"))
                elif "offer" in order:
                    await self._answer(order)
            except (ValueError, AttributeError, UsageError) as error:
                self._log(Warning_(t=0.0, message=f"the microphone: {error}"))
        self._leaves(Ending("caller_hung_up", "whoever held the microphone is gone"))

    async def _answer(self, order: dict[str, object]) -> None:
        answer = ""
        try:
            answer = await self._microphone.answer(str(order["offer"]))
        finally:
            self._reply(json.dumps({"answer": answer, "id": order.get("id")}))
