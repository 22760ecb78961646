"""A case as a form: what is said and asked for, replaced in the text where it stands; comments and order stay."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from voicesim.errors import CatalogueError

_TOP = (("title",), ("patient", "says_first"))
_FACT, _CHECK = ("says",), ("expect", "weight")


@dataclass(frozen=True)
class Field:
    """One thing to fill in. `key` is its dotted path, `about` is what it belongs to."""

    key: str
    about: str
    value: str


Fields = tuple[Field, ...]


def fields(text: str) -> Fields:
    """What a form shows of a case. Raises CatalogueError for a text that is no YAML."""
    return tuple(Field(key, about, str(node.value)) for key, about, node in _nodes(text))


def applied(text: str, values: Mapping[str, str]) -> str:
    """The text with what was filled in; `values` by the key of each field."""
    spans = []
    for key, _, node in _nodes(text):
        new = values.get(key)
        if new is None or new.strip() == str(node.value).strip():
            continue
        start, end = node.start_mark.index, node.end_mark.index
        written = new.strip() if key.endswith(".weight") else json.dumps(" ".join(new.split()), ensure_ascii=False)
        spans.append((start, start + len(text[start:end].rstrip()), written))
    for start, end, written in sorted(spans, reverse=True):
        text = text[:start] + written + text[end:]
    return text


def renamed(text: str, name: str) -> str:
    """The text with another id. Raises CatalogueError for a text that is no YAML, or has no id."""
    node = _at(_root(text), ("id",))
    if not isinstance(node, yaml.ScalarNode):
        raise CatalogueError("this case has no id to be replaced")
    return f"{text[: node.start_mark.index]}{name}{text[node.end_mark.index :]}"


def _root(text: str) -> Any:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise CatalogueError(f"this is no YAML: {error}") from error


def _nodes(text: str) -> Iterator[tuple[str, str, yaml.ScalarNode]]:
    root = _root(text)
    for path in _TOP:
        node = _at(root, path)
        if isinstance(node, yaml.ScalarNode):
            yield ".".join(path), "", node
    for list_path, wanted in ((("patient", "reveal_only_if_asked"), _FACT), (("rubric",), _CHECK)):
        entries = _at(root, list_path)
        for entry in entries.value if isinstance(entries, yaml.SequenceNode) else ():
            name = _at(entry, ("id",))
            for key in wanted:
                node = _at(entry, (key,))
                if isinstance(node, yaml.ScalarNode) and isinstance(name, yaml.ScalarNode):
                    yield f"{list_path[-1]}.{name.value}.{key}", str(name.value), node


def _at(node: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(node, yaml.MappingNode):
            return None
        node = next((value for key, value in node.value if getattr(key, "value", None) == name), None)
    return node
