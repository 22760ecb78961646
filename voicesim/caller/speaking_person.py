"""A person who speaks as the patient: takes the place of a simulated one in a call."""

import asyncio
import json
from collections.abc import Callable

from voicesim.audio.samples import Pcm, Wave, to_wave
from voicesim.caller.conversation import Ending
from voicesim.caller.ear import Ear, Vad
from voicesim.caller.microphone import Microphone
from voicesim.caller.typed import Keyboard
from voicesim.errors import UsageError
from voicesim.recording.events import Event, Intent, Warning_

COMES_WITHIN = 120.0
"""Seconds that somebody has to come to the microphone before the agent is called."""


class SpeakingPerson:
    """Whoever speaks into a microphone. Offers and the wish to hang up come as lines of JSON, answers go to `reply`.

    `{"offer": SDP, "id": 1}` is answered by `{"answer": SDP, "id": 1}`; `{"hangup": true}` ends the call.
    """

    slowest = 0.0
    said_goodbye = False

    def __init__(self, lines: Keyboard, reply: Callable[[str], None], vad: Vad, log: Callable[[Event], None]) -> None:
        self._lines, self._reply, self._log = lines, reply, log
        self._microphone, self._own_ear = Microphone(), Ear(vad)
        self._spoke = False
        self._reading: asyncio.Task[None] | None = None
        self.starts: Intent | None = None
        self.stops: Intent | None = None
        self.ending: Ending | None = None

    async def prepare(self) -> None:
        """Wait for the person. Raises UsageError when nobody comes."""
        self._reading = asyncio.get_running_loop().create_task(self._read())
        try:
            await asyncio.wait_for(self._microphone.heard.wait(), COMES_WITHIN)
        except TimeoutError:
            await self.close()
            raise UsageError(f"nobody came to the microphone within {COMES_WITHIN:.0f} s") from None

    def tick(self, heard: Pcm) -> Wave:
        """The next 20 ms of what the person says, who hears the agent meanwhile."""
        self._microphone.play(heard)
        said = self._microphone.read()
        self._own_ear.feed(said)
        speaks = self._own_ear.speaking
        self.starts = "respond" if speaks and not self._spoke else None
        self.stops = "respond" if self._spoke and not speaks else None
        self._spoke = speaks
        return to_wave(said)

    async def close(self) -> None:
        """Let the microphone go."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        self._lines.close()
        await self._microphone.close()

    async def _read(self) -> None:
        while (line := await self._lines.line()) is not None:
            try:
                order = json.loads(line)
                if order.get("hangup"):
                    self.ending = Ending("completed", "the person hung up")
                elif "offer" in order:
                    answer = await self._microphone.answer(str(order["offer"]))
                    self._reply(json.dumps({"answer": answer, "id": order.get("id")}))
            except (ValueError, AttributeError, UsageError) as error:
                self._log(Warning_(t=0.0, message=f"the microphone: {error}"))
        self.ending = self.ending or Ending("caller_hung_up", "whoever held the microphone is gone")
