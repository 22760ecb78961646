"""Several repeats or several judges: the majority of each check, and no majority where there is none.

What is disputed keeps the quotes of all of them, for the person who decides it.
"""

from collections import Counter
from collections.abc import Sequence

from voicesim.judge.base import Finding
from voicesim.judge.model import Evidence, Failure, Outcome, Verdict, Verdicts, Vote
from voicesim.judge.score import score

PANEL = "panel"
_SHOWN = 3


def majority(outcomes: Sequence[Outcome]) -> Outcome:
    """What more than half of all votes say, an abstention being a vote; else `disputed`, for a person to decide."""
    (first, count), *_ = Counter(outcomes).most_common(1)
    return first if 2 * count > len(outcomes) else "disputed"


def of_repeats(judge: str, findings: Sequence[Finding]) -> tuple[Finding, tuple[Vote, ...]]:
    """One judge's finding from those of its repeats, with each repeat as a vote; a single one is no vote."""
    if len(findings) == 1:
        return findings[0], ()
    votes = tuple(
        Vote(judge=judge, repeat=n, outcome=finding.outcome, reason=finding.reason)
        for n, finding in enumerate(findings, start=1)
    )
    outcome = majority([finding.outcome for finding in findings])
    agreeing = [finding for finding in findings if finding.outcome == outcome]
    if not agreeing:
        return Finding(outcome, _merged([finding.evidence for finding in findings]), counted(votes)), votes
    tagged = next((finding for finding in agreeing if finding.tag), agreeing[0])
    proof = _merged([finding.evidence for finding in agreeing])
    return Finding(outcome, proof, agreeing[0].reason, tag=tagged.tag, note=tagged.note), votes


def convene(members: Sequence[Verdicts], unscored: str) -> Verdicts:
    """The panel's verdicts on a call from those of its members, one vote each whatever their repeats.

    Raises ValueError when the members did not judge the same checks.
    """
    by_check = list(zip(*(member.verdicts for member in members), strict=True))
    verdicts = tuple(_verdict([member.judge for member in members], row) for row in by_check)
    missed = {verdict.check for verdict in verdicts if verdict.outcome == "miss"}
    tags = dict.fromkeys(tag for member in members for tag in member.tags if not tag.check or tag.check in missed)
    return Verdicts(
        call_id=members[0].call_id,
        judge=PANEL,
        judge_version=", ".join(f"{member.judge} {member.judge_version}" for member in members),
        verdicts=verdicts,
        score=score(verdicts, unscored),
        tags=tuple(tags),
        models=tuple(sorted({model for member in members for model in member.models})),
        warnings=tuple(dict.fromkeys(warning for member in members for warning in member.warnings)),
    )


def counted(votes: Sequence[Vote]) -> str:
    """The votes in words: `no majority: hit 1, miss 1`."""
    counts = Counter(vote.outcome for vote in votes)
    return "no majority: " + ", ".join(f"{outcome.replace('_', ' ')} {count}" for outcome, count in counts.items())


def failures(verdicts: Sequence[Verdict], findings: dict[str, Finding]) -> tuple[Failure, ...]:
    """The tags of what was missed, each with who named it; what nobody could name has none."""
    tagged = [(verdict, findings[verdict.check]) for verdict in verdicts if verdict.outcome == "miss"]
    return tuple(
        Failure(tag=finding.tag, by=verdict.by, check=verdict.check, note=finding.note)
        for verdict, finding in tagged
        if finding.tag is not None
    )


def _verdict(judges: Sequence[str], row: Sequence[Verdict]) -> Verdict:
    if len({verdict.check for verdict in row}) > 1:
        raise ValueError(
            f"the judges of a panel judged different checks: {', '.join(verdict.check for verdict in row)}"
        )
    if all(verdict.by == "code" for verdict in row):
        return row[0]
    votes = tuple(
        Vote(judge=judge, outcome=verdict.outcome, reason=verdict.reason)
        for judge, verdict in zip(judges, row, strict=True)
    )
    outcome = majority([verdict.outcome for verdict in row])
    agreeing = [verdict for verdict in row if verdict.outcome == outcome]
    return row[0].model_copy(
        update={
            "outcome": outcome,
            "evidence": _merged([verdict.evidence for verdict in agreeing or row]),
            "reason": agreeing[0].reason if agreeing else counted(votes),
            "votes": votes,
        }
    )


def _merged(proofs: Sequence[tuple[Evidence, ...]]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(quote for proof in proofs for quote in proof))[:_SHOWN]
