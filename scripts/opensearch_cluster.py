"""A real OpenSearch cluster on this machine, each node a process of its own, for tests and benchmarks.

usage: scripts/opensearch_cluster.py start|stop|kill N|status [--nodes 3] [--port 9200] [--folder FOLDER] [--secure]

Node N answers at port 9200 + N - 1. Needs Maven and a JDK 17; what Maven Central gives is kept in ~/.cache.
`--secure` has TLS and users (admin, password admin); FOLDER/ca.pem is its authority. `--fast-start` is for tests:
nodes start in half of the time and search more slowly.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import signal
import socket
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from opensearch_home import Unavailable, alone, cache, home, write_certificates

JVM = ("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-Dlog4j2.disableJmx=true", "-Xshare:auto")
USER, PASSWORD = "admin", "admin"  # one of the security plugin's own example users
SECURITY = """plugins.security.ssl.transport.pemcert_filepath: node.pem
plugins.security.ssl.transport.pemkey_filepath: node.key
plugins.security.ssl.transport.pemtrustedcas_filepath: ca.pem
plugins.security.ssl.transport.enforce_hostname_verification: false
plugins.security.ssl.http.enabled: true
plugins.security.ssl.http.pemcert_filepath: node.pem
plugins.security.ssl.http.pemkey_filepath: node.key
plugins.security.ssl.http.pemtrustedcas_filepath: ca.pem
plugins.security.allow_default_init_securityindex: true
plugins.security.nodes_dn: ["CN=node"]
plugins.security.authcz.admin_dn: ["CN=admin"]
"""
_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class LocalCluster:
    """Nodes 1 to `nodes` in a folder; nothing but their files is kept, so that any process may start and stop them."""

    folder: Path
    nodes: int = 3
    port: int = 9200
    secure: bool = False
    fast_start: bool = False

    @property
    def numbers(self) -> range:
        """The numbers of the nodes."""
        return range(1, self.nodes + 1)

    def address(self, number: int = 1) -> str:
        """Where a node answers."""
        return f"{'https' if self.secure else 'http'}://127.0.0.1:{self._ports(number)[0]}"

    @property
    def authority(self) -> Path:
        """The certificate of the authority, if nodes are secure."""
        return self.folder / "ca.pem"

    def start(self, numbers: Iterable[int] = ()) -> None:
        """Starts the nodes that do not run, and waits until the cluster is green."""
        place = home(secure=self.secure)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "cluster.json").write_text(json.dumps(asdict(self) | {"folder": str(self.folder)}))
        if self.secure and not self.authority.exists():
            write_certificates(self.folder)
        archive = _class_archive(place) if self.fast_start else None
        missing = [number for number in numbers or self.numbers if self.process(number) is None]
        for port in (port for number in missing for port in self._ports(number)):
            if not is_free(port):
                raise Unavailable(f"port {port} is in use: another cluster may run there; --port names other ports")
        for number in missing:
            self._launch(number, place, archive)
        self.await_green()

    def stop(self) -> None:
        """Ends all nodes in good order."""
        self._signal(self.numbers, signal.SIGTERM)

    def kill(self, number: int) -> None:
        """kill -9 of a node."""
        self._signal([number], signal.SIGKILL)

    def pause(self, number: int) -> None:
        """Stops a node's process in the middle of what it does: a node that hangs."""
        if process := self.process(number):
            os.kill(process, signal.SIGSTOP)

    def resume(self, number: int) -> None:
        """Lets a paused node go on."""
        if process := self.process(number):
            os.kill(process, signal.SIGCONT)

    def process(self, number: int) -> int | None:
        """The process of a node if it runs; its number may belong to another program by now, so its words are read."""
        try:
            found = int((self.folder / f"n{number}" / "pid").read_text())
            words = Path(f"/proc/{found}/cmdline").read_bytes()
            ended = Path(f"/proc/{found}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
        except (OSError, ValueError):
            return None
        # A process that has just begun has no words yet.
        return None if ended or (words and b"ClusterNode" not in words) else found

    def ask(self, path: str, *, number: int = 1, method: str = "GET", body: object = None, timeout: float = 10) -> Any:  # noqa: ANN401 it is JSON
        """The answer of a node, as JSON."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address(number) + path, data, method=method)  # noqa: S310 it is our own
        request.add_header("Content-Type", "application/json")
        context = None
        if self.secure:
            context = ssl.create_default_context(cafile=str(self.authority))
            request.add_header("Authorization", "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode())
        with urllib.request.urlopen(request, timeout=timeout, context=context) as answer:  # noqa: S310
            return json.load(answer)

    def manager(self) -> int:
        """The number of the node that manages the cluster."""
        (row,) = self.ask("/_cat/cluster_manager?format=json", number=self.running()[0])
        return int(row["node"].removeprefix("n"))

    def running(self) -> list[int]:
        """The numbers of the nodes that run."""
        return [number for number in self.numbers if self.process(number) is not None]

    def await_green(self, seconds: float = _SECONDS) -> None:
        """Waits until all nodes are there and every shard has all its copies; SystemExit if that does not happen."""
        end, last = time.monotonic() + seconds, "no answer"
        while time.monotonic() < end:
            if lost := [number for number in self.numbers if self.process(number) is None]:
                log = (self.folder / f"n{lost[0]}" / "log").read_text("utf-8", "replace")
                raise SystemExit(f"node {lost[0]} has ended:\n{log[-2000:]}")
            try:
                found = self.ask("/_cluster/health")
                if found["status"] == "green" and found["number_of_nodes"] == self.nodes:
                    return
                last = json.dumps(found)
            except (OSError, urllib.error.URLError, ValueError) as error:
                last = str(error)
            time.sleep(0.2)
        raise SystemExit(f"no green cluster of {self.nodes} nodes after {seconds:.0f} seconds: {last}")

    def _launch(self, number: int, place: Path, archive: Path | None) -> None:
        node = self.folder / f"n{number}"
        (node / "config").mkdir(parents=True, exist_ok=True)
        (node / "config" / "opensearch.yml").write_text(self._settings(number, node))
        if self.secure:
            for name in ("ca.pem", "node.pem", "node.key"):
                shutil.copy(self.folder / name, node / "config")
            users = place / "plugins" / "opensearch-security" / "config"
            shutil.copytree(users, node / "config" / "opensearch-security", dirs_exist_ok=True)
        options = ("-XX:TieredStopAtLevel=1",) if self.fast_start else ()
        if archive is not None:
            options += (f"-XX:SharedArchiveFile={archive}",)
        (node / "pid").write_text(str(_java(place, node, options)))

    def _ports(self, number: int) -> tuple[int, int]:
        """For HTTP, and for the other nodes."""
        return self.port + number - 1, self.port + 100 + number - 1

    def _settings(self, number: int, node: Path) -> str:
        settings = {
            "cluster.name": f"foreart-{self.port}",
            "node.name": f"n{number}",
            "path.data": str(node / "data"),
            "path.logs": str(node / "logs"),
            "network.host": "127.0.0.1",
            "http.port": self._ports(number)[0],
            "transport.port": self._ports(number)[1],
            "discovery.seed_hosts": [f"127.0.0.1:{self._ports(other)[1]}" for other in self.numbers],
            "cluster.initial_cluster_manager_nodes": [f"n{other}" for other in self.numbers],
            "node.processors": 1,
            # The small disk of a test machine is no reason to turn an index read-only.
            "cluster.routing.allocation.disk.threshold_enabled": False,
        }
        return "".join(f"{key}: {json.dumps(settings[key])}\n" for key in settings) + (SECURITY if self.secure else "")

    def _signal(self, numbers: Iterable[int], number: int) -> None:
        processes = {each: process for each in numbers if (process := self.process(each)) is not None}
        for process in processes.values():
            os.kill(process, number)
        while any(self.process(each) for each in processes):
            time.sleep(0.05)


def is_free(port: int) -> bool:
    """Whether a node may listen on a port."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(nodes: int) -> int:
    """A `port` for a cluster of so many nodes, all of whose ports are free."""
    for port in range(19200, 32000, 200):
        if all(is_free(port + offset + number) for number in range(nodes) for offset in (0, 100)):
            return port
    raise Unavailable("no ports are free from 19200 to 32000")


def _java(place: Path, node: Path, options: Iterable[str]) -> int:
    """The process of a node in a folder that has its `config`; it outlives this one."""
    classes = ":".join(map(str, sorted((place / "lib").glob("*.jar"))))
    command = ["java", *JVM, *options, "-cp", classes, "ClusterNode", str(place), str(node / "config")]
    opened = (os.POSIX_SPAWN_OPEN, 1, str(node / "log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    files = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), opened, (os.POSIX_SPAWN_DUP2, 1, 2)]
    return os.posix_spawnp("java", command, os.environ, file_actions=files, setsid=True)


def _class_archive(place: Path) -> Path:
    """The loaded classes of a node that ran once: nodes that map them start in half of the time."""
    archive, single = place / "classes.jsa", place / "once"
    with alone(place / "lock"):
        if archive.exists():
            return archive
        shutil.rmtree(single, ignore_errors=True)
        (single / "config").mkdir(parents=True)
        settings = ["discovery.type: single-node", "network.host: 127.0.0.1", "http.port: 0", "transport.port: 0"]
        settings += ["plugins.security.disabled: true"] if (place / "plugins" / "opensearch-security").exists() else []
        (single / "config" / "opensearch.yml").write_text("\n".join([*settings, f"path.data: {single / 'data'}"]))
        made = place / "classes.new"
        process = _java(place, single, ("-XX:TieredStopAtLevel=1", f"-XX:ArchiveClassesAtExit={made}"))
        deadline = time.monotonic() + _SECONDS
        while " started" not in (single / "log").read_text() and time.monotonic() < deadline:
            time.sleep(0.2)
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)
        if not made.exists():
            raise Unavailable(f"Java cannot archive the classes of OpenSearch: {single / 'log'} says more")
        made.rename(archive)
        shutil.rmtree(single)
    return archive


def opened(folder: Path) -> LocalCluster:
    """The cluster that was started in a folder."""
    try:
        kept = json.loads((folder / "cluster.json").read_text())
    except FileNotFoundError:
        raise SystemExit(f"no cluster was started in {folder}") from None
    return LocalCluster(**kept | {"folder": folder})


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["start", "stop", "kill", "status"])
    parser.add_argument("number", nargs="?", type=int, metavar="N", help="which node to kill")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--port", type=int, default=9200)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--secure", action="store_true")
    parser.add_argument("--fast-start", action="store_true")
    given = parser.parse_args()
    folder = (given.folder or cache() / ("cluster-secure" if given.secure else "cluster")).resolve()
    if given.what == "start":
        cluster = LocalCluster(folder, given.nodes, given.port, given.secure, given.fast_start)
        try:
            cluster.start()
        except Unavailable as reason:
            raise SystemExit(str(reason)) from None
        print(f"OpenSearch answers at {' '.join(map(cluster.address, cluster.numbers))}")  # noqa: T201
        return
    cluster = opened(folder)
    if given.what == "stop":
        cluster.stop()
    elif given.what == "kill":
        if given.number not in cluster.numbers:
            raise SystemExit(f"name the node to kill: 1 to {cluster.nodes}")
        cluster.kill(given.number)
    else:
        print(json.dumps({cluster.address(number): cluster.process(number) for number in cluster.numbers}))  # noqa: T201
        sys.exit(None if len(cluster.running()) == cluster.nodes else 1)


if __name__ == "__main__":
    main()
