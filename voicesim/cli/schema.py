"""`voicesim schema`: the JSON Schema of what people write, for their editor."""

import json
from typing import Annotated

import typer


def schema(
    kind: Annotated[str, typer.Argument(help="case, persona, profile, agent, accent, model or suite.")],
) -> None:
    """Print the JSON Schema of a kind of file.

    An editor with the YAML language server reads it by a first line such as
    `# yaml-language-server: $schema=case.schema.json`.
    """
    from voicesim.catalog.json_schema import MODELS, json_schema
    from voicesim.cli.telling import echo
    from voicesim.errors import UsageError, near

    for known in MODELS:
        if kind == known:
            echo(json.dumps(json_schema(known), indent=2, ensure_ascii=False))
            return
    raise UsageError(f"there are no files of kind {kind!r}.{near(kind, MODELS)}")
