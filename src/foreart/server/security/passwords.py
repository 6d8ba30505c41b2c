"""Passwords as salted scrypt hashes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from pathlib import Path

from foreart.errors import BadFile

_COST, _BLOCK, _LANES = 1 << 15, 8, 1
_MEMORY = 64 << 20
_SHORTEST = 10


def hashed_password(password: str) -> str:
    """The salt and the hash of a password."""
    salt = secrets.token_bytes(16)
    return f"{_text(salt)}:{_text(_scrypt(password, salt))}"


def is_password(password: str, hashed: str) -> bool:
    """Whether a password has that hash, in constant time."""
    salt, _, expected = hashed.partition(":")
    return hmac.compare_digest(_scrypt(password, base64.b64decode(salt)), base64.b64decode(expected))


def read_password(path: Path) -> str:
    """The hash of the password in the first line of a file, which only its owner may read."""
    try:
        if path.stat().st_mode & 0o077:
            raise BadFile(f"{path} can be read by other users: run `chmod 600 {path}`")
        password = path.read_text("utf-8").split("\n")[0].strip()
    except (OSError, UnicodeDecodeError):
        raise BadFile(f"{path}: the password cannot be read") from None
    if len(password) < _SHORTEST:
        raise BadFile(f"{path}: the password has fewer than {_SHORTEST} characters: choose a longer one")
    return hashed_password(password)


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        password.encode("utf-8", "replace"), salt=salt, n=_COST, r=_BLOCK, p=_LANES, maxmem=_MEMORY, dklen=32
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
