"""Text to plain data: what is refused before any model sees it."""

from pathlib import Path

import pytest

from voicesim.catalog.yaml_tree import MAX_BYTES, read_tree
from voicesim.errors import CatalogueError


def put(tmp_path: Path, content: str | bytes, name: str = "x.yaml") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return path


def test_every_key_and_item_knows_its_line(tmp_path: Path) -> None:
    tree = read_tree(put(tmp_path, "a: 1\nb:\n  - x\n  - {c: 2,\n     d: 3}\n"), "x")
    assert tree.data == {"a": 1, "b": ["x", {"c": 2, "d": 3}]}
    assert dict(tree.lines) == {
        (): 1, ("a",): 1, ("b",): 2, ("b", 0): 3, ("b", 1): 4, ("b", 1, "c"): 4, ("b", 1, "d"): 5,
    }  # fmt: skip
    assert tree.line_of(("b", 1, "missing", 0)) == 4


def test_a_key_given_twice_is_a_fault_with_both_lines(tmp_path: Path) -> None:
    in_yaml = read_tree(put(tmp_path, "a:\n  b: 1\n  b: 2\n"), "x")
    assert in_yaml.faults == ((("a", "b"), "key given twice, on lines 2 and 3"),)
    in_json = read_tree(put(tmp_path, '{"a": {"b": 1,\n"b": 2}}', "x.json"), "x")
    assert in_json.faults == ((("a", "b"), "key given twice, on lines 1 and 2"),)


def test_json_that_yaml_cannot_read_still_refuses_a_key_given_twice(tmp_path: Path) -> None:
    tree = read_tree(put(tmp_path, '{"a"\n: 1, "a"\n: 2}', "x.json"), "x")
    assert tree.data == {"a": 2}
    assert tree.faults == ((("a",), "key given twice"),)
    assert tree.line_of(("a",)) is None


def test_json_with_tabs_and_escapes_keeps_its_lines(tmp_path: Path) -> None:
    tree = read_tree(put(tmp_path, '{\n\t"a": "x\\ty \\ud83d\\ude00",\n\t"b": [true, null]\n}', "x.json"), "x")
    assert tree.data == {"a": "x\ty \U0001f600", "b": [True, None]}
    assert tree.line_of(("b", 1)) == 3


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("x.yaml", "a: b\nc: d: e\n", 2, "text with a colon in it needs quotes"),
        ("x.yaml", "a: [1, 2\nb: 3\n", 2, "broken YAML"),
        ("x.yaml", "a: b\n\tc: d\n", 2, "cannot start any token"),
        ("x.yaml", "a: b\nc: \x00\n", 2, "special characters are not allowed"),
        ("x.yaml", "a: 1\n---\nb: 2\n", 2, "expected a single document"),
        ("x.yaml", "a: &big [x]\nb: [*big, *big]\n", 2, "aliases"),
        ("x.yaml", 'a: 1\nb: !!python/object/apply:os.getcwd []\n', 2, "!!python/object/apply:os.getcwd"),
        ("x.yaml", "a: 1\nb: !!int twelve\n", 2, "is not of the type it is tagged as"),
        ("x.yaml", "a: 1\n? [k]\n: 2\n", 2, "a key must be a word"),
        ("x.yaml", "[" * 40, 1, "nested deeper than 32 levels"),
        ("x.yaml", "a: 1\nb: \"\\ud800\"\n", 2, "lone surrogate"),
        ("x.yaml", b"a: 1\nb: \xff\n", 2, "is not UTF-8 text"),
        ("x.json", '{"a": 1,\n"b": }', 2, "broken JSON: Expecting value"),
        ("x.json", '{"a":' * 40_000, None, "broken JSON: nested too deeply"),
        ("x.json", '{"a":' * 40 + "1" + "}" * 40, None, "nested deeper than 32 levels"),
        ("x.json", '{"a": "\\udc00"}', 1, "lone surrogate"),
    ],
)  # fmt: skip
def test_text_that_is_not_well_formed_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, message: str
) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_tree(put(tmp_path, content, name), "the-file")
    assert message in str(caught.value)
    assert (caught.value.file, caught.value.line) == ("the-file", line)


def test_a_file_beyond_the_bound_is_not_even_parsed(tmp_path: Path) -> None:
    fits = read_tree(put(tmp_path, "a: " + "x" * (MAX_BYTES - 3)), "x")
    assert len(fits.data["a"]) == MAX_BYTES - 3
    with pytest.raises(CatalogueError, match="is bigger than 256000 bytes"):
        read_tree(put(tmp_path, "a: " + "x" * (MAX_BYTES - 2)), "x")


def test_numbers_without_end_are_faults_at_their_place(tmp_path: Path) -> None:
    assert read_tree(put(tmp_path, "a: [1.0, .nan]\nb: .inf\n"), "x").faults == (
        (("a", 1), "is not a finite number"),
        (("b",), "is not a finite number"),
    )
    assert read_tree(put(tmp_path, '{"a": 1e999}', "x.json"), "x").faults == ((("a",), "is not a finite number"),)


def test_an_empty_file_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    assert read_tree(put(tmp_path, "# only a comment\n"), "x").data is None
    assert read_tree(put(tmp_path, b"\xef\xbb\xbfa: 1\n"), "x").data == {"a": 1}
