"""How the lines of a matter are protected: a chain over all lines, and encryption if there is a passphrase.

A random data key encrypts each payload with AES-256-GCM; the associated data are the matter, the number of the line and
the chain of all lines before it, so that no line can be changed, swapped, moved, inserted or removed. The head keeps
the number and chain of the last line under a key of its own, so that a cut-off end is found too. The data key is
stored encrypted with a key that Argon2id derives from the passphrase.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from foreart.durable import json_checksum
from foreart.errors import BadRequest

SHORTEST = 10
_NONCE = 12
# 64 MiB and three passes: the second recommendation of RFC 9106.
COST = {"memory": 64 << 10, "passes": 3, "lanes": 4}
# A file from elsewhere must not make this machine compute for hours.
_LARGEST_COST = {"memory": 1 << 20, "passes": 20, "lanes": 16}


class Tampered(ValueError):
    """A line or a key is not as it was written."""


class WrongKey(ValueError):
    """A passphrase does not open a key slot."""


@dataclass(frozen=True, slots=True, repr=False)
class Lines:
    """The lines of an open matter: the chain finds damage, but has no secret that an attacker lacks."""

    matter: str
    chain_key: bytes = b""
    head_key: bytes = b""

    @property
    def is_sealed(self) -> bool:
        """Whether payloads are encrypted."""
        return False

    @property
    def first(self) -> bytes:
        """The chain before the first line."""
        return self._digest(self.chain_key, b"first", self.matter.encode())

    def packed(self, n: int, before: bytes, payload: bytes) -> bytes:
        """A payload as it is stored."""
        return payload

    def unpacked(self, n: int, before: bytes, stored: bytes) -> bytes:
        """A payload as it was given; `Tampered` if that cannot be had."""
        return stored

    def chain(self, n: int, before: bytes, time: str, rater: str, stored: bytes) -> bytes:
        """The chain after a line."""
        return self._digest(self.chain_key, b"line", before, str(n).encode(), time.encode(), rater.encode(), stored)

    def head(self, n: int, chain: bytes) -> bytes:
        """What the head of a log that ends with this line contains."""
        return n.to_bytes(8, "big") + self._digest(self.head_key, b"head", self.matter.encode(), str(n).encode(), chain)

    def is_head(self, head: bytes, n: int, chain: bytes) -> bool:
        """Whether a head is that of a log that ends with this line."""
        return hmac.compare_digest(head, self.head(n, chain))

    @staticmethod
    def _digest(key: bytes, *parts: bytes) -> bytes:
        digest = hashlib.blake2b(key=key, digest_size=32, person=b"foreart matter")
        for part in parts:
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.digest()


@dataclass(frozen=True, slots=True, repr=False)
class SealedLines(Lines):
    """The lines of a sealed matter."""

    payload_key: bytes = b""

    @property
    def is_sealed(self) -> bool:
        """Whether payloads are encrypted."""
        return True

    def packed(self, n: int, before: bytes, payload: bytes) -> bytes:
        """A payload, encrypted."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + AESGCM(self.payload_key).encrypt(nonce, payload, self._bound(n, before))

    def unpacked(self, n: int, before: bytes, stored: bytes) -> bytes:
        """A payload, decrypted; `Tampered` if it is not the one that was written there."""
        try:
            return AESGCM(self.payload_key).decrypt(stored[:_NONCE], stored[_NONCE:], self._bound(n, before))
        except (InvalidTag, ValueError):
            raise Tampered from None

    def _bound(self, n: int, before: bytes) -> bytes:
        return b"\0".join((b"foreart matter line", self.matter.encode(), str(n).encode(), before))


def new_slot(matter: str, passphrase: str) -> tuple[bytes, SealedLines]:
    """A new data key: the slot that keeps it for the passphrase, and the lines that it protects."""
    if len(passphrase) < SHORTEST:
        raise BadRequest(f"a passphrase needs at least {SHORTEST} characters: a sentence of several words is best")
    data_key, salt, nonce = secrets.token_bytes(32), secrets.token_bytes(16), secrets.token_bytes(_NONCE)
    wrapped = AESGCM(_derived(passphrase, salt, COST)).encrypt(nonce, data_key, _slot_bound(matter, COST))
    slot: dict[str, Any] = {"kdf": "argon2id", **COST, "salt": salt.hex(), "nonce": nonce.hex(), "key": wrapped.hex()}
    return json.dumps({**slot, "checksum": json_checksum(slot)}).encode(), _lines(matter, data_key)


def opened_slot(matter: str, slot: bytes, passphrase: str) -> SealedLines:
    """The lines of a slot; `WrongKey` for another passphrase, `Tampered` if the slot is damaged."""
    salt, nonce, wrapped, cost = _parts_of(slot)
    try:
        key = AESGCM(_derived(passphrase, salt, cost)).decrypt(nonce, wrapped, _slot_bound(matter, cost))
    except (InvalidTag, ValueError):
        raise WrongKey from None
    return _lines(matter, key)


def _parts_of(slot: bytes) -> tuple[bytes, bytes, bytes, dict[str, int]]:
    """Salt, nonce, wrapped key and cost; the checksum distinguishes a damaged slot from a wrong passphrase."""
    try:
        record = json.loads(slot)
        checksum = record.pop("checksum")
        cost = {name: int(record[name]) for name in COST}
        salt, nonce, wrapped = (bytes.fromhex(record[name]) for name in ("salt", "nonce", "key"))
    except (ValueError, KeyError, AttributeError, TypeError):
        raise Tampered from None
    if checksum != json_checksum(record) or any(not 1 <= cost[name] <= _LARGEST_COST[name] for name in cost):
        raise Tampered
    return salt, nonce, wrapped, cost


def _derived(passphrase: str, salt: bytes, cost: dict[str, int]) -> bytes:
    # The same letters typed on another system may be composed differently.
    secret = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    passes, lanes, memory = cost["passes"], cost["lanes"], cost["memory"]
    return Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(secret)


def _slot_bound(matter: str, cost: dict[str, int]) -> bytes:
    return json.dumps(["foreart matter key", matter, cost], sort_keys=True).encode()


def _lines(matter: str, data_key: bytes) -> SealedLines:
    payload, chain, head = (
        HKDFExpand(SHA256(), 32, f"foreart matter {use}".encode()).derive(data_key)
        for use in ("payload", "chain", "head")
    )
    return SealedLines(matter, chain_key=chain, head_key=head, payload_key=payload)
