"""Some of many labels, for judges that are slow or cost money: every layer in its share, the same for everybody."""

import random
from collections.abc import Sequence

from voicesim.bench.examine import Labelled


def drawn(calls: Sequence[Labelled], most: int, seed: int) -> list[Labelled]:
    """Labelled calls with about `most` labels, in their order; all of them for 0.

    Each layer (kind, group and fault of a call's first label) is shuffled by the seed and laid evenly over the whole,
    so that any beginning holds each in its share. A larger sample of the same seed therefore holds the smaller one, and
    calls of a new layer push others out without reordering them.
    """
    if not most or most >= sum(len(call.labels) for call in calls):
        return list(calls)
    layers: dict[tuple[str, str, str], list[Labelled]] = {}
    for call in sorted(calls, key=_item):
        layers.setdefault(call.layers()[0], []).append(call)
    places: dict[str, float] = {}
    for name, members in layers.items():
        chance = random.Random(f"{seed} {name}")
        chance.shuffle(members)
        first = chance.random()
        places |= {_item(member): (first + number) / len(members) for number, member in enumerate(members)}
    chosen: set[str] = set()
    count = 0
    for exam_call in sorted(calls, key=lambda exam_call: (places[_item(exam_call)], _item(exam_call))):
        if count >= most:
            break
        chosen.add(_item(exam_call))
        count += len(exam_call.labels)
    return [call for call in calls if _item(call) in chosen]


def _item(call: Labelled) -> str:
    return call.labels[0].item
