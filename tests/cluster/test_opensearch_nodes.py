"""The nodes that the tests of clusters run on are real: separate processes that elect, die and come back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import house
import opensearch_home
from opensearch_cluster import LocalCluster, free_ports

SCRIPT = house.SOURCE.parents[1] / "scripts" / "opensearch_cluster.py"


def script(*words: object, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({"PATH": path} if path else {})
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, words)], env=environment, text=True, capture_output=True
    )


@pytest.mark.cluster
def test_another_node_manages_when_the_manager_is_killed(nodes: LocalCluster) -> None:
    health = nodes.ask("/_cluster/health")
    assert (health["status"], health["number_of_nodes"]) == ("green", 3)
    assert len({nodes.process(number) for number in nodes.numbers}) == 3
    lost = nodes.manager()
    assert script("kill", lost, "--folder", nodes.folder).returncode == 0
    assert nodes.running() == [number for number in nodes.numbers if number != lost]
    assert script("status", "--folder", nodes.folder).returncode == 1
    assert nodes.manager() != lost
    nodes.start([lost])
    assert script("status", "--folder", nodes.folder).returncode == 0


@pytest.mark.cluster
def test_a_taken_port_is_told_in_one_sentence(nodes: LocalCluster, tmp_path: Path) -> None:
    done = script("start", "--port", nodes.port, "--folder", tmp_path / "other")
    assert (done.returncode, done.stderr) == (
        1,
        f"port {nodes.port} is in use: another cluster may run there; --port names other ports\n",
    )
    assert free_ports(3) != nodes.port


def test_missing_programs_are_told_in_one_sentence(tmp_path: Path) -> None:
    done = script("start", "--folder", tmp_path, path=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("an OpenSearch cluster needs Maven and a JDK 17, not found here: on Debian, apt ")
    (tmp_path / "mvn").touch(mode=0o755)
    (tmp_path / "javac").write_text("#!/bin/sh\necho javac 11.0.2\n")
    (tmp_path / "javac").chmod(0o755)
    old = script("start", "--folder", tmp_path, path=str(tmp_path))
    assert "needs Java 17 or newer, and `javac -version` says 'javac 11.0.2'" in old.stderr
    assert opensearch_home.JAVA == 17


def test_a_cluster_that_was_never_started(tmp_path: Path) -> None:
    assert script("status", "--folder", tmp_path).stderr == f"no cluster was started in {tmp_path}\n"
