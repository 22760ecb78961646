"""voicesim: the patient who calls your voice agent.

    import voicesim

    result = voicesim.simulate("cold-01-andi", "realtime")
    print(result.score, result.scorecard)

Names are loaded when they are used, so `import voicesim` is quick.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# onnxruntime from 1.29 on tells its maker about every process and model, unless this is set before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_NAMES = {
    "voicesim.api": (
        "CallOptions",
        "CallResult",
        "load_agent",
        "load_case",
        "load_persona",
        "load_profile",
        "measure",
        "score",
        "simulate",
        "simulate_async",
        "transcribe",
        "write_scorecard",
    ),
    "voicesim.api_recordings": (
        "draft_case",
        "export_recordings",
        "import_recording",
        "redact_recording",
        "replay_recording",
    ),
    "voicesim.catalog.model": ("AudioProfile", "Case", "Check", "Persona"),
    "voicesim.catalog.resolve": ("ChosenAgent",),
    "voicesim.caller.mind": ("Memory", "Mind", "MindError", "PatientLine"),
    "voicesim.errors": (
        "CatalogueError",
        "RecordingError",
        "SpeechError",
        "TransportError",
        "UsageError",
        "VoicesimError",
    ),
    "voicesim.judge.base": ("Call", "Finding", "Judge"),
    "voicesim.judge.code.decide": ("Rule",),
    "voicesim.judge.model": ("Verdict", "Verdicts"),
    "voicesim.metrics.base": ("Measure", "MeasuredCall"),
    "voicesim.metrics.model": ("Metrics",),
    "voicesim.recording.read": ("Recording", "open_recording"),
    "voicesim.transcript.model": ("Transcript", "Utterance"),
    "voicesim.transports.base": ("Transport",),
    "voicesim.transports.inprocess": ("InProcessAgent",),
    "voicesim.tts.base": ("Speech", "Synthesizer"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

if TYPE_CHECKING:
    from voicesim.api import (
        CallOptions,
        CallResult,
        load_agent,
        load_case,
        load_persona,
        load_profile,
        measure,
        score,
        simulate,
        simulate_async,
        transcribe,
        write_scorecard,
    )
    from voicesim.api_recordings import (
        draft_case,
        export_recordings,
        import_recording,
        redact_recording,
        replay_recording,
    )
    from voicesim.caller.mind import Memory, Mind, MindError, PatientLine
    from voicesim.catalog.model import AudioProfile, Case, Check, Persona
    from voicesim.catalog.resolve import ChosenAgent
    from voicesim.errors import (
        CatalogueError,
        RecordingError,
        SpeechError,
        TransportError,
        UsageError,
        VoicesimError,
    )
    from voicesim.judge.base import Call, Finding, Judge
    from voicesim.judge.code.decide import Rule
    from voicesim.judge.model import Verdict, Verdicts
    from voicesim.metrics.base import Measure, MeasuredCall
    from voicesim.metrics.model import Metrics
    from voicesim.recording.read import Recording, open_recording
    from voicesim.transcript.model import Transcript, Utterance
    from voicesim.transports.base import Transport
    from voicesim.transports.inprocess import InProcessAgent
    from voicesim.tts.base import Speech, Synthesizer

__all__ = [
    "AudioProfile",
    "Call",
    "CallOptions",
    "CallResult",
    "Case",
    "CatalogueError",
    "Check",
    "ChosenAgent",
    "Finding",
    "InProcessAgent",
    "Judge",
    "Measure",
    "MeasuredCall",
    "Memory",
    "Metrics",
    "Mind",
    "MindError",
    "PatientLine",
    "Persona",
    "Recording",
    "RecordingError",
    "Rule",
    "Speech",
    "SpeechError",
    "Synthesizer",
    "Transcript",
    "Transport",
    "TransportError",
    "UsageError",
    "Utterance",
    "Verdict",
    "Verdicts",
    "VoicesimError",
    "__version__",
    "draft_case",
    "export_recordings",
    "import_recording",
    "load_agent",
    "load_case",
    "load_persona",
    "load_profile",
    "measure",
    "open_recording",
    "redact_recording",
    "replay_recording",
    "score",
    "simulate",
    "simulate_async",
    "transcribe",
    "write_scorecard",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'voicesim' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
