"""Pipecat services around the models that all calls of a process share."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterable
from concurrent.futures import Executor
from typing import Any

from pipecat.frames.frames import ErrorFrame, Frame, TranscriptionFrame, TTSAudioRawFrame
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TTSService
from pipecat.services.whisper.stt import WhisperSTTService
from pipecat.transcriptions.language import Language
from pipecat.utils.time import time_now_iso8601

from voicesim.audio.samples import RATE, to_pcm
from voicesim.errors import SpeechError
from voicesim.reference_agents.voice import AgentVoice

_NO_SPEECH = 0.6
_TRANSCRIBING = 2.0


class OneAtATime:
    """A loaded faster_whisper.WhisperModel that several pipelines use: greedy, and one of them at a time."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._inside = threading.Lock()

    @property
    def supported_languages(self) -> Iterable[str]:
        languages: Iterable[str] = self._engine.supported_languages
        return languages

    def transcribe(self, audio: Any, **options: Any) -> tuple[list[Any], Any]:
        """As WhisperModel.transcribe, but decoded to its end before the next one enters."""
        with self._inside:
            segments, info = self._engine.transcribe(
                audio,
                beam_size=1,
                temperature=0.0,
                condition_on_previous_text=False,
                without_timestamps=True,
                **options,
            )
            return list(segments), info


class SharedWhisper(WhisperSTTService):
    """Pipecat's own Whisper service, with the process's model in place of one of its own."""

    def __init__(self, model: OneAtATime, name: str) -> None:
        self._shared = model
        super().__init__(
            device="cpu",
            compute_type="int8",
            ttfs_p99_latency=_TRANSCRIBING,
            settings=WhisperSTTService.Settings(model=name, language=Language.EN, no_speech_prob=_NO_SPEECH),
        )

    def _load(self) -> None:
        self._model = self._shared

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame, None]:
        """One transcript for every piece of sound, an empty one when nothing was understood."""
        understood = False
        async for frame in super().run_stt(audio):
            understood = understood or isinstance(frame, TranscriptionFrame)
            yield frame
        if not understood:
            yield TranscriptionFrame("", self._user_id, time_now_iso8601(), Language.EN)


class HibariTTS(TTSService):
    """The agents' voice as a Pipecat service; a sentence is made in a worker thread."""

    def __init__(self, voice: AgentVoice, workers: Executor) -> None:
        super().__init__(
            push_start_frame=True,
            push_stop_frames=True,
            sample_rate=RATE,
            settings=TTSSettings(model="hibari", voice="heart", language="en"),
        )
        self._voice = voice
        self._workers = workers

    def can_generate_metrics(self) -> bool:
        return True

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """One sentence as one audio frame; an ErrorFrame when no sound comes."""
        try:
            wave = await asyncio.get_running_loop().run_in_executor(self._workers, self._voice.speak, text)
        except SpeechError as error:
            yield ErrorFrame(error=str(error))
            return
        await self.stop_ttfb_metrics()
        await self.start_tts_usage_metrics(text)
        yield TTSAudioRawFrame(audio=to_pcm(wave).tobytes(), sample_rate=RATE, num_channels=1, context_id=context_id)
