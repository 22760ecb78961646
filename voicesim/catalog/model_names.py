"""What `--mind`, `--judge`, `--brain` and `--model` name: a model on the usual server, or a model file."""

from pathlib import Path

from voicesim.catalog.load import id_from_name, read_model_file
from voicesim.errors import CatalogueError, UsageError
from voicesim.llm.server import ModelServer, named_model
from voicesim.redact import looks_like_key
from voicesim.registry import FILES


def resolve_model(target: str) -> ModelServer:
    """The model of a name such as `gpt-6.1-sol` (what stands behind `openai:`), or of a model file's path.

    Raises UsageError for a name that is a key, CatalogueError for a file that is not there or has anything wrong.
    """
    if not target.lower().endswith(FILES):
        if looks_like_key(target):
            raise UsageError("the model's name looks like a key; keys come from the environment")
        return named_model(target)
    path = Path(target)
    if not path.is_file():
        raise CatalogueError(f"there is no model file {target}")
    settings = read_model_file(path).entry
    return settings.server(settings.id or id_from_name(path))
