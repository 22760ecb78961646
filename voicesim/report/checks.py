"""The rubric's checks with their verdicts, in the order and words of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voicesim.catalog.model import Group
from voicesim.judge.gold import Label, label_of
from voicesim.judge.model import Evidence, Failure, Outcome, Seen, Verdict, Vote
from voicesim.report.quotes import Place, Token, locate
from voicesim.report.wording import spaced
from voicesim.transcript.model import Utterance

GROUPS: dict[Group, str] = {"critical": "Critical", "must_ask": "Must ask", "close": "Close"}

Shown = Outcome | Literal["unjudged"]

LABELS: dict[Shown, str] = {
    "hit": "hit",
    "miss": "miss",
    "not_applicable": "not applicable",
    "not_heard": "not heard",
    "cannot_assess": "cannot assess",
    "error": "error",
    "disputed": "disputed",
    "unjudged": "no verdict",
}

RIGHT_ANSWERS: dict[Label, str] = {
    "hit": "it is a hit",
    "miss": "it is a miss",
    "not_applicable": "it is not applicable",
    "unscored": "nobody can tell",
}
"""What a person can say is right instead of a verdict."""

Spoken = Mapping[str, tuple[Utterance, tuple[Token, ...]]]
"""Utterances and their tokens by utterance id."""


@dataclass(frozen=True)
class Quote:
    """A piece of evidence. `place` is None when the utterance or the words are not in the transcript."""

    utterance: str
    text: str
    start: float
    end: float
    in_transcript: bool
    place: Place | None


@dataclass(frozen=True)
class SourceView:
    """A document that a check stands on, and its words. `url` is "" for anything but an address of the web."""

    title: str
    url: str
    quote: str


@dataclass(frozen=True)
class CheckView:
    """One check as a chip."""

    id: str
    title: str
    group: Group
    outcome: Shown
    weight: float
    expect: str
    violation: str
    premise: str
    reason: str
    quotes: tuple[Quote, ...]
    seen: tuple[Seen, ...] = ()
    by_code: bool = False
    votes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    sources: tuple[SourceView, ...] = ()

    @property
    def label(self) -> str:
        """The outcome in words."""
        return LABELS[self.outcome]

    @property
    def agrees_with(self) -> Label | None:
        """The label of a person who finds the verdict right; None without a verdict."""
        return None if self.outcome == "unjudged" else label_of(self.outcome)

    @property
    def kind(self) -> Literal["hit", "miss", "open"]:
        """How the filter and the colours see it: open is all that was not decided."""
        return self.outcome if self.outcome in ("hit", "miss") else "open"


@dataclass(frozen=True)
class GroupView:
    """The checks of one group, in rubric order."""

    id: Group
    title: str
    checks: tuple[CheckView, ...]

    @property
    def hits(self) -> int:
        """How many were hit."""
        return sum(check.outcome == "hit" for check in self.checks)

    @property
    def weight(self) -> float:
        """The group's share of the rubric."""
        return sum(check.weight for check in self.checks)


def groups(
    rubric: Sequence[Mapping[str, Any]],
    verdicts: Sequence[Verdict],
    spoken: Spoken,
    failures: Sequence[Failure] = (),
) -> tuple[GroupView, ...]:
    """All checks of a case by group, the rubric as it is in the manifest.

    A check without a verdict is shown as such; a verdict on a check the case does not have is kept.
    """
    given = {verdict.check: verdict for verdict in verdicts}
    views = [_view(check, given.pop(str(check["id"]), None), spoken, failures) for check in rubric]
    for extra in given.values():
        about = {"id": extra.check, "group": extra.group, "weight": extra.weight}
        views.append(_view(about, extra, spoken, failures))
    by_group = ((name, tuple(view for view in views if view.group == name)) for name in GROUPS)
    return tuple(GroupView(name, GROUPS[name], checks) for name, checks in by_group if checks)


def _view(check: Mapping[str, Any], verdict: Verdict | None, spoken: Spoken, failures: Sequence[Failure]) -> CheckView:
    title = spaced(str(check["id"]))
    return CheckView(
        id=str(check["id"]),
        title=title[:1].upper() + title[1:],
        group=check["group"],
        outcome=verdict.outcome if verdict else "unjudged",
        weight=float(check["weight"]),
        expect=str(check.get("expect", "")),
        violation=str(check.get("violation", "")),
        premise=str(check.get("premise", "")),
        reason=verdict.reason if verdict else "",
        quotes=tuple(_quote(quote, spoken.get(quote.utterance)) for quote in verdict.evidence) if verdict else (),
        seen=verdict.seen if verdict else (),
        by_code=verdict is not None and verdict.by == "code",
        votes=tuple(map(_vote, verdict.votes)) if verdict else (),
        failures=tuple(failure(named) for named in failures if named.check == check["id"]),
        sources=tuple(map(_source, check.get("sources", ()))),
    )


def _source(cited: Mapping[str, Any]) -> SourceView:
    name, day, url = (str(cited.get(key) or "") for key in ("publisher", "published", "url"))
    title = ", ".join(part for part in (name, str(cited.get("title", "")), day) if part)
    return SourceView(title, url if url.startswith(("https://", "http://")) else "", str(cited.get("quote", "")))


def _vote(vote: Vote) -> str:
    """`openai:some-model: hit`, or `repeat 2: missed`."""
    return f"{f'repeat {vote.repeat}' if vote.repeat else vote.judge}: {LABELS[vote.outcome]}"


def failure(named: Failure) -> str:
    """A failure in words, with who named it."""
    name = f"{spaced(named.tag)} (named by {'code' if named.by == 'code' else 'the judge'})"
    return f"{name}: {named.note}" if named.note else name


def _quote(evidence: Evidence, spoken: tuple[Utterance, tuple[Token, ...]] | None) -> Quote:
    return Quote(
        utterance=evidence.utterance,
        text=evidence.quote,
        start=evidence.start,
        end=evidence.end,
        in_transcript=spoken is not None,
        place=locate(evidence, *spoken) if spoken else None,
    )
