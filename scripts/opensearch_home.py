"""OpenSearch's program files, laid out from Maven Central as its distribution has them: lib, modules, plugins."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

OURS = Path(__file__).resolve().parent / "opensearch"
JAVA = 17
# Modules of the distribution: the class of each, and the beginnings of its files; all other files are the server's.
MODULES = {
    "transport-netty4": ("Netty4Plugin", ("transport-netty4", "opensearch-netty4", "netty-")),
    "mapper-extras": ("MapperExtrasPlugin", ("mapper-extras",)),
    "analysis-common": ("CommonAnalysisPlugin", ("analysis-common",)),
    "lang-painless": ("PainlessPlugin", ("lang-painless", "opensearch-scripting-painless", "antlr4", "asm")),
    "reindex": ("ReindexPlugin", ("reindex", "opensearch-rest-client", "opensearch-ssl-config", "http", "commons-")),
}
LOGGING = """status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %-5p %c{1.} %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""


class Unavailable(Exception):
    """A sentence: what this machine lacks."""


def cache() -> Path:
    """Where the files are kept, outside of any checkout."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "foreart-opensearch"


def lacking() -> str:
    """What this machine lacks to run OpenSearch, in one sentence; nothing if it has all."""
    missing = [what for what, program in (("Maven", "mvn"), (f"a JDK {JAVA}", "javac")) if not shutil.which(program)]
    if missing:
        return (
            f"an OpenSearch cluster needs {' and '.join(missing)}, not found here: on Debian, apt install maven "
            "openjdk-17-jdk-headless"
        )
    told = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=False)  # noqa: S607
    version = re.search(r"javac (\d+)", told.stdout + told.stderr)
    if version is None or int(version[1]) < JAVA:
        return f"an OpenSearch cluster needs Java {JAVA} or newer, and `javac -version` says {told.stdout.strip()!r}"
    return ""


def home(*, secure: bool) -> Path:
    """The files, fetched and laid out once; Unavailable with a sentence where that cannot be."""
    if sentence := lacking():
        raise Unavailable(sentence)
    place = cache() / ("home-secure" if secure else "home")
    with alone(cache() / "lock"):
        if not (place / "ready").exists():
            shutil.rmtree(place, ignore_errors=True)
            _fetch(place / "lib", "jar")
            _sort_modules(place)
            (place / "plugins").mkdir()
            if secure:
                _fetch(place / "zips", "zip", "-Psecurity")
                for packed in (place / "zips").glob("*.zip"):
                    with zipfile.ZipFile(packed) as opened:
                        opened.extractall(place / "plugins" / packed.stem.rpartition("-")[0])
            _compile(place)
            (place / "ready").touch()
    return place


def _fetch(folder: Path, kind: str, *options: str) -> None:
    command = ["mvn", "-q", "-B", "-f", str(OURS / "pom.xml"), f"-DoutputDirectory={folder}", *options]
    done = subprocess.run(  # noqa: S603
        [*command, "-DincludeScope=runtime", f"-DincludeTypes={kind}", "dependency:copy-dependencies"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        errors = [line for line in done.stdout.splitlines() if "ERROR" in line] or ["it gave no reason"]
        raise Unavailable(f"Maven cannot fetch OpenSearch: {errors[0][:300]}")


def _sort_modules(place: Path) -> None:
    version = next((place / "lib").glob("opensearch-core-*.jar")).stem.removeprefix("opensearch-core-")
    for name, (plugin, beginnings) in MODULES.items():
        module = place / "modules" / name
        module.mkdir(parents=True)
        for jar in [jar for jar in (place / "lib").iterdir() if jar.name.startswith(beginnings)]:
            jar.rename(module / jar.name)
        about = {
            "name": name,
            "description": name,
            "version": version,
            "opensearch.version": version,
            "java.version": "11",
            "classname": _class_of(module, plugin),
        }
        (module / "plugin-descriptor.properties").write_text("".join(f"{key}={about[key]}\n" for key in about))


def _class_of(module: Path, plugin: str) -> str:
    for jar in module.glob("*.jar"):
        with zipfile.ZipFile(jar) as opened:
            for entry in opened.namelist():
                if entry.endswith(f"/{plugin}.class"):
                    return entry.removesuffix(".class").replace("/", ".")
    raise Unavailable(f"{module} has no {plugin}: Maven Central has another OpenSearch than pom.xml names")


def _compile(place: Path) -> None:
    """Our own class as a jar: an archive of classes may not come from folders."""
    with tempfile.TemporaryDirectory() as classes:
        command = ["javac", "-cp", f"{place / 'lib'}/*", "-d", classes, str(OURS / "ClusterNode.java")]
        subprocess.run(command, check=True)  # noqa: S603
        with zipfile.ZipFile(place / "lib" / "a-node.jar", "w") as jar:
            jar.write(Path(classes) / "ClusterNode.class", "ClusterNode.class")
            jar.writestr("log4j2.properties", LOGGING)


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One process at a time."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def write_certificates(folder: Path) -> None:
    """An authority, and a certificate of a node for 127.0.0.1 and localhost: ca.pem, node.pem, node.key."""
    folder.mkdir(parents=True, exist_ok=True)
    authority, node = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer, subject = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("authority of tests", "node")
    )
    now = datetime.now(UTC)

    def begun(subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
        dated = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(days=365))
        return dated.serial_number(x509.random_serial_number())

    signer = begun(issuer, authority).add_extension(x509.BasicConstraints(True, None), critical=True)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    signed = begun(subject, node).add_extension(names, critical=False)
    for name, builder in (("ca.pem", signer), ("node.pem", signed)):
        made = builder.sign(authority, hashes.SHA256())
        (folder / name).write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key = node.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "node.key").touch(mode=0o600)
    (folder / "node.key").write_bytes(key)
