"""Text of a catalogue file -> plain data that still knows the line of every key.

YAML and JSON. No tag can make an object, no alias can blow up a small file, a key given twice is a
fault instead of a silent last one wins, and a file or a nesting beyond any real entry is refused.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml

from voicesim.errors import CatalogueError, near

SUFFIXES = (".yaml", ".yml", ".json")
MAX_BYTES = 256_000
MAX_DEPTH = 32

Loc = tuple[str | int, ...]
Fault = tuple[Loc, str]

_SURROGATE = re.compile("[\ud800-\udfff]")
_TAG = "tag:yaml.org,2002:"
_TEXT = frozenset(_TAG + name for name in ("str", "timestamp", "value", "merge"))
_SCALARS = _TEXT | {_TAG + name for name in ("int", "float", "bool", "null")}


@dataclass(frozen=True)
class YamlTree:
    """Plain data, the line (from 1) of each place in it, and what is wrong before any model looks."""

    data: Any
    lines: Mapping[Loc, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def line_of(self, loc: Loc) -> int | None:
        """Line of a place, or of the nearest place around it that is in the file."""
        for end in range(len(loc), -1, -1):
            if loc[:end] in self.lines:
                return self.lines[loc[:end]]
        return None


def read_tree(path: Path, file: str) -> YamlTree:
    """Read one file; `file` is the name that messages use. A name that ends in .json is read as JSON.

    `FILE#ID` is one entry of a file that holds a list of them. Raises CatalogueError when it cannot be read, is too
    big, not UTF-8, or not well-formed.
    """
    whole, item = _split(path)
    tree = _tree(_text(whole, file), file, whole.suffix.lower() == ".json")
    return _item(tree, item, file) if item else tree


def read_yaml(text: str, file: str) -> YamlTree:
    """YAML that stands in another text, read as strictly as a file. Raises CatalogueError, naming `file`."""
    if len(text) > MAX_BYTES:
        raise CatalogueError(f"has more than {MAX_BYTES} characters", file=file)
    return _tree(text, file, False)


@lru_cache(maxsize=512)
def _tree(text: str, file: str, is_json: bool) -> YamlTree:
    """Kept: a catalogue is gone through for every name that is looked up, and reading YAML with its lines is slow."""
    tree = _json_tree(text, file) if is_json else _yaml_tree(text, file)
    for loc, value in _scalars(tree.data):
        if len(loc) > MAX_DEPTH:
            raise CatalogueError(f"nested deeper than {MAX_DEPTH} levels", file=file)
        if _SURROGATE.search(f"{loc} {value}"):
            raise CatalogueError("half a character (a lone surrogate) in the text", file=file, line=tree.line_of(loc))
    endless = [(loc, "is not a finite number") for loc, value in _scalars(tree.data) if _is_endless(value)]
    return YamlTree(tree.data, tree.lines, (*tree.faults, *endless))


def comment(text: str) -> str:
    """A line of YAML that says nothing to a program, whatever the text is.

    >>> comment("made by x\\nid: y")
    '# made by x id: y\\n'
    """
    indent = " " * (len(text) - len(text.lstrip(" ")))
    shown = "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
    return f"# {indent}{shown}\n"


def parts_of(path: Path) -> tuple[Path, ...]:
    """The entries of a file: itself, or `FILE#ID` for each item of a list; none when there is no such file."""
    if not _split(path)[0].is_file():
        return ()
    try:
        tree = read_tree(path, str(path))
    except CatalogueError:
        return (path,)
    if not (isinstance(tree.data, list) and any(isinstance(entry, dict) for entry in tree.data)):
        return (path,)
    return tuple(Path(f"{path}#{_name_of(entry, index)}") for index, entry in enumerate(tree.data))


def _split(path: Path) -> tuple[Path, str]:
    name, mark, item = path.name.partition("#")
    if not mark or path.exists():
        return path, ""
    return path.with_name(name), item


def _name_of(entry: Any, index: int) -> str:
    name = entry.get("id") if isinstance(entry, dict) else None
    return name if isinstance(name, str) and name else str(index + 1)


def _item(tree: YamlTree, item: str, file: str) -> YamlTree:
    entries = tree.data if isinstance(tree.data, list) else []
    names = [_name_of(entry, index) for index, entry in enumerate(entries)]
    if item not in names:
        raise CatalogueError(f"has no entry {item!r}.{near(item, names)}", file=file)
    if names.count(item) > 1:
        raise CatalogueError(f"has {names.count(item)} entries with the id {item!r}", file=file)
    index = names.index(item)
    lines = {loc[1:]: line for loc, line in tree.lines.items() if loc[:1] == (index,)}
    return YamlTree(entries[index], lines, tuple((loc[1:], text) for loc, text in tree.faults if loc[:1] == (index,)))


def _text(path: Path, file: str) -> str:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CatalogueError(f"cannot be read: {error.strerror or error}", file=file) from error
    if len(content) > MAX_BYTES:
        raise CatalogueError(f"is bigger than {MAX_BYTES} bytes; a catalogue file is a few thousand", file=file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CatalogueError("is not UTF-8 text", file=file, line=line) from error


def _yaml_tree(text: str, file: str) -> YamlTree:
    try:
        return _walk(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        if error.problem == "mapping values are not allowed here":
            problem += " (text with a colon in it needs quotes)"
        raise CatalogueError(f"broken YAML: {problem}", file=file, line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        position = getattr(error, "position", None)
        line = text.count("\n", 0, position) + 1 if isinstance(position, int) else None
        problem = getattr(error, "reason", None) or str(error)
        raise CatalogueError(f"broken YAML: {problem}", file=file, line=line) from error


def _json_tree(text: str, file: str) -> YamlTree:
    twice: list[Fault] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(name for name, _ in items)
        twice.extend(((name,), "key given twice") for name, count in counts.items() if count > 1)
        return dict(items)

    try:
        data = json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise CatalogueError(f"broken JSON: {error.msg}", file=file, line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise CatalogueError("broken JSON: nested too deeply or a number too long", file=file) from error
    try:
        # Nearly all JSON is YAML once tabs are blanks; the odd rest only goes without line numbers.
        marked = _walk(text.replace("\t", " "))
    except yaml.YAMLError:
        return YamlTree(data, {}, tuple(twice))
    return YamlTree(data, marked.lines, marked.faults)


class _Composer(yaml.SafeLoader):
    """Nodes with their marks, without aliases and not deeper than any entry goes."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _refused("aliases (*name) are not allowed: write the value out", event)
        if self.depth >= MAX_DEPTH:
            raise _refused(f"nested deeper than {MAX_DEPTH} levels", event)
        self.depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _refused(problem: str, at: yaml.Event | yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=cast(Any, at.start_mark))


def _walk(text: str) -> YamlTree:
    loader = _Composer(text)
    try:
        root = loader.get_single_node()
        lines: dict[Loc, int] = {}
        faults: list[Fault] = []
        if root is None:
            return YamlTree(None, {(): 1})
        lines[()] = root.start_mark.line + 1
        return YamlTree(_value(loader, root, (), lines, faults), lines, tuple(faults))
    finally:
        loader.dispose()


def _value(loader: _Composer, node: yaml.Node, loc: Loc, lines: dict[Loc, int], faults: list[Fault]) -> Any:
    if isinstance(node, yaml.MappingNode) and node.tag == _TAG + "map":
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _refused("a key must be a word", key_node)
            key, line = key_node.value, key_node.start_mark.line + 1
            here = (*loc, key)
            if key in mapping:
                faults.append((here, f"key given twice, on lines {lines[here]} and {line}"))
            lines[here] = line
            mapping[key] = _value(loader, value_node, here, lines, faults)
        return mapping
    if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
        items = []
        for index, item in enumerate(node.value):
            lines[(*loc, index)] = item.start_mark.line + 1
            items.append(_value(loader, item, (*loc, index), lines, faults))
        return items
    if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
        return _scalar(loader, node)
    raise _refused(f"the tag {node.tag.replace(_TAG, '!!')} is not allowed", node)


def _scalar(loader: _Composer, node: yaml.ScalarNode) -> Any:
    # YAML 1.1 reads 10:30 as 630 (base 60) and 2024-05-01 as a date; people mean the words they wrote.
    if node.tag in _TEXT or (node.tag in (_TAG + "int", _TAG + "float") and ":" in node.value):
        return node.value
    try:
        return loader.construct_object(node)
    except (ValueError, KeyError) as error:
        raise _refused(f"{node.value[:40]!r} is not of the type it is tagged as, or too long", node) from error


def _scalars(data: Any, loc: Loc = ()) -> Iterator[tuple[Loc, Any]]:
    """Every value that holds no others, and what lies below the deepest level as if it were one."""
    if len(loc) > MAX_DEPTH:
        yield loc, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _scalars(value, (*loc, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _scalars(value, (*loc, index))
    else:
        yield loc, data


def _is_endless(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
