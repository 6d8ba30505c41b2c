"""The cluster of a library: what `foreart cluster use` wrote into `cluster.json`, or `--on` says."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from foreart.cluster.home_address import HomeAddress, home_address
from foreart.durable import replace_text
from foreart.errors import BadRequest, ClusterError
from foreart.typed_json import TypeMismatch, from_json

FILE = "cluster.json"
# The name of an alias in an OpenSearch cluster; indexes are named after it.
ALIAS = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
# What `--on` says to use this machine alone, whatever the library's settings are.
HERE = "here"


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The paths of certificates in PEM: of the authority, of this side, and its key."""

    ca: str = ""
    cert: str = ""
    key: str = ""

    def checked(self) -> TlsFiles:
        """The same; BadRequest if one of them is missing."""
        if bool(self.cert) != bool(self.key):
            raise BadRequest("--tls-cert and --tls-key belong together: give both")
        for path in filter(None, (self.ca, self.cert, self.key)):
            if not Path(path).is_file():
                raise BadRequest(f"there is no file {path}, which is named as a certificate or key")
        return self

    def __bool__(self) -> bool:
        return bool(self.ca or self.cert)


NO_TLS = TlsFiles()


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Where a library is searched; an empty address means on this machine.

    `folder` is the library as the workers see it, if that is another path. `shards` is into how many parts it is
    divided; 0 means one for each worker at the first search. `name` is that of the alias in an OpenSearch cluster.
    """

    address: str = ""
    folder: str = ""
    shards: int = 0
    tls: TlsFiles = NO_TLS
    name: str = ""

    @property
    def home(self) -> HomeAddress | None:
        """The home that the address names; None for this machine."""
        return home_address(self.address) if self.address else None


def cluster_settings(library: Path, on: str = "") -> ClusterSettings:
    """The settings of a library; `on` is an address instead of the one in its file, or `here`."""
    if on == HERE:
        return ClusterSettings()
    kept = _kept(library / FILE)
    if not on:
        return kept
    home_address(on)
    same = kept.address and str(home_address(kept.address)) == str(home_address(on))
    return kept if same else replace(kept, address=on)


def keep_settings(library: Path, settings: ClusterSettings) -> None:
    """Writes the settings of a library; without an address it is searched on this machine again."""
    path = library / FILE
    if not settings.address:
        path.unlink(missing_ok=True)
        return
    home = home_address(settings.address)
    if settings.name and home.kind != "opensearch":
        raise BadRequest("--name is that of an alias in an OpenSearch cluster: a Dask cluster has none")
    if settings.name and not ALIAS.fullmatch(settings.name):
        raise BadRequest(f"{settings.name[:60]!r} cannot be the name of an alias: use a-z, 0-9, - and _, at most 61")
    replace_text(path, json.dumps(asdict(replace(settings, tls=settings.tls.checked())), indent=1) + "\n")


def _kept(path: Path) -> ClusterSettings:
    try:
        settings: ClusterSettings = from_json(ClusterSettings, json.loads(path.read_bytes()))
        if settings.address:
            home_address(settings.address)
    except FileNotFoundError:
        return ClusterSettings()
    except RecursionError:
        raise _unreadable(path, "nested too deep") from None
    except (ValueError, TypeMismatch, BadRequest) as error:
        raise _unreadable(path, str(error)) from None
    return settings


def _unreadable(path: Path, reason: str) -> ClusterError:
    return ClusterError(f"{path} cannot be read ({reason}): `foreart cluster use ADDRESS` writes it")
