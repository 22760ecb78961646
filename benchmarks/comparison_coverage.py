"""How often a comparison's interval holds the true difference: `python benchmarks/comparison_coverage.py`.

Simulated pairs: every case has its own difficulty and its own difference between the two agents, every repeat its
chance. One row a number of cases: the share of 1,000 draws whose 95 % interval holds the truth, which should lie
between 93 and 97 %, by kind of score: normal, skewed differences, yes or no, and unequal numbers of repeats.
"""

import argparse
from collections.abc import Callable

import numpy as np

from voicesim.statistics.paired import paired_difference

Pairs = tuple[list[float], list[float], list[int]]
TRUTH = 0.05
"""By how much the second agent is better, in mean score."""


def normal(rng: np.random.Generator, cases: int, repeats: int) -> Pairs:
    """Scores with a normal difference by case (spread 0.08) and normal noise by call (spread 0.1)."""
    return _scores(rng, rng.normal(TRUTH, 0.08, cases), [repeats] * cases)


def skewed(rng: np.random.Generator, cases: int, repeats: int) -> Pairs:
    """As `normal`, with an exponential difference by case: most of the gain comes from a few cases."""
    return _scores(rng, rng.exponential(TRUTH, cases), [repeats] * cases)


def uneven(rng: np.random.Generator, cases: int, repeats: int) -> Pairs:
    """As `normal`, with one to twice as many repeats a case."""
    return _scores(rng, rng.normal(TRUTH, 0.08, cases), [int(n) for n in rng.integers(1, 2 * repeats + 1, cases)])


def yes_or_no(rng: np.random.Generator, cases: int, repeats: int) -> Pairs:
    """Passed or not, 0.05 likelier with the second agent in every case."""
    shares = rng.uniform(0.2, 0.8, cases)
    first, second, clusters = [], [], []
    for case, share in enumerate(shares):
        for _ in range(repeats):
            first.append(float(rng.random() < share))
            second.append(float(rng.random() < share + TRUTH))
            clusters.append(case)
    return first, second, clusters


def coverage(kind: Callable[[np.random.Generator, int, int], Pairs], cases: int, repeats: int, draws: int) -> float:
    """The share of intervals that hold the true difference; draws without an interval claim nothing."""
    held = made = 0
    for draw in range(draws):
        estimate = paired_difference(*kind(np.random.default_rng((draw, cases)), cases, repeats), seed=draw)
        assert estimate is not None
        if estimate.low is not None and estimate.high is not None:
            made += 1
            held += estimate.low <= TRUTH <= estimate.high
    return held / made


def _scores(rng: np.random.Generator, differences: np.ndarray, repeats: list[int]) -> Pairs:
    first, second, clusters = [], [], []
    for case, (difference, n) in enumerate(zip(differences, repeats, strict=True)):
        difficulty = rng.normal(0.6, 0.15)
        first += (difficulty + rng.normal(0, 0.1, n)).tolist()
        second += (difficulty + difference + rng.normal(0, 0.1, n)).tolist()
        clusters += [case] * n
    return first, second, clusters


KINDS = {"normal": normal, "skewed": skewed, "yes or no": yes_or_no, "uneven": uneven}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    print("cases  " + "  ".join(f"{name:>9}" for name in KINDS))
    for cases in (3, 5, 8, 10, 20, 40):
        shares = [coverage(kind, cases, options.repeats, options.draws) for kind in KINDS.values()]
        print(f"{cases:>5}  " + "  ".join(f"{share:>9.1%}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
