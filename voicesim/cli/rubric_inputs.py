"""What the commands of `voicesim rubric` read: evidence, questions, answers, models."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from voicesim.catalog.model import Case
    from voicesim.judge.base import Judge
    from voicesim.llm.client import ChatModel
    from voicesim.rubrics.documents import Document
    from voicesim.rubrics.draft import Question
    from voicesim.transcript.model import Transcript

_SECONDS = 120.0
"""That a model has for one answer."""


def documents(folder: Path | None) -> "tuple[Document, ...]":
    """The documents of a folder, or those that came with voicesim."""
    from voicesim.catalog.find import shipped
    from voicesim.errors import UsageError
    from voicesim.rubrics.documents import read_folder

    came_with = shipped()
    if folder is None and came_with is None:
        raise UsageError("no evidence came with this voicesim; name a folder with --evidence")
    return read_folder(folder if folder is not None else (came_with or Path()) / "evidence")


def looked_up(question: str, names: list[str]) -> "tuple[tuple[Document, ...], tuple[str, ...]]":
    """What live sources give, and what went wrong."""
    if not names:
        return (), ()
    from voicesim.registry import EVIDENCE
    from voicesim.rubrics.routing import look_up

    return look_up(question, tuple(EVIDENCE) if "all" in names else tuple(dict.fromkeys(names)))


def case(name: str) -> "Case":
    """A case by its id or file."""
    from voicesim.catalog.find import Catalogue

    return Catalogue.here().case(name)


def question(subject: str) -> "Question":
    """What a rubric is for: a case, or a question as it was typed."""
    from voicesim.catalog.find import Catalogue
    from voicesim.rubrics.draft import Question, of_case

    if " " not in subject.strip() or subject.endswith((".yaml", ".yml", ".json")):
        return of_case(Catalogue.here().case(subject))
    from voicesim.catalog.load import id_from_name

    return Question(id_from_name(Path("-".join(subject.split()[:8]))), subject)


def chat(model: str, role: str) -> "ChatModel":
    """The model that is asked; its key comes from the environment."""
    from voicesim.catalog.model_names import resolve_model
    from voicesim.llm.client import ChatModel

    return ChatModel(resolve_model(model.removeprefix("openai:")), role, _SECONDS)


def judge(name: str) -> "Judge | None":
    """Who reads the answers; None for rules."""
    from voicesim.judge.judges import make_judge

    return make_judge(name) if name else None


def text(path: Path) -> str:
    """A file as text, or standard input."""
    from voicesim.errors import UsageError

    if str(path) == "-":
        return typer.get_text_stream("stdin").read()
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as text: {error}") from error


def transcript(folder: Path) -> "Transcript":
    """What was said in a recording."""
    from voicesim.errors import UsageError
    from voicesim.recording import files
    from voicesim.recording.read import open_recording
    from voicesim.transcript.model import Transcript

    open_recording(folder)
    if not (folder / files.TRANSCRIPT).is_file():
        raise UsageError(f"{folder}: no {files.TRANSCRIPT} yet; run `voicesim transcribe {folder}` first")
    return files.load(folder, files.TRANSCRIPT, Transcript)
