"""The address of a home of indexes: what `--on` and `cluster.json` may name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from foreart.errors import BadRequest

HomeKind = Literal["dask", "opensearch"]

# What the scheduler of Dask listens on, and OpenSearch, if an address names no port.
DASK_PORT, OPENSEARCH_PORT = 8786, 9200
# Scheme of an address: the home, and whether the connection is encrypted.
SCHEMES: dict[str, tuple[HomeKind, bool]] = {
    "dask": ("dask", False),
    "tcp": ("dask", False),
    "dask+tls": ("dask", True),
    "tls": ("dask", True),
    "http": ("opensearch", False),
    "https": ("opensearch", True),
}
_EXAMPLES = "dask://HOST:8786, tls://HOST:8786 or https://HOST:9200"


@dataclass(frozen=True, slots=True)
class HomeAddress:
    """A home: the scheduler of a Dask cluster, or a node of an OpenSearch cluster."""

    kind: HomeKind
    host: str
    port: int
    encrypted: bool = False

    @property
    def endpoint(self) -> str:
        """The address as the client library of the home takes it."""
        scheme = {"dask": ("tcp", "tls"), "opensearch": ("http", "https")}[self.kind][self.encrypted]
        return f"{scheme}://{_bracketed(self.host)}:{self.port}"

    def __str__(self) -> str:
        """The address as a person writes it."""
        scheme = {"dask": ("dask", "tls"), "opensearch": ("http", "https")}[self.kind][self.encrypted]
        return f"{scheme}://{_bracketed(self.host)}:{self.port}"


def home_address(text: str) -> HomeAddress:
    """The home that an address names; BadRequest for anything else. An address has no user and no password."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise BadRequest(f"{text[:80]!r} is not an address: write it as {_EXAMPLES}") from None
    if "@" in parts.netloc:  # not repeated in the error: it has a password
        raise BadRequest(f"an address has no user and no password, which come from the environment: {_EXAMPLES}")
    if parts.scheme not in SCHEMES or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadRequest(f"{text[:80]!r} is not the address of a cluster: write it as {_EXAMPLES}")
    kind, encrypted = SCHEMES[parts.scheme]
    default = DASK_PORT if kind == "dask" else OPENSEARCH_PORT
    return HomeAddress(kind, parts.hostname, default if port is None else port, encrypted)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
