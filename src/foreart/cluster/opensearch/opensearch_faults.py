"""What goes wrong with an OpenSearch cluster, as one sentence for the person who can act."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from foreart.errors import ClusterError, StaleIndex

if TYPE_CHECKING:
    from opensearchpy.exceptions import TransportError

    from foreart.cluster.home_address import HomeAddress

USER, PASSWORD, API_KEY = "FOREART_OPENSEARCH_USER", "FOREART_OPENSEARCH_PASSWORD", "FOREART_OPENSEARCH_API_KEY"
# What a cluster may be asked again for, by the type of its error: it is busy, or a shard is moving.
BUSY = frozenset(
    {
        "circuit_breaking_exception",
        "es_rejected_execution_exception",
        "opensearch_rejected_execution_exception",
        "rejected_execution_exception",
        "unavailable_shards_exception",
        "no_shard_available_action_exception",
        "node_not_connected_exception",
        "node_disconnected_exception",
        "cluster_manager_not_discovered_exception",
        "process_cluster_event_timeout_exception",
        "too_many_requests",
    }
)
# The disks are too full, or somebody has closed the index to writers: waiting does not help.
BLOCKED = "cluster_block_exception"
GONE = frozenset({"index_not_found_exception", "aliases_not_found_exception"})
TOO_MANY_CLAUSES = frozenset({"too_many_clauses", "too_many_nested_clauses"})


class TooManyWords(ClusterError):
    """A query has more clauses than the cluster allows: ask again with fewer at once."""


class ClusterBusy(ClusterError):
    """A cluster has too much to do, or has just lost a node: the same request may succeed a moment later."""


def error_types(error: Any) -> set[str]:  # noqa: ANN401 the `error` of an answer
    """All types that an error of the cluster names, with those of its causes."""
    if isinstance(error, str):
        return {error}
    if not isinstance(error, dict):
        return set()
    causes = [
        *error.get("root_cause", ()),
        *error.get("failed_shards", ()),
        error.get("caused_by"),
        error.get("reason"),
    ]
    nested = (error_types(cause) for cause in causes if isinstance(cause, dict))
    return {str(error.get("type", ""))}.union(*nested) - {""}


def blocked(home: HomeAddress, error: Any) -> ClusterError:  # noqa: ANN401
    """The sentence for an index that takes no more documents."""
    reason = str(error.get("reason", "")) if isinstance(error, dict) else ""
    if "flood" in reason or "disk" in reason or "read-only / allow delete" in reason:
        return ClusterError(
            f"the disks of {home} are too full, so that it takes no more documents: free some space there and run the "
            "same command again; what was stored is kept"
        )
    return ClusterError(f"{home} takes no documents for this index, because it is blocked: {_short(reason)}")


def refused_request(home: HomeAddress, error: Any, *, status: int = 0) -> ClusterError | StaleIndex:  # noqa: ANN401
    """The sentence for an error that an answer of the cluster contains."""
    types = error_types(error)
    if types & TOO_MANY_CLAUSES:
        return TooManyWords(f"{home} allows fewer words in a query (indices.query.bool.max_clause_count)")
    if BLOCKED in types:
        return blocked(home, error)
    if types & GONE or status == 404:
        return StaleIndex(f"an index of {home} was deleted: `foreart build --on {home}` stores it again")
    if types & BUSY or status in (429, 502, 503, 504):
        return ClusterBusy(f"{home} is busy or has lost nodes ({_named(types, status)}): try again when it is healthy")
    return ClusterError(f"{home} refused a request ({_named(types, status)}): its log says more")


def transport_fault(home: HomeAddress, error: TransportError) -> ClusterError | StaleIndex:
    """The sentence for an error that the client library raises."""
    from opensearchpy.exceptions import (
        AuthenticationException,
        AuthorizationException,
        ConnectionError,
        ConnectionTimeout,
        SSLError,
    )

    if isinstance(error, SSLError):
        return ClusterError(_certificate(home, str(error.info or error)))
    if isinstance(error, ConnectionTimeout):
        return ClusterError(f"{home} did not answer in time: is it overloaded?")
    if isinstance(error, ConnectionError):
        return ClusterError(_unreachable(home, str(error.info or error)))
    info: Any = error.info
    told = info.get("error", info) if isinstance(info, dict) else {}
    if isinstance(error, AuthenticationException):
        return ClusterError(f"{home} does not accept the user: set {USER} and {PASSWORD}, or {API_KEY}")
    if isinstance(error, AuthorizationException) and BLOCKED not in error_types(told):
        return ClusterError(f"{home} does not allow this user to do that: {_right(told)}")
    status = error.status_code if isinstance(error.status_code, int) else 0
    return refused_request(home, told, status=status)


def _certificate(home: HomeAddress, text: str) -> str:
    if "WRONG_VERSION_NUMBER" in text or "record layer failure" in text.lower() or "HTTP_REQUEST" in text:
        return f"{home} does not speak TLS: is it http://{home.host}:{home.port}?"
    if "expired" in text:
        return f"the certificate of {home} has expired: its keeper must renew it"
    if "Hostname mismatch" in text or "doesn't match" in text or "IP address mismatch" in text:
        return f"the certificate of {home} is for another host name: use the name that it has"
    if "certificate verify failed" in text or "CERTIFICATE_VERIFY_FAILED" in text:
        return f"{home} shows a certificate of an unknown authority: name its file with `foreart cluster use --tls-ca`"
    return f"no encrypted connection to {home} ({_short(text)})"


def _unreachable(home: HomeAddress, text: str) -> str:
    if "RemoteDisconnected" in text or "Connection aborted" in text or "BadStatusLine" in text:
        if not home.encrypted:
            return f"{home} ended the connection: is it https://{home.host}:{home.port}?"
        return f"{home} ended the connection: is it an OpenSearch node, and does it want a certificate of this side?"
    if "WRONG_VERSION_NUMBER" in text:
        return f"{home} does not speak TLS: is it http://{home.host}:{home.port}?"
    if "Name or service not known" in text or "Failed to resolve" in text or "nodename nor servname" in text:
        return f"there is no host {home.host}: is the address {home} right?"
    return f"no OpenSearch node answers at {home}: is it started, and is the address right?"


def _right(error: Any) -> str:  # noqa: ANN401
    """The right that is missing, as the security plugin names it: never the user, whose roles follow."""
    reason = str(error.get("reason", "")) if isinstance(error, dict) else ""
    found = re.search(r"no permissions for \[([^\]]+)\]", reason)
    return f"it lacks the right {found[1]}" if found else "it lacks a right"


def _named(types: set[str], status: int) -> str:
    return ", ".join(sorted(types)) or (f"status {status}" if status else "no reason given")


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:119]}…"
