"""Is the judge of the same family of models as the agent it judges, or as the patient who called?"""

import re
from collections.abc import Iterable

from voicesim.recording.manifest import Manifest


def family(name: str) -> str | None:
    """The family of a model, or of a name such as `openai:org/some-model-7b`; None where there is no model.

    >>> family("openai:gpt-4o-mini"), family("gpt-realtime-2025-08-28"), family("openai:o3")
    ('gpt', 'gpt', 'gpt')
    >>> family("openai:org/Qwen2.5-7B"), family("cues"), family("realtime")
    ('qwen', None, None)
    """
    kind, colon, rest = name.partition(":")
    if colon and kind != "openai":
        return None
    model = (rest if colon else kind).rpartition("/")[2].lower()
    if not colon and not re.search(r"\d|gpt|claude|gemini", model):
        return None  # cues, rules, realtime, modular: no model's name
    if re.match(r"o\d|chatgpt|whisper|davinci", model):
        return "gpt"
    match = re.match(r"[a-z]+", model)
    return match.group() if match else None


def kinship(judge: str, models: Iterable[str], manifest: Manifest) -> tuple[str, ...]:
    """A warning for the agent (its model or its brain) and for the mind, where the judge is of their family."""
    mine = {kind for kind in (family(judge), *map(family, models)) if kind}
    settings = manifest.agent.content
    agents = (manifest.agent.id, str(settings.get("agent", "")), str(settings.get("brain", "")))
    kin = next((name for name in agents if family(name) in mine), manifest.agent.id)
    mind = manifest.mind_model.model if manifest.mind_model else manifest.mind
    others = (("agent", kin), ("mind", mind))
    return tuple(
        f"judge {judge} and {role} {name} are of one model family ({family(name)}): it may favour its kin"
        for role, name in others
        if family(name) in mine
    )
