"""The case that a recording was made with."""

from pydantic import ValidationError

from voicesim.catalog.model import Case
from voicesim.errors import CatalogueError
from voicesim.recording import files
from voicesim.recording.manifest import Manifest


def case_of(manifest: Manifest) -> Case:
    """The case as it was when the call was made. Raises CatalogueError when the manifest's copy is none."""
    try:
        return Case.model_validate(manifest.case.content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise CatalogueError(first["msg"], file=f"{files.MANIFEST} of {manifest.call_id}", key=key) from error
