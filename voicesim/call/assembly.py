"""From an order to a recording: puts the parts of one call together and lets it run."""

import asyncio
import platform
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from voicesim import __version__
from voicesim.audio.samples import Wave
from voicesim.call import worker_process
from voicesim.call.agent_leg import AgentLeg, Track
from voicesim.call.clock import CallClock
from voicesim.call.inbox import CallInbox
from voicesim.call.live_call import LiveCall
from voicesim.call.replaying import Replaying, kept_of, replaying
from voicesim.call.timeline import Timeline
from voicesim.call.worker_pool import Processes
from voicesim.call.workers import ProcessWorkers, placed, voicing_ahead
from voicesim.caller.clocked_patient import ClockedPatient
from voicesim.caller.ear import Ear, Vad
from voicesim.caller.habits import HabitualMind
from voicesim.caller.mind import Mind, Part, PatientLine
from voicesim.caller.minds import make_mind
from voicesim.caller.patient import SimulatedPatient
from voicesim.caller.phrases import likely
from voicesim.caller.recorded import Replay
from voicesim.caller.speaking_person import SpeakingPerson
from voicesim.caller.voicing import Manner
from voicesim.caller.workers import Workers
from voicesim.catalog.agent_file import AgentFile
from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.model import AudioProfile, Case, Entry, Persona
from voicesim.channel.channel import Channel, caller_leg
from voicesim.errors import UsageError
from voicesim.language.codes import language_name
from voicesim.llm.server import ModelServer
from voicesim.recording.events import Event
from voicesim.recording.live import LiveRecording
from voicesim.recording.manifest import Manifest, ModelAt, Resolved
from voicesim.stt.vad import ready_vad
from voicesim.transports.base import Transport
from voicesim.tts.accents import accent_key
from voicesim.tts.engines import engine, language_of

PACKAGES = ("aiortc", "faster-whisper", "numpy")
"""Whose versions the manifest names, beside Python's and voicesim's own."""


@dataclass(frozen=True)
class Order:
    """Everything that decides one call. `folder` is where its recording goes.

    `agent` is what people call the agent, `settings` is its file as resolved. `ear` is the Whisper model with which
    the patient understands during the call, `whisper` that of the transcript after it. `key` is what a suite finds
    the call again by. `auditor` is the model that audits the patient after the call, "" for code alone. With a
    `replay`, its recorded patient calls, and the mind goes on where that hands over.
    """

    case: Case
    persona: Persona
    profile: AudioProfile
    agent: str
    folder: Path
    suite: str
    mind: str = "cues"
    auditor: str = ""
    seed: int = 0
    whisper: str = "base"
    ear: str = "base"
    clock: Literal["live", "virtual"] = "live"
    max_turns: int = 30
    max_duration: float = 300.0
    settings: AgentFile | None = None
    key: str = ""
    replay: Replay | None = field(default=None, compare=False)


async def dial(order: Order, transport: Transport, processes: Processes, watch: Callable[[Event], None]) -> Manifest:
    """Make one call over a transport that is not open yet; `watch` sees every event as it happens.

    Raises UsageError (voice, mind or key missing) and TransportError before there is a recording, WriteError when
    it could not be written. Faults during the call end in a manifest that says so.
    """
    mind = placed(make_mind(order.mind, order.case), processes, order.mind, order.case, live=order.clock == "live")
    _check_voice(order)
    loop = asyncio.get_running_loop()
    warming = loop.run_in_executor(processes.ear, worker_process.warm_ear, order.ear, order.case.language)
    opening = ((Part(order.case.patient.says_first),), order.persona, order.seed)
    # The patient says it anyway; the line's noise is set against this voice.
    voicing = loop.run_in_executor(processes.voice, worker_process.speak, *opening)
    ear_sha, _, heard = await asyncio.gather(warming, mind.warm(), voicing)

    def workers(timeline: Track) -> ProcessWorkers:
        return ProcessWorkers(
            processes,
            timeline,
            order.persona,
            whisper=order.ear,
            language=order.case.language,
            seed=order.seed,
        )

    acting = mind if mind.by_hand else HabitualMind(mind, order.persona.habits, order.seed, order.case.language)
    again = replaying(order.replay, order.case, acting) if order.replay else None
    call = build_call(
        transport,
        mind=again.acting if again else acting,
        workers=again.workers(workers) if again else workers,
        opening=again.opening if again else order.case.patient.says_first,
        manner=manner_of(order.case, order.persona, order.profile),
        profile=order.profile,
        voice=again.voice if again else heard.wave,
        seed=order.seed,
        max_turns=min(order.max_turns, order.case.patient.most_replies or order.max_turns),
        max_duration=_longest(order),
        watch=watch,
        again=again,
    )
    live = LiveRecording(order.folder, _manifest(order, mind.name, ear_sha, mind.server))
    # On virtual time nothing is gained: voicing takes none of it.
    lines = likely(order.case) if order.clock == "live" else ()
    try:
        async with voicing_ahead(processes, lines, order.persona, order.seed):
            return await call.run(live)
    finally:
        mind.close()


def build_call(
    transport: Transport,
    *,
    mind: Mind,
    workers: Callable[[Track], Workers],
    opening: str,
    manner: Manner,
    profile: AudioProfile,
    voice: Wave | None = None,
    seed: int = 0,
    vad: Vad | None = None,
    max_turns: int = 30,
    max_duration: float = 300.0,
    watch: Callable[[Event], None] = lambda event: None,
    again: Replaying | None = None,
) -> LiveCall:
    """Put one call together from its parts; every call, in tests and benchmarks too, comes from here.

    `workers` is given the agent's sound as the patient hears it. `voice` is a line of the patient, against which the
    profile's noise is set. `vad` replaces Silero. `max_duration` in seconds. `again` is a recorded patient that calls.
    """
    clock, timeline = CallClock(), Timeline(transport.receive_delay)
    by_hand: bool = getattr(mind, "by_hand", False)
    # Another seed than the caller's leg: two lines do not lose their packets at the same moments.
    leg = AgentLeg(timeline, Channel(profile.agent_leg, seed + 1)) if profile.agent_leg else None
    inbox = CallInbox(clock, timeline, watch)
    working, ear = workers(leg or timeline), Ear(vad or ready_vad())
    channel = Channel(caller_leg(profile), seed, voice)
    live = SimulatedPatient(
        opening=PatientLine(opening),
        mind=mind,
        manner=replace(manner, by_hand=by_hand, thinks_ahead=getattr(mind, "thinks_ahead", False)),
        ear=ear,
        workers=working,
        seed=seed,
        max_turns=max_turns,
        log=inbox.event,
    )
    patient: SimulatedPatient | ClockedPatient | SpeakingPerson = live
    if person := getattr(mind, "person", None):
        patient = person(ear, Ear(vad or ready_vad()), working.hear, inbox.event)
    elif again:
        patient = again.patient(live, ear, working, inbox.event, channel.delay)
    return LiveCall(
        transport=transport,
        channel=again.channel(channel, patient) if again and not isinstance(patient, SpeakingPerson) else channel,
        agent_leg=leg,
        clock=clock,
        timeline=timeline,
        inbox=inbox,
        patient=patient,
        max_duration=max_duration,
        by_hand=by_hand,
    )


def manner_of(case: Case, persona: Persona, profile: AudioProfile) -> Manner:
    """How the patient of a call behaves: by its persona, and by what case and profile let happen."""
    side_talk = "child_talk" if persona.companion.child else "side_talk"
    return Manner(persona.turn_taking, case.language, (*case.scenes, *profile.scenes), side_talk)


def _manifest(order: Order, mind: str, ear_sha: str, server: ModelServer | None = None) -> Manifest:
    versions = {"voicesim": __version__, "python": platform.python_version()}
    versions |= {name: version(name) for name in PACKAGES}
    versions |= {f"whisper {order.ear}": ear_sha}
    versions |= {f"voice {order.persona.voice.engine}": engine(order.persona.voice.engine).version}
    versions |= {"accent": accent_key(order.persona.accent)}
    return Manifest(
        call_id=order.folder.name,
        suite=order.suite,
        key=order.key,
        replayed=kept_of(order.replay) if order.replay else None,
        started_at=datetime.now(UTC).isoformat(timespec="seconds") if order.clock == "live" else "",
        case=resolve(order.case.id, order.case),
        persona=resolve(order.persona.id, order.persona),
        profile=resolve(order.profile.id, order.profile),
        agent=resolve(order.agent, order.settings or AgentFile.model_construct(agent=order.agent)),
        mind=mind,
        mind_model=ModelAt(model=server.model, host=server.host) if server else None,
        seed=order.seed,
        clock=order.clock,
        versions=versions,
        state_before=order.case.backend.state if order.case.backend else None,
    )


def _check_voice(order: Order) -> None:
    """Raises UsageError for a persona whose voice does not speak the language of the case."""
    speaks, language = language_of(order.persona.voice, order.persona.accent), order.case.language
    if speaks not in ("", language):
        raise UsageError(
            f"the case {order.case.id} is in {language_name(language)}, and the voice of the persona "
            f"{order.persona.id} speaks {language_name(speaks)}: choose a persona with a voice of that language"
        )


def _longest(order: Order) -> float:
    """Seconds after which the call ends: the shorter of what was asked for and what the agent file allows."""
    limit = order.settings.limits.call if order.settings else None
    return min(order.max_duration, limit or order.max_duration)


def resolve(name: str, entry: Entry) -> Resolved:
    """An entry as the manifest keeps it: its content, and the sha256 of that."""
    return Resolved(id=name, sha256=fingerprint(entry), content=entry.model_dump(mode="json"))
