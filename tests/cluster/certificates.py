"""Certificates of an authority that lives as long as a test."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from foreart.cluster.cluster_settings import TlsFiles


@dataclass(frozen=True)
class Certificates:
    """The files of one side, signed by an authority."""

    files: TlsFiles


def authority(folder: Path, *, seconds: float = 86_400, host: str = "localhost") -> Certificates:
    """An authority, and a certificate of this machine that it signed, or of another host, for some seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    key, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of a test")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    signed = _begun(issuer, issuer, key).add_extension(x509.BasicConstraints(True, None), critical=True)
    names: list[x509.GeneralName] = [x509.DNSName(host)]
    if host == "localhost":
        names.append(x509.IPAddress(ip_address("127.0.0.1")))
    ours = _begun(subject, issuer, own, seconds).add_extension(x509.SubjectAlternativeName(names), critical=False)
    paths = [folder / name for name in ("ca.pem", "cert.pem", "key.pem")]
    for path, made in zip(paths, (signed, ours), strict=False):
        path.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    paths[2].write_bytes(
        own.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return Certificates(TlsFiles(*map(str, paths)))


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, seconds: float = 86_400
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(seconds=seconds))
    )
