"""How long the command line takes to answer: `python benchmarks/start_up.py`. Median of the runs, in seconds."""

import statistics
import subprocess
import sys
import time

RUNS = 7
COMMANDS = (("--help",), ("run", "--help"), ("list", "cases"), ("check",))


def seconds(arguments: tuple[str, ...]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "voicesim", *arguments], check=True, capture_output=True)
    return time.perf_counter() - begun


def main() -> None:
    print(f"{'voicesim ...':<16}{'median, s':>12}{'max, s':>10}")
    for arguments in COMMANDS:
        took = [seconds(arguments) for _ in range(RUNS)]
        print(f"{' '.join(arguments):<16}{statistics.median(took):>12.2f}{max(took):>10.2f}")


if __name__ == "__main__":
    main()
