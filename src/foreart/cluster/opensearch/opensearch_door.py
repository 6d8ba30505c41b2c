"""The door to an OpenSearch cluster: one request at a time, at another node if one is lost; errors are sentences."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from foreart.cluster.cluster_settings import ClusterSettings, TlsFiles
from foreart.cluster.home_address import HomeAddress
from foreart.cluster.opensearch.opensearch_faults import API_KEY, PASSWORD, USER, transport_fault
from foreart.errors import BadRequest, ClusterError, ForeartError, MissingExtra, StaleIndex

# Seconds to wait for an answer, until another node is asked.
_PATIENCE = 120.0
# The first version whose `delimited_term_freq` and segment replication are what is needed.
OLDEST = (2, 10)
_LOOPBACK = re.compile(r"localhost|127\..*|::1")

# Performs a request: method, path, parameters, and a body or lines of JSON.
Perform = Callable[[str, str, Mapping[str, str], Any], Any]


class OpenSearchDoor:
    """A connection that is opened when it is first needed. `connect` makes what performs requests at one node."""

    def __init__(
        self, home: HomeAddress, tls: TlsFiles, connect: Callable[[HomeAddress, TlsFiles], Perform] | None = None
    ) -> None:
        self.home, self._tls = home, tls
        self._connect = connect or _client
        self._nodes: list[HomeAddress] = [home]
        self._perform: Perform | None = None

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,  # noqa: ANN401 JSON, or text of several lines of it
        **params: str,
    ) -> Any:  # noqa: ANN401 JSON
        """The answer to a request; ClusterError or StaleIndex if there is none."""
        from opensearchpy.exceptions import ConnectionError, SSLError, TransportError

        tried: set[HomeAddress] = set()
        while True:
            try:
                return self._opened()(method, path, params, body)
            except TransportError as error:
                # Also one that hangs. Whatever is asked may be done twice: documents are created by their ids.
                lost = isinstance(error, ConnectionError) and not isinstance(error, SSLError)
                tried.add(self._nodes[0])
                if not lost or not self._another(tried):
                    raise transport_fault(self.home, error) from None

    def found(self, path: str) -> Any:  # noqa: ANN401 JSON
        """What is at a path; None if there is nothing."""
        try:
            return self.call("GET", path)
        except StaleIndex:
            return None

    def _opened(self) -> Perform:
        if self._perform is None:
            self._perform = self._connect(self._nodes[0], self._tls)
            self._check_version(self._perform("GET", "/", {}, None))
            if len(self._nodes) == 1:
                self._nodes += self._others(self._perform)
        return self._perform

    def _another(self, tried: set[HomeAddress]) -> bool:
        """Turns to a node that was not tried; whether there is one."""
        left = [node for node in self._nodes if node not in tried]
        self._nodes = [*left, *(node for node in self._nodes if node in tried)]
        self._perform = None
        return bool(left)

    def _check_version(self, about: Any) -> None:  # noqa: ANN401
        version = about.get("version", {}) if isinstance(about, dict) else {}
        number = str(version.get("number", ""))
        if version.get("distribution") != "opensearch":
            raise ClusterError(f"{self.home} is not OpenSearch, but {_product(about)}")
        if tuple(map(int, re.findall(r"\d+", number)[:2])) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise ClusterError(f"{self.home} runs OpenSearch {number}: {oldest} or later is needed")

    def _others(self, perform: Perform) -> list[HomeAddress]:
        """The addresses of the other nodes, if this user may know them."""
        from opensearchpy.exceptions import TransportError

        with suppress(TransportError, ForeartError, ValueError, AttributeError):
            nodes = perform("GET", "/_nodes/http", {"filter_path": "nodes.*.http.publish_address"}, None)["nodes"]
            found = [_published(each["http"]["publish_address"], self.home) for each in nodes.values()]
            return [node for node in found if node != self.home]
        return []

    def close(self) -> None:
        """Ends the connection."""
        self._perform = None


def opensearch_door(settings: ClusterSettings) -> OpenSearchDoor:
    """The door to the cluster of some settings."""
    assert settings.home is not None
    return OpenSearchDoor(settings.home, settings.tls)


def lines(records: Sequence[Any]) -> str:
    """Several records of JSON, as bulk and msearch want them."""
    return "".join(f"{json.dumps(record, separators=(',', ':'))}\n" for record in records)


def _published(address: str, home: HomeAddress) -> HomeAddress:
    """A node by the address that it publishes: `name/127.0.0.1:9201` or `127.0.0.1:9201`."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    return replace(home, host=host.strip("[]"), port=int(port))


def _product(about: Any) -> str:  # noqa: ANN401
    return "Elasticsearch" if isinstance(about, dict) and "cluster_name" in about else "another server"


def _client(home: HomeAddress, tls: TlsFiles) -> Perform:
    """The client library, connected to one node; user and key come from the environment and are kept nowhere."""
    try:
        from opensearchpy import OpenSearch
    except ImportError:
        raise MissingExtra(f"{home}", "opensearch") from None
    # It would write requests, which have the words of drafts, into logs.
    for name in ("opensearch", "opensearchpy.trace"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    user, password, key = (os.environ.get(name, "") for name in (USER, PASSWORD, API_KEY))
    if (password or key) and not home.encrypted and not _LOOPBACK.fullmatch(home.host):
        raise BadRequest(f"a password or key is never sent without encryption: use https://{home.host}:{home.port}")
    options: dict[str, Any] = {"http_auth": (user, password)} if user else {}
    if key and not user:
        options["headers"] = {"authorization": f"ApiKey {key}"}
    if home.encrypted:
        options |= {"ca_certs": tls.ca or None, "client_cert": tls.cert or None, "client_key": tls.key or None}
        options |= {"verify_certs": True}
    client = OpenSearch(
        hosts=[{"host": home.host, "port": home.port}],
        use_ssl=home.encrypted,
        timeout=_PATIENCE,
        max_retries=0,
        http_compress=True,
        **options,
    )

    def perform(method: str, path: str, params: Mapping[str, str], body: Any) -> Any:  # noqa: ANN401
        return client.transport.perform_request(method, path, params=dict(params), body=body)

    return perform
