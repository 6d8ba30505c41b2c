"""Damaged copies of files: what disks, networks, editors and enemies do to them."""

from __future__ import annotations

import random
from collections.abc import Callable

_NASTY = (
    b"\x00",
    b"\xff\xfe",
    b"&bogus;",
    b"&#0;",
    b"<![CDATA[",
    b"<!--",
    b"]]>",
    b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>",
    b'"',
    b"\\u0000",
    b"{",
    b"[",
    b"}",
    b"-1",
    b"99999999999999999999",
    b"\n\n",
    b"\t",
    b"NaN",
    b"null",
    b"\xc3",
    "\u202e".encode(),
    b"claims 1 to 999999999",
    b"<b>" * 300,
    b"(" * 2000,
    b"1. " * 500,
)


def _flip(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 3, 20))):
        data[rng.randrange(len(data))] = rng.randrange(256)


def _cut(data: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.choice((1, 10, 500, 20000))]


def _truncate(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def _repeat(data: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(data))
    piece = data[start : start + rng.choice((5, 100, 3000))]
    data[start:start] = piece * rng.choice((1, 2, 30))


def _insert(data: bytearray, rng: random.Random) -> None:
    place = rng.randrange(len(data))
    data[place:place] = rng.choice(_NASTY)


def _move(data: bytearray, rng: random.Random) -> None:
    start, place = rng.randrange(len(data)), rng.randrange(len(data))
    piece = bytes(data[start : start + 400])
    data[place : place + 400] = piece


def _swap_token(data: bytearray, rng: random.Random) -> None:
    """Exchanges two words, tags or keys, which keeps most files well-formed and makes them nonsense."""
    words = bytes(data).split(b" ")
    if len(words) > 3:
        one, other = rng.randrange(len(words)), rng.randrange(len(words))
        words[one], words[other] = words[other], words[one]
        data[:] = b" ".join(words)


MUTATIONS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _flip,
    _cut,
    _truncate,
    _repeat,
    _insert,
    _move,
    _swap_token,
)


def mutant(data: bytes, seed: int) -> bytes:
    """One damaged copy; the same seed damages the same way."""
    rng = random.Random(seed)
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not changed:
            break
        rng.choice(MUTATIONS)(changed, rng)
    return bytes(changed)
