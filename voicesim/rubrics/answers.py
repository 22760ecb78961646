"""An answer, or a call, against a rubric: what of it is met, each with its quote, and the points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voicesim.judge.base import Call, Finding, Judge
from voicesim.judge.offline.cues import CuesJudge
from voicesim.rubrics.casing import to_case
from voicesim.rubrics.model import Criterion, Rubric
from voicesim.rubrics.score import Points, points
from voicesim.rubrics.words import WordsJudge
from voicesim.transcript.model import Transcript, Utterance

_SECONDS = 10.0
"""Length that a paragraph of a written answer is given on the clock; nothing is judged by it."""


@dataclass(frozen=True)
class Assessed:
    """One criterion: whether the answer does it (None: nobody could tell), the words that show it, and by whom."""

    criterion: Criterion
    met: bool | None
    quotes: tuple[str, ...]
    reason: str
    by: str


@dataclass(frozen=True)
class Scored:
    """A rubric over one answer."""

    rubric: Rubric
    assessed: tuple[Assessed, ...]
    points: Points

    @property
    def met(self) -> Mapping[str, bool | None]:
        """Whether each criterion is met, by id."""
        return {each.criterion.id: each.met for each in self.assessed}

    @property
    def harms(self) -> tuple[Assessed, ...]:
        """Criteria of negative points that the answer meets."""
        return tuple(each for each in self.assessed if each.met and each.criterion.points < 0)


def score_answer(rubric: Rubric, answer: str, judge: Judge | None = None) -> Scored:
    """A written answer to the rubric's question. Raises UsageError as the judge does."""
    return score_transcript(rubric, written(rubric.question, answer), judge)


def score_transcript(rubric: Rubric, transcript: Transcript, judge: Judge | None = None) -> Scored:
    """What the agent says in a call, or an answer of `written`.

    Without a judge, criteria with cues are read by the offline judge, and the others by words, medicines and figures.
    """
    case = to_case(rubric)
    call = Call(case, transcript)
    assessed = []
    for criterion, check in zip(rubric.criteria, case.rubric, strict=True):
        reader = judge or (CuesJudge() if criterion.cues or criterion.claims else WordsJudge())
        if isinstance(reader, WordsJudge):
            check = check.model_copy(update={"expect": stated(criterion, rubric)})
        assessed.append(_assessed(criterion, reader.find(check, call), reader.name))
    return Scored(rubric, tuple(assessed), points(rubric.criteria, {each.criterion.id: each.met for each in assessed}))


def stated(criterion: Criterion, rubric: Rubric) -> str:
    """What a criterion is about, in the words of its facts where it has some."""
    said = [fact.says for fact in rubric.facts if fact.id in criterion.facts]
    return " ".join(said) or criterion.says


def _assessed(criterion: Criterion, finding: Finding, by: str) -> Assessed:
    quotes = tuple(proof.quote for proof in finding.evidence)
    return Assessed(criterion, _met(criterion, finding), quotes, finding.reason, by)


def _met(criterion: Criterion, finding: Finding) -> bool | None:
    """A harm is met when what is to be avoided was done. What was not heard in a whole answer is not there."""
    if finding.outcome in ("hit", "miss"):
        return (finding.outcome == "hit") == (criterion.points > 0)
    return False if finding.outcome in ("not_heard", "not_applicable") else None


def written(question: str, answer: str) -> Transcript:
    """A question and a written answer as a transcript: an utterance for each paragraph of the answer."""
    paragraphs = [" ".join(block.split()) for block in answer.split("\n\n")]
    texts: Sequence[str] = [text for text in paragraphs if text]
    return Transcript(
        call_id="answer",
        duration=_SECONDS * (len(texts) + 1),
        language="en",
        model="written",
        utterances=(_utterance(0, question), *(_utterance(place, text) for place, text in enumerate(texts, start=1))),
    )


def _utterance(place: int, text: str) -> Utterance:
    start, end = place * _SECONDS, (place + 1) * _SECONDS - 1
    return Utterance(
        id=f"A{place}" if place else "P1",
        side="agent" if place else "caller",
        start=start,
        end=end,
        text=text,
        voiced=((start, end),),
        source="whisper" if place else "line",
    )
