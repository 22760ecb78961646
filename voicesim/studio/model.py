"""The language model that helps people in the studio: it compares reasons, and proposes texts of cases."""

from voicesim.bench.reflect import proposer
from voicesim.errors import UsageError
from voicesim.llm.client import ChatModel
from voicesim.studio.settings import Settings
from voicesim.studio.visits.asked import catalogue_of


def model_of(settings: Settings) -> ChatModel:
    """The model that proposes and compares. Raises UsageError where the studio has none, or its key is missing."""
    if not settings.model:
        raise UsageError("this studio has no model; start it with --model openai:MODEL or the id of a model file")
    files = catalogue_of(settings).files("model")
    return proposer(str(files.get(settings.model, settings.model)))
