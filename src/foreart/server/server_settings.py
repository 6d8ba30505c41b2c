"""What a server is started with."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from foreart.errors import BadRequest

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
MAX_DRAFT = 64 << 20
MAX_BODY = 1 << 20


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Libraries, address, secrets and limits; `token` is `""` if none is asked for.

    `host_names` are the further names by which browsers may address the server. `password` is a hash of
    `security.passwords`. With `forget`, drafts and searches are kept in memory only.
    """

    libraries: tuple[Path, ...]
    address: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    password: str = ""
    host_names: tuple[str, ...] = ()
    certfile: Path | None = None
    keyfile: Path | None = None
    behind_proxy: bool = False
    forget: bool = False
    workers: int = 2
    waiting: int = 32
    max_draft: int = MAX_DRAFT
    max_upload: int = 2 << 30

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        try:
            return self.address == "localhost" or ipaddress.ip_address(self.address.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def is_secure(self) -> bool:
        """Whether browsers see https."""
        return self.certfile is not None or self.behind_proxy

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names that the Host header may have, without port: what stops DNS rebinding."""
        own = () if self.address in ("0.0.0.0", "::") else (bracketed(self.address.lower()),)  # noqa: S104 compared
        return (*LOOPBACK_HOSTS, *own, *(bracketed(name.lower()) for name in self.host_names))

    def checked(self) -> ServerSettings:
        """The settings; BadRequest if the server would be open to others without password and TLS."""
        if (self.certfile is None) != (self.keyfile is None):
            raise BadRequest("--certfile and --keyfile belong together: give both")
        if self.behind_proxy:
            if not self.host_names or not self.password:
                raise BadRequest("--behind-proxy needs the name of the proxy (--host-name) and --password-file")
        elif not self.is_loopback and not (self.password and self.certfile):
            raise BadRequest(
                f"{self.address} can be reached by other machines: give --password-file, --certfile and --keyfile too"
            )
        return self


def bracketed(host: str) -> str:
    """A host as it stands in addresses and in Host: IPv6 in brackets."""
    return f"[{host.strip('[]')}]" if ":" in host else host
