"""What a check of kind `code` is decided by: the tool log, the clock and the sound, never a model.

A rule is one file, with its settings and its decision, and a row in `registry.RULES`. `docs/cases.md` says when each
rule is a hit, a miss, not applicable or undecidable.
"""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, SerializeAsAny, ValidationInfo

from voicesim.catalog.entry import Entry
from voicesim.errors import UsageError
from voicesim.registry import RULES

Plain = str | bool | int | float
Seconds = Annotated[float, Field(ge=0)]
Name = Annotated[str, Field(min_length=1)]


class RuleSettings(Entry):
    """The settings that all rules have; `type` is the rule's name in the table."""

    type: str

    def lists(self) -> tuple[str, ...]:
        """The lists of the backend's state that the rule looks into."""
        return ()


def rule_model(name: str) -> type[RuleSettings]:
    """The class of a rule's name. Raises ValueError with the near names when there is none."""
    try:
        model: type[RuleSettings] = RULES.load(name)
    except UsageError as error:
        raise ValueError(str(error)) from None
    return model


def _read(value: Any, info: ValidationInfo) -> Any:
    """The rule that its `type` names, from plain data; its own errors keep their places."""
    if not isinstance(value, dict):
        return value
    name = value.get("type")
    if not isinstance(name, str):
        raise ValueError("a rule needs a type, such as tool_order")
    model = rule_model(name)
    if info.mode == "json":  # a file: lists stand for tuples, and no number is made out of a text
        return model.model_validate_json(json.dumps(value), strict=True)
    return model.model_validate(value)


AnyRule = Annotated[SerializeAsAny[RuleSettings], BeforeValidator(_read)]
"""A field that holds any rule of the table."""
