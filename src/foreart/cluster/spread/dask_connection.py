"""A connection to the scheduler of a Dask cluster: certificates, and what to say if there is none."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from foreart.cluster.cluster_settings import TlsFiles
from foreart.cluster.home_address import HomeAddress
from foreart.errors import BadRequest, ClusterError, MissingExtra

if TYPE_CHECKING:
    from distributed import Client, Security

# Dask keeps the last thousand messages of each connection for its developers: queries, a hundred megabytes of them.
FEW_MESSAGES = {"distributed.admin.low-level-log-length": 10}
# Seconds to reach the scheduler.
CONNECT = 10.0


def connected_client(home: HomeAddress, tls: TlsFiles) -> Client:
    """A connection to a scheduler; ClusterError if there is none."""
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise MissingExtra(f"{home}", "cluster") from None
    # What Dask would print about lost connections is said in one sentence here.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    try:
        with dask.config.set(FEW_MESSAGES):
            return Client(home.endpoint, timeout=CONNECT, security=_security(home, tls), set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise ClusterError(_unreachable(home, error)) from None


def _unreachable(home: HomeAddress, error: Exception) -> str:
    text = f"{error} {error.__cause__ or ''}"
    if "expired" in text:
        return f"the certificate of {home} has expired: its keeper must renew it"
    if "certificate verify failed" in text or "CERTIFICATE" in text:
        return f"{home} shows a certificate that --tls-ca does not vouch for"
    if home.encrypted and isinstance(error, TypeError | ValueError):
        return f"{home} needs certificates: `foreart cluster use` with --tls-ca, --tls-cert and --tls-key"
    return (
        f"no Dask scheduler answers at {home}: is it started (`foreart cluster start`), and is the address right, with "
        f"{'tls' if home.encrypted else 'tls:// if it is encrypted, else with dask'}://?"
    )


def _security(home: HomeAddress, tls: TlsFiles) -> Security | None:
    """The certificates of this side; without any, those of Dask's own configuration."""
    if not home.encrypted:
        return None
    from distributed import Security

    if not tls:
        return Security(require_encryption=True)
    tls.checked()
    return security_of(tls)


def security_of(tls: TlsFiles) -> Security:
    """The certificates as Dask takes them, for every role."""
    from distributed import Security

    if not tls:
        raise BadRequest("an encrypted cluster needs --tls-ca, --tls-cert and --tls-key")
    roles: Mapping[str, str] = {
        f"tls_{role}_{what}": path
        for role in ("client", "scheduler", "worker")
        for what, path in (("cert", tls.cert), ("key", tls.key))
    }
    return Security(tls_ca_file=tls.ca, require_encryption=True, **roles)
