"""The parts that have names: one table a kind of part. How a table works, and how others add to it, is in `parts`."""

from voicesim.parts import FILES as FILES
from voicesim.parts import Registry as Registry
from voicesim.parts import Row as Row

TRANSPORTS = Registry(
    "agent",
    "voicesim.transports",
    {
        "realtime": Row(
            "voicesim.suite.reference:REALTIME",
            "realtime",
            "The reference realtime agent over WebRTC, started for you.",
        ),
        "realtime-ws": Row("voicesim.suite.reference:REALTIME_WS", "realtime-ws", "The same agent over a WebSocket."),
        "modular": Row(
            "voicesim.suite.reference:MODULAR", "modular", "The reference modular agent (Pipecat), started for you."
        ),
        "duplex": Row(
            "voicesim.suite.reference:DUPLEX",
            "duplex",
            "The reference full-duplex agent, which listens while it speaks, started for you.",
        ),
        "openai": Row(
            "voicesim.transports.openai_webrtc:SPEC",
            "openai:MODEL",
            "OpenAI Realtime over WebRTC, or a server that speaks its protocol.",
        ),
        "openai+ws": Row(
            "voicesim.transports.openai_ws:SPEC",
            "openai+ws:MODEL",
            "The same over a WebSocket, in 16-bit PCM or, with ?audio=pcmu, in G.711.",
        ),
        "openai-live": Row(
            "voicesim.transports.openai_live_webrtc:SPEC",
            "openai-live:MODEL",
            "GPT-Live over WebRTC: a full-duplex model, which listens while it speaks.",
        ),
        "openai-live+ws": Row(
            "voicesim.transports.openai_live_ws:SPEC", "openai-live+ws:MODEL", "The same over a WebSocket."
        ),
        "smallwebrtc": Row(
            "voicesim.transports.smallwebrtc:SPEC", "smallwebrtc:URL", "Any Pipecat bot on its SmallWebRTC transport."
        ),
        "twilio": Row(
            "voicesim.transports.twilio:SPEC",
            "twilio:ws://HOST/PATH",
            "Any agent behind a Twilio number (Media Streams).",
        ),
        "pcm": Row(
            "voicesim.transports.pcm_ws:SPEC",
            "pcm:ws://HOST/PATH",
            "Any server that takes and gives plain sound over a WebSocket.",
        ),
        "chirp": Row("voicesim.transports.chirp:SPEC", "chirp:wss://HOST", "A Rasa assistant on its CHIRP channel."),
        "sip": Row(
            "voicesim.transports.sip:SPEC",
            "sip:NUMBER@HOST",
            "Any agent that answers a telephone number, or, with `--listen`, calls one (extra `sip`).",
        ),
        "python": Row(
            "voicesim.transports.inprocess:SPEC", "python:module:factory", "An object in voicesim's own process."
        ),
    },
)

TOOL_SYSTEMS = Registry(
    "tool system",
    "voicesim.tool_systems",
    {"clinic": Row("voicesim.tools.clinic:SYSTEM", about="A clinic that verifies patients, lists slots and books.")},
)

VOICES = Registry(
    "voice engine",
    "voicesim.voices",
    {
        "hibari": Row(
            "voicesim.tts.hibari:HibariEngine", about="A small, fast neural voice, and the speakers made of it."
        ),
        "kokoro": Row("voicesim.tts.kokoro:KokoroEngine", about="Kokoro-82M: the most natural, and slow."),
        "pico": Row(
            "voicesim.tts.pico:PicoEngine",
            about="SVOX Pico: women in English, German, Spanish, French and Italian, very fast.",
        ),
        "pyttsx3": Row(
            "voicesim.tts.pyttsx3_engine:Pyttsx3Engine", about="eSpeak NG: many voices and dialects, robotic."
        ),
        "piper": Row(
            "voicesim.tts.piper:PiperEngine", about="Piper's voice files; a package of its own, under the GPL."
        ),
        "openai": Row("voicesim.tts.openai_engine:OpenAIEngine", about="OpenAI's speech service; needs a key."),
    },
)

ACCENTS = Registry("accent", "voicesim.accents", {})

EFFECTS = Registry(
    "channel effect",
    "voicesim.effects",
    {
        "room": Row("voicesim.channel.room:Room", about="A room around the speaker: size, ringing, distance."),
        "background": Row("voicesim.channel.background:Background", about="Sound all through the call, at an SNR."),
        "bursts": Row("voicesim.channel.bursts:Bursts", about="Short sounds at random times: a door, a dog, a cough."),
        "echo": Row("voicesim.channel.echo:Echo", about="The other side's voice, picked up again by the microphone."),
        "microphone": Row("voicesim.channel.microphone:Microphone", about="Muffling, gain, gain control, clipping."),
        "band": Row("voicesim.channel.band:Band", about="The frequencies that the line passes."),
        "codec": Row("voicesim.channel.codec:Codec", about="A speech codec, at a bit rate."),
        "loss": Row("voicesim.channel.loss:LossEffect", about="Packets that never arrive, alone or in bursts."),
        "jitter": Row("voicesim.channel.network:Jitter", about="Packets that arrive too late for the receiver."),
        "dropouts": Row("voicesim.channel.network:Dropouts", about="The line is silent for a while, at random times."),
        "delay": Row("voicesim.channel.network:Delay", about="The line takes its time."),
    },
)

BACKGROUNDS = Registry(
    "background noise",
    "voicesim.backgrounds",
    {
        "white": Row("voicesim.channel.noise:white", about="Equal power at all frequencies."),
        "pink": Row("voicesim.channel.noise:pink", about="Equal power in all octaves."),
        "hum": Row("voicesim.channel.noise:hum", about="Mains hum of 50 Hz and its harmonics."),
        "street": Row("voicesim.channel.noise:street", about="Engines far away, and cars that pass."),
        "car": Row("voicesim.channel.noise:car", about="Inside a moving car: engine, tyres, wind."),
        "babble": Row("voicesim.channel.voices:babble", about="Six people who talk close by without a pause."),
        "cafe": Row("voicesim.channel.voices:cafe", about="People talking across a room, and cups that clink."),
        "ward": Row("voicesim.channel.ward:ward", about="A hospital ward: monitors, an infusion alarm, far voices."),
        "hold_music": Row("voicesim.channel.ward:hold_music", about="A small tune, as while one waits."),
    },
)

BURSTS = Registry(
    "burst",
    "voicesim.bursts",
    {
        "door": Row("voicesim.channel.bursts:door", about="A door that falls shut."),
        "dog": Row("voicesim.channel.bursts:dog", about="A dog that barks twice."),
        "cough": Row("voicesim.channel.bursts:cough", about="Somebody coughs."),
        "phone": Row("voicesim.channel.bursts:phone", about="Another telephone rings once."),
        "keys": Row("voicesim.channel.bursts:keys", about="A few strokes on a keyboard."),
    },
)

CODECS = Registry(
    "codec",
    "voicesim.codecs",
    {
        "mulaw": Row("voicesim.channel.codec:MuLaw", about="G.711 mu-law at 8 kHz, an ordinary telephone line."),
        "alaw": Row("voicesim.channel.codec:ALaw", about="G.711 A-law at 8 kHz, the same outside America."),
        "opus": Row("voicesim.channel.av_codec:Opus", about="Opus, as in browsers and apps."),
        "amr": Row("voicesim.channel.av_codec:Amr", about="AMR narrow band at 8 kHz, as on older mobile phones."),
        "g722": Row("voicesim.channel.av_codec:G722", about="G.722 at 16 kHz, as on office telephones."),
    },
)

MINDS = Registry(
    "mind",
    "voicesim.minds",
    {
        "cues": Row("voicesim.caller.minds:cues", "cues", "Gives the facts whose cues the agent's words hold."),
        "openai": Row("voicesim.caller.mind_openai:make", "openai:MODEL", "A language model on any server."),
        "script": Row("voicesim.caller.mind_script:make", "script:FILE", "Exact lines, each on its condition."),
        "manual": Row("voicesim.caller.mind_manual:make", "manual", "You type the patient's lines during the call."),
        "microphone": Row("voicesim.caller.mind_microphone:make", "microphone", "A person speaks; for programs."),
    },
    files="openai",
)
"""A factory takes the case and what follows the colon of its name, and gives a `caller.mind.Mind`."""

JUDGES = Registry(
    "judge",
    "voicesim.judges",
    {
        "cues": Row("voicesim.judge.judges:cues", "cues", "Finds evidence by cues, offline."),
        "openai": Row("voicesim.judge.llm.openai_judge:make", "openai:MODEL", "A language model on any server."),
    },
    files="openai",
)
"""A factory takes what follows the colon of its name and `judge.judges.Options`, and gives a `judge.base.Judge`."""

RULES = Registry(
    "rule",
    "voicesim.rules",
    {
        "tool_order": Row(
            "voicesim.judge.code.tool_order:ToolOrder", about="One tool only after a success of another."
        ),
        "tool_outcome": Row("voicesim.judge.code.tool_outcome:ToolOutcome", about="How often a tool succeeds."),
        "tool_arguments": Row(
            "voicesim.judge.code.tool_arguments:ToolArguments",
            about="A tool is given values that the system behind it has.",
        ),
        "tool_forbidden": Row("voicesim.judge.code.tool_forbidden:ToolForbidden", about="Tools that are never called."),
        "tools_succeeded": Row("voicesim.judge.code.tools_succeeded:ToolsSucceeded", about="Every tool call succeeds."),
        "words_near": Row(
            "voicesim.judge.code.words_near:WordsNear", about="Words within so many seconds of a moment."
        ),
        "said_times": Row(
            "voicesim.judge.code.said_times:SaidTimes",
            about="Every time of day that the agent names is in the calendar.",
        ),
        "latency": Row("voicesim.judge.code.latency:Latency", about="How long the patient waits for an answer."),
        "yield": Row("voicesim.judge.code.yields:Yield", about="How fast the agent stops when it is interrupted."),
        "talk_over": Row(
            "voicesim.judge.code.talk_over:TalkOver", about="How long the agent sounds while the patient speaks."
        ),
    },
)
"""A row is a `judge.code.decide.Rule`: the settings of a rule as they stand in a case, and its decision."""

_STANDARD_MEASURES = {
    "response_latency": "Seconds from the patient's last voiced sample to the agent's first.",
    "turns": "What came of each patient utterance that wants an answer.",
    "cut_ins": "How often the agent began before the patient had ended.",
    "interruptions": "What came of each patient utterance that wants the agent to stop.",
    "false_yields": "How often the agent stopped for an aside or a cough.",
    "overlap": "Seconds in which both speak.",
    "dead_air": "Long silences, and whose turn it was.",
    "agent_talk": "Seconds in which the agent speaks.",
    "caller_talk": "Seconds in which the patient speaks.",
    "talk_ratio": "The agent's share of all talk.",
    "first_word": "Seconds from connection to the agent's voice.",
    "monologues": "How long the agent speaks at a stretch.",
    "speaking_rate": "The agent's words a minute of its own sound.",
    "glitches": "Holes in the agent's speech.",
    "urgency": "From a red flag to the emergency instruction.",
    "replies": "What the time of each answer went into.",
    "reply_time": "How soon the patient answers, beyond the silence its persona leaves.",
    "never_heard": "What the agent generated and nobody heard.",
    "selectivity": "What the agent stops for: interruptions, and no backchannel, side talk or cough.",
    "after_interruptions": "What the agent says after an interruption it yielded to.",
    "cost": "What the agent's tokens cost.",
    "line": "Level, SNR and loss of the patient's voice as sent, beside what the profile asks for.",
}
MEASURES = Registry(
    "measure",
    "voicesim.measures",
    {
        **{name: Row(f"voicesim.metrics.standard:{name}", about=about) for name, about in _STANDARD_MEASURES.items()},
        "divergences": Row(
            "voicesim.metrics.divergences:divergences",
            about="Where a replayed patient's lines no longer went with what the agent said.",
        ),
        "agent_hearing": Row(
            "voicesim.metrics.hearing:agent_hearing",
            about="What the agent understood of the patient: words, and clinical entities.",
        ),
        "speech_fidelity": Row(
            "voicesim.metrics.fidelity:speech_fidelity",
            about="The agent's own transcript against what is heard in its voice.",
        ),
        "speech_quality": Row(
            "voicesim.metrics.speech_quality:speech_quality",
            about="Noise and gaps in the agent's voice, as networks hear them (extra `quality`).",
        ),
    },
)

_FIGURES = {
    "score_mean": "Mean score of the scored calls.",
    "score_lowest": "The lowest score.",
    "pass_rate": "Share of the calls that passed: scored, and no critical check missed.",
    "pass_every_time": "pass^k: the probability that all repeats of a call pass.",
    "failed_critical": "Share of the calls in which a critical check was missed.",
    "coverage_mean": "Mean share of a rubric's weight that was decided.",
    "response_latency_median": "Median seconds to an answer.",
    "response_latency_p90": "90th percentile of the seconds to an answer, from five answers on.",
    "response_latency_p95": "95th percentile of the seconds to an answer, from five answers on.",
    "response_latency_longest": "Longest seconds to an answer.",
    "first_word_median": "Median seconds from connection to the agent's voice.",
    "cut_in_rate": "Share of the patient's turns into which the agent spoke.",
    "unanswered_rate": "Share of the patient's turns that the agent left without an answer.",
    "yield_rate": "Share of the interruptions after which the agent stopped.",
    "yield_median": "Median seconds from an interruption to the agent's silence, where it stopped.",
    "false_yields_per_call": "How often a call the agent stopped for a backchannel, side talk or a cough.",
    "dead_air_longest": "The longest dead air in which it was the agent's turn; 0 without one.",
    "glitches_per_call": "Holes in the agent's speech a call.",
    "cost_per_call": "Mean cost of the agent's tokens, in the currency of its prices.",
}
FIGURES = Registry(
    "figure",
    "voicesim.figures",
    {name: Row(f"voicesim.results.figures:{name}", about=about) for name, about in _FIGURES.items()},
)
"""A row takes the valid calls of one agent (`results.read.SuiteCall`) and gives a `statistics.intervals.Estimate` or
None; thresholds in suite files name it."""

EVIDENCE = Registry(
    "evidence source",
    "voicesim.evidence",
    {
        "pubmed": Row("voicesim.rubrics.live.pubmed:PubMed", about="Abstracts of reviews and guidelines."),
        "openfda": Row("voicesim.rubrics.live.openfda:OpenFda", about="The FDA's labels of the medicines named."),
        "dailymed": Row("voicesim.rubrics.live.dailymed:DailyMed", about="The newest labels of the medicines named."),
        "medlineplus": Row("voicesim.rubrics.live.medlineplus:MedlinePlus", about="Health topics for patients."),
        "cdc": Row("voicesim.rubrics.live.pages:cdc", about="Pages of the CDC for the public."),
        "who": Row("voicesim.rubrics.live.pages:who", about="Fact sheets of the WHO."),
    },
)
