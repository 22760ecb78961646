"""A suite on a Ray cluster of two nodes, both of them on this machine: the same recordings as without one."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from steady_agent import steady

from voicesim.errors import UsageError
from voicesim.recording.read import find_recordings, open_recording
from voicesim.results.read import open_suite
from voicesim.suite.store import Store

pytestmark = pytest.mark.cluster
MEMORY = 2 * 2**30

AGENTS = (
    steady(120)
    + '''


class Lethal(Steady):
    """Takes the whole worker of the cluster with it, the first time that anybody calls it."""
    def tick(self, caller):
        if self.ticks == 100:
            try:
                os.close(os.open("died", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(60)
        return super().tick(caller)


class Slow(Steady):
    """So slow that a call on virtual time lasts for minutes."""
    def tick(self, caller):
        pathlib.Path(f"began-{os.getpid()}").touch()
        time.sleep(0.1)
        return np.zeros(480, np.int16)
'''
)
SUITE = """\
cases: [cold-01-andi]
agents: ["python:agents:{agent}"]
repeats: {repeats}
clock: virtual
ear: tiny.en
whisper: tiny.en
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a cluster of two nodes with one core each."""
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "memory": MEMORY, "object_store_memory": 80 * 2**20}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        cluster.add_node(**node)
        yield cluster.address
    finally:
        cluster.shutdown()


def prepared(folder: Path, agent: str, repeats: int) -> Path:
    (folder / "agents.py").write_text(AGENTS)
    (folder / "s.yaml").write_text(SUITE.format(agent=agent, repeats=repeats))
    return folder


def command(*more: str) -> list[str]:
    return [sys.executable, "-m", "voicesim", "suite", "s.yaml", "--out", "calls", "--json", *more]


def run(folder: Path, *more: str) -> list[dict[str, Any]]:
    done = subprocess.run(command(*more), cwd=folder, capture_output=True, text=True, check=False, timeout=240)
    assert done.stdout, done.stderr
    calls: list[dict[str, Any]] = json.loads(done.stdout)["calls"]
    return calls


def sounds(folder: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in folder.rglob("audio.flac")}


def test_a_dead_worker_costs_its_call_and_in_the_end_all_is_as_if_the_calls_were_made_here(
    address: str, tmp_path: Path
) -> None:
    prepared(tmp_path, "Lethal", repeats=2)
    on_cluster = ("--engine", "ray", "--ray-address", address, "--store", f"file://{tmp_path}/store")
    calls, store = tmp_path / "calls", tmp_path / "store"
    first = run(tmp_path, *on_cluster)
    (lost,) = [call for call in first if call["state"] == "missing"]
    assert "the cluster lost it" in lost["reason"]
    before = sounds(calls)
    assert len(before) == 1
    assert sounds(store) == before

    again = run(tmp_path, *on_cluster)
    assert all(call["scorecard"] and call["end_reason"] == "agent_hung_up" for call in again)
    assert before.items() <= sounds(calls).items()
    assert (store / "s" / "suite.html").is_file()

    calls.rename(tmp_path / "other")  # from another machine: what is in the store is not made again
    changed = {path: path.stat().st_mtime_ns for path in store.rglob("*.flac")}
    assert run(tmp_path, *on_cluster) == again
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*.flac")} == changed

    calls.rename(tmp_path / "more")
    assert run(tmp_path) == again
    assert sounds(calls) == sounds(store) == sounds(tmp_path / "more")


def test_stopped_every_call_hangs_up_and_is_kept(address: str, tmp_path: Path) -> None:
    prepared(tmp_path, "Slow", repeats=2)
    asked = command("--engine", "ray", "--ray-address", address)
    with subprocess.Popen(asked, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as begun:
        while len(list(tmp_path.glob("began-*"))) < 2:  # one on each node
            assert begun.poll() is None, begun.stderr and begun.stderr.read()
            time.sleep(0.1)
        time.sleep(3.0)  # an agent is made a little before its call is recorded
        begun.send_signal(signal.SIGINT)
        begun.communicate(timeout=60)
    assert begun.returncode == 130
    stopped = [open_recording(folder) for folder in find_recordings(tmp_path / "calls")]
    assert [recording.manifest.validity.reason for recording in stopped if recording.manifest.validity] == [
        "stopped"
    ] * 2
    assert {call.state for call in open_suite(tmp_path / "calls" / "s").calls} == {"invalid"}
    assert not any(_runs(int(path.name.removeprefix("began-")), "agents:Slow") for path in tmp_path.glob("began-*"))


def _runs(process: int, what: str) -> bool:
    try:
        return what in Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False


def test_without_a_cluster_it_says_so_at_once(tmp_path: Path) -> None:
    prepared(tmp_path, "Steady", repeats=1)
    asked = command("--engine", "ray", "--ray-address", "127.0.0.1:9")
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "no Ray cluster is reached at 127.0.0.1:9" in done.stderr
    assert not (tmp_path / "calls").exists()


def test_a_recording_is_there_only_when_all_of_it_is(tmp_path: Path) -> None:
    store = Store("memory://voicesim-test/suite")
    call = tmp_path / "call"
    (call / "verdicts").mkdir(parents=True)
    (call / "verdicts" / "cues.json").write_text("{}")
    store.put(call)
    store.get_missing(tmp_path / "other")
    assert not (tmp_path / "other").exists()
    (call / "call.json").write_text("{}")
    store.put(call)
    store.get_missing(tmp_path / "other")
    assert (tmp_path / "other" / "call" / "verdicts" / "cues.json").is_file()
    assert store.holds("call/call.json")


def test_a_store_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match=r"nosuch://bucket.*recordings cannot be kept there"):
        Store("nosuch://bucket").holds("x")
