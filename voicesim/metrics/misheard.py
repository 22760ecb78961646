"""Clinical entities of what was said, held against what was understood of it."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from voicesim.language.entities import KINDS, Entity, entities, missed
from voicesim.metrics.model import Misheard, Share

_BEYOND = 200
"""Words beside four for each that was said, of what was understood: no more of it is looked at."""
_FIGURES = ("dose", "number", "duration", "date")
"""Kinds that a value can be misheard between: `five milligrams` as `five`."""


def compare(said: str, understood: str, names: Collection[str] = (), language: str = "en") -> list[Misheard]:
    """What of the entities of a text was not understood, and what was understood that was not said, in this order.

    A loss is told with what was understood instead, where that is of its kind; both together are one mishearing.
    """
    first = " ".join(understood.split()[: _BEYOND + 4 * len(said.split())])
    lost, made_up = missed(entities(said, names, language), entities(first, names, language), language)
    left = [entity for entity in made_up if not _says_nothing(entity)]
    pairs = []
    for entity in lost:
        instead = next((other for other in left if _is_instead(entity, other)), None)
        if instead:
            left.remove(instead)
        pairs.append(Misheard(kind=entity.kind, said=entity.text, understood=instead.text if instead else ""))
    return pairs + [Misheard(kind=entity.kind, said="", understood=entity.text) for entity in left]


def recalls(said: Iterable[Entity], lost: Iterable[Misheard]) -> tuple[Share, dict[str, Share]]:
    """How many of the entities that were said were understood, in all and by kind."""
    spoken = Counter(entity.kind for entity in said)
    away = Counter(entry.kind for entry in lost if entry.said)
    kinds: dict[str, Share] = {kind: share(spoken[kind], spoken[kind] - away[kind]) for kind in KINDS if spoken[kind]}
    return share(spoken.total(), spoken.total() - away.total()), kinds


def share(n: int, count: int) -> Share:
    """`count` of `n`."""
    return Share(n=n, count=count, share=round(count / n, 4) if n else None)


def by_weight(entries: Sequence[Misheard]) -> tuple[Misheard, ...]:
    """Medicines and doses first; what is of one kind stays in its order."""
    return tuple(sorted(entries, key=lambda entry: KINDS.index(entry.kind)))


def _is_instead(lost: Entity, other: Entity) -> bool:
    return lost.kind == other.kind or (lost.kind in _FIGURES and other.kind in _FIGURES)


def _says_nothing(entity: Entity) -> bool:
    """A word that sounds like a name by chance, where none was said."""
    return entity.kind == "name"
