"""How well the agent tells what is meant for it: it gives way to interruptions, and to nothing else."""

from collections.abc import Sequence

from voicesim.metrics.interruptions import running_at
from voicesim.metrics.model import Interruption, Selectivity, Share
from voicesim.transcript.cut import YIELD_LIMIT
from voicesim.transcript.model import Transcript, Utterance


def selectivity(transcript: Transcript, interruptions: Sequence[Interruption]) -> Selectivity:
    """The shares of interruptions yielded to, and of backchannels, side talk and coughs talked through.

    A sound of the patient counts when it begins while the agent speaks. The agent talked through it when its
    utterance was not cut within 1.5 s of that beginning. An `ignore` utterance of no known kind (an older recording)
    is a backchannel.
    """
    through: dict[str, list[bool]] = {"backchannel": [], "side_talk": [], "cough": []}
    for sound in transcript.of("caller"):
        running = running_at(transcript.of("agent"), sound.start)
        kind = sound.kind or "backchannel"
        if sound.intent == "ignore" and kind in through and running is not None:
            through[kind].append(not stopped_for(sound, running))
    return Selectivity(
        yielded=_share([interruption.yielded for interruption in interruptions]),
        backchannels=_share(through["backchannel"]),
        side_talk=_share(through["side_talk"]),
        coughs=_share(through["cough"]),
    )


def stopped_for(sound: Utterance, running: Utterance) -> bool:
    """Whether an agent utterance broke off within 1.5 s of the beginning of a sound of the patient."""
    return running.cut and running.end <= sound.start + YIELD_LIMIT


def _share(outcomes: Sequence[bool]) -> Share:
    return Share(n=len(outcomes), count=sum(outcomes), share=sum(outcomes) / len(outcomes) if outcomes else None)
