"""Some of many labels, for judges that are slow or cost money: every layer in its share, the same for everybody."""

import random
from collections.abc import Callable, Hashable, Sequence

from voicesim.judge.gold import Gold, by_item


def drawn(rows: Sequence[Gold], most: int, seed: int, layer: Callable[[Gold], Hashable]) -> tuple[Gold, ...]:
    """Labels of about `most` rows, whole calls and in their order; all of them for 0.

    Each layer (what `layer` says of a call's first row) is shuffled by the seed and laid evenly over the whole, so that
    any beginning holds each in its share. A larger sample of the same seed therefore holds the smaller one, and rows
    of a new layer push others out without reordering them.
    """
    if not most or most >= len(rows):
        return tuple(rows)
    calls = by_item(rows)
    layers: dict[Hashable, list[str]] = {}
    for item in sorted(calls):
        layers.setdefault(layer(calls[item][0]), []).append(item)
    places: dict[str, float] = {}
    for name, members in layers.items():
        chance = random.Random(f"{seed} {name}")
        chance.shuffle(members)
        first = chance.random()
        places |= {item: (first + number) / len(members) for number, item in enumerate(members)}
    kept: set[str] = set()
    count = 0
    for item in sorted(places, key=lambda item: (places[item], item)):
        if count >= most:
            break
        kept.add(item)
        count += len(calls[item])
    return tuple(row for row in rows if row.item in kept)
